"""Drawings of a position: as text for a terminal, in colour or plain, and as SVG.

>>> from tilerummy.melds import draft
>>> from tilerummy.tiles import tiles
>>> print(picture(draft("r4 r5 r6 | b8 k8 j=8"), tiles("y11 b2 r9"), colour=False))
r4  r5  r6  |   b8  k8  j=8
<BLANKLINE>
r9  b2  y11
>>> svg(draft("r4 r5 r6"), title="A run").startswith("<svg")
True

A table is drawn from its melds, valid or not (Table, Draft), and a rack from its tiles; `None` is a tile face down.
Each colour has a mark (● red, ◆ blue, ■ black, ▲ yellow or orange), so that nobody has to tell colours apart.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final, Literal, NamedTuple, TypeVar
from unicodedata import combining, east_asian_width

from tilerummy.melds import Meld, Piece
from tilerummy.rulesets import FourthColour, Ruleset
from tilerummy.tiles import Colour, Tile

__all__ = ["Laid", "Order", "Shown", "meld_text", "picture", "rack_text", "svg", "tile_text", "visible_width"]

Shown = Tile | Piece | None
"""A tile to draw: as it is, as somebody wrote it, or face down."""

Laid = Meld | Sequence[Shown]
"""A meld to draw: a valid one, or its tiles as they lie."""

Order = Literal["colour", "number", "given"]
"""How a rack is sorted; jokers come last, and face-down tiles after them."""

_Item = TypeVar("_Item")
_Row = tuple[Piece | None, ...]

# Of each colour, and of a joker: the nearest of a terminal's 256 (its 16 change with the theme), and the page's own.
_INKS: Final[dict[Colour | None, tuple[int, str]]] = {
    "r": (160, "#c8322f"),
    "b": (26, "#1d5fc0"),
    "k": (234, "#23262b"),
    "y": (130, "#b96a00"),
    None: (91, "#7a3fb0"),
}
_ORANGE: Final = (166, "#d05200")
_TERM_IVORY: Final = (230, 187)  # face, lower edge
_TERM_BACK: Final = (187, 144)
_TERM_NEW: Final = 214
_TERM_WOOD: Final = 137
_MARKS: Final[dict[Colour | None, str]] = {"r": "●", "b": "◆", "k": "■", "y": "▲"}
_CELL: Final = 5  # columns of a tile in colour: two half-block sides and three signs
_WORD: Final = 3  # columns of a plain tile, unless a longer one is among them
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")


class _Style(NamedTuple):
    highlight: frozenset[Tile]
    rules: Ruleset | None
    ground: int | None = None  # what a terminal shows between the tiles

    def is_new(self, piece: Piece | None) -> bool:
        return piece is not None and piece.tile in self.highlight

    def ink(self, colour: Colour | None) -> tuple[int, str]:
        orange = self.rules is not None and self.rules.fourth_colour is FourthColour.ORANGE
        return _ORANGE if orange and colour == "y" else _INKS[colour]


def visible_width(line: str) -> int:
    """Count the columns that a line takes in a terminal.

    >>> visible_width(tile_text(None)), visible_width("牌")
    (5, 2)
    """
    return sum(0 if combining(sign) else 1 + (east_asian_width(sign) in "WF") for sign in _ESCAPES.sub("", line))


def tile_text(
    shown: Shown, *, highlight: Iterable[Tile] = (), rules: Ruleset | None = None, colour: bool = True
) -> str:
    """Draw one tile: five columns in colour; plain, the notation without the copy, `*` marking a highlighted one.

    >>> from tilerummy.tiles import tile
    >>> tile_text(tile("r8'"), colour=False), tile_text(None, colour=False)
    ('r8', '?')
    """
    return meld_text((shown,), highlight=highlight, rules=rules, colour=colour)


def meld_text(meld: Laid, *, highlight: Iterable[Tile] = (), rules: Ruleset | None = None, colour: bool = True) -> str:
    """Draw a meld on one line.

    >>> from tilerummy.melds import pieces
    >>> meld_text(pieces("r9 j=r10 r11'"), colour=False)
    'r9 j=r10 r11'
    """
    style = _Style(frozenset(highlight), rules)
    row = _pieces(meld)
    return _lines(row, style)[0] if colour else " ".join(_word(piece, style) for piece in row)


def picture(
    table: Iterable[Laid],
    rack: Iterable[Tile | None] | None = None,
    *,
    highlight: Iterable[Tile] = (),
    rules: Ruleset | None = None,
    order: Order = "colour",
    numbered: bool = False,
    width: int = 80,
    colour: bool = True,
) -> str:
    """Draw a table, and a rack below it, in lines of at most this width; the tiles stand in columns.

    In colour each row of tiles has a second line, their lower edge. A plain table reads back as notation, unless it is
    numbered or has tiles that are highlighted or face down.
    """
    new = frozenset(highlight)
    draw = _colour_table if colour else _plain_table
    parts = [draw([_pieces(meld) for meld in table], _Style(new, rules), numbered, width)]
    if rack is not None:
        parts.append(rack_text(rack, highlight=new, rules=rules, order=order, width=width, colour=colour))
    return "\n\n".join(part for part in parts if part)


def rack_text(
    rack: Iterable[Tile | None],
    *,
    highlight: Iterable[Tile] = (),
    rules: Ruleset | None = None,
    order: Order = "colour",
    width: int = 80,
    colour: bool = True,
) -> str:
    """Draw a rack in rows of nearly equal length; in colour, on wood."""
    style = _Style(frozenset(highlight), rules, _TERM_WOOD)
    row = _sorted(rack, order)
    if not colour:
        words = [_word(piece, style) for piece in row]
        size = max([_WORD, *map(len, words)])
        return "\n".join(_columns(part, size) for part in _rows(words, (width + 1) // (size + 1)))
    rows = _rows(row, (width - 2) // _CELL)
    lines = []
    for part in rows:
        rest = " " * (_CELL * (len(rows[0]) - len(part)) + 1)
        lines += [_paint(" ", None, _TERM_WOOD) + line + _paint(rest, None, _TERM_WOOD) for line in _lines(part, style)]
    return "\n".join(lines)


def _pieces(meld: Laid) -> _Row:
    return meld.pieces if isinstance(meld, Meld) else tuple(Piece(t) if isinstance(t, Tile) else t for t in meld)


def _sorted(rack: Iterable[Tile | None], order: Order) -> _Row:
    placed = list(rack)
    if order != "given":
        known = sorted(one for one in placed if one is not None)
        if order == "number":
            known.sort(key=lambda one: (one.is_joker, one.number))
        placed = [*known, *(None for one in placed if one is None)]
    return _pieces(placed)


def _rows(items: Sequence[_Item], most: int) -> list[Sequence[_Item]]:
    """Divide into as few rows as possible, of nearly equal length."""
    count = max(1, -(-len(items) // max(1, most)))
    size = max(1, -(-len(items) // count))
    return [items[start : start + size] for start in range(0, len(items), size)]


def _places(melds: Iterable[_Row], most: int) -> Iterator[list[tuple[int, _Row]]]:
    """Divide a table into rows of (number, tiles), 0 for the rest of a meld that is too long for one row.

    A place before each meld stays free, for its number or for a gap, so that all tiles stand in columns.
    """
    row: list[tuple[int, _Row]] = []
    used = 0
    room = max(1, most - 1)
    for number, meld in enumerate(melds, 1):
        for start in range(0, max(1, len(meld)), room):
            part = meld[start : start + room]
            if row and used + 1 + len(part) > most:
                yield row
                row, used = [], 0
            row.append((0 if start else number, part))
            used += 1 + len(part)
    if row:
        yield row


def _plain_table(melds: Sequence[_Row], style: _Style, numbered: bool, width: int) -> str:
    size = max([_WORD, *(len(_word(piece, style)) for meld in melds for piece in meld)])
    most = (width + 1) // (size + 1) if numbered else (width - 1) // (size + 1) + 1
    rows: list[list[str]] = []
    for places in _places(melds, most):
        words: list[str] = []
        for number, part in places:
            words.append("" if number == 0 else f"{number}." if numbered else "|")
            words += [_word(piece, style) for piece in part]
        if not numbered:  # the first bar ends the row above
            (rows[-1] if rows else []).append(words.pop(0))
        rows.append(words)
    return "\n".join(_columns(words, size) for words in rows)


def _columns(words: Iterable[str], size: int) -> str:
    return " ".join(f"{word:<{size}}" for word in words).rstrip()


def _word(piece: Piece | None, style: _Style) -> str:
    return "?" if piece is None else str(piece).replace("'", "") + "*" * style.is_new(piece)


def _colour_table(melds: Sequence[_Row], style: _Style, numbered: bool, width: int) -> str:
    lines: list[str] = []
    for places in _places(melds, width // _CELL + (not numbered)):
        pairs = []
        for place, (number, part) in enumerate(places):
            if numbered or place:
                lead = _paint(f"{number:>{_CELL - 1}} ", None, None, 2) if numbered and number else " " * _CELL
                pairs.append((lead, " " * _CELL))
            pairs.append(_lines(part, style))
        lines += map("".join, zip(*pairs, strict=True))
    return "\n".join(lines)


def _paint(signs: str, ink: int | None, ground: int | None, *more: int) -> str:
    codes = [*more, *(() if ink is None else (38, 5, ink)), *(() if ground is None else (48, 5, ground))]
    return f"\x1b[{';'.join(map(str, codes))}m{signs}\x1b[0m"


def _lines(row: Iterable[Piece | None], style: _Style) -> tuple[str, str]:
    """Draw a row of tiles, and for the line below it their lower edges."""
    faces = edges = ""
    for piece in row:
        paper, edge = _TERM_IVORY if piece else _TERM_BACK
        side, bold = paper, [1]
        if style.is_new(piece):
            side, edge, bold = _TERM_NEW, _TERM_NEW, [1, 4]
        signs = "".join(_paint(some, style.ink(colour)[0], paper, *bold) for some, colour in _signs(piece))
        faces += _paint("▐", side, style.ground) + signs + _paint("▌", side, style.ground)
        edges += _paint("▝▀▀▀▘", edge, style.ground)
    return faces, edges


def _signs(piece: Piece | None) -> tuple[tuple[str, Colour | None], ...]:
    """The three signs on a tile, each with its colour."""
    if piece is None:
        return (("   ", None),)
    tile, face = piece
    if tile.is_joker:
        return (("★", None), (f"{face.number:<2}", face.colour)) if face else ((" ★ ", None),)
    return ((f"{tile.number:>2}{_MARKS[tile.colour]}", tile.colour),)


# SVG, in hundredths of a tile's width: every drawing has the same definitions, so that many can share a page.
_TILE: Final = 100
_TALL: Final = 132
_TILE_PIXELS: Final = 44
_MARGIN: Final = 40
_LEAST: Final = 4 * _TILE  # no picture is narrower inside its margins
_GAP: Final = 4  # between the tiles of a meld
_TRAY: Final = 9  # from them to the rim of their tray
_MELD_GAPS: Final = (32, 34)  # across, down
_RACK_GAP: Final = 10
_RACK_SIDE: Final = 24
_RACK_TOP: Final = 20
_ROW: Final = _RACK_TOP + _TALL + 28
_FONT: Final = "Rubik,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
_DEFS: Final = """\
<defs>
<radialGradient id="tr-felt" cx=".5" cy=".3" r=".9">\
<stop stop-color="#2b6a5b"/><stop offset="1" stop-color="#1c4d41"/></radialGradient>
<linearGradient id="tr-wood" x2="0" y2="1"><stop stop-color="#b98a56"/>\
<stop offset=".7" stop-color="#8f6336"/><stop offset="1" stop-color="#6f4a26"/></linearGradient>
<linearGradient id="tr-ivory" x2="0" y2="1"><stop stop-color="#fffdf6"/>\
<stop offset=".45" stop-color="#fdf8ea"/><stop offset="1" stop-color="#efe6cc"/></linearGradient>
<g id="tr-tile"><rect x="-1" y="4" width="102" height="140" rx="20" fill="#000" opacity=".1"/>\
<rect y="9" width="100" height="132" rx="17" fill="#000" opacity=".16"/>\
<rect y="6" width="100" height="132" rx="17" fill="#d8ccab"/>\
<rect width="100" height="132" rx="17" fill="url(#tr-ivory)"/></g>
<g id="tr-back"><use href="#tr-tile"/><rect width="100" height="132" rx="17" fill="#e2d7b7"/>\
<rect x="12" y="12" width="76" height="108" rx="9" fill="none" stroke="#bfae80" stroke-width="3"/></g>
<rect id="tr-ring" x="-3" y="-3" width="106" height="144" rx="20" fill="none" stroke="#f2b632" stroke-width="7"/>
<circle id="tr-r" r="13"/>
<path id="tr-b" d="M1.8-15 15-1.8Q16.8 0 15 1.8L1.8 15Q0 16.8-1.8 15L-15 1.8Q-16.8 0-15-1.8L-1.8-15Q0-16.8 1.8-15Z"/>
<rect id="tr-k" x="-12.5" y="-12.5" width="25" height="25" rx="3.5"/>
<path id="tr-y" d="M-1.5-13.2Q0-15.6 1.5-13.2L15 10.4Q16 13 13 13H-13Q-16 13-15 10.4Z"/>
<g id="tr-star"><path d="M0-28 8.4-10.6 28-8.2 13.8 5.4 17.3 24.8 0 15.6-17.3 24.8-13.8 5.4-28-8.2-8.4-10.6Z" \
fill="#7a3fb0"/><circle cx="-6.8" cy="-2" r="3" fill="#fff"/><circle cx="6.8" cy="-2" r="3" fill="#fff"/>\
<path d="M-8.5 5.3C-4 10.3 4 10.3 8.5 5.3" stroke="#fff" stroke-width="3.2" fill="none" stroke-linecap="round"/></g>
</defs>"""


def svg(
    table: Iterable[Laid],
    rack: Iterable[Tile | None] | None = None,
    *,
    highlight: Iterable[Tile] = (),
    rules: Ruleset | None = None,
    order: Order = "colour",
    title: str = "",
    width: int = 960,
) -> str:
    """Draw a table, and a rack below it, as a standalone SVG of at most this width in pixels.

    It is named by the title, or by the notation; the tiles shrink if the longest meld needs it.
    """
    style = _Style(frozenset(highlight), rules)
    melds = [_pieces(meld) for meld in table]
    room = max(
        [width * _TILE // _TILE_PIXELS - 2 * _MARGIN, _LEAST, *(_across(len(meld), _GAP, _TRAY) for meld in melds)]
    )
    body, used, down = _trays(melds, style, room)
    rows = _rows(_sorted(rack or (), order), (room - 2 * _RACK_SIDE + _RACK_GAP) // (_TILE + _RACK_GAP))
    used = max([used, _LEAST, *(_across(len(row), _RACK_GAP, _RACK_SIDE) for row in rows)])
    if rack is not None:
        body += _wood(rows, style, used, down)
        down += _ROW * max(1, len(rows)) + _MARGIN
    elif not melds:
        down += _TALL
    across = used + 2 * _MARGIN
    scale = min(_TILE_PIXELS / _TILE, width / across)
    words = " | ".join(" ".join(_word(piece, style) for piece in meld) for meld in melds)
    name = "".join(sign if sign.isprintable() else " " for sign in title or words)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {across} {down}" \
width="{across * scale:.0f}" height="{down * scale:.0f}">
<title>{escape(name)}</title>
{_DEFS}
<rect width="{across}" height="{down}" rx="36" fill="url(#tr-felt)"/>
<g font-family="{_FONT}" font-weight="700" text-anchor="middle">
{body}</g>
</svg>
"""


