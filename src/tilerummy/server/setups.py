"""Setups: what a host may choose, and which field to change where it makes no sense.

>>> from tilerummy.rulesets import BadRuleset
>>> try:
...     check_setup(Setup(players=5))
... except BadRuleset as error:
...     error.field
'players'
"""

from collections.abc import Mapping
from typing import Final

from tilerummy.bots import BOTS
from tilerummy.game import MAX_ROUNDS
from tilerummy.rulesets import RULESETS, TILESETS, BadRuleset, Stalemate, Starter, ruleset
from tilerummy.server.events import Setup
from tilerummy.solver.search import is_rare

__all__ = ["GAMES", "MAX_CLOCK", "check_playable", "check_setup", "tilesets_of"]

GAMES: Final = ("match", "race")
MAX_CLOCK: Final = 30 * 86_400  # seconds


def check_setup(setup: Setup) -> None:
    """Raise BadRuleset with the field to change, unless a match or race can be played like this, all of it."""
    check_playable(setup)
    race = setup.game == "race"
    if setup.first and (race or ruleset(setup.ruleset, setup.house).starter is not Starter.HOST):
        raise BadRuleset("first", f"nobody begins a race, and in a match only starter={Starter.HOST} lets the host say")
    if race and not setup.hints:
        raise BadRuleset("hints", "a race has no hints that could be forbidden")


def check_playable(setup: Setup) -> None:
    """Raise BadRuleset unless a match or race can be played like this, even if a choice that was kept does nothing."""
    if setup.game not in GAMES:
        raise BadRuleset("game", f"one of {', '.join(GAMES)}")
    rules = ruleset(setup.ruleset, setup.house)
    rules.check_players(setup.players)
    if rules.stalemate is Stalemate.ONE_STUCK and rules.jokers and is_rare(rules):
        reason = (
            f"whether a player is stuck takes too long to tell with these joker rules; {Stalemate.ALL_PASS} does not"
        )
        raise BadRuleset("house.stalemate", reason)
    if not 1 <= setup.rounds <= MAX_ROUNDS:
        raise BadRuleset("rounds", f"a match has 1 to {MAX_ROUNDS} rounds, not {setup.rounds}")
    if not 0 <= setup.first < setup.players:
        raise BadRuleset("first", f"a seat from 0 to {setup.players - 1}, not {setup.first}")
    if setup.clock is not None and not 1 <= setup.clock <= MAX_CLOCK:
        raise BadRuleset("clock", f"1 to {MAX_CLOCK} seconds, or none, not {setup.clock}")
    if len(setup.bots) > setup.players:
        raise BadRuleset("bots", f"there are {setup.players} players")
    if not {*setup.bots} <= {None, *BOTS}:
        raise BadRuleset("bots", f"the bots are {', '.join(BOTS)}")
    if setup.sit_in not in (None, *BOTS):
        raise BadRuleset("sit_in", f"the bots are {', '.join(BOTS)}")
    if setup.game == "race":
        _check_race(setup)
    elif setup.caller is not None:
        raise BadRuleset("caller", "only a race has a caller")


def tilesets_of(id: str) -> dict[str, dict[str, int]]:
    """The tile sets that this ruleset can be played with, and the fields that each stands for.

    >>> list(tilesets_of("rummy"))
    ['standard', 'xp', 'xp-quick']
    """
    return {name: dict(parts) for name, parts in TILESETS.items() if _makes_sense(id, {"tileset": name})}


def _makes_sense(id: str, house: Mapping[str, object]) -> bool:
    try:
        ruleset(id, house)
    except BadRuleset:
        return False
    return True


def _check_race(setup: Setup) -> None:
    if ruleset(setup.ruleset, setup.house) != RULESETS["junior"]:
        raise BadRuleset("ruleset", "the race is junior's, without house rules")
    for field, there in (
        ("rounds", setup.rounds != 1),
        ("clock", setup.clock is not None),
        ("sit_in", setup.sit_in is not None),
    ):
        if there:
            raise BadRuleset(field, "a race has one round, no clock and nobody who sits in")
    if setup.caller is not None and setup.caller < len(setup.bots) and setup.bots[setup.caller]:
        raise BadRuleset("caller", "a bot finds tiles, but does not call them")
    if setup.caller is not None and not 0 <= setup.caller < setup.players:
        raise BadRuleset("caller", f"a seat from 0 to {setup.players - 1}, or none, not {setup.caller}")
