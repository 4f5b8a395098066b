"""The rulesets by name, and what a turn brings about in them."""

from tests.kit.build import accepted
from tilerummy.melds import draft
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.state import (
    Command,
    Play,
    Played,
    RoundEnded,
    State,
    TimedOut,
    Timeout,
)

__all__ = [
    "CLASSIC",
    "CLUB",
    "JUNIOR",
    "NAMES",
    "PENALTY",
    "POINTS",
    "RUMMY",
    "SABRA",
    "UNTOUCHED",
    "ended",
    "label",
    "played",
    "timed_out",
]

CLASSIC, CLUB, SABRA, RUMMY, JUNIOR = map(ruleset, ("classic", "club", "sabra", "rummy", "junior"))
POINTS = (CLASSIC, CLUB, SABRA, RUMMY)
PENALTY = {"classic": 3, "club": 1, "sabra": 3, "rummy": 3}
UNTOUCHED = {"classic": 1, "club": 1, "sabra": 3, "rummy": 1}
NAMES = [rules.id for rules in POINTS]


def label(value: object) -> str:
    """How a test names what it is run on."""
    return value.id if isinstance(value, Ruleset) else str(value)


def timed_out(state: State, table: str | None) -> TimedOut:
    """What the clock makes of this draft, where it is not a play."""
    event = accepted(state, Timeout(state.turn, None if table is None else draft(table)))[0]
    assert isinstance(event, TimedOut)
    return event


def played(state: State, table: str) -> Played:
    event = accepted(state, Play(state.turn, draft(table)))[0]
    assert isinstance(event, Played)
    return event


def ended(state: State, command: Command) -> RoundEnded:
    """The end of the round that a command brings about."""
    events = [event for event in accepted(state, command) if isinstance(event, RoundEnded)]
    assert len(events) == 1
    return events[0]
