"""Questions to the kernel: what is free, what is pinned, what stays whole, and melds decided outside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import add, mul

from tilerummy import _kernel
from tilerummy.melds import Piece
from tilerummy.rulesets import Ruleset
from tilerummy.solver.query import Objective, Query
from tilerummy.tiles import COLOURS, JOKER, KINDS, MAX_NUMBER, Face, tile_of

__all__ = [
    "BLOCK",
    "BLOCK_JOKER",
    "PIN",
    "REAL",
    "SOURCES",
    "WILD",
    "Answer",
    "Block",
    "Places",
    "Question",
    "Value",
    "most_value",
    "tile_set",
    "value",
]

_OBJECTIVES = {Objective.TILES: 0, Objective.POINTS: 1, Objective.WEIGHTS: 2}
_NONE = bytes(KINDS)

Value = int
"""How good a play is, all tie-breaks in one number."""

Block = tuple[int, int, int, int]
"""A run that stays whole: colour, first and last number, and a bit for each place with a joker."""


@lru_cache(maxsize=64)
def tile_set(rules: Ruleset) -> _kernel.TileSet:
    """The kernel's tile set of these rules."""
    return _kernel.TileSet(rules.numbers, rules.copies, rules.jokers)


REAL = "real"
PIN = "pin"
WILD = "wild"
BLOCK = "block"
BLOCK_JOKER = "block joker"
SOURCES = (REAL, PIN, WILD, BLOCK, BLOCK_JOKER)  # as the kernel numbers them
_JOKERS = (PIN, WILD, BLOCK_JOKER)


class Places(tuple[tuple[int, str], ...]):
    """A meld place by place: which kind it shows, and whether a tile, a pinned joker or a free one lies there.

    It may contain whole blocks.
    """

    is_run: bool
    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, places: Iterable[tuple[int, str]], is_run: bool, blocks: tuple[Block, ...] = ()) -> "Places":
        """Make a meld of these places."""
        made = cls(places)
        made.is_run = is_run
        made.blocks = blocks
        return made

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The meld as written, every joker named."""
        return _pieces(self.is_run, tuple((kind, source in _JOKERS) for kind, source in self))


@dataclass(frozen=True, slots=True)
class Answer:
    """What the kernel answers, the decided melds and the tiles laid in them included."""

    value: Value
    laid: bytes
    decided: tuple[tuple[Piece, ...], ...]
    raw: _kernel.Answer

    @property
    def melds(self) -> tuple[tuple[Piece, ...], ...]:
        """The new table."""
        return (*self.decided, *(_pieces(run, places) for run, places in self.raw.melds))


@dataclass(frozen=True, slots=True)
class Question:
    """A relaxed problem: counts by kind of tiles that must lie on the new table and of those that may."""

    query: Query
    table: bytes
    rack: bytes
    run_pins: bytes = bytes(JOKER)
    group_pins: bytes = bytes(MAX_NUMBER + 1)
    run_blocks: tuple[Block, ...] = ()
    group_blocks: tuple[tuple[int, int, int], ...] = ()
    laid: bytes = _NONE  # rack tiles that the decisions so far have laid
    melds: tuple[tuple[Piece, ...], ...] = field(default=())

    def lay(self, kind: int, count: int = 1) -> "Question | None":
        """Say that these rack tiles are laid, wherever; None when the rack has fewer."""
        if self.rack[kind] < count:
            return None
        return replace(
            self,
            rack=_changed(self.rack, kind, -count),
            table=_changed(self.table, kind, count),
            laid=_changed(self.laid, kind, count),
        )

    def decide(self, places: "Places") -> "Question | None":
        """Say that this meld lies on the new table; None when its tiles are not there."""
        blocks = list(self.run_blocks)
        for block in places.blocks:
            blocks.remove(block)
        question = replace(self, run_blocks=tuple(blocks))
        for kind, source in places:
            made = question.take(kind, source, places.is_run)
            if made is None:
                return None
            question = made
        return replace(question, melds=(*question.melds, places.pieces))

    def take(self, kind: int, source: str, run: bool) -> "Question | None":
        """Say that a tile or joker lies in a decided meld as this kind; None when it is not there."""
        if source in (BLOCK, BLOCK_JOKER):
            return self
        if source == PIN:
            pins, at = (self.run_pins, kind) if run else (self.group_pins, kind % MAX_NUMBER + 1)
            if not pins[at]:
                return None
            fewer = _changed(pins, at, -1)
            return replace(self, run_pins=fewer) if run else replace(self, group_pins=fewer)
        kind = JOKER if source == WILD else kind
        question = self if self.table[kind] else self.lay(kind)
        return question and replace(question, table=_changed(question.table, kind, -1))

    def answer(self, raw: _kernel.Answer) -> Answer | None:
        """Read the kernel's answer; None when no table holds all that it must."""
        if not raw.feasible:
            return None
        laid = bytes(map(add, self.laid, raw.laid))
        return Answer(value(self.query, laid), laid, self.melds, raw)

    def for_kernel(self) -> _kernel.Query:
        """The question as the kernel takes it."""
        query = self.query
        return _kernel.Query(
            self.table,
            self.rack,
            run_pins=self.run_pins,
            group_pins=self.group_pins,
            run_blocks=self.run_blocks,
            group_blocks=self.group_blocks,
            groups=query.rules.groups,
            objective=_OBJECTIVES[query.objective],
            weights=query.weights,
        )


def value(query: Query, laid: Sequence[int]) -> Value:
    """How good it is to lay these; a joker has no points, since where it stands is a matter of arrangement."""
    return sum(map(mul, laid, _worth(query.objective, query.weights)))


def most_value(query: Query, rack: Sequence[int]) -> Value:
    """How good it is to lay all of these that are worth something; the kernel counts losses from there."""
    each = map(mul, rack, _worth(query.objective, query.weights))
    return sum(worth for worth in each if worth > 0)


@lru_cache(maxsize=1024)
def _worth(objective: Objective, weights: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(_kernel.worth(_kernel.Query(_NONE, _NONE, objective=_OBJECTIVES[objective], weights=weights)))


def _changed(counts: bytes, kind: int, by: int) -> bytes:
    changed = bytearray(counts)
    changed[kind] += by
    return bytes(changed)


@lru_cache(maxsize=8192)
def _pieces(run: bool, places: tuple[tuple[int, bool], ...]) -> tuple[Piece, ...]:
    joker = tile_of(JOKER)
    made = []
    for kind, is_joker in places:
        tile = tile_of(kind)
        colour = COLOURS[kind // MAX_NUMBER] if run else None
        made.append(Piece(joker, Face(colour, tile.number)) if is_joker else Piece(tile))
    return tuple(made)
