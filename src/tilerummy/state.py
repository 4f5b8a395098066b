"""The state of a match, what can be asked of it, and what can happen in it; a state is the fold of its events.

Every value is frozen. `evolve` never judges: an event is what has happened, and `game.apply` decided that it may.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from typing import Any, TypeVar

from tilerummy.deal import StartDraw
from tilerummy.legality import Violation
from tilerummy.melds import Draft, Table
from tilerummy.rulesets import Ruleset
from tilerummy.tiles import Tile

__all__ = [
    "HINT_LEVELS",
    "Command",
    "Draw",
    "Drew",
    "Event",
    "HandOver",
    "HandedOver",
    "HintGiven",
    "HintUsed",
    "MatchEnded",
    "NextRound",
    "Pass",
    "Passed",
    "Phase",
    "Play",
    "Played",
    "Refusal",
    "RoundBegan",
    "RoundEnded",
    "Started",
    "State",
    "TimedOut",
    "Timeout",
    "evolve",
    "fold",
]

HINT_LEVELS = ("nudge", "point", "reveal")
_Rack = tuple[Tile, ...]
_T = TypeVar("_T")


class Phase(StrEnum):
    """Where a match stands."""

    PLAYING = "playing"
    ROUND_OVER = "round-over"
    MATCH_OVER = "match-over"


# Commands


@dataclass(frozen=True, slots=True)
class Play:
    """Commit a proposed table."""

    seat: int
    table: Draft


@dataclass(frozen=True, slots=True)
class Draw:
    """Take a tile from the pool and end the turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn when nothing can be drawn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Timeout:
    """The clock ran out on this draft; None when nothing was touched."""

    seat: int
    draft: Draft | None = None


@dataclass(frozen=True, slots=True)
class HintUsed:
    """A player was given a hint of this level."""

    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """Hand a seat to the bot of this name, or back to its player."""

    seat: int
    bot: str | None


@dataclass(frozen=True, slots=True)
class NextRound:
    """Begin the next round of the match."""


