"""What goes into the store and comes out of it, and how it says no."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = [
    "Answer",
    "Answered",
    "CodeTaken",
    "Conflict",
    "Draft",
    "IdTaken",
    "Link",
    "Meta",
    "Misfit",
    "Player",
    "PlayerKind",
    "RoomRow",
    "Seen",
    "Stored",
    "Token",
    "Unavailable",
]

PlayerKind = Literal["guest", "bot", "local"]


@dataclass(frozen=True, slots=True)
class Stored:
    """One event of a room as it is kept; versions count from 1."""

    version: int
    at: float
    schema: int
    kind: str
    data: Any
    cause: Any = None
    """The command, on the first event of what it caused."""
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player was told about a command: the same command id gets the same answer, for ever."""

    player: str
    command_id: str
    answer: Any
    at: float


@dataclass(frozen=True, slots=True)
class Meta:
    """What the room's row says once the events are in: for lists, for the clock and for "my games"."""

    stage: str
    public: bool = False
    listing: Mapping[str, Any] = field(default_factory=dict)
    due_at: float | None = None
    due_task: str | None = None
    clear_draft: bool = False
    free_code: bool = False
    """The room's code may be given to another room from now on."""
    sat: Mapping[str, int] = field(default_factory=dict)
    """Players who sat down with these events, and where: the room is one of their games from now on."""
    stood: frozenset[str] = frozenset()
    """Players who stood up before any match, or were removed: the room is none of their games."""


@dataclass(frozen=True, slots=True)
class RoomRow:
    """What the store knows of a room without reading its events."""

    id: str
    code: str | None
    version: int
    stage: str
    public: bool
    listing: Any
    due_at: float | None
    due_task: str | None
    created_at: float
    updated_at: float


@dataclass(frozen=True, slots=True)
class Draft:
    """The last draft of the running turn; it counts only while no event after `version` began another turn."""

    room: str
    version: int
    seat: int
    data: Any
    at: float


@dataclass(frozen=True, slots=True)
class Seen:
    """A player is connected to a room through a node until then; a time that has passed says that they are gone."""

    room: str
    player: str
    until: float


@dataclass(frozen=True, slots=True)
class Player:
    """An identity: a guest, a bot with a token, or a person on somebody's device."""

    id: str
    name: str
    kind: PlayerKind
    created_at: float
    seen_at: float
    owner: str | None = None
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A one-time link with which a player continues on another device; only its hash is kept."""

    token_hash: str
    player: str
    expires_at: float


@dataclass(frozen=True, slots=True)
class Token:
    """A bot's key; only its hash is kept."""

    token_hash: str
    player: str
    label: str
    created_at: float


class Conflict(Exception):
    """Somebody else appended first: read what they wrote, look the answer up, and judge again."""


class Answered(Conflict):
    """This player's command of this id has been answered already; nothing was appended."""

    def __init__(self, answer: Answer) -> None:
        """With the answer that stands."""
        super().__init__(f"{answer.player}'s command {answer.command_id} is answered already")
        self.answer = answer


class IdTaken(Exception):
    """A room or a player of this id exists already."""


class CodeTaken(Exception):
    """Another room has this code: try the next one."""


class Misfit(Exception):
    """Players who cannot be brought back as they are told."""


class Unavailable(Exception):
    """The database did not answer. A write may or may not have happened, but never half: read before trying again."""
