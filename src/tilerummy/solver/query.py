"""What the solver is asked, and what it answers."""

from dataclasses import dataclass
from enum import StrEnum

from tilerummy.melds import Draft, Table
from tilerummy.rulesets import Ruleset
from tilerummy.tiles import Tile

__all__ = ["Objective", "Query", "Solution"]


class Objective(StrEnum):
    """What the best play is."""

    TILES = "tiles"  # most tiles, then most points, then fewest jokers
    POINTS = "points"  # most points, then most tiles, then fewest jokers
    WEIGHTS = "weights"  # greatest sum of the given weights, then as for tiles


@dataclass(frozen=True, slots=True)
class Query:
    """A position, seen by the player to move: the rules, the table, a rack, who has opened; and what is wanted."""

    rules: Ruleset
    table: Table
    rack: tuple[Tile, ...]
    opened: bool = True
    all_opened: bool = True
    objective: Objective = Objective.TILES
    weights: tuple[int, ...] = ()  # one for each of the 53 kinds, for Objective.WEIGHTS


@dataclass(frozen=True, slots=True)
class Solution:
    """The best play. When points are compared, a joker has none, since where it stands is a matter of arrangement."""

    after: Draft  # the new table, copies not told apart, jokers named; unchanged melds first
    laid: tuple[Tile, ...]
    taken: tuple[Tile, ...]  # jokers taken to the rack (junior)
    tiles: int
    points: int
    jokers: int
    weight: int
    unchanged: int
    proven: bool
    nodes: int
    micros: float
