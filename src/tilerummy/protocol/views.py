"""A room as somebody may see it.

A view is whole: a page that has one needs nothing that came before it.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal

from tilerummy.deal import StartDraw
from tilerummy.melds import Meld, Piece, pieces, read
from tilerummy.protocol.base import Count, House, Id, Instant, Message, SeatNumber, TableText, Version
from tilerummy.protocol.events import StartDrawn
from tilerummy.protocol.setup import SetupView
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.state import Phase
from tilerummy.tiles import text, tile, tiles
from tilerummy.view import SeenDraft, View

__all__ = [
    "FACE_DOWN",
    "ClockView",
    "FoundTile",
    "MatchView",
    "RaceView",
    "RoomView",
    "SeatView",
    "SeenTable",
    "You",
    "draws_json",
    "match_json",
    "match_view",
    "melds_json",
    "read_seen",
    "seen_match",
    "seen_table",
]

FACE_DOWN = "?"
"""A tile of somebody's draft that came from their rack."""

SeenTable = list[list[str]]
"""A draft as somebody sees it: tiles, and `?` for those that lie face down."""


class SeatView(Message):
    """A seat: whose it is, and who plays there now."""

    seat: SeatNumber
    name: str | None
    """Of the person, or of the bot."""
    kind: Literal["person", "bot", "open"]
    bot: str | None
    """That plays here, or would if nobody sits down."""
    ready: bool
    present: bool
    """Whether the person is connected."""
    away: bool
    """Whether the person left in mid-game."""
    host: bool
    word: str | None
    """The receiver's own, before the start."""


class ClockView(Message):
    """The clock of the running turn, in the server's time; `now` is when this was sent."""

    seconds: int
    ends: Instant
    now: Instant


class MatchView(Message):
    """A match as one seat, or a spectator, sees it; racks and melds in the notation, copies told apart."""

    seat: SeatNumber | None
    version: Version
    """Of the match alone."""
    ruleset: str
    house: House
    """The fields in which the rules differ from the ruleset's."""
    players: int
    rounds: int
    round: int
    phase: Literal["playing", "round-over", "match-over"]
    draws: list[list[StartDrawn]]
    starter: SeatNumber
    turn: SeatNumber
    table: TableText
    draft: SeenTable | None
    """Of the player to move."""
    rack: str
    rack_sizes: list[int]
    racks: list[str]
    """Everybody's, once the round is over."""
    pool_size: Count
    opened: list[bool]
    stars: list[int]
    passes: int
    bots: list[str | None]
    hints: list[int]
    scores: list[list[int]]
    winner: SeatNumber | None
    commitment: str
    words: list[str]
    seed: str | None
    """Once the match is over."""


class FoundTile(Message):
    """A tile that somebody found since the last call."""

    seat: SeatNumber
    tile: str


class RaceView(Message):
    """A race; nothing in it is hidden."""

    version: Version
    """Of the race alone."""
    players: int
    caller: SeatNumber | None
    stars: list[int]
    placed: str
    called: str | None
    finds: list[FoundTile]
    open: bool
    """Whether a tile is being looked for."""
    winners: list[int]


class RoomView(Message):
    """A room as one seat, or a spectator, sees it."""

    room: Id
    code: str | None
    version: Version
    stage: Literal["lobby", "playing", "over", "closed"]
    setup: SetupView
    seats: list[SeatView]
    matches: int
    """Begun so far."""
    commitment: str
    """To the shuffle of the match that runs or is to come."""
    clock: ClockView | None
    match: MatchView | None
    race: RaceView | None


class You(Message):
    """Who the receiver is: the seats it may act for, and whose rack it sees."""

    player: Id | None
    seats: list[SeatNumber]
    shown: SeatNumber | None
    host: bool


def match_view(seen: MatchView) -> View:
    """The view of a match as bots take it."""
    rules = ruleset(seen.ruleset, seen.house)
    return View(
        seat=seen.seat,
        version=seen.version,
        rules=rules,
        players=seen.players,
        rounds=seen.rounds,
        round=seen.round,
        phase=Phase(seen.phase),
        draws=tuple(tuple(StartDraw(one.seat, tile(one.tile)) for one in drawing) for drawing in seen.draws),
        starter=seen.starter,
        turn=seen.turn,
        table=tuple(_meld(written, rules) for written in seen.table),
        draft=None if seen.draft is None else read_seen(seen.draft),
        rack=tiles(seen.rack),
        rack_sizes=tuple(seen.rack_sizes),
        racks=tuple(map(tiles, seen.racks)),
        pool_size=seen.pool_size,
        opened=tuple(seen.opened),
        stars=tuple(seen.stars),
        passes=seen.passes,
        bots=tuple(seen.bots),
        hints=tuple(seen.hints),
        scores=tuple(map(tuple, seen.scores)),
        winner=seen.winner,
        commitment=seen.commitment,
        words=tuple(seen.words),
        seed=seen.seed,
    )


def seen_match(seen: View) -> MatchView:
    """The view of a match as it travels; `match_view` reads it back."""
    return MatchView.model_validate(match_json(seen))


def match_json(seen: View) -> dict[str, Any]:
    """The view of a match as JSON, which costs less than a message."""
    house = {name: value if isinstance(value, bool | int) else str(value) for name, value in seen.rules.house.items()}
    return {
        "seat": seen.seat,
        "version": seen.version,
        "ruleset": seen.rules.id,
        "house": house,
        "players": seen.players,
        "rounds": seen.rounds,
        "round": seen.round,
        "phase": seen.phase.value,
        "draws": draws_json(seen.draws),
        "starter": seen.starter,
        "turn": seen.turn,
        "table": melds_json(seen.table),
        "draft": None if seen.draft is None else seen_table(seen.draft),
        "rack": text(seen.rack),
        "rack_sizes": list(seen.rack_sizes),
        "racks": list(map(text, seen.racks)),
        "pool_size": seen.pool_size,
        "opened": list(seen.opened),
        "stars": list(seen.stars),
        "passes": seen.passes,
        "bots": list(seen.bots),
        "hints": list(seen.hints),
        "scores": [list(scores) for scores in seen.scores],
        "winner": seen.winner,
        "commitment": seen.commitment,
        "words": list(seen.words),
        "seed": seen.seed,
    }


def draws_json(draws: Iterable[Iterable[StartDraw]]) -> list[list[dict[str, Any]]]:
    """The tiles drawn for the start, as JSON."""
    return [[{"seat": one.seat, "tile": str(one.tile)} for one in drawing] for drawing in draws]


def melds_json(table: Iterable[Meld]) -> list[str]:
    """A table, as JSON."""
    return list(map(_written, table))


@lru_cache(maxsize=8192)
def _written(meld: Meld) -> str:
    return str(meld)


def _meld(written: str, rules: Ruleset) -> Meld:
    meld = read(pieces(written), rules.numbers, rules.groups)
    if not isinstance(meld, Meld):
        raise ValueError(f"{written!r} is no meld: {meld.reason}")
    return meld


def seen_table(draft: SeenDraft) -> SeenTable:
    """Write a draft as it is seen."""
    return [[FACE_DOWN if piece is None else str(piece) for piece in meld] for meld in draft]


def read_seen(table: Sequence[Sequence[str]]) -> SeenDraft:
    """Read a draft as it is seen."""
    return tuple(tuple(None if one == FACE_DOWN else _piece(one) for one in meld) for meld in table)


def _piece(written: str) -> Piece:
    (piece,) = pieces(written)
    return piece
