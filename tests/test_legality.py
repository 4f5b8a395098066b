"""The rules of a play: the rulebooks' examples under every ruleset, and tiles that are not told apart."""

import json
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tilerummy.legality import CODES, Verdict, check, is_legal, settle
from tilerummy.melds import Draft, Meld, Piece, Table, draft, pieces, read
from tilerummy.origins import Origins
from tilerummy.record import check_tiles, read_table
from tilerummy.rulesets import RULESETS, Ruleset, ruleset
from tilerummy.tiles import Tile, Unreadable, text, tile_of, tiles

ROWS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "truth" / "plays.json").read_text())


def codes(verdict: Verdict) -> list[str]:
    return sorted({violation.code for violation in verdict.violations}, key=CODES.index)


def judge(row: dict[str, Any], rules: Ruleset) -> list[str]:
    table = read_table(row["table"], rules)
    rack = tiles(row["rack"])
    check_tiles([*(tile for meld in table for tile in meld.tiles), *rack], rules, "rack")
    opened, all_opened = row.get("opened", True), row.get("all_opened", True)
    verdict = check(table, rack, draft(row["after"]), rules, opened=opened, all_opened=all_opened)
    assert is_legal(table, rack, draft(row["after"]), rules, opened=opened, all_opened=all_opened) is verdict.legal
    return codes(verdict)


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
@pytest.mark.parametrize("id", RULESETS)
def test_truth(row: dict[str, Any], id: str) -> None:
    expected = row["codes"][id]
    if expected is None:
        with pytest.raises(Unreadable):
            judge(row, ruleset(id))
    else:
        assert judge(row, ruleset(id)) == expected


def test_truth_names_every_ruleset_and_code() -> None:
    assert all(list(row["codes"]) == list(RULESETS) for row in ROWS)
    assert {code for row in ROWS for some in row["codes"].values() for code in some or ()} == set(CODES)


# Tiles that are not told apart: the judgement is the best over all ways to tell them apart.

SMALL_MELDS = [
    "r1 r2 r3",
    "r2 r3 j",
    "r2 r3 r4",
    "r1 j r3",
    "r1 r2 r3 j",
    "j r2 r3 r4",
    "r3 b3 j",
    "r3 b3 k3",
    "r3 k3 j",
    "r2 b2 k2",
    "b1 b2 b3",
    "b2 b3 j",
    "k1 k2 j",
    "r3 b3 k3 j",
    "r2 b2 j j",
    "r2 j=r3 j=r4",
]


def limits(some: Sequence[Tile], rules: Ruleset) -> bool:
    return all(list(some).count(tile) <= (rules.jokers if tile.is_joker else rules.copies) for tile in some)


def telling_apart(before: Table, rack: Sequence[Tile]) -> tuple[Table, tuple[Tile, ...]]:
    """Number the copies of the table and the rack; which is which is of no account there."""
    used: dict[int, int] = {}

    def number(tile: Tile) -> Tile:
        used[tile.kind] = used.get(tile.kind, -1) + 1
        return tile_of(tile.kind, used[tile.kind])

    table = tuple(Meld(tuple(number(tile) for tile in meld.tiles), meld.colour, meld.number) for meld in before)
    return table, tuple(number(tile) for tile in rack)


def every_assignment(after: Draft, supply: Sequence[Tile]) -> Iterator[Draft]:
    """Each way to say which physical tile lies where on the new table."""
    kinds = sorted({piece.tile.kind for part in after for piece in part})
    places = {
        k: [(m, p) for m, part in enumerate(after) for p, piece in enumerate(part) if piece.tile.kind == k]
        for k in kinds
    }
    copies = {kind: [tile for tile in supply if tile.kind == kind] for kind in kinds}
    for chosen in product(*(permutations(copies[kind], len(places[kind])) for kind in kinds)):
        tile_at = {
            place: tile
            for kind, some in zip(kinds, chosen, strict=True)
            for place, tile in zip(places[kind], some, strict=True)
        }
        yield tuple(
            tuple(Piece(tile_at[m, p], piece.face) for p, piece in enumerate(part)) for m, part in enumerate(after)
        )


