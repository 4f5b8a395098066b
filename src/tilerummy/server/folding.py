"""A room as the fold of its events, and what the server has to do in it by itself, and when.

`evolve` never judges: an event is what has happened, and `room.apply` decided that it may.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from tilerummy import race, state
from tilerummy.race import Called, Found, RaceBegan, RaceEnded, RaceEvent, RaceState
from tilerummy.server.events import (
    BotSeated,
    CameBack,
    Changed,
    Closed,
    Happened,
    HostPassed,
    Opened,
    ReadySet,
    Rematched,
    Removed,
    Room,
    RoomEvent,
    Sat,
    Seat,
    Setup,
    Stage,
    Stood,
    WentAway,
    WordGiven,
)
from tilerummy.state import (
    Drew,
    Event,
    MatchEnded,
    Passed,
    Phase,
    Played,
    RoundBegan,
    Started,
    State,
    TimedOut,
)

__all__ = [
    "GRACE",
    "Due",
    "Task",
    "due",
    "evolve",
    "fold",
    "racing_bots",
]

GRACE: Final = 1.5  # seconds that a turn may last longer than its clock, for the network
_ROUND_BREAK: Final = 60.0
_QUICKEST, _SLOWEST = 6.0, 18.0  # seconds until a bot finds a tile of the race: a four-year-old should win
_HOUR: Final = 3600.0
_DAY: Final = 24 * _HOUR
_LOBBY_LASTS: Final = 2 * _HOUR
_RESULT_LASTS: Final = _DAY
_GAME_LASTS: Final = 7 * _DAY  # without a clock and without a move
_SLOW_LASTS: Final = 7 * _DAY  # a lobby or a result of play by correspondence


def fold(events: Iterable[tuple[RoomEvent, float]], room: Room | None = None) -> Room:
    """Return the room after these events, each with the time at which it happened."""
    for event, at in events:
        room = evolve(room, event, at)
    if room is None:
        raise ValueError("a room begins with an event")
    return room


def evolve(room: Room | None, event: RoomEvent, at: float) -> Room:
    """Return the room after one more event."""
    if isinstance(event, Opened):
        if room is not None:
            raise ValueError("a room is opened once")
        seats = _seats((), event.setup)
        return Room(event.setup, event.host, seats, event.seed, version=1, at=at, turn_version=1, turn_at=at)
    if room is None:
        raise ValueError("a room begins with its opening")
    room = replace(room, version=room.version + 1, at=at)
    return _play(room, event.event) if isinstance(event, Happened) else _happen(room, event)


def _happen(room: Room, event: RoomEvent) -> Room:
    match event:
        case Sat():
            return _with(room, event.seat, player=event.player, ready=False, word="")
        case Stood():
            return _vacated(room, event.seat)
        case Removed():
            player = room.seats[event.seat].player
            return replace(_vacated(room, event.seat), removed=room.removed | ({player} if player else set()))
        case BotSeated():
            room = _with(room, event.seat, bot=event.bot)
            return replace(room, setup=replace(room.setup, bots=tuple(seat.bot for seat in room.seats)))
        case ReadySet():
            return _with(room, event.seat, ready=event.ready)
        case WordGiven():
            return _with(room, event.seat, word=event.word)
        case Changed():
            opens = event.setup.spectators and not room.setup.spectators
            since = room.version if opens else room.watched_from
            return replace(room, setup=event.setup, seats=_seats(room.seats, event.setup), watched_from=since)
        case WentAway():
            return replace(room, away=room.away | {event.seat})
        case CameBack():
            return replace(room, away=room.away - {event.seat})
        case HostPassed():
            return replace(room, host=event.player)
        case Rematched():
            seats = tuple(replace(seat, ready=False, word="") for seat in room.seats)
            return replace(room, stage=Stage.LOBBY, seats=seats, seed=event.seed, match=None, away=frozenset())
        case Closed():
            return replace(room, stage=Stage.CLOSED)
        case Opened() | Happened():
            raise ValueError("no event of the lobby")


def _play(room: Room, event: Event | RaceEvent) -> Room:
    match event:
        case Started() | RaceBegan():
            room = replace(room, stage=Stage.PLAYING, matches=room.matches + 1, match=None)
        case MatchEnded() | RaceEnded():
            room = replace(room, stage=Stage.OVER)
    after = _next(room.match, event)
    room = replace(room, match=after)
    if _is_turn(event, after):
        room = replace(room, turn_version=room.version, turn_at=room.at)
    return room


def _next(match: State | RaceState | None, event: Event | RaceEvent) -> State | RaceState:
    if isinstance(event, RaceEvent):
        if isinstance(match, State):
            raise ValueError("an event of a race in a match")
        return race.fold([event], match)
    if isinstance(match, RaceState):
        raise ValueError("an event of a match in a race")
    return state.fold([event], match)


def _is_turn(event: Event | RaceEvent, after: State | RaceState) -> bool:
    """Whether somebody else is to move now; in a race, whether a call begins or ends."""
    if isinstance(event, Found):
        return isinstance(after, RaceState) and not after.open
    return isinstance(event, RoundBegan | Played | Drew | Passed | TimedOut | RaceBegan | Called)


def _with(room: Room, place: int, **changes: Any) -> Room:
    seat = replace(room.seats[place], **changes)
    return replace(room, seats=(*room.seats[:place], seat, *room.seats[place + 1 :]))


def _vacated(room: Room, place: int) -> Room:
    room = replace(room, away=room.away - {place})
    return _with(room, place, player=None, ready=False, word="")


def _seats(seats: tuple[Seat, ...], setup: Setup) -> tuple[Seat, ...]:
    """The seats under a new setup: who sits stays, with the bots of the setup, and nobody is ready."""
    kept = seats[: setup.players] + (Seat(),) * (setup.players - len(seats))
    bots = setup.bots + (None,) * (setup.players - len(setup.bots))
    return tuple(replace(seat, bot=bot, ready=False) for seat, bot in zip(kept, bots, strict=True))


# What is due


class Task(StrEnum):
    """What the server does by itself."""

    BOT = "bot"  # a bot moves
    CLOCK = "clock"  # the time for a turn is over
    CALL = "call"  # the program calls a tile of the race
    ROUND = "round"  # the next round begins
    EXPIRE = "expire"  # the room is closed


@dataclass(frozen=True, slots=True)
class Due:
    """The next thing that the server has to do, and when."""

    at: float
    task: Task


def due(room: Room, pace: float) -> Due | None:
    """Return what the server has to do next if nothing else happens; a bot, or the caller, waits for `pace` seconds."""
    match room.stage:
        case Stage.LOBBY:
            return Due(room.at + _lasts(room, _LOBBY_LASTS), Task.EXPIRE)
        case Stage.OVER:
            return Due(room.at + _lasts(room, _RESULT_LASTS), Task.EXPIRE)
        case Stage.CLOSED:
            return None
    match room.match:
        case State(phase=Phase.PLAYING) as match:
            if match.bots[match.turn] is not None:
                return Due(room.turn_at + pace, Task.BOT)
            if room.setup.clock is not None:
                return Due(room.turn_at + room.setup.clock + GRACE, Task.CLOCK)
        case State(phase=Phase.ROUND_OVER):
            return Due(room.turn_at + _break(room), Task.ROUND)
        case RaceState(caller=caller, open=False) if caller is None or caller in room.away:
            return Due(room.turn_at + pace, Task.CALL)
        case RaceState(open=True, version=version) if racing_bots(room):
            # found by chance, but always the same: whoever asks, and however often
            took = random.Random(f"{room.seed}/{version}").uniform(_QUICKEST, _SLOWEST)
            return Due(room.at + min(took, took * pace), Task.BOT)
    return Due(room.at + _GAME_LASTS, Task.EXPIRE)


def _lasts(room: Room, usual: float) -> float:
    """How long nobody has to look at the room: whoever may take days for a turn need not come every day."""
    clock = room.setup.clock or 0.0
    return max(usual, clock, _SLOW_LASTS if clock >= _DAY else 0.0)


def _break(room: Room) -> float:
    """How long everybody may look at the racks of a round before the next begins, unless a player begins it."""
    return float(room.setup.clock or 0) if room.setup.is_slow else _ROUND_BREAK


def racing_bots(room: Room) -> tuple[int, ...]:
    """The seats of a race on which bots look for tiles."""
    return tuple(place for place, seat in enumerate(room.seats) if seat.player is None and seat.bot is not None)
