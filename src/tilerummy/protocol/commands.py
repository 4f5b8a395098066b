"""What a player can ask for, as it travels; and to and from the commands of the game.

>>> from tilerummy.state import Draw
>>> wire_command(Draw(1))
DrawCommand(kind='draw', seat=1)
>>> game_command(PlayCommand(seat=0, table=["j"]))
Play(seat=0, table=((Piece(tile=tile('j'), face=None),),))
>>> game_command(CallCommand(seat=0, tile="r99"))
BadField(field='tile', message="tile: 'r99' has no number from 1 to 13")
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from tilerummy.melds import Draft, draft_text, pieces
from tilerummy.protocol.base import BotName, Id, Message, SeatNumber, TableText, TileText, Word
from tilerummy.protocol.setup import Setup
from tilerummy.race import Call, RaceCommand, Tap
from tilerummy.state import Command, Draw, NextRound, Pass, Play
from tilerummy.tiles import Unreadable, tile

__all__ = [
    "BadField",
    "CallCommand",
    "ChangeCommand",
    "CloseCommand",
    "DrawCommand",
    "LeaveCommand",
    "NextRoundCommand",
    "PassCommand",
    "PlayCommand",
    "ReadyCommand",
    "RematchCommand",
    "RemoveCommand",
    "ReturnCommand",
    "SeatBotCommand",
    "SitCommand",
    "SitInCommand",
    "StandCommand",
    "StartCommand",
    "TapCommand",
    "WireCommand",
    "WordCommand",
    "game_command",
    "read_table",
    "table_texts",
    "wire_command",
]


class BadField(NamedTuple):
    """What is wrong with something that came in, in one sentence, and with which field of it."""

    field: str
    message: str


# Commands of the match and of the race


class PlayCommand(Message):
    """Commit a proposed table."""

    kind: Literal["play"] = "play"
    seat: SeatNumber
    table: TableText


class DrawCommand(Message):
    """Take a tile from the pool and end the turn."""

    kind: Literal["draw"] = "draw"
    seat: SeatNumber


class PassCommand(Message):
    """End the turn when nothing can be drawn."""

    kind: Literal["pass"] = "pass"
    seat: SeatNumber


class NextRoundCommand(Message):
    """Begin the next round of the match."""

    kind: Literal["next-round"] = "next-round"


class CallCommand(Message):
    """Name a tile of the race."""

    kind: Literal["call"] = "call"
    seat: SeatNumber
    tile: TileText


class TapCommand(Message):
    """Point at a tile of the race."""

    kind: Literal["tap"] = "tap"
    seat: SeatNumber
    tile: TileText


# Commands of the room


class SitCommand(Message):
    """Take a seat, for oneself or for somebody on the same device."""

    kind: Literal["sit"] = "sit"
    seat: SeatNumber
    player: Id | None = None


class StandCommand(Message):
    """Give up a seat before the start."""

    kind: Literal["stand"] = "stand"
    seat: SeatNumber


class RemoveCommand(Message):
    """Send somebody away before the start (host)."""

    kind: Literal["remove"] = "remove"
    seat: SeatNumber


class SeatBotCommand(Message):
    """Choose the bot that plays if nobody takes this seat, or none (host)."""

    kind: Literal["seat-bot"] = "seat-bot"
    seat: SeatNumber
    bot: BotName | None


class ReadyCommand(Message):
    """Say that one is ready for the start, or is not."""

    kind: Literal["ready"] = "ready"
    seat: SeatNumber
    ready: bool


class WordCommand(Message):
    """Add a word of one's own to the shuffle."""

    kind: Literal["word"] = "word"
    seat: SeatNumber
    word: Word


class ChangeCommand(Message):
    """Choose another setup before the start (host)."""

    kind: Literal["change"] = "change"
    setup: Setup


class StartCommand(Message):
    """Begin the match (host)."""

    kind: Literal["start"] = "start"


class LeaveCommand(Message):
    """Go away: before the start the seat is free again, in mid-game a bot plays on."""

    kind: Literal["leave"] = "leave"
    seat: SeatNumber


class ReturnCommand(Message):
    """Take one's seat back from the bot."""

    kind: Literal["return"] = "return"
    seat: SeatNumber


class SitInCommand(Message):
    """Let a bot play for somebody whose connection is gone."""

    kind: Literal["sit-in"] = "sit-in"
    seat: SeatNumber


class RematchCommand(Message):
    """Gather for another match."""

    kind: Literal["rematch"] = "rematch"


class CloseCommand(Message):
    """Close the room (host)."""

    kind: Literal["close"] = "close"


WireCommand = Annotated[
    PlayCommand
    | DrawCommand
    | PassCommand
    | NextRoundCommand
    | CallCommand
    | TapCommand
    | SitCommand
    | StandCommand
    | RemoveCommand
    | SeatBotCommand
    | ReadyCommand
    | WordCommand
    | ChangeCommand
    | StartCommand
    | LeaveCommand
    | ReturnCommand
    | SitInCommand
    | RematchCommand
    | CloseCommand,
    Field(discriminator="kind"),
]
"""Everything that a player can ask of a room."""


# To and from the game


def game_command(command: WireCommand) -> Command | RaceCommand | BadField | None:
    """The command of the game that this is; None for one of the room, BadField for a tile that is none."""
    match command:
        case PlayCommand():
            table = read_table(command.table)
            return table if isinstance(table, BadField) else Play(command.seat, table)
        case DrawCommand():
            return Draw(command.seat)
        case PassCommand():
            return Pass(command.seat)
        case NextRoundCommand():
            return NextRound()
        case CallCommand() | TapCommand():
            try:
                one = tile(command.tile)
            except Unreadable as error:
                return BadField("tile", f"tile: {error}")
            return Call(command.seat, one) if isinstance(command, CallCommand) else Tap(command.seat, one)
    return None


def wire_command(command: Play | Draw | Pass | NextRound | Call | Tap) -> WireCommand:
    """How a command of the game travels, for bots and other players."""
    match command:
        case Play():
            return PlayCommand(seat=command.seat, table=table_texts(command.table))
        case Draw():
            return DrawCommand(seat=command.seat)
        case Pass():
            return PassCommand(seat=command.seat)
        case NextRound():
            return NextRoundCommand()
        case Call():
            if command.seat is None:
                raise ValueError("the program's calls do not travel")
            return CallCommand(seat=command.seat, tile=str(command.tile))
        case Tap():
            return TapCommand(seat=command.seat, tile=str(command.tile))


def read_table(melds: Sequence[str]) -> Draft | BadField:
    """Read a table meld by meld, or name the meld that cannot be read."""
    table = []
    for place, written in enumerate(melds):
        try:
            table.append(pieces(written))
        except Unreadable as error:
            return BadField(f"table.{place}", f"table.{place}: {error}")
    return tuple(table)


def table_texts(table: Draft) -> list[str]:
    """Write a table meld by meld."""
    return [draft_text([part]) for part in table]