Command = Play | Draw | Pass | Timeout | HintUsed | HandOver | NextRound


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command changes nothing; an illegal play carries every broken rule."""

    code: str
    violations: tuple[Violation, ...] = ()


# Events


@dataclass(frozen=True, slots=True)
class Started:
    """A match was set up; the seed is secret until it is over."""

    rules: Ruleset
    players: int
    rounds: int
    first: int
    seed: str
    words: tuple[str, ...]
    bots: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """The start was drawn for and the tiles were dealt."""

    round: int
    draws: tuple[tuple[StartDraw, ...], ...]
    starter: int
    racks: tuple[_Rack, ...]
    pool: _Rack


@dataclass(frozen=True, slots=True)
class Played:
    """A legal play; `buzzer` when the clock found it finished."""

    seat: int
    table: Table
    laid: _Rack
    taken: _Rack
    points: int
    stars: int
    opens: bool
    buzzer: bool


@dataclass(frozen=True, slots=True)
class Drew:
    """A tile was drawn, for a star where stars are paid."""

    seat: int
    tiles: _Rack
    stars: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A player could not draw and did not play."""

    seat: int


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The time was over: what stays on the table, what was laid, what went to the rack, the penalty tiles."""

    seat: int
    table: Table
    laid: _Rack
    taken: _Rack
    penalty: _Rack
    opens: bool
    restored: bool
    passed: bool


@dataclass(frozen=True, slots=True)
class HintGiven:
    """A hint was given; the record keeps it."""

    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A seat is now held by this bot, or by its player again."""

    seat: int
    bot: str | None


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over: who laid the last tile, if anybody, who won, what each scores."""

    round: int
    finisher: int | None
    winner: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The last round is over."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


Event = Started | RoundBegan | Played | Drew | Passed | TimedOut | HintGiven | HandedOver | RoundEnded | MatchEnded


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a match, hidden tiles included; only `view` may leave the server."""

    rules: Ruleset
    players: int
    rounds: int
    first: int
    seed: str
    words: tuple[str, ...]
    bots: tuple[str | None, ...]
    version: int = 1
    phase: Phase = Phase.ROUND_OVER
    round: int = 0
    draws: tuple[tuple[StartDraw, ...], ...] = ()
    starter: int = 0
    turn: int = 0
    table: Table = ()
    racks: tuple[_Rack, ...] = ()
    pool: _Rack = ()
    opened: tuple[bool, ...] = ()
    stars: tuple[int, ...] = ()
    passes: int = 0
    hints: tuple[int, ...] = ()
    scores: tuple[tuple[int, ...], ...] = ()
    winner: int | None = None

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in turn order from the starter."""
        return tuple((self.starter + self.rules.step * place) % self.players for place in range(self.players))


def fold(events: Iterable[Event], state: State | None = None) -> State:
    """Return the state after these events."""
    result = reduce(evolve, events, state)
    if result is None:
        raise ValueError("a match begins with an event")
    return result


def evolve(state: State | None, event: Event) -> State:
    """Return the state after one more event."""
    if isinstance(event, Started):
        return State(
            rules=event.rules,
            players=event.players,
            rounds=event.rounds,
            first=event.first,
            seed=event.seed,
            words=event.words,
            bots=event.bots,
        )
    if state is None:
        raise ValueError("a match begins with its start")
    return replace(state, version=state.version + 1, **_changes(state, event))


def _changes(state: State, event: Event) -> dict[str, Any]:
    """What an event changes, by field: a state is made once for each event, which is most of what that costs."""
    match event:
        case RoundBegan():
            return {
                "phase": Phase.PLAYING,
                "round": event.round,
                "draws": event.draws,
                "starter": event.starter,
                "turn": event.starter,
                "table": (),
                "racks": event.racks,
                "pool": event.pool,
                "opened": (False,) * state.players,
                "stars": (state.rules.stars,) * state.players,
                "passes": 0,
                "hints": (0,) * state.players,
                "winner": None,
            }
        case Played():
            rack = _less(state.racks[event.seat], event.laid) + event.taken
            stars = _at(state.stars, event.seat, state.stars[event.seat] + event.stars)
            held = _held(state, event.seat, rack, event.opens)
            return {"table": event.table, "stars": stars, "passes": 0, **held, **_next(state)}
        case Drew():
            rack = state.racks[event.seat] + event.tiles
            stars = _at(state.stars, event.seat, state.stars[event.seat] - event.stars)
            held = _held(state, event.seat, rack)
            return {"stars": stars, "pool": state.pool[len(event.tiles) :], "passes": 0, **held, **_next(state)}
        case Passed():
            return {"passes": state.passes + 1, **_next(state)}
        case TimedOut():
            rack = _less(state.racks[event.seat], event.laid) + event.taken + event.penalty
            passes = state.passes + 1 if event.passed else 0
            held = _held(state, event.seat, rack, event.opens)
            pool = state.pool[len(event.penalty) :]
            return {"table": event.table, "pool": pool, "passes": passes, **held, **_next(state)}
        case HintGiven():
            return {"hints": _at(state.hints, event.seat, state.hints[event.seat] + 1)}
        case HandedOver():
            return {"bots": _at(state.bots, event.seat, event.bot)}
        case RoundEnded():
            stars = event.scores if state.rules.stars else state.stars
            scores = (*state.scores, event.scores)
            return {"phase": Phase.ROUND_OVER, "scores": scores, "stars": stars, "winner": event.winner}
        case MatchEnded():
            return {"phase": Phase.MATCH_OVER}
        case Started():
            raise ValueError("a match starts once")


def _next(state: State) -> dict[str, Any]:
    return {"turn": (state.turn + state.rules.step) % state.players}


def _held(state: State, seat: int, rack: _Rack, opens: bool = False) -> dict[str, Any]:
    opened = _at(state.opened, seat, True) if opens else state.opened
    return {"racks": _at(state.racks, seat, rack), "opened": opened}


def _at(values: Sequence[_T], place: int, value: _T) -> tuple[_T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _less(rack: _Rack, laid: _Rack) -> _Rack:
    gone = set(laid)
    return tuple(tile for tile in rack if tile not in gone)
