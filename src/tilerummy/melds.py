"""Melds: runs and groups, what a joker in them stands for, and their points.

>>> meld = read(pieces("b6 b7 j"))
>>> str(meld), meld.points
('b6 b7 j=b8', 21)
>>> read(pieces("r12 r13 j"))
Broken(reason='beyond', choices=())
>>> best_value(piece.tile for piece in pieces("j r13 b13 k4"))
39
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from tilerummy import _kernel
from tilerummy.tiles import (
    COLOURS,
    JOKER,
    MAX_NUMBER,
    Colour,
    Face,
    Tile,
    Unreadable,
    counts,
    face,
    kind_of,
    tile,
    tile_of,
)

__all__ = [
    "BY_NUMBER",
    "MIN_MELD",
    "Broken",
    "Draft",
    "Meld",
    "Piece",
    "Shape",
    "Table",
    "best_value",
    "draft",
    "draft_text",
    "pieces",
    "points",
    "read",
    "shapes",
    "table_text",
]

MIN_MELD: Final = 3


class Piece(NamedTuple):
    """A tile as somebody wrote or laid it; a joker may be named with what it stands for."""

    tile: Tile
    face: Face | None = None

    def __str__(self) -> str:
        """Return `r5`, `j`, or `j=r5`."""
        return str(self.tile) if self.face is None else f"{self.tile}={self.face}"


Draft = tuple[tuple[Piece, ...], ...]
"""A table as somebody proposes it: melds as written, not yet judged."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A valid run or group, its tiles in canonical order."""

    tiles: tuple[Tile, ...]
    colour: Colour | None  # of a run; None in a group
    number: int  # of the first tile

    @property
    def is_run(self) -> bool:
        """Whether this is a run; otherwise it is a group."""
        return self.colour is not None

    def face(self, place: int) -> Face:
        """What the tile at this place is, or stands for."""
        return Face(self.colour, self.number + place if self.colour else self.number)

    @property
    def points(self) -> int:
        """The sum of the numbers, a joker counting as the tile it stands for."""
        return points(self.colour, self.number, len(self.tiles))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The tiles with every joker named."""
        return tuple(
            Piece(one, self.face(place)) if one.is_joker else Piece(one) for place, one in enumerate(self.tiles)
        )

    @property
    def jokers(self) -> tuple[tuple[Tile, Face], ...]:
        """Each joker with what it stands for."""
        if not self.tiles[-1].is_joker and self.colour is None:
            return ()  # in a group jokers are last
        return tuple((one, self.face(place)) for place, one in enumerate(self.tiles) if one.is_joker)

    def __str__(self) -> str:
        """Return the notation, jokers named."""
        return " ".join(map(str, self.pieces))


Table = tuple[Meld, ...]
"""The melds that lie on the table."""


class Broken(NamedTuple):
    """Why some tiles are no meld; `choices` are the namings between which the writer has to choose."""

    reason: str
    choices: tuple[str, ...] = ()


@lru_cache(maxsize=8192)
def pieces(written: str) -> tuple[Piece, ...]:
    """Read a meld as written: tiles separated by blanks, jokers named or not."""
    return tuple(map(_piece, written.split()))


@lru_cache(maxsize=4096)
def _piece(word: str) -> Piece:
    written, equals, name = word.partition("=")
    one = tile(written)
    if equals and not one.is_joker:
        raise Unreadable(f"only a joker stands for something, not {one}")
    return Piece(one, face(name) if equals else None)


def draft(written: str) -> Draft:
    """Read a table as written: melds separated by ` | `."""
    return tuple(pieces(part) for part in written.split("|")) if written.strip() else ()


def draft_text(some: Iterable[Iterable[Piece]]) -> str:
    """Write a table as it is proposed."""
    return " | ".join(" ".join(map(str, part)) for part in some)


def table_text(melds: Iterable[Meld]) -> str:
    """Write a table in canonical form, jokers named."""
    return " | ".join(map(str, melds))


_FOR_GOOD: Final = frozenset({"colours", "colour-twice", "mixed", "no-groups"})
"""The reasons that no further tile takes away; two tiles for which one holds are not merely too few."""


@lru_cache(maxsize=8192)
def read(written: tuple[Piece, ...], numbers: int = MAX_NUMBER, groups: bool = True) -> Meld | Broken:
    """Judge a meld as written: the run or group it is, or why it is none.

    In a run without a name a joker is the tile of its place as written; a run whose jokers are all named, or that
    has none, may be written in any order.
    """
    if not written:
        return Broken("empty")
    numbered = [piece.tile for piece in written if not piece.tile.is_joker]
    if not numbered:
        return Broken("no-number")
    found = _judged(written, numbered, numbers, groups)
    if len(written) < MIN_MELD and not (isinstance(found, Broken) and found.reason in _FOR_GOOD):
        return Broken("too-short")
    return found


def _judged(written: Sequence[Piece], numbered: Sequence[Tile], numbers: int, groups: bool) -> Meld | Broken:
    run = _run(written, numbered, numbers)
    group = _group(written, numbered) if groups else "no-groups"
    if isinstance(run, Meld) and isinstance(group, Meld):
        return Broken("joker-unnamed", (str(run), str(group)))
    for found in (run, group):
        if isinstance(found, Meld):
            return found
    one_number = len({one.number for one in numbered}) == 1
    one_colour = len({one.colour for one in numbered}) == 1
    if one_number and (groups or not one_colour) and len(numbered) > 1:
        return Broken(str(group))
    return Broken(str(run) if one_colour or not groups else "mixed")


def _run(written: Sequence[Piece], numbered: Sequence[Tile], numbers: int) -> Meld | str:
    colour = numbered[0].colour
    if any(one.colour != colour for one in numbered):
        return "colours"
    if any(piece.face and piece.face.colour not in (None, colour) for piece in written):
        return "joker-name"
    by_place = any(piece.tile.is_joker and piece.face is None for piece in written)
    if by_place:
        place, first = next((place, piece.tile) for place, piece in enumerate(written) if not piece.tile.is_joker)
        start = first.number - place
        ordered = list(written)
    else:
        ordered = sorted(written, key=_number)
        start = _number(ordered[0])
    for place, piece in enumerate(ordered):
        if _number(piece) not in (0, start + place):
            return "joker-name" if piece.face and by_place else "numbers"
    if start < 1 or start + len(ordered) - 1 > numbers:
        return "beyond"
    return Meld(tuple(piece.tile for piece in ordered), colour, start)


def _number(piece: Piece) -> int:
    return piece.face.number if piece.face else piece.tile.number


def _group(written: Sequence[Piece], numbered: Sequence[Tile]) -> Meld | str:
    number = numbered[0].number
    if any(one.number != number for one in numbered):
        return "numbers"
    if any(piece.face and piece.face.number != number for piece in written):
        return "joker-name"
    named = [one.colour for one in numbered] + [
        piece.face.colour for piece in written if piece.face and piece.face.colour
    ]
    if len(set(named)) < len(named):
        return "colour-twice"
    if len(written) > len(COLOURS):
        return "too-long"
    return Meld(tuple(sorted(piece.tile for piece in written)), None, number)


def best_value(some: Iterable[Tile], numbers: int = MAX_NUMBER, groups: bool = True) -> int:
    """The most points that disjoint melds within these tiles are worth."""
    return _kernel.best_value(bytes(counts(some)), numbers, groups)


class Shape(NamedTuple):
    """A meld by kinds: where it starts, how long it is, and which places are numbered tiles; the others are jokers."""

    colour: Colour | None  # of a run; None in a group
    number: int
    size: int
    kinds: tuple[int, ...]

    @property
    def jokers(self) -> int:
        """How many jokers it uses."""
        return self.size - len(self.kinds)

    @property
    def points(self) -> int:
        """The points of the meld."""
        return points(self.colour, self.number, self.size)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The meld as written, copies not told apart, every joker named."""
        joker, numbered = tile_of(JOKER), [Piece(tile_of(kind)) for kind in self.kinds]
        if self.colour is None:
            return (*numbered, *[Piece(joker, Face(None, self.number))] * self.jokers)
        there = {piece.tile.number: piece for piece in numbered}
        return tuple(
            there.get(number) or Piece(joker, Face(self.colour, number))
            for number in range(self.number, self.number + self.size)
        )


