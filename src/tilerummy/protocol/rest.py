"""What travels by REST: the bodies of requests and of their answers."""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from tilerummy.protocol.base import LATER, Count, House, Id, Instant, Message, SeatNumber, Version, said
from tilerummy.protocol.codes import PROBLEMS
from tilerummy.protocol.commands import WireCommand
from tilerummy.protocol.messages import Ack, HintStep, Refused, ViolationSeen
from tilerummy.protocol.phrases import Phrase
from tilerummy.protocol.setup import Setup, SetupView
from tilerummy.protocol.views import RoomView

__all__ = [
    "REST_ANSWER",
    "REST_REQUEST",
    "BotInfo",
    "CheckAnswer",
    "CheckRequest",
    "CommandBody",
    "ErrorBody",
    "ErrorDetail",
    "Export",
    "ExportedLink",
    "ExportedPlayer",
    "ExportedSeat",
    "ExportedToken",
    "ExportedWord",
    "Health",
    "Link",
    "Local",
    "MatchResult",
    "Me",
    "NewLocal",
    "NewName",
    "NewRoom",
    "NewToken",
    "PhraseInfo",
    "Readiness",
    "RestAnswer",
    "RestRequest",
    "RoomList",
    "RoomSummary",
    "RulesetInfo",
    "SolveAnswer",
    "SolveRequest",
    "Stage",
    "Token",
    "ToldExample",
    "ToldParagraph",
    "ToldRules",
    "ToldSection",
    "ToldStep",
    "ToldViolation",
    "UseLink",
]

_Name = Annotated[str, StringConstraints(min_length=1), Field(description="1 to 24 characters that can be seen.")]
"""A name as somebody gives it; the server says which are names."""
_Tiles = Annotated[
    Annotated[str, Field(max_length=2000)]
    | Annotated[list[Annotated[str, Field(max_length=8)]], Field(max_length=200)],
    said('must be tiles: a text of at most 2000 characters, such as "r1 b2 j", or a list of at most 200'),
]
_Melds = Annotated[
    Annotated[str, Field(max_length=4000)]
    | Annotated[list[Annotated[str, Field(max_length=1000)]], Field(max_length=200)],
    said('must be melds: a text of at most 4000 characters, such as "r1 r2 r3 | b5 k5 y5", or a list of at most 200'),
]


# Rooms

Stage = Literal["lobby", "playing", "over", "closed"]
"""Where a room stands: it waits for players, plays, is over until a rematch, or closed for good."""


class NewRoom(Setup):
    """A room to be made; whoever makes it is its host."""


class RoomSummary(Message):
    """A room in a list."""

    room: Id
    code: str | None
    version: Version
    stage: Stage
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


class MatchResult(Message):
    """How a match or a race of a room ended."""

    number: Annotated[int, Field(ge=1)]
    """Which one of the room it was; the record is asked for by this number."""
    game: Literal["match", "race"]
    ruleset: str
    began_at: Instant
    ended_at: Instant
    names: list[str]
    """Who sat where when it began: a person's name, or a bot's."""
    totals: list[int]
    """What each seat has at the end."""
    counts: Literal["points", "stars"]
    """What the totals are."""
    winners: list[SeatNumber]
    """The seats that won; several where they have the same."""


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
    qr: str
    """The address as a QR code: an SVG picture."""


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


# All that is kept about somebody


class ExportedPlayer(Message):
    """Somebody, or a person or bot of theirs."""

    id: Id
    name: str
    kind: Literal["guest", "bot", "local"]
    created_at: Instant
    seen_at: Instant
    """When they were last here."""
    owner: Id | None
    """Whose person or bot this is; null for a guest."""
    deleted: bool


class ExportedToken(Message):
    """A bot's token; the token itself is not kept."""

    player: Id
    """The bot."""
    label: str
    created_at: Instant


class ExportedLink(Message):
    """A link to another device; its token is not kept."""

    expires_at: Instant
    used_at: Instant | None


class ExportedSeat(Message):
    """A seat that somebody has, or had."""

    room: Id
    player: Id
    seat: SeatNumber
    created_at: Instant
    """When the room was made."""


class ExportedWord(Message):
    """A word that somebody gave to a shuffle."""

    room: Id
    player: Id
    word: str
    at: Instant


