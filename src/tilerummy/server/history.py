"""History: the matches that were played in a room, from its stored events, as records that anybody can replay."""

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from tilerummy.protocol import MatchResult
from tilerummy.race import RaceBegan, RaceEnded, RaceEvent, RaceState
from tilerummy.record import MAX_NAME, Record, write_record
from tilerummy.server.codec import load, load_event
from tilerummy.server.events import Happened, Move, Room, RoomCommand, Setup, Stage
from tilerummy.server.folding import evolve
from tilerummy.server.store import Player, Store, Stored
from tilerummy.state import Command, HandedOver, HandOver, MatchEnded, Started

__all__ = [
    "NOBODY",
    "Histories",
    "History",
    "Played",
    "read_history",
    "record_of",
    "record_text",
    "result_of",
    "seat_names",
]

NOBODY: Final = "Guest"
"""The name of a player who has been deleted."""

_MOST: Final = 20_000  # commands


@dataclass(slots=True)
class Played:
    """One match or race of a room, as far as it went."""

    number: int
    setup: Setup
    players: tuple[str | None, ...]  # who sat where when it began
    bots: tuple[str | None, ...]
    began: Started | RaceBegan
    at: float
    commands: list[Command] = field(default_factory=list)
    race: list[RaceEvent] = field(default_factory=list)
    over: bool = False
    ended_at: float = 0.0  # once it is over
    totals: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    written: tuple[tuple[str, ...], str] | None = None  # the record's text, where these names are in it

    def is_of(self, players: Collection[str]) -> bool:
        """Whether one of these players sat there when it began."""
        return any(player in players for player in self.players)


@dataclass(frozen=True, slots=True)
class History:
    """A room as it is, and everything that was played in it."""

    room: Room
    played: tuple[Played, ...]


def read_history(stored: Iterable[Stored]) -> History:
    """Fold a room's events, and gather the commands that made them."""
    room: Room | None = None
    played: list[Played] = []
    moved = False  # whether the events at hand come of a command that is in the record already
    for one in stored:
        event = load_event(one.schema, one.kind, one.data)
        cause = None if one.cause is None else load(RoomCommand, one.cause)
        if cause is not None:
            moved = isinstance(cause, Move)
            if isinstance(cause, Move) and isinstance(cause.command, Command):
                played[-1].commands.append(cause.command)
        room = evolve(room, event, one.at)
        if isinstance(event, Happened):
            _note(event, room, one.at, played, moved)
    if room is None:
        raise ValueError("a room begins with an event")
    return History(room, tuple(played))


def _note(event: Happened, room: Room, at: float, played: list[Played], moved: bool) -> None:
    match event.event:
        case Started() | RaceBegan() as began:
            players = tuple(seat.player for seat in room.seats)
            bots = tuple(seat.bot for seat in room.seats)
            played.append(Played(room.matches, room.setup, players, bots, began, at))
            if isinstance(began, RaceBegan):
                played[-1].race.append(began)
        case HandedOver(seat, bot) if not moved:
            # whoever left, came back, or lost the connection: the record tells it as the match saw it
            played[-1].commands.append(HandOver(seat, bot))
        case MatchEnded(totals, winners):
            _end(played[-1], at, totals, winners)
        case other if isinstance(other, RaceEvent):
            played[-1].race.append(other)
            if isinstance(other, RaceEnded) and isinstance(room.match, RaceState):
                _end(played[-1], at, room.match.stars, other.winners)


def _end(played: Played, at: float, totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    played.over, played.ended_at, played.totals, played.winners = True, at, totals, winners


class Histories:
    """What is over in the rooms that were asked for last: it never changes, and a long room takes a while to read."""

    def __init__(self, store: Store, most: int = _MOST) -> None:
        """With so many commands in memory, at most, unless one room alone has more."""
        self._store = store
        self._most = most
        self._kept: OrderedDict[str, tuple[int, list[Played]]] = OrderedDict()  # how many, and they; the last used last
        self._turn = asyncio.Lock()

    async def over(self, room_id: str, room: Room) -> list[Played]:
        """The matches and races of a room that are over, the oldest first; one room is read at a time."""
        ended = room.matches - (room.stage is Stage.PLAYING)
        if not ended:
            return []
        if not self._has(room_id, ended):
            async with self._turn:
                if not self._has(room_id, ended):
                    stored = await self._store.events_since(room_id)
                    played = (await asyncio.to_thread(read_history, stored)).played
                    self._kept[room_id] = ended, [one for one in played if one.over]
        self._kept.move_to_end(room_id)
        over = self._kept[room_id][1]
        while len(self._kept) > 1 and sum(_size(one) for _, all_ in self._kept.values() for one in all_) > self._most:
            self._kept.popitem(last=False)
        return over

    async def text(self, played: Played, names: tuple[str, ...]) -> str | None:
        """The record of a match as text; a race has none. To write it the match is played again: one at a time, and
        only once while its players' names stay.
        """
        if isinstance(played.began, RaceBegan):
            return None
        if played.written is None or played.written[0] != names:
            async with self._turn:
                if played.written is None or played.written[0] != names:
                    text = await asyncio.to_thread(record_text, played, names)
                    assert text is not None
                    played.written = names, text
        return played.written[1]

    def _has(self, room_id: str, ended: int) -> bool:
        return room_id in self._kept and self._kept[room_id][0] == ended


def _size(played: Played) -> int:
    return len(played.commands) + len(played.race)


def seat_names(played: Played, players: Mapping[str, Player]) -> tuple[str, ...]:
    """What each seat is called in the record: by its player's name, or its bot's."""
    return tuple(_name(player, bot, players) for player, bot in zip(played.players, played.bots, strict=True))


def _name(player: str | None, bot: str | None, players: Mapping[str, Player]) -> str:
    if player is None:
        return bot or NOBODY
    known = players.get(player)
    return (known.name if known and not known.deleted else "")[:MAX_NAME] or NOBODY


def result_of(played: Played, names: Sequence[str]) -> MatchResult:
    """How a match or race ended."""
    race = isinstance(played.began, RaceBegan)
    stars = isinstance(played.began, RaceBegan) or played.began.rules.stars > 0
    return MatchResult(
        number=played.number,
        game="race" if race else "match",
        ruleset=played.setup.ruleset,
        began_at=played.at,
        ended_at=played.ended_at,
        names=list(names),
        totals=list(played.totals),
        counts="stars" if stars else "points",
        winners=list(played.winners),
    )


def record_of(played: Played, names: Sequence[str]) -> Record | None:
    """The record of a match; a race has none."""
    began = played.began
    if isinstance(began, RaceBegan):
        return None
    return Record(
        rules=began.rules,
        seed=began.seed,
        names=tuple(names),
        commands=tuple(played.commands),
        words=began.words if any(began.words) else (),
        rounds=began.rounds,
        first=began.first,
        bots=began.bots if any(began.bots) else (),
        date=datetime.fromtimestamp(played.at, UTC).date().isoformat(),
    )


def record_text(played: Played, names: Sequence[str]) -> str | None:
    """The record of a match as text; a race has none."""
    record = record_of(played, names)
    return None if record is None else write_record(record)