@st.composite
def plays(draw: st.DrawFn) -> tuple[Table, tuple[Tile, ...], Draft]:
    """A small table with jokers, and any new arrangement of it with some tiles of a rack, legal or not."""
    before = tuple(
        meld
        for written in draw(st.lists(st.sampled_from(SMALL_MELDS), min_size=1, max_size=3))
        if isinstance(meld := read(pieces(written)), Meld)
    )
    rack = tiles(draw(st.sampled_from(["r4", "r3 r4", "r1 r4 k3", "b3 k3", "k3 y3 r1", "r3", "j r4", "b4 r2 k3 k1"])))
    melds = [tuple(meld.pieces) for meld in before]
    loose = [Piece(tile) for tile in rack if draw(st.booleans())]
    for _ in range(draw(st.integers(0, 3))):  # move a tile, or let a joker be read anew
        source = draw(st.integers(0, len(melds) - 1))
        if melds[source]:
            place = draw(st.integers(0, len(melds[source]) - 1))
            loose.append(Piece(melds[source][place].tile))
            melds[source] = melds[source][:place] + melds[source][place + 1 :]
    for piece in loose:
        target = draw(st.integers(0, len(melds)))
        if target == len(melds):
            melds.append((piece,))
        else:
            place = draw(st.sampled_from([0, len(melds[target])]))
            melds[target] = (*melds[target][:place], piece, *melds[target][place:])
    return before, rack, tuple(part for part in melds if part)


@pytest.mark.parametrize("id", RULESETS)
@settings(max_examples=250, derandomize=True)
@given(plays())
@example(
    (
        tuple(meld for part in draft("r2 r3 j | r1 r2 r3") if isinstance(meld := read(part), Meld)),
        tiles("r4"),
        draft("r2 r3 r4 | r1 r2 r3 j"),
    )
)
def test_equal_tiles_are_judged_by_the_best_assignment(id: str, play: tuple[Table, tuple[Tile, ...], Draft]) -> None:
    house = {"copies": 2, "deal": 6} if id == "junior" else {"jokers": 4}
    rules = ruleset(id, {**house, "groups": True})
    before, rack, after = play
    if not limits([*(tile for meld in before for tile in meld.tiles), *rack], rules):
        return
    together = codes(check(before, rack, after, rules))
    assert is_legal(before, rack, after, rules) is (not together)
    table, held = telling_apart(before, rack)
    supply = [*(tile for meld in table for tile in meld.tiles), *held]
    apart = [codes(check(table, held, one, rules)) for one in every_assignment(after, supply)]
    # An assignment that puts a table tile on the rack for an equal one of the rack is no assignment.
    apart = [some for some in apart if ("conserve" in some) is ("conserve" in together)]
    assert len(together) == min(map(len, apart))
    assert together in apart


def test_every_broken_rule_comes_with_its_arguments() -> None:
    table = read_table("b6 b7 j | r1 r2 r3", RULESETS["rummy"])
    verdict = check(table, tiles("k1"), draft("b6 b7 | r1 r2 r3 j"), RULESETS["rummy"], opened=False, all_opened=False)
    assert [(v.code, text(v.tiles), dict(v.args)) for v in verdict.violations] == [
        ("lay-one", "", {}),
        ("meld", "b6 b7", {"reason": "too-short", "choices": "", "meld": "b6 b7", "place": 0}),
        ("opening", "", {"points": 0, "needed": 30}),
        ("table-locked", "b6 b7 j", {"meld": "b6 b7 j=b8", "until": "all-opened"}),
        ("table-locked", "r1 r2 r3", {"meld": "r1 r2 r3", "until": "all-opened"}),
        ("joker-swap", "j", {"face": "b8", "needs": "b8", "meld": "b6 b7 j=b8"}),
        ("joker-meld-split", "b6 b7 j", {"meld": "b6 b7 j=b8"}),
        ("joker-new-meld", "j", {"face": "b8", "landing": "r1 r2 r3 j", "meld": "r1 r2 r3"}),
    ]


