"""What the solver is asked: a position, seen by the player to move."""

from dataclasses import dataclass

from tilerummy.melds import Table
from tilerummy.rulesets import Ruleset
from tilerummy.tiles import Tile

__all__ = ["Query"]


@dataclass(frozen=True, slots=True)
class Query:
    """A position: the rules, the table, a rack, and who has opened."""

    rules: Ruleset
    table: Table
    rack: tuple[Tile, ...]
    opened: bool = True
    all_opened: bool = True