def points(colour: Colour | None, number: int, size: int) -> int:
    """The points of a run of this colour, or of a group, that starts with this number."""
    return number * size + (size * (size - 1) // 2 if colour else 0)


def shapes(have: Sequence[int], jokers: int, lowest: int, numbers: int, groups: bool) -> Iterator[Shape]:
    """Each meld of these tiles and jokers whose lowest numbered tile is of this kind."""
    number = lowest % MAX_NUMBER + 1
    if groups:
        others = [kind for kind in range(lowest + MAX_NUMBER, JOKER, MAX_NUMBER) if have[kind]]
        for size in range(len(COLOURS), MIN_MELD - 1, -1):
            for real in range(min(size, len(others) + 1), max(1, size - jokers) - 1, -1):
                for chosen in combinations(others, real - 1):
                    yield Shape(None, number, size, (lowest, *chosen))
    for before in range(min(jokers, number - 1) + 1):
        start = Shape(COLOURS[lowest // MAX_NUMBER], number - before, before + 1, (lowest,))
        yield from _longer(start, have, jokers, numbers)


def _longer(run: Shape, have: Sequence[int], jokers: int, numbers: int) -> Iterator[Shape]:
    """Each run that this one can grow into upwards, a tile or a joker at a time."""
    if run.size >= MIN_MELD:
        yield run
    number = run.number + run.size
    if number <= numbers and run.colour:
        kind = kind_of(run.colour, number)
        if have[kind]:
            yield from _longer(run._replace(size=run.size + 1, kinds=(*run.kinds, kind)), have, jokers, numbers)
        if run.jokers < jokers:
            yield from _longer(run._replace(size=run.size + 1), have, jokers, numbers)


BY_NUMBER: Final = tuple(sorted(range(JOKER), key=lambda kind: (kind % MAX_NUMBER, kind)))
"""The numbered kinds, lowest number first."""
