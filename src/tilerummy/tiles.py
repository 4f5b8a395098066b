"""Tiles: the 53 kinds, the physical pieces, and their text form.

>>> tile("b8").number, tile("b8").colour, str(tile("r13'"))
(8, 'b', "r13'")
>>> text(tiles("b10 j b8 b8'"))
"b10 j b8 b8'"
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal, NamedTuple, NoReturn

__all__ = [
    "COLOURS",
    "JOKER",
    "KINDS",
    "MAX_NUMBER",
    "Colour",
    "Face",
    "Tile",
    "Unreadable",
    "counts",
    "face",
    "kind_of",
    "shorten",
    "text",
    "tile",
    "tile_of",
    "tiles",
]

Colour = Literal["r", "b", "k", "y"]

COLOURS: Final[tuple[Colour, ...]] = ("r", "b", "k", "y")
MAX_NUMBER: Final = 13
JOKER: Final = len(COLOURS) * MAX_NUMBER
KINDS: Final = JOKER + 1
_MOST_COPIES: Final = 4  # four jokers; never more than three of a numbered tile


class Unreadable(ValueError):
    """A text that is no tile, meld, table, position or record; the message says what is wrong with it."""


def shorten(written: str) -> str:
    """Quote a piece of somebody's text, short and printable enough for one line of an error."""
    cut = written if len(written) <= 24 else written[:24] + "…"
    return repr(cut)


class Face(NamedTuple):
    """What a joker stands for: one exact tile in a run, a number of any missing colour in a group."""

    colour: Colour | None
    number: int

    def __str__(self) -> str:
        """Return `r5` in a run, `5` in a group."""
        return f"{self.colour or ''}{self.number}"


class Tile:
    """A physical piece: a kind and a copy of it. There is one object for each, so identity is equality."""

    __slots__ = ("_text", "colour", "copy", "id", "is_joker", "kind", "number")

    id: int
    kind: int
    copy: int
    colour: Colour | None
    number: int
    is_joker: bool

    def __init__(self, kind: int, copy: int) -> None:
        self.id = kind * _MOST_COPIES + copy
        self.kind = kind
        self.copy = copy
        self.is_joker = kind == JOKER
        self.colour = None if self.is_joker else COLOURS[kind // MAX_NUMBER]
        self.number = 0 if self.is_joker else kind % MAX_NUMBER + 1
        self._text = (f"{self.colour}{self.number}" if self.colour else "j") + "'" * copy

    def __str__(self) -> str:
        """Return the notation: `r5`, its second copy `r5'`, a joker `j`."""
        return self._text

    def __repr__(self) -> str:
        """Return the expression that makes this tile."""
        return f"tile({self._text!r})"

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        """Pickle and copy to the one object that this tile is."""
        return tile_of, (self.kind, self.copy)

    def __lt__(self, other: "Tile") -> bool:
        """Order by colour, number, copy; jokers last."""
        return self.id < other.id


_TILES: Final = tuple(Tile(kind, copy) for kind in range(KINDS) for copy in range(_MOST_COPIES))
_NAMES: Final = {str(t): t for t in _TILES if t.is_joker or t.copy < 3}
_NUMBERED: Final = re.compile(r"([A-Za-z])(\d+)('*)", re.ASCII)


def tile_of(kind: int, copy: int = 0) -> Tile:
    """Return the tile of this kind and copy."""
    return _TILES[kind * _MOST_COPIES + copy]


def kind_of(colour: Colour, number: int) -> int:
    """Return the kind of a numbered tile: an index from 0 to 51."""
    return COLOURS.index(colour) * MAX_NUMBER + number - 1


def tile(written: str) -> Tile:
    """Read one tile: `r13`, a joker `j`, a further copy `r13'`."""
    found = _NAMES.get(written)
    return found if found is not None else _refuse(written)


def _refuse(written: str) -> NoReturn:
    said = shorten(written)
    match = _NUMBERED.fullmatch(written)
    if match is None:
        raise Unreadable(f"{said} is no tile: write r, b, k or y and a number (r13), or j for a joker")
    letter, digits, marks = match.groups()
    if letter not in COLOURS:
        raise Unreadable(f"{said} has no known colour: r, b, k or y")
    if len(digits) > 2 or digits.startswith("0") or not 1 <= int(digits) <= MAX_NUMBER:
        raise Unreadable(f"{said} has no number from 1 to {MAX_NUMBER}")
    raise Unreadable(f"{said} is copy {len(marks) + 1}; there are at most three")


@lru_cache(maxsize=256)
def face(written: str) -> Face:
    """Read what a joker stands for: `r5` in a run, `5` in a group."""
    colour: Colour | None = None
    number = written
    for one in COLOURS:
        if written.startswith(one):
            colour, number = one, written[1:]
    if not re.fullmatch(r"[1-9]\d?", number, re.ASCII) or int(number) > MAX_NUMBER:
        raise Unreadable(f"a joker stands for a tile (j=r5) or a number (j=5), not for {shorten(written)}")
    return Face(colour, int(number))


def tiles(written: str) -> tuple[Tile, ...]:
    """Read tiles separated by blanks."""
    return tuple(tile(word) for word in written.split())


def text(some: Iterable[Tile]) -> str:
    """Write tiles separated by blanks, in the order given."""
    return " ".join(map(str, some))


def counts(some: Iterable[Tile]) -> list[int]:
    """Count the tiles of each kind."""
    result = [0] * KINDS
    for one in some:
        result[one.kind] += 1
    return result
