"""Drawings say which tiles lie where, line up, and are the same each time."""

import re
from collections import Counter
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.draw import Laid, Order, meld_text, picture, rack_text, svg, tile_text, visible_width
from tilerummy.melds import Draft, Meld, Piece, draft, draft_text, pieces, read
from tilerummy.rulesets import RULESETS, TILESETS, ruleset
from tilerummy.tiles import Face, Tile, text, tile, tiles

SVG = "{http://www.w3.org/2000/svg}"
MARKS = {"r": "●", "b": "◆", "k": "■", "y": "▲"}
STANDARD = RULESETS["sabra"].tiles()
FULL = draft(" | ".join(" ".join(f"{c}{n}{copy}" for n in range(1, 14)) for c in "rbky" for copy in ("", "'")))
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")

faces = st.builds(Face, st.sampled_from(["r", "b", "k", "y", None]), st.integers(1, 13))


def as_piece(one: Tile, face: Face | None) -> Piece:
    return Piece(one, face if one.is_joker else None)


drafts = st.lists(
    st.lists(st.builds(as_piece, st.sampled_from(STANDARD), st.none() | faces), min_size=1, max_size=14).map(tuple),
    max_size=12,
).map(tuple)
widths = st.integers(20, 200)


def bare(drawn: str) -> str:
    return ESCAPES.sub("", drawn)


def without_copies(written: str) -> str:
    return written.replace("'", "")


def parsed(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)


def names_in(element: ElementTree.Element) -> list[str]:
    """The tiles of an SVG in the order drawn, read from what is to be seen on them."""
    found = []
    for group in element.iter():
        uses = [use.get("href", "") for use in group.findall(f"{SVG}use")]
        if group.tag == f"{SVG}g" and uses[:1] == ["#tr-tile"] and group.get("transform"):
            number = group.findtext(f"{SVG}text", "")
            mark = "".join(use[-1] for use in uses if re.fullmatch("#tr-[rbky]", use))
            joker = "#tr-star" in uses
            found.append((("j=" if number else "j") if joker else "") + mark + number)
    return found


@pytest.mark.parametrize("one", [*RULESETS["sabra"].tiles(), None], ids=str)
def test_every_tile_is_as_wide_as_another(one: Tile | None) -> None:
    assert visible_width(tile_text(one)) == 5
    assert visible_width(tile_text(one, highlight=STANDARD)) == 5
    assert tile_text(one).endswith("\x1b[0m")


@pytest.mark.parametrize(
    ("written", "shown"),
    [("r8", " 8●"), ("b13", "13◆"), ("k1", " 1■"), ("y10'", "10▲"), ("j", " ★ "), ("j=r8", "★8 "), ("j'=12", "★12")],
)
def test_a_tile_shows_its_number_and_its_mark(written: str, shown: str) -> None:
    assert bare(tile_text(pieces(written)[0])) == f"▐{shown}▌"


def test_a_face_down_tile_shows_nothing() -> None:
    assert bare(tile_text(None)) == "▐   ▌"
    assert tile_text(None) != tile_text(tile("r1"))
    assert tile_text(None, colour=False) == "?"


def test_a_tile_may_be_given_bare_or_as_a_piece() -> None:
    assert tile_text(tile("r8")) == tile_text(Piece(tile("r8")))


def test_the_fourth_colour_is_the_rulesets() -> None:
    yellow, orange = ruleset("sabra"), ruleset("classic")
    assert tile_text(tile("y8"), rules=yellow) == tile_text(tile("y8")) != tile_text(tile("y8"), rules=orange)
    assert tile_text(tile("r8"), rules=orange) == tile_text(tile("r8"))
    assert svg(draft("y8"), rules=yellow) == svg(draft("y8")) != svg(draft("y8"), rules=orange)
    assert "#d05200" in svg(draft("j=y8"), rules=orange)


def test_highlighted_tiles_stand_out() -> None:
    meld = pieces("r8 r8' r9")
    assert meld_text(meld, highlight=tiles("r8'"), colour=False) == "r8 r8* r9"
    assert "\x1b[1;4;" in meld_text(meld, highlight=iter(tiles("r9")))
    assert "\x1b[1;4;" not in meld_text(meld, highlight=tiles("r10"))
    assert picture([meld], tiles("b1"), highlight=iter(tiles("r9 b1")), colour=False) == "r8  r8  r9*\n\nb1*"


def test_a_table_and_a_draft_draw_alike() -> None:
    written = draft("b6 b7 j | r8 b8 j'")
    table = tuple(meld for meld in map(read, written) if isinstance(meld, Meld))
    named = draft("b6 b7 j=b8 | r8 b8 j'=8")
    assert len(table) == 2
    assert [meld_text(meld) for meld in table] == [meld_text(meld) for meld in named]
    assert picture(table) == picture(named)
    assert svg(table) == svg(named)


