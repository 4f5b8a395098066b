"""The compiled kernel of tilerummy."""

from collections.abc import Sequence


def version() -> str:
    """The version of tilerummy that this kernel was built from."""

def build_profile() -> str:
    """
    How this kernel was built: release, debug or sanitize; only release is worth timing.
    """

class TileSet:
    """Which tiles exist."""

    def __init__(self, numbers: int, copies: int, jokers: int) -> None: ...

class Query:
    """A question: counts by kind, and what has to stay as it is."""

    def __init__(self, table: bytes, rack: bytes, *, must_lay: bytes = ..., run_pins: bytes = ..., group_pins: bytes = ..., run_blocks: Sequence[tuple[int, int, int, int]] = [], group_blocks: Sequence[tuple[int, int, int]] = [], groups: bool = True, objective: int = 0, weights: Sequence[int] = [], joker_points: int = 0, node_limit: int = 0) -> None: ...

class Answer:
    """The best play of a query."""

    @property
    def feasible(self) -> bool: ...

    @property
    def proven(self) -> bool: ...

    @property
    def laid(self) -> bytes: ...

    @property
    def melds(self) -> list[tuple[bool, tuple[tuple[int, bool], ...]]]: ...

    @property
    def tiles(self) -> int: ...

    @property
    def points(self) -> int: ...

    @property
    def jokers(self) -> int: ...

    @property
    def weight(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def micros(self) -> float: ...

def solve(tiles: TileSet, query: Query) -> Answer:
    """The best play."""

def solve_many(tiles: TileSet, queries: Sequence[Query], threads: int) -> list[Answer]:
    """The best play of each query, in order."""

def exists(tiles: TileSet, query: Query) -> bool:
    """Whether anything can be laid."""

def enumerate(tiles: TileSet, query: Query, limit: int) -> tuple[list[bytes], int, bool]:
    """
    The sets of rack tiles that can be laid, how many, the first ones, are maximal, and whether these are all.
    """

def worth(query: Query) -> list[int]:
    """
    What laying a tile of each kind adds to the objective, all tie-breaks in one number.
    """

def fix(tiles: TileSet, query: Query, *, kind: int, some: int, all: int, wild: bool, longest: int, above: int, ceiling: int) -> tuple[int, list[tuple[bool, tuple[tuple[int, int], ...], int, Answer]], int, float]:
    """
    The wanted melds that leave the least loss within these bounds: that loss, the melds, nodes, micros.
    """

class Touching:
    """Which melds a play has to touch to be worth as much as a known one."""

    def __init__(self, tiles: TileSet, query: Query, melds: Sequence[Query], loss: int, known: int, node_limit: int) -> None: ...

    def least(self, most: int) -> int | None:
        """
        A smallest set of no more melds than this, a bit each, that does and is not ruled out.
        """

    def rule_out(self, set: int) -> None:
        """Say that this set does not do after all, hence none within it."""

    @property
    def spent(self) -> bool:
        """
        Whether all nodes are spent, so that smaller sets may have been missed.
        """

    @property
    def nodes(self) -> int: ...

    @property
    def micros(self) -> float: ...

def best_value(counts: bytes, numbers: int, groups: bool) -> int:
    """The most points that disjoint melds of these tiles are worth."""

def opening_sets(rack: bytes, numbers: int, groups: bool, points: int) -> list[bytes]:
    """The smallest sets of these tiles whose own melds reach so many points."""

class RoundRules:
    """What of a ruleset decides about a play-out."""

    def __init__(self, tiles: TileSet, *, groups: bool, opening: int, usable: int, step: int, one_stuck: bool, others_less_own: bool, joker_value: int, stars: bool) -> None: ...

class Situation:
    """
    A round without its racks and pool: whose turn it is, what is on the table.
    """

    def __init__(self, rules: RoundRules, table: bytes, opened: Sequence[bool], turn: int, passes: int, stars: Sequence[int], starter: int) -> None: ...

def play_out(situation: Situation, worlds: Sequence[tuple[Sequence[bytes], bytes]], firsts: Sequence[bytes | None] | None, policies: Sequence[int]) -> tuple[bytes, bytes, bytes]:
    """
    Play each world to its end, after each first action: winners (a byte each), scores, turns (four bytes each).
    """

def tell(situation: Situation, world: tuple[Sequence[bytes], bytes], policies: Sequence[int]) -> list[tuple[int, int, int, bytes, bool, list[tuple[bool, tuple[tuple[int, bool], ...]]]]]:
    """
    Play a world to its end and tell each turn: seat, what (lay, draw, pass), kind drawn, laid, beside, melds.
    """
