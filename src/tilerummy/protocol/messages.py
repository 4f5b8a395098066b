"""The messages of the WebSocket, both ways; docs/protocol.md tells their story."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from tilerummy.protocol.base import LATER, Id, Instant, Level, Message, SeatNumber, TableText, Version
from tilerummy.protocol.codes import BYES, ERRORS
from tilerummy.protocol.commands import WireCommand
from tilerummy.protocol.events import Seen
from tilerummy.protocol.phrases import Phrase
from tilerummy.protocol.views import RoomView, SeenTable, You

__all__ = [
    "CLIENT_MESSAGE",
    "SERVER_MESSAGE",
    "Ack",
    "Advice",
    "AskHint",
    "Bye",
    "ClientMessage",
    "DraftSeen",
    "ErrorMessage",
    "Heartbeat",
    "Hint",
    "HintStep",
    "JudgedMeld",
    "PhraseSaid",
    "Ping",
    "Presence",
    "Refused",
    "Resume",
    "SayPhrase",
    "SendCommand",
    "SendDraft",
    "ServerMessage",
    "Show",
    "Snapshot",
    "Update",
    "ViolationSeen",
]


# From a client


class SendCommand(Message):
    """A command; `on` is the version that its sender saw, and the same id always gets the same answer."""

    type: Literal["command"] = "command"
    id: Id
    on: Version
    command: WireCommand


class SendDraft(Message):
    """What the player to move is arranging; null when it is all put back."""

    type: Literal["draft"] = "draft"
    on: Version
    seat: SeatNumber
    table: TableText | None


class AskHint(Message):
    """A wish for a hint, which the record will keep."""

    type: Literal["hint"] = "hint"
    id: Id
    on: Version
    seat: SeatNumber
    level: Level


class SayPhrase(Message):
    """A phrase or reaction for everybody in the room."""

    type: Literal["phrase"] = "phrase"
    seat: SeatNumber
    phrase: Phrase


class Show(Message):
    """Whose rack this connection sees from now on, of several people on one device; null: nobody's."""

    type: Literal["show"] = "show"
    seat: SeatNumber | None


class Resume(Message):
    """A wish for everything since this version."""

    type: Literal["resume"] = "resume"
    version: Version


class Ping(Message):
    """A wish for a heartbeat."""

    type: Literal["ping"] = "ping"


ClientMessage = Annotated[
    SendCommand | SendDraft | AskHint | SayPhrase | Show | Resume | Ping, Field(discriminator="type")
]
"""Everything that a client may send."""


# From the server


class ViolationSeen(Message):
    """A broken rule: its code, its tiles, and what a sentence about it needs."""

    code: str
    tiles: str
    args: dict[str, str | int]


class Snapshot(Message):
    """The room as it is, and who the receiver is."""

    type: Literal["snapshot"] = "snapshot"
    version: Version
    view: RoomView
    you: You


class Update(Message):
    """What has happened since the last version, and the room after it."""

    type: Literal["update"] = "update"
    version: Version
    events: list[Seen]
    view: RoomView


class HintStep(Message):
    """A step of the best play: tiles go from a meld, or the rack (null), to a meld, or the rack."""

    verb: str
    pieces: str
    source: int | None
    target: int | None
    were: str


class Hint(Message):
    """The best play, as far as the level tells it."""

    level: Level
    can_play: bool
    laid: str | None
    """From `point` on."""
    after: TableText | None
    """From `reveal` on."""
    steps: list[HintStep]


class Ack(Message):
    """A command was done, with this version; or a hint was given, with the hint in it."""

    type: Literal["ack"] = "ack"
    id: Id
    version: Version
    hint: Hint | None = None


class Refused(Message):
    """A command was not done, and changed nothing."""

    type: Literal["refused"] = "refused"
    id: Id
    code: str
    violations: list[ViolationSeen]
    version: Version


class JudgedMeld(Message):
    """A meld of a draft: its points, or why it is none."""

    ok: bool
    reason: str | None
    args: dict[str, str | int]
    points: int


class Advice(Message):
    """What would become of a draft if it were played now; `on` is the version that it was sent with."""

    type: Literal["advice"] = "advice"
    on: Version
    legal: bool
    melds: list[JudgedMeld]
    violations: list[ViolationSeen]
    points: int
    towards: int | None
    laid: str


class DraftSeen(Message):
    """What the player to move is arranging; `?` is a tile from the rack, and null means that it is all put back."""

    type: Literal["draft"] = "draft"
    seat: SeatNumber
    on: Version
    table: SeenTable | None


class PhraseSaid(Message):
    """Somebody said a phrase."""

    type: Literal["phrase"] = "phrase"
    seat: SeatNumber
    phrase: Phrase


class Presence(Message):
    """Who is connected, seat by seat."""

    type: Literal["presence"] = "presence"
    present: list[bool]


class Heartbeat(Message):
    """The newest version and the server's time, sent every few seconds."""

    type: Literal["heartbeat"] = "heartbeat"
    version: Version
    now: Instant


class ErrorMessage(Message):
    """A message could not be used; `id` is that of the command in it, where there was one to read."""

    type: Literal["error"] = "error"
    code: Annotated[str, Field(examples=list(ERRORS))]
    field: str | None
    message: str
    id: Id | None = None


class Bye(Message):
    """The last message of a connection, and why."""

    type: Literal["bye"] = "bye"
    code: Annotated[str, Field(examples=list(BYES))]


ServerMessage = Annotated[
    Snapshot | Update | Ack | Refused | Advice | DraftSeen | PhraseSaid | Presence | Heartbeat | ErrorMessage | Bye,
    Field(discriminator="type"),
]
"""Everything that the server may send."""

CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)
"""Reads what a client sent."""

SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage, config=LATER)
"""Reads what the server sent."""