def test_melds_that_stay_do_not_make_a_search_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tiles may replace the joker, and two rules are broken either way: no other meld is a reason to look again."""
    tried, make = 0, Origins._make

    def counted(self: Origins, *args: Any) -> Any:
        nonlocal tried
        tried += 1
        return make(self, *args)

    monkeypatch.setattr(Origins, "_make", counted)
    rules = ruleset("rummy", {"rearranging": "adding"})
    others = [f"{colour}{first} {colour}{first + 1} {colour}{first + 2}" for colour in "ky" for first in (1, 4, 7, 10)]
    before = read_table(" | ".join(["r1 r2 j", "b7 b8 j'", *others]), rules)
    after = draft(" | ".join(["r1 r2 r3", "b7", "b8 j' j r3' k13", *others]))
    verdict = check(before, tiles("r3 r3' k13"), after, rules)
    assert codes(verdict) == ["meld", "no-rearranging", "joker-swap", "joker-meld-split"]
    assert tried < 10 * len(after)


def test_a_group_joker_may_be_swapped_by_any_missing_colour() -> None:
    table = read_table("b12 k12 j", RULESETS["classic"])
    verdict = check(table, tiles("r1 r2"), draft("b12 k12 | r1 r2 j"), RULESETS["classic"])
    assert verdict.violations[-1].args["needs"] == "r12 y12"


@pytest.mark.parametrize("id", RULESETS)
@pytest.mark.parametrize("marked", [True, False])
def test_the_order_of_the_melds_is_of_no_account(id: str, marked: bool) -> None:
    """Either colour may replace either joker, so that the choice has to be the one that serves both."""
    if id == "junior":
        return

    def apart(written: str) -> str:
        return written if marked else written.replace("'", "")

    table = read_table(apart("b3 r3 j | b3' k3 j'"), RULESETS[id])
    rack = tiles(apart("y3 k3' r9 r10 k9 k10"))
    for order in permutations(draft(apart("b3' k3 y3 | b3 r3 k3' | r9 r10 j | k9 k10 j'"))):
        assert check(table, rack, order, RULESETS[id]).legal


def test_points_and_laid_tiles() -> None:
    sabra = RULESETS["sabra"]
    verdict = check(read_table("b8 b9 b10", sabra), tiles("b11 k8 y8 r1"), draft("b9 b10 b11 | k8 y8 b8"), sabra)
    assert (text(verdict.laid), verdict.points, verdict.towards) == ("b11 k8 y8", 27, None)
    joker = check((), tiles("j r13 b13"), draft("r13 b13 j"), sabra, opened=False)
    assert (joker.legal, joker.points, joker.towards) == (True, 39, 39)
    # The joker on the table stays r3, so that the laid one is y9.
    both = check(read_table("r1 r2 j", sabra), tiles("j y7 y8"), draft("r1 r2 j | y7 y8 j"), sabra)
    assert both.points == 24


def test_unfinished_melds_keep_their_joker() -> None:
    """While drafting, a joker that may yet stand for what it stood for is not reported."""
    classic = RULESETS["classic"]
    table = read_table("r2 r3 j r5", classic)
    for written, expected in [
        ("r3 j | r2", ["meld"]),
        ("r2 j=r4 | r3 | r5", ["meld"]),
        ("j | r2 r3 r5", ["meld", "joker-swap"]),
        ("r2 j | r3 r5", ["meld", "joker-swap"]),
    ]:
        assert codes(check(table, tiles("b1"), draft(written + " | b1"), classic))[-len(expected) :] == expected


def test_free_jokers_may_still_be_kept_only_when_swapped() -> None:
    """A house rule: sabra's free jokers, but junior's right to keep a swapped one."""
    rules = ruleset("sabra", {"joker_goes": "rack"})
    table = read_table("r2 r3 j | b4 b5 b6", rules)
    kept = check(table, tiles("r4"), draft("r2 r3 r4 | b4 b5 b6"), rules)
    assert (kept.legal, text(kept.taken)) == (True, "j")
    stolen = check(table, tiles("r1"), draft("r1 r2 r3 | b4 b5 b6"), rules)
    assert codes(stolen) == ["joker-keep"]


def test_whole_joker_melds_with_free_jokers() -> None:
    """A house rule: free jokers, but a meld is divided only after its joker was swapped."""
    rules = ruleset("sabra", {"joker_melds": "whole"})
    table = read_table("r2 r3 j r5 r6", rules)
    assert codes(check(table, tiles("r7"), draft("r2 r3 j | r5 r6 r7"), rules)) == ["joker-meld-split"]
    assert check(table, tiles("r4 r7 k1 k2"), draft("r2 r3 r4 | r5 r6 r7 | k1 k2 j"), rules).legal


def test_settle_keeps_unchanged_melds_first() -> None:
    sabra = RULESETS["sabra"]
    table = read_table("r1 r2 r3 | b1 b2 b3 | k1 k2 k3", sabra)
    melds = [read(part) for part in draft("y1 y2 y3 | k1 k2 k3 | r1 r2 r3 r4 | b1 b2 b3")]
    assert [str(meld) for meld in settle(table, melds)] == ["b1 b2 b3", "k1 k2 k3", "y1 y2 y3", "r1 r2 r3 r4"]
