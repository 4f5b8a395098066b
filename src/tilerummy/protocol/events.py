"""What happened in a room, as somebody may see it; what nobody but one player may know is left out or counted."""

from typing import Annotated, Literal

from pydantic import Field

from tilerummy.protocol.base import Count, Instant, Level, Message, SeatNumber, TableText, Version, Word
from tilerummy.protocol.setup import SetupView

__all__ = [
    "BotSeatedEvent",
    "CalledEvent",
    "CameBackEvent",
    "ChangedEvent",
    "ClosedEvent",
    "DrewEvent",
    "FoundEvent",
    "HandedOverEvent",
    "HintGivenEvent",
    "HostPassedEvent",
    "MatchEndedEvent",
    "OpenedEvent",
    "PassedEvent",
    "PlayedEvent",
    "RaceBeganEvent",
    "RaceEndedEvent",
    "ReadyEvent",
    "RematchedEvent",
    "RemovedEvent",
    "RoundBeganEvent",
    "RoundEndedEvent",
    "SatEvent",
    "Seen",
    "SeenEvent",
    "StartDrawn",
    "StartedEvent",
    "StoodEvent",
    "TimedOutEvent",
    "WentAwayEvent",
    "WordGivenEvent",
]


# In the room


class OpenedEvent(Message):
    """The room was made."""

    kind: Literal["opened"] = "opened"
    setup: SetupView


class SatEvent(Message):
    """Somebody took a seat."""

    kind: Literal["sat"] = "sat"
    seat: SeatNumber
    name: str


class StoodEvent(Message):
    """A seat is free again."""

    kind: Literal["stood"] = "stood"
    seat: SeatNumber


class RemovedEvent(Message):
    """The host sent somebody away."""

    kind: Literal["removed"] = "removed"
    seat: SeatNumber


class BotSeatedEvent(Message):
    """A bot was chosen for a seat, or no bot."""

    kind: Literal["bot-seated"] = "bot-seated"
    seat: SeatNumber
    bot: str | None


class ReadyEvent(Message):
    """Somebody is ready for the start, or is not."""

    kind: Literal["ready"] = "ready"
    seat: SeatNumber
    ready: bool


class WordGivenEvent(Message):
    """The receiver's own word for the shuffle; others get a bare version, and all words with the start."""

    kind: Literal["word-given"] = "word-given"
    seat: SeatNumber
    word: Word


class ChangedEvent(Message):
    """The host chose another setup; nobody is ready any more."""

    kind: Literal["changed"] = "changed"
    setup: SetupView


class WentAwayEvent(Message):
    """Somebody left in mid-game; the seat stays theirs."""

    kind: Literal["went-away"] = "went-away"
    seat: SeatNumber


class CameBackEvent(Message):
    """Somebody who had left is back."""

    kind: Literal["came-back"] = "came-back"
    seat: SeatNumber


class RematchedEvent(Message):
    """The players gather for another match; its shuffle is settled already."""

    kind: Literal["rematched"] = "rematched"
    commitment: str


class HostPassedEvent(Message):
    """Another player is the host now; null when that player has stood up since."""

    kind: Literal["host-passed"] = "host-passed"
    seat: SeatNumber | None


class ClosedEvent(Message):
    """The room is closed."""

    kind: Literal["closed"] = "closed"
    reason: str


# In the match


class StartDrawn(Message):
    """A tile that a seat drew for the right to start."""

    seat: SeatNumber
    tile: str


class StartedEvent(Message):
    """A match begins; its words are everybody's to see."""

    kind: Literal["started"] = "started"
    players: int
    rounds: int
    words: list[str]
    bots: list[str | None]
    commitment: str


class RoundBeganEvent(Message):
    """The tiles were dealt: the receiver's own rack, and how many tiles there are elsewhere."""

    kind: Literal["round-began"] = "round-began"
    round: int
    draws: list[list[StartDrawn]]
    starter: SeatNumber
    rack: str
    rack_sizes: list[int]
    pool_size: int


class PlayedEvent(Message):
    """A legal play; `buzzer` when the clock found it finished."""

    kind: Literal["played"] = "played"
    seat: SeatNumber
    table: TableText
    laid: str
    taken: str
    points: int
    stars: int
    opens: bool
    buzzer: bool


class DrewEvent(Message):
    """Tiles were drawn; null unless they are the receiver's own."""

    kind: Literal["drew"] = "drew"
    seat: SeatNumber
    count: Count
    tiles: str | None
    stars: int


class PassedEvent(Message):
    """A player could not draw and did not play."""

    kind: Literal["passed"] = "passed"
    seat: SeatNumber


class TimedOutEvent(Message):
    """The time was over; `penalty` is null unless the drawn tiles are the receiver's own."""

    kind: Literal["timed-out"] = "timed-out"
    seat: SeatNumber
    table: TableText
    laid: str
    taken: str
    count: Count
    penalty: str | None
    opens: bool
    restored: bool
    passed: bool


class HintGivenEvent(Message):
    """A hint was given; the record keeps it."""

    kind: Literal["hint-given"] = "hint-given"
    seat: SeatNumber
    level: Level


class HandedOverEvent(Message):
    """A seat is now held by this bot, or by its player again."""

    kind: Literal["handed-over"] = "handed-over"
    seat: SeatNumber
    bot: str | None


class RoundEndedEvent(Message):
    """A round is over: who laid the last tile, if anybody, who won, what each scores."""

    kind: Literal["round-ended"] = "round-ended"
    round: int
    finisher: SeatNumber | None
    winner: SeatNumber
    scores: list[int]


class MatchEndedEvent(Message):
    """The last round is over; the seed of the shuffle is everybody's to check."""

    kind: Literal["match-ended"] = "match-ended"
    totals: list[int]
    winners: list[int]


# In the race


class RaceBeganEvent(Message):
    """A race begins."""

    kind: Literal["race-began"] = "race-began"
    players: int
    caller: SeatNumber | None


class CalledEvent(Message):
    """A tile was named and goes to its place."""

    kind: Literal["called"] = "called"
    tile: str


class FoundEvent(Message):
    """A right tile goes to its place, for a star."""

    kind: Literal["found"] = "found"
    seat: SeatNumber
    tile: str


class RaceEndedEvent(Message):
    """All four rows are complete."""

    kind: Literal["race-ended"] = "race-ended"
    winners: list[int]


SeenEvent = Annotated[
    OpenedEvent
    | SatEvent
    | StoodEvent
    | RemovedEvent
    | BotSeatedEvent
    | ReadyEvent
    | WordGivenEvent
    | ChangedEvent
    | WentAwayEvent
    | CameBackEvent
    | RematchedEvent
    | HostPassedEvent
    | ClosedEvent
    | StartedEvent
    | RoundBeganEvent
    | PlayedEvent
    | DrewEvent
    | PassedEvent
    | TimedOutEvent
    | HintGivenEvent
    | HandedOverEvent
    | RoundEndedEvent
    | MatchEndedEvent
    | RaceBeganEvent
    | CalledEvent
    | FoundEvent
    | RaceEndedEvent,
    Field(discriminator="kind"),
]
"""Everything that can be seen to happen."""


class Seen(Message):
    """An event by its version; null when the receiver may not see it: a bare version, so that no number is missing."""

    version: Version
    at: Instant
    event: SeenEvent | None
