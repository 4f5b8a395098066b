"""What travels by REST: the bodies of requests and of their answers."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from tilerummy.protocol.base import Count, House, Id, Instant, Message, SeatNumber, Version
from tilerummy.protocol.commands import WireCommand
from tilerummy.protocol.messages import ViolationSeen
from tilerummy.protocol.setup import Setup, SetupView

__all__ = [
    "BotInfo",
    "CheckAnswer",
    "CheckRequest",
    "CommandBody",
    "ErrorBody",
    "ErrorDetail",
    "Link",
    "Local",
    "Me",
    "NewLocal",
    "NewName",
    "NewRoom",
    "NewToken",
    "RoomList",
    "RoomSummary",
    "RulesetInfo",
    "SolveAnswer",
    "SolveRequest",
    "Token",
    "ToldViolation",
    "UseLink",
]

_Name = Annotated[str, StringConstraints(min_length=1, max_length=64)]
"""A name as somebody gives it; the server says which are names."""
_Tiles = (
    Annotated[str, Field(max_length=2000)] | Annotated[list[Annotated[str, Field(max_length=8)]], Field(max_length=200)]
)
_Melds = (
    Annotated[str, Field(max_length=4000)]
    | Annotated[list[Annotated[str, Field(max_length=1000)]], Field(max_length=200)]
)


# Rooms


class NewRoom(Setup):
    """A room to be made; whoever makes it is its host."""


class RoomSummary(Message):
    """A room in a list."""

    room: Id
    code: str | None
    version: Version
    stage: Literal["lobby", "playing", "over", "closed"]
    setup: SetupView
    host: str | None
    """The name of the host."""
    names: list[str | None]
    """Who sits where: a person's name, or a bot's; null for a seat that is free."""
    free: Count
    """How many seats nobody has, neither a person nor a bot."""
    matches: Count
    yours: list[SeatNumber]
    """The seats of whoever asks."""
    created_at: Instant
    updated_at: Instant


class RoomList(Message):
    """Some rooms, the newest first; `next` asks for those before them."""

    rooms: list[RoomSummary]
    next: str | None


class CommandBody(Message):
    """A command by REST: the same door as the WebSocket's, with the same answer."""

    id: Id
    on: Version
    command: WireCommand


# Who somebody is


class Local(Message):
    """A person who plays on somebody's device."""

    id: Id
    name: str


class Me(Message):
    """Whoever asks."""

    id: Id
    name: str
    kind: Literal["guest", "bot", "local"]
    locals: list[Local]
    created_at: Instant


class NewName(Message):
    """Another name."""

    name: _Name


class NewLocal(Message):
    """A person who is to play on the same device."""

    name: _Name


class Link(Message):
    """A link with which one continues on another device, once and soon."""

    url: str
    token: str
    expires_at: Instant


class UseLink(Message):
    """The token of such a link."""

    token: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class NewToken(Message):
    """A wish for a bot's token."""

    label: _Name


class Token(Message):
    """A bot's token; the token itself is shown once, when it is made."""

    id: Id
    label: str
    created_at: Instant
    token: str | None


# What there is


class RulesetInfo(Message):
    """A ruleset: its fields, and its title in every language."""

    id: str
    titles: dict[str, str]
    fields: dict[str, Any]


class BotInfo(Message):
    """A bot that can be seated."""

    name: str
    description: str


# Questions about positions: the command line's contract


class CheckRequest(Message):
    """A play to be judged."""

    ruleset: str
    house: House = Field(default_factory=dict)
    opened: bool = True
    all_opened: bool = True
    table: _Melds = Field(default_factory=list)
    rack: _Tiles
    after: _Melds
    after_rack: _Tiles | None = None


class ToldViolation(ViolationSeen):
    """A broken rule with its sentence."""

    args: dict[str, str | int] = Field(default_factory=dict)
    message: str


class CheckAnswer(Message):
    """Whether a play is legal, and otherwise every rule that it breaks."""

    legal: bool
    violations: list[ToldViolation]
    laid: str
    points: int


class SolveRequest(Message):
    """A position whose best play is asked for."""

    ruleset: str
    house: House = Field(default_factory=dict)
    opened: bool = True
    all_opened: bool = True
    objective: Literal["tiles", "points"] = "tiles"
    table: _Melds = Field(default_factory=list)
    rack: _Tiles


class SolveAnswer(Message):
    """The best play of a position."""

    tiles: Count
    points: int
    laid: str
    taken: str | None = None
    after: list[str]
    unchanged: Count
    steps: list[str] | None = None
    proven: bool
    nodes: Count
    micros: float


# Errors


class ErrorDetail(Message):
    """What is wrong: a stable code, the field if there is one, and a sentence."""

    code: str
    field: str | None
    message: str


class ErrorBody(Message):
    """The body of every answer that is none."""

    error: ErrorDetail
