"""What the arena and a bot that is a program of its own say to each other: a JSON object a line, both ways.

The view and the commands are those of the server's protocol; docs/arena.md tells the rest.

>>> read_move('{"kind": "draw", "seat": 1}')
Draw(seat=1)
>>> read_move('{"kind": "play", "seat": 1, "table": ["r5 r6 x7"]}')
Traceback (most recent call last):
tilerummy.arena.results.Misplay: nonsense: table.0: 'x7' has no known colour: r, b, k or y
"""

from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from tilerummy.arena.results import Misplay, Reason
from tilerummy.protocol.base import Count, House, Message, SeatNumber
from tilerummy.protocol.commands import BadField, DrawCommand, PassCommand, PlayCommand, game_command
from tilerummy.protocol.reading import blame
from tilerummy.protocol.views import MatchView
from tilerummy.state import Draw, Pass, Play

__all__ = ["VERSION", "FaultSeen", "Hello", "Over", "Ready", "TurnToMove", "read_move", "read_ready"]

VERSION: Final = 1
"""Of this protocol; a bot that speaks another one does not play."""


class Hello(Message):
    """The first line: where the bot sits, and in what."""

    type: Literal["hello"] = "hello"
    protocol: int
    seat: SeatNumber
    players: int
    ruleset: str
    house: House
    budget: Count
    """How much a bot that searches may search."""
    move_time: float
    """Seconds for a move."""
    seed: str
    """For the bot's own chance: the same run has the same."""


class TurnToMove(Message):
    """It is the bot's turn, and this is all that its seat may know."""

    type: Literal["turn"] = "turn"
    view: MatchView
    budget: Count


class FaultSeen(Message):
    """Who ended the game before its time, and how."""

    seat: SeatNumber | None
    reason: str


class Over(Message):
    """The last line: how it ended."""

    type: Literal["over"] = "over"
    view: MatchView
    fault: FaultSeen | None


class Ready(Message):
    """The answer to hello."""

    type: Literal["ready"] = "ready"
    protocol: int


_MOVE: TypeAdapter[PlayCommand | DrawCommand | PassCommand] = TypeAdapter(
    Annotated[PlayCommand | DrawCommand | PassCommand, Field(discriminator="kind")]
)


def read_ready(line: str | bytes) -> None:
    """Read the answer to hello, or raise Misplay."""
    try:
        ready = Ready.model_validate_json(line)
    except ValidationError as error:
        raise _nonsense(error, 0) from None
    if ready.protocol != VERSION:
        raise Misplay(Reason.NONSENSE, f"protocol: {VERSION}, not {ready.protocol}")


def read_move(line: str | bytes) -> Play | Draw | Pass:
    """Read a move, or raise Misplay."""
    try:
        command = game_command(_MOVE.validate_json(line))
    except ValidationError as error:
        raise _nonsense(error, 1) from None
    if isinstance(command, BadField):
        raise Misplay(Reason.NONSENSE, command.message)
    assert isinstance(command, Play | Draw | Pass)
    return command


def _nonsense(error: ValidationError, skipped: int) -> Misplay:
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return Misplay(Reason.NONSENSE, "the answer is not JSON")
    if not first["loc"] and first["type"] in ("model_attributes_type", "dict_type", "model_type"):
        return Misplay(Reason.NONSENSE, "the answer must be a JSON object")
    return Misplay(Reason.NONSENSE, blame({**first, "loc": first["loc"][skipped:]}).message)