def _across(count: int, gap: int, side: int) -> int:
    return max(1, count) * (_TILE + gap) - gap + 2 * side


def _trays(melds: Iterable[_Row], style: _Style, room: int) -> tuple[str, int, int]:
    """Draw melds in rows: the drawing, its width, and how far down the next thing goes."""
    drawn = ""
    x = used = 0
    y = down = _MARGIN
    for meld in melds:
        size = _across(len(meld), _GAP, _TRAY)
        if x and x + size > room:
            x, y = 0, down - _MARGIN + _MELD_GAPS[1]
        used, down = max(used, x + size), y + _TALL + 2 * _TRAY + _MARGIN
        fill = "#fff" if any(piece is None or style.is_new(piece) for piece in meld) else "#000"
        drawn += f'<rect x="{_MARGIN + x}" y="{y}" width="{size}" height="{_TALL + 2 * _TRAY + 4}" rx="27" '
        drawn += f'fill="{fill}" fill-opacity=".14" stroke="#fff" stroke-opacity=".08" stroke-width="2"/>\n'
        drawn += _tiles(meld, style, _MARGIN + x + _TRAY, y + _TRAY, _TILE + _GAP)
        x += size + _MELD_GAPS[0]
    return drawn, used, down


def _wood(rows: Sequence[Sequence[Piece | None]], style: _Style, across: int, y: int) -> str:
    """Draw the rack, each row of tiles on a shelf, all of them in the middle."""
    size = _ROW * max(1, len(rows))
    box = f'<rect x="{_MARGIN}" width="{across}" height="{size}" rx="28"'
    drawn = f'{box} y="{y + 9}" opacity=".22"/>\n{box} y="{y}" fill="url(#tr-wood)"/>\n'
    for place, row in enumerate(rows):
        if place:
            line = f'<path d="M{_MARGIN} {y}h{across}" stroke-opacity=".2" stroke-width="4"'
            drawn += f'{line} stroke="#000"/>\n{line} stroke="#fff" transform="translate(0 4)"/>\n'
        x = _MARGIN + (across - _across(len(rows[0]), _RACK_GAP, 0)) // 2
        drawn += _tiles(row, style, x, y + _RACK_TOP, _TILE + _RACK_GAP)
        y += _ROW
    return drawn