class Export(Message):
    """Everything that is kept about somebody, but for the games themselves."""

    player: ExportedPlayer
    owned: list[ExportedPlayer]
    """The people on their device, and their bots."""
    tokens: list[ExportedToken]
    links: list[ExportedLink]
    seats: list[ExportedSeat]
    words: list[ExportedWord]


# What there is


class RulesetInfo(Message):
    """A ruleset: its fields, its title in every language, and the tile sets that it can be played with."""

    id: str
    titles: dict[str, str]
    fields: dict[str, bool | int | str]
    tilesets: dict[str, dict[str, int]]
    """What the house rule `tileset` may say, and the fields that each stands for."""


class BotInfo(Message):
    """A bot that can be seated; `elo` is its strength where that has been measured."""

    name: str
    description: str
    elo: int | None


class PhraseInfo(Message):
    """A quick phrase or reaction: its code, and what it says in every language."""

    phrase: Phrase
    texts: dict[str, str]


# The rules, told


class ToldExample(Message):
    """A play that shows a rule, to be drawn: every joker that stands for something is named."""

    before: list[str]
    rack: str
    after: list[str]
    opened: bool
    legal: bool
    reasons: list[str]
    """Why the play is not allowed: a sentence for each rule that it breaks."""


class ToldParagraph(Message):
    """One thing told, and what shows it: a play, or a score sheet of rows with a header and the totals."""

    text: str
    term: str
    """The word of the rulebook that the text explains, and begins with; otherwise empty."""
    decision: bool
    """Whether this is ours, where the rulebook is silent."""
    house: bool
    """Whether a house rule changed it."""
    example: ToldExample | None
    sheet: list[list[str]]


class ToldSection(Message):
    """A part of the rules under a title."""

    key: str
    title: str
    paragraphs: list[ToldParagraph]


class ToldRules(Message):
    """The rules of a game in a language and in its rulebook's words."""

    ruleset: str
    house: House
    """The fields in which the rules differ from the ruleset's."""
    lang: str
    title: str
    marks: dict[str, str]
    """The labels of what is marked and drawn: decision, house, before, rack, after, legal, illegal."""
    sections: list[ToldSection]


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


class ToldStep(HintStep):
    """A step of the best play with its sentence."""

    text: str


class SolveAnswer(Message):
    """The best play of a position."""

    tiles: Count
    points: int
    laid: str
    taken: str | None = None
    after: list[str]
    unchanged: Count
    steps: list[str] | None = None
    """How to do it, in sentences."""
    moves: list[ToldStep] | None = None
    """The same, to be drawn: a step for each sentence."""
    proven: bool
    nodes: Count
    micros: float


# Errors


class ErrorDetail(Message):
    """What is wrong: a stable code, the field if there is one, and a sentence."""

    code: Annotated[str, Field(examples=list(PROBLEMS))]
    field: str | None
    """What is wrong, as the request has it: `house.opening`, `command.table.0`; null where it is none of its fields."""
    message: str


class ErrorBody(Message):
    """The body of every answer that is none."""

    error: ErrorDetail


# Operating


class Health(Message):
    """The process runs."""

    ok: bool
    version: str


class Readiness(Message):
    """Whether players may be sent here: the store has to answer; without the bus everything is only slower."""

    ready: bool
    store: bool
    bus: bool


# All of them

RestRequest = NewRoom | CommandBody | NewName | NewLocal | UseLink | NewToken | CheckRequest | SolveRequest
"""The body of a request."""

RestAnswer = (
    RoomView
    | RoomList
    | MatchResult
    | Ack
    | Refused
    | Me
    | Local
    | Link
    | Token
    | Export
    | RulesetInfo
    | BotInfo
    | PhraseInfo
    | ToldRules
    | CheckAnswer
    | SolveAnswer
    | Health
    | Readiness
    | ErrorBody
)
"""The body of an answer, or an entry of a list that is one."""

REST_REQUEST: Final[TypeAdapter[RestRequest]] = TypeAdapter(RestRequest, config=LATER)
"""Describes what a client asks."""

REST_ANSWER: Final[TypeAdapter[RestAnswer]] = TypeAdapter(RestAnswer, config=LATER)
"""Describes what the server answers."""