@given(drafts)
def test_a_plain_meld_is_its_notation(table: Draft) -> None:
    for meld in table:
        assert meld_text(meld, colour=False) == without_copies(draft_text([meld]))


@given(drafts, widths)
def test_a_plain_table_reads_back(table: Draft, width: int) -> None:
    drawn = picture(table, width=width, colour=False)
    assert draft_text(draft(drawn)) == without_copies(draft_text(table))
    assert all(len(line) <= width for line in drawn.splitlines())


@given(drafts, widths, st.booleans())
def test_plain_tiles_stand_in_columns(table: Draft, width: int, numbered: bool) -> None:
    drawn = picture(table, width=width, numbered=numbered, colour=False)
    longest = max([3, *(len(without_copies(str(piece))) for meld in table for piece in meld)])
    for line in drawn.splitlines():
        assert len(line) <= width
        assert all(match.start() % (longest + 1) == 0 for match in re.finditer(r"\S+", line))
    if numbered:
        assert re.findall(r"\b\d+\.", drawn) == [f"{number}." for number in range(1, len(table) + 1)]


@given(drafts, widths, st.booleans())
def test_coloured_tiles_stand_in_columns(table: Draft, width: int, numbered: bool) -> None:
    lines = picture(table, width=width, numbered=numbered).splitlines()
    assert all(visible_width(line) <= width for line in lines)
    for tops, edges in zip(lines[::2], lines[1::2], strict=True):
        starts = [match.start() for match in re.finditer("▐", bare(tops))]
        assert starts == [match.start() for match in re.finditer("▝", bare(edges))]
        assert all(start % 5 == 0 for start in starts)
        assert visible_width(tops) == visible_width(edges)
    shown = [cell for line in lines for cell in re.findall("▐(...)▌", bare(line))]
    assert shown == [bare(tile_text(piece))[1:4] for meld in table for piece in meld]


def test_a_row_is_filled_to_the_last_column() -> None:
    table = draft("r1 r2 r3 | b1 b2 b3")
    assert picture(table, width=29, colour=False).count("\n") == 0
    assert picture(table, width=24, colour=False) == "r1  r2  r3  |\nb1  b2  b3"
    assert len(picture(table, width=35).splitlines()) == 2
    assert len(picture(table, width=34).splitlines()) == 4
    assert len(picture(table, width=40, numbered=True).splitlines()) == 2
    assert len(picture(table, width=39, numbered=True).splitlines()) == 4


def test_a_long_meld_goes_on_below_without_a_new_number() -> None:
    drawn = picture(draft("r1 r2 r3 r4 r5 | b1 b2 b3"), width=15, numbered=True, colour=False)
    assert drawn.splitlines() == ["1.  r1  r2  r3", "    r4  r5", "2.  b1  b2  b3"]
    coloured = bare(picture(draft("r1 r2 r3 r4 r5"), width=20, numbered=True)).splitlines()
    assert [line[:5] for line in coloured] == ["   1 ", "     ", "     ", "     "]


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("width", [-1, 0, 1, 4])
def test_no_width_is_too_small_to_draw(width: int, colour: bool) -> None:
    drawn = picture(draft("r1 r2 r3"), tiles("b1 b2"), width=width, colour=colour)
    assert len(re.findall("[rb][123]|[123][●◆]", bare(drawn))) == 5


def test_nothing_is_drawn_of_nothing() -> None:
    for colour in (True, False):
        assert picture((), (), colour=colour) == picture((), colour=colour) == rack_text((), colour=colour) == ""
        assert picture((), tiles("r1"), colour=colour) == rack_text(tiles("r1"), colour=colour)
        assert picture(draft("r1"), (), colour=colour) == picture(draft("r1"), colour=colour)


def test_an_empty_meld_takes_a_number() -> None:
    assert picture([(), pieces("r1")], numbered=True, colour=False) == "1.  2.  r1"
    assert bare(picture([(), pieces("r1")])).startswith("     ▐ 1●▌")


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("colour", "r3 r13 b1 b3 j ? ?"),
        ("number", "b1 r3 b3 r13 j ? ?"),
        ("given", "j ? b3 r13 b1 r3 ?"),
    ],
)
def test_a_rack_is_sorted(order: Order, expected: str) -> None:
    rack = [tile("j"), None, *tiles("b3 r13 b1 r3"), None]
    assert rack_text(rack, order=order, colour=False).split() == expected.split()
    assert picture((), rack, order=order, colour=False).split() == expected.split()
    drawn = names_in(parsed(svg((), rack, order=order)))
    assert drawn == [name for name in expected.split() if name != "?"]


