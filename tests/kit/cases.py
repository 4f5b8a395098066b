"""Every game that the tests are run on: a ruleset, a tile set and a number of players."""

from typing import NamedTuple

from tilerummy.rulesets import Ruleset, ruleset

__all__ = ["CASES", "SETS", "Case", "rules_of"]

SETS = ("classic", "club", "sabra", "sabra xp", "sabra xp-quick", "rummy", "junior")
"""Each ruleset with each tile set that its rulebook describes."""


class Case(NamedTuple):
    """A ruleset with a tile set, and how many play it."""

    name: str
    players: int

    @property
    def rules(self) -> Ruleset:
        """The ruleset of this case."""
        return rules_of(self.name)

    def __str__(self) -> str:
        """Return `sabra xp 6`."""
        return f"{self.name} {self.players}"


def rules_of(name: str) -> Ruleset:
    """Return the ruleset of a name in SETS: its id, and its tile set if it is not the usual one."""
    id, _, tileset = name.partition(" ")
    return ruleset(id, {"tileset": tileset} if tileset else None)


CASES = tuple(Case(name, players) for name in SETS for players in range(2, rules_of(name).players + 1))