def _tiles(row: Iterable[Piece | None], style: _Style, x: int, y: int, step: int) -> str:
    """Draw tiles side by side, and then the rings, which reach over their neighbours."""
    places = [(piece, x + step * place) for place, piece in enumerate(row)]
    rings = [f'<use href="#tr-ring" x="{x}" y="{y}"/>\n' for piece, x in places if style.is_new(piece)]
    return "".join([_tile(piece, style, x, y) for piece, x in places] + rings)


def _tile(piece: Piece | None, style: _Style, x: int, y: int) -> str:
    if piece is None:
        return f'<use href="#tr-back" x="{x}" y="{y}"/>\n'
    tile, face = piece
    colour, number = (face or tile).colour, (face or tile).number
    if not tile.is_joker:
        signs = f'<text x="50" y="72" font-size="58">{number}</text><use href="#tr-{colour}" x="50" y="99"/>'
    elif face is None:
        signs = '<use href="#tr-star" transform="translate(50 66) scale(1.2)"/>'
    else:
        signs = '<use href="#tr-star" x="50" y="49"/>'
        signs += f'<text x="{37 if colour else 50}" y="111" font-size="31">{number}</text>'
        if colour:
            signs += f'<use href="#tr-{colour}" transform="translate({64 if number < 10 else 73} 100) scale(.72)"/>'
    return f'<g transform="translate({x} {y})" fill="{style.ink(colour)[1]}"><use href="#tr-tile"/>{signs}</g>\n'