@given(st.lists(st.sampled_from(STANDARD), min_size=1, max_size=30), st.integers(7, 100))
def test_a_rack_is_a_rectangle_of_wood(rack: Sequence[Tile], width: int) -> None:
    lines = rack_text(rack, width=width).splitlines()
    assert len({visible_width(line) for line in lines}) == 1
    assert visible_width(lines[0]) <= width
    assert Counter(re.findall("▐(...)▌", bare("".join(lines)))) == Counter(bare(tile_text(one))[1:4] for one in rack)
    plain = rack_text(rack, width=width, colour=False)
    assert sorted(plain.split()) == sorted(without_copies(text(rack)).split())
    assert all(len(line) <= width for line in plain.splitlines())


def test_rows_of_a_rack_are_nearly_equal() -> None:
    assert rack_text(STANDARD[:26:2], width=47, colour=False) == "r1  r2  r3  r4  r5  r6  r7\nr8  r9  r10 r11 r12 r13"


def test_width_counts_columns_not_signs() -> None:
    assert visible_width("") == 0
    assert visible_width("\x1b[1;38;5;160mred\x1b[0m") == 3
    assert visible_width("e\u0301") == 1
    assert visible_width("麻将") == 4


@given(drafts, st.lists(st.sampled_from(STANDARD), max_size=30), st.integers(100, 2000))
def test_an_svg_shows_every_tile_once_and_inside(table: Draft, rack: list[Tile], width: int) -> None:
    drawn = svg(table, rack, order="given", width=width)
    assert drawn == svg(table, iter(rack), order="given", width=width)
    picture = parsed(drawn)
    laid = [without_copies(str(piece)) for meld in table for piece in meld]
    assert names_in(picture) == [*laid, *(without_copies(str(one)) for one in rack)]
    _, _, across, down = map(int, picture.get("viewBox", "").split())
    assert int(picture.get("width", "")) <= width
    places = [
        tuple(map(int, re.findall(r"\d+", group.get("transform", ""))))
        for group in picture.iter(f"{SVG}g")
        if group.get("fill")
    ]
    assert len(set(places)) == len(places)
    assert all(40 <= x <= across - 140 and 40 <= y <= down - 172 for x, y in places)


def test_an_svg_is_accessible_and_stands_alone() -> None:
    picture = parsed(svg(draft("r1 r2 r3' | j=8"), tiles("b1")))
    assert picture.get("role") == "img"
    assert picture[0].tag == f"{SVG}title"
    assert picture[0].text == "r1 r2 r3 | j=8"
    ids = [element.get("id") for element in picture.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    drawn = svg(draft("r1 b2 k3 y4 j j=r5 j=6"), [None, *tiles("r1")], highlight=tiles("r1"))
    assert {*re.findall(r"#(tr-\w+)", drawn)} == {*ids}
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("title", ["<b> & \"c\" 'd' ]]>", "Élan 牌 ♥"])
def test_a_title_is_escaped(title: str) -> None:
    assert parsed(svg((), title=title)).findtext(f"{SVG}title") == title


@given(st.text())
def test_no_title_breaks_the_xml(title: str) -> None:
    assert parsed(svg((), title=title).encode().decode()).tag == f"{SVG}svg"


def test_an_svg_marks_new_and_hidden_tiles() -> None:
    meld: Laid = [*pieces("r1 r2"), None]
    drawn = svg([meld, pieces("b1 b2 b3")], highlight=tiles("r2"))
    body = drawn.partition("</defs>")[2]
    assert body.count("#tr-ring") == 1
    assert body.count("#tr-back") == 1
    assert re.findall(r'rx="27" fill="(#\w+)"', body) == ["#fff", "#000"]
    assert names_in(parsed(drawn)) == ["r1", "r2", "b1", "b2", "b3"]


def test_an_svg_of_nothing_is_felt_and_perhaps_an_empty_rack() -> None:
    felt, rack = svg(()), svg((), ())
    assert names_in(parsed(felt)) == names_in(parsed(rack)) == []
    assert "url(#tr-wood)" not in felt
    assert "url(#tr-wood)" in rack
    assert parsed(svg([()])).get("width") == parsed(felt).get("width")


def test_an_svg_of_everything() -> None:
    xp = ruleset("sabra", {"tileset": "xp"})
    assert xp.total == 160
    assert TILESETS["xp"]["jokers"] == 4
    drawn = parsed(svg(FULL, xp.tiles()[-30:], width=700, rules=xp))
    assert len(names_in(drawn)) == 104 + 30
    assert names_in(drawn)[-4:] == ["j"] * 4
    assert drawn.get("width") in {str(width) for width in range(600, 701)}


def test_tiles_shrink_when_a_meld_is_too_long() -> None:
    narrow, wide = (parsed(svg(FULL, width=width)) for width in (300, 1000))
    assert narrow.get("width") == "300"
    assert wide.get("width") == "636"
    assert narrow.get("viewBox") == wide.get("viewBox")


@pytest.mark.parametrize("id", RULESETS)
def test_every_mark_is_used_by_every_ruleset(id: str) -> None:
    drawn = picture((), RULESETS[id].tiles(), rules=RULESETS[id])
    assert all(mark in drawn for mark in [*MARKS.values(), "★"])
