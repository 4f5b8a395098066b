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
from tilerummy.rulesets import TILESETS, BadRuleset, Stalemate, Starter, ruleset
from tilerummy.server.events import Setup
from tilerummy.solver.search import is_rare
from tilerummy.tiles import shorten

__all__ = ["GAMES", "MAX_CLOCK", "check_playable", "check_setup", "tilesets_of"]

GAMES: Final = ("match", "race")
MAX_CLOCK: Final = 30 * 86_400  # seconds


def check_setup(setup: Setup) -> None:
    """Raise BadRuleset with the field to change, unless a match or race can be played like this, all of it."""
    check_playable(setup)
    race = setup.game == "race"
    if setup.first and (race or ruleset(setup.ruleset, setup.house).starter is not Starter.HOST):
        who = "nobody begins a race" if race else f"the tiles decide who begins, unless house.starter is {Starter.HOST}"
        raise BadRuleset("first", f"{who}; leave it out")
    if setup.sit_in is not None and setup.is_slow:
        raise BadRuleset("sit_in", "with an hour or more for a turn nobody has to stay connected; leave it out")
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
        raise BadRuleset("bots", f"at most one for each of the {setup.players} players, not {len(setup.bots)}")
    for place, bot in enumerate(setup.bots):
        _check_bot(f"bots.{place}", bot)
    _check_bot("sit_in", setup.sit_in)
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


def _check_bot(field: str, name: str | None) -> None:
    if name is not None and name not in BOTS:
        raise BadRuleset(field, f"no bot is called {shorten(name)}; there are {', '.join(BOTS)}")


def _check_race(setup: Setup) -> None:
    if setup.ruleset != "junior":
        raise BadRuleset("ruleset", f"a race is played by the rules of junior, not of {setup.ruleset}")
    for field, there, reason in (
        ("house", ruleset(setup.ruleset, setup.house).house, "a race has no house rules"),
        ("rounds", setup.rounds != 1, f"a race has one round, not {setup.rounds}"),
        ("clock", setup.clock is not None, 'a race has no clock; choose "none"'),
        ("sit_in", setup.sit_in is not None, "in a race no bot sits in for anybody; leave it out"),
    ):
        if there:
            raise BadRuleset(field, reason)
    if setup.caller is not None and setup.caller < len(setup.bots) and setup.bots[setup.caller]:
        raise BadRuleset("caller", "a bot finds tiles, but does not call them")
    if setup.caller is not None and not 0 <= setup.caller < setup.players:
        raise BadRuleset("caller", f"a seat from 0 to {setup.players - 1}, or null for none, not {setup.caller}")
