"""A room, what can be asked of it, and what can happen in it; lobby and matches are one stream of events.

Every value is frozen and plain. `room.apply` judges a command, `room.fold` makes the room from its events, and `codec`
writes both as JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from tilerummy.race import RaceCommand, RaceEvent, RaceState
from tilerummy.state import Command, Event, State

__all__ = [
    "Back",
    "BotSeated",
    "CameBack",
    "Change",
    "Changed",
    "Close",
    "Closed",
    "GiveWord",
    "Happened",
    "HostPassed",
    "Leave",
    "Move",
    "Opened",
    "PassHost",
    "ReadySet",
    "Rematch",
    "Rematched",
    "Remove",
    "Removed",
    "Return",
    "Room",
    "RoomCommand",
    "RoomEvent",
    "Sat",
    "Seat",
    "SeatBot",
    "SetReady",
    "Setup",
    "Sit",
    "SitIn",
    "Stage",
    "Stand",
    "Start",
    "Stood",
    "WentAway",
    "WordGiven",
]

_HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Setup:
    """What the host chose; `room.check_setup` says whether it makes sense."""

    game: str = "match"  # or "race", junior's simplified game
    ruleset: str = "sabra"
    house: Mapping[str, Any] = field(default_factory=dict)
    players: int = 4
    rounds: int = 1
    clock: int | None = None  # seconds for a turn; days of 86,400 where play is by correspondence
    bots: tuple[str | None, ...] = ()  # for each seat the bot that plays if nobody sits there; None: it must be filled
    public: bool = False
    spectators: bool = True
    hints: bool = True
    sit_in: str | None = None  # the bot that plays for somebody whose connection is gone, until they return
    caller: int | None = None  # of a race; None: the program calls
    first: int = 0  # who begins where the host says so (junior)

    @property
    def is_slow(self) -> bool:
        """Whether a turn may take an hour or more, so that nobody has to stay connected."""
        return (self.clock or 0) >= _HOUR


class Stage(StrEnum):
    """Where a room stands."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a room; its bot plays only when nobody sits there at the start."""

    player: str | None = None
    bot: str | None = None
    ready: bool = False
    word: str = ""


@dataclass(frozen=True, slots=True)
class Room:
    """Everything about a room, secrets included."""

    setup: Setup
    host: str
    seats: tuple[Seat, ...]
    seed: str  # of the match that runs or is to come; secret until it is over
    stage: Stage = Stage.LOBBY
    match: State | RaceState | None = None
    matches: int = 0  # begun so far
    removed: frozenset[str] = frozenset()  # players who may not sit here again
    version: int = 0
    at: float = 0.0  # when the last event happened, in unix time
    turn_version: int = 0  # the version with which the running turn, or call of a race, began
    turn_at: float = 0.0
    away: frozenset[int] = frozenset()  # seats that were left in mid-game; not those whose connection is gone
    watched_from: int = 0  # the version since which the setup has had spectators, unless it has none


# Commands


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat for a player."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Stand:
    """Give up a seat before the start."""

    seat: int


@dataclass(frozen=True, slots=True)
class Remove:
    """Send somebody away before the start, for good."""

    seat: int


@dataclass(frozen=True, slots=True)
class PassHost:
    """Make the player of a seat the host."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Choose the bot that plays if nobody takes this seat; None for no bot."""

    seat: int
    bot: str | None


@dataclass(frozen=True, slots=True)
class SetReady:
    """Say that a player is ready for the start, or is not."""

    seat: int
    ready: bool


@dataclass(frozen=True, slots=True)
class GiveWord:
    """Add a word to the shuffle."""

    seat: int
    word: str


@dataclass(frozen=True, slots=True)
class Change:
    """Choose another setup; everybody has to say again that they are ready."""

    setup: Setup


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the match."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Go away: before the start the seat is free again, in mid-game a bot plays on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Return:
    """Take one's seat back from the bot."""

    seat: int


@dataclass(frozen=True, slots=True)
class SitIn:
    """Let a bot play while the player's connection is gone; `gone` is the server's word for that."""

    seat: int
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Back:
    """The player's connection is there again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Move:
    """A command of the match, or race, that is played."""

    command: Command | RaceCommand


@dataclass(frozen=True, slots=True)
class Rematch:
    """Gather for another match with the same setup and this new seed."""

    seed: str


@dataclass(frozen=True, slots=True)
class Close:
    """Close the room for good."""

    reason: str = "closed"


RoomCommand = (
    Sit
    | Stand
    | Remove
    | PassHost
    | SeatBot
    | SetReady
    | GiveWord
    | Change
    | Start
    | Leave
    | Return
    | SitIn
    | Back
    | Move
    | Rematch
    | Close
)


# Events


@dataclass(frozen=True, slots=True)
class Opened:
    """A room was made; nobody sits in it yet."""

    setup: Setup
    host: str
    seed: str


@dataclass(frozen=True, slots=True)
class Sat:
    """A player took a seat."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Stood:
    """A seat is free again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Removed:
    """The host sent a player away."""

    seat: int


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot was chosen for a seat, or no bot."""

    seat: int
    bot: str | None


@dataclass(frozen=True, slots=True)
class ReadySet:
    """A player is ready for the start, or is not."""

    seat: int
    ready: bool


@dataclass(frozen=True, slots=True)
class WordGiven:
    """A player added a word to the shuffle; others see it from the start on."""

    seat: int
    word: str


@dataclass(frozen=True, slots=True)
class Changed:
    """There is another setup; nobody is ready any more."""

    setup: Setup


@dataclass(frozen=True, slots=True)
class Happened:
    """Something happened in the match, or in the race."""

    event: Event | RaceEvent


@dataclass(frozen=True, slots=True)
class WentAway:
    """A player left in mid-game; the seat stays theirs."""

    seat: int


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player who had left is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rematched:
    """The players gather for another match; nobody is ready, no words are given."""

    seed: str


@dataclass(frozen=True, slots=True)
class HostPassed:
    """Another player is the host now."""

    player: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The room is closed; what was played in it stays readable."""

    reason: str


RoomEvent = (
    Opened
    | Sat
    | Stood
    | Removed
    | BotSeated
    | ReadySet
    | WordGiven
    | Changed
    | Happened
    | WentAway
    | CameBack
    | Rematched
    | HostPassed
    | Closed
)
