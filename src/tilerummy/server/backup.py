"""The backup: every room as one line of JSON, its matches as records; and rooms made again from such lines.

With the secret also every guest as one line, with the people on the same device and their bots.

What was played is played again while it is read, so that a line that was read is a legal room. Times within a match
are not kept; a running match goes on with a fresh clock.
"""

import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, TypeVar, get_args

from tilerummy import race
from tilerummy.contract import BadInput
from tilerummy.deal import tidy_word
from tilerummy.protocol import ID
from tilerummy.protocol.base import PATTERNS
from tilerummy.race import Call, Called, Found, RaceEvent, RaceRefusal, Tap
from tilerummy.record import Record, read_record
from tilerummy.rulesets import ruleset
from tilerummy.server.codec import dump, load
from tilerummy.server.events import (
    Changed,
    Closed,
    Happened,
    Move,
    Opened,
    ReadySet,
    Rematched,
    Removed,
    RoomCommand,
    RoomEvent,
    Sat,
    Seat,
    Setup,
    Stage,
    Start,
    Stood,
    WentAway,
    WordGiven,
)
from tilerummy.server.folding import fold
from tilerummy.server.hall import CODE_LETTERS
from tilerummy.server.history import Played, read_history, record_text, seat_names
from tilerummy.server.identity import SECRET
from tilerummy.server.keeping import meta_of, stored_events
from tilerummy.server.names import tidy_name
from tilerummy.server.setups import check_playable
from tilerummy.server.store import CodeTaken, IdTaken, Misfit, Player, PlayerKind, RoomRow, Store, Stored, Token
from tilerummy.state import Command, NextRound

__all__ = ["FORMAT", "export_guests", "export_header", "export_rooms", "import_line"]

FORMAT: Final = 1
_PACE: Final = 1.2
_IMPORTED: Final = "imported"
_LATEST: Final = 253_402_300_799.0  # the last second that a date can tell

_T = TypeVar("_T")


# Out


async def export_header(store: Store, *, secret: bool) -> dict[str, Any]:
    """The first line: which format this is; with the secret that signs the cookies, everybody keeps their seats."""
    header: dict[str, Any] = {"tilerummy": FORMAT, "at": time.time()}
    return {**header, "secret": await store.secret(SECRET, _none)} if secret else header


def _none() -> str:
    raise BadInput("db: it has never been served from, so that there is no secret")


async def export_guests(store: Store) -> AsyncIterator[dict[str, Any]]:
    """Every guest of the store, with whoever belongs to them and by what they prove who they are."""
    async for family in store.all_guests():
        bots = [one.id for one in family if one.kind == "bot"]
        keys = await store.tokens_of(*bots) if bots else []
        yield {"guest": family[0].id, "players": [_player(one, keys) for one in family]}


async def export_rooms(store: Store) -> AsyncIterator[dict[str, Any]]:
    """Every room of the store, by id."""
    async for row in store.all_rooms():
        yield await _export(store, row)


async def _export(store: Store, row: RoomRow) -> dict[str, Any]:
    history = read_history(await store.events_since(row.id))
    room = history.room
    ids = {room.host, *room.removed, *(seat.player for seat in room.seats if seat.player)}
    ids.update(player for played in history.played for player in played.players if player)
    players = await store.players(sorted(ids))
    players |= await store.players(sorted({one.owner for one in players.values() if one.owner} - players.keys()))
    return {
        "room": row.id,
        "code": row.code,
        "stage": room.stage.value,
        "gathering": room.match is None,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "host": room.host,
        "seed": room.seed,
        "setup": dump(room.setup),
        "seats": [dump(seat) for seat in room.seats],
        "away": sorted(room.away),
        "removed": sorted(room.removed),
        "players": [_player(one) for _, one in sorted(players.items())],
        "matches": [_match(played, players) for played in history.played],
    }


def _player(player: Player, keys: Sequence[Token] = ()) -> dict[str, Any]:
    tokens = [[one.token_hash, one.label, one.created_at] for one in keys if one.player == player.id]
    return {**asdict(player), **({"tokens": tokens} if tokens else {})}


def _match(played: Played, players: dict[str, Player]) -> dict[str, Any]:
    names = seat_names(played, players)
    text = record_text(played, names)
    about = {"at": played.at, "setup": dump(played.setup), "seats": list(played.players)}
    if text is None:
        return {**about, "race": [dump(event) for event in played.race]}
    return {**about, "record": text}


# In


async def import_line(store: Store, line: dict[str, Any]) -> str:
    """Make the room of a line, unless it is there: `made` or `there`; or bring back who somebody is: `people`.

    BadInput keeps nothing of the line.
    """
    read = _Reader(line)
    if "tilerummy" in line:
        if line["tilerummy"] != FORMAT:
            raise BadInput(f"tilerummy: this reads format {FORMAT}")
        if "secret" in line:
            secret = read.value("secret", _id)
            await store.secret(SECRET, lambda: secret)
        return "people"
    try:
        if "guest" in line:
            await store.restore_players(*_read_players(read))
            return "people"
        return await _import_room(store, read)
    except Misfit as error:
        raise BadInput(f"players: {error}") from None


async def _import_room(store: Store, read: "_Reader") -> str:
    room_id, code = read.value("room", _id), read.value("code", _maybe(_code))
    if await store.find_room(room_id) is not None:
        return "there"
    players, tokens = _read_players(read)
    try:
        building = _build(read)
    except BadInput:
        raise
    except (ValueError, TypeError, LookupError) as error:
        raise BadInput(f"matches: they cannot be played again: {error}") from None
    meta = meta_of(None, building.now, building.events, _PACE)
    for free in (None if meta.free_code else code, None):
        try:
            await store.restore_room(room_id, free, building.stored, meta, players, tokens)
            return "made"
        except CodeTaken:
            continue
        except IdTaken:
            return "there"
    raise AssertionError("unreachable")


class _Reader:
    """The fields of a line, each of the kind that is expected, or BadInput."""

    def __init__(self, given: Any, within: str = "") -> None:
        self.given: dict[str, Any] = given if isinstance(given, dict) else {}
        self.within = within

    def value(self, field: str, read: Callable[[Any], _T]) -> _T:
        return self._read(field, read, self.given.get(field))

    def each(self, field: str, read: Callable[[Any], _T]) -> list[_T]:
        some = self.value(field, _list)
        return [self._read(f"{field}.{number}", read, one) for number, one in enumerate(some, 1)]

    def parts(self, field: str) -> "list[_Reader]":
        some = self.value(field, _list)
        return [_Reader(one, f"{self.within}{field}.{number}.") for number, one in enumerate(some, 1)]

    def _read(self, name: str, read: Callable[[Any], _T], data: Any) -> _T:
        try:
            return read(data)
        except ValueError as error:
            raise BadInput(f"{self.within}{name}: {error}") from None


def _text(data: Any) -> str:
    if not isinstance(data, str):
        raise ValueError("text is expected")
    return data


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError("a list is expected")
    return data


def _time(data: Any) -> float:
    if not isinstance(data, int | float) or isinstance(data, bool) or not 0 <= data < _LATEST:
        raise ValueError("seconds since 1970 are expected")
    return float(data)


def _like(form: str, expected: str) -> Callable[[Any], str]:
    def read(data: Any) -> str:
        if not re.fullmatch(form, text := _text(data)):
            raise ValueError(expected)
        return text

    return read


_id: Final = _like(ID, PATTERNS[ID])
_code: Final = _like(f"[{CODE_LETTERS}]{{5}}", f"5 of the signs {CODE_LETTERS} are expected")
_hex: Final = _like("[0-9a-f]{64}", "64 hexadecimal digits are expected")
_kind: Final = _like("|".join(get_args(PlayerKind)), f"one of {', '.join(get_args(PlayerKind))} is expected")
_stage: Final = _like("|".join(Stage), f"one of {', '.join(Stage)} is expected")


def _maybe(read: Callable[[Any], str]) -> Callable[[Any], str | None]:
    return lambda data: None if data is None else read(data)


def _name(data: Any) -> str:
    return tidy_name(_text(data))


def _setup(data: Any) -> Setup:
    setup = load(Setup, data)
    check_playable(setup)
    return setup


def _seat(data: Any) -> Seat:
    seat = load(Seat, data)
    return replace(seat, player=_maybe(_id)(seat.player), word=tidy_word(seat.word))


def _read_players(read: _Reader) -> tuple[list[Player], list[Token]]:
    """The players of a line, owners before whom they own, and the tokens of the bots among them."""
    parts = read.parts("players")
    players = sorted(map(_read_player, parts), key=lambda player: player.owner is not None)
    return players, [token for part in parts if "tokens" in part.given for token in _read_tokens(part)]


def _read_player(read: _Reader) -> Player:
    deleted = read.given.get("deleted") is True
    made = read.value("created_at", _time)
    return Player(
        read.value("id", _id),
        "" if deleted else read.value("name", _name),
        read.value("kind", _kind),  # type: ignore[arg-type]
        made,
        read.value("seen_at", _time) if "seen_at" in read.given else made,
        read.value("owner", _maybe(_id)),
        deleted,
    )


def _read_tokens(read: _Reader) -> list[Token]:
    player = read.value("id", _id)

    def token(data: Any) -> Token:
        if len(_list(data)) != 3 or read.given.get("kind") != "bot":
            raise ValueError("a hash, a label and a time are expected, of a bot")
        return Token(_hex(data[0]), player, _name(data[1]), _time(data[2]))

    return read.each("tokens", token)


def _build(read: _Reader) -> "_Building":
    """Play everything in a line again."""
    stage, seed, setup = read.value("stage", _stage), read.value("seed", _hex), read.value("setup", _setup)
    matches = [_read_match(part) for part in read.parts("matches")]
    first = matches[0] if matches else None
    opened = Opened(first.setup if first else setup, read.value("host", _id), first.seed or seed if first else seed)
    building = _Building(opened, read.value("created_at", _time))
    for player in read.each("removed", _id):
        building.add([Sat(0, player), Removed(0)])
    for match in matches:
        building.play(match, again=match is not first, seed=match.seed or seed)
    if read.given.get("gathering") is True:
        if matches:
            building.add([Rematched(seed)])
        seats = read.each("seats", _seat)
        building.arrange(setup, [seat.player for seat in seats])
        for place, seat in enumerate(seats):
            building.add([WordGiven(place, seat.word)] if seat.player and seat.word else [])
            building.add([ReadySet(place, True)] if seat.player and seat.ready else [])
    building.add([WentAway(seat) for seat in read.each("away", building.left)])
    if stage == Stage.CLOSED:
        building.add([Closed(_IMPORTED)])
    if building.now.stage != stage:
        raise BadInput(f"stage: its matches make it {building.now.stage.value}, not {stage}")
    building.settle(time.time() if stage == Stage.PLAYING else read.value("updated_at", _time))
    return building


@dataclass(frozen=True, slots=True)
class _Match:
    """A match of a line: its record, or the events of a race."""

    at: float
    setup: Setup
    seats: list[str | None]
    record: Record | None
    race: list[RaceEvent]

    @property
    def seed(self) -> str | None:
        return self.record.seed if self.record else None


def _read_match(read: _Reader) -> _Match:
    at, setup, seats = read.value("at", _time), read.value("setup", _setup), read.each("seats", _maybe(_id))
    if setup.game == "race":
        return _Match(at, setup, seats, None, read.value("race", _race_of(setup)))
    record = read.value("record", lambda data: read_record(_text(data)))
    bots = record.bots or (None,) * len(record.names)
    filled = [(player is None) != (bot is None) for player, bot in zip(seats, bots, strict=False)]
    rules = ruleset(setup.ruleset, setup.house)
    if record.rules != rules or not len(record.names) == len(seats) == setup.players or not all(filled):
        raise BadInput(f"{read.within}record: it is not of this setup and these seats")
    return _Match(at, setup, seats, record, [])


def _race_of(setup: Setup) -> Callable[[Any], list[RaceEvent]]:
    """Read the events of a race and run it again."""

    def read(data: Any) -> list[RaceEvent]:
        events = [load(RaceEvent, one) for one in _list(data)]
        run = list(race.begin(setup.players, setup.caller))
        for event in events:
            if isinstance(event, Called | Found):
                command = Tap(event.seat, event.tile) if isinstance(event, Found) else Call(setup.caller, event.tile)
                answer = race.apply(race.fold(run), command)
                run += () if isinstance(answer, RaceRefusal) else answer
        if run != events:
            raise ValueError("it cannot be run again")
        return events

    return read


class _Building:
    """A room in the making: its events, as they would have been stored."""

    def __init__(self, opened: Opened, at: float) -> None:
        self.at = at
        self.now = fold([(opened, at)])
        self.batches: list[tuple[list[RoomEvent], float, RoomCommand | None, str | None]] = [
            ([opened], at, None, opened.host)
        ]

    @property
    def events(self) -> list[RoomEvent]:
        return [event for events, *_ in self.batches for event in events]

    @property
    def stored(self) -> list[Stored]:
        stored: list[Stored] = []
        for events, at, cause, player in self.batches:
            stored += stored_events(events, len(stored), at, cause, player)
        return stored

    def add(self, events: Sequence[RoomEvent], cause: RoomCommand | None = None, player: str | None = None) -> None:
        if events:
            self.now = fold([(event, self.at) for event in events], self.now)
            self.batches.append((list(events), self.at, cause, player))

    def left(self, data: Any) -> int:
        """A seat whose player may have left the match."""
        seats = self.now.seats if self.now.match is not None else ()
        if type(data) is not int or not 0 <= data < len(seats) or seats[data].player is None:
            raise ValueError("the seat of a player whose match has begun is expected")
        return data

    def arrange(self, setup: Setup, players: Sequence[str | None]) -> None:
        """Seat these players under this setup."""
        if self.now.setup != setup:
            self.add([Changed(setup)])
        if len(players) != len(self.now.seats):
            raise BadInput(f"seats: {len(self.now.seats)} are expected, not {len(players)}")
        sitting = [player for player in players if player is not None]
        if len(set(sitting)) != len(sitting):
            raise BadInput("seats: somebody has two of them")
        places = [place for place, seat in enumerate(self.now.seats) if seat.player not in (None, players[place])]
        self.add([Stood(place) for place in places])
        empty = [place for place, seat in enumerate(self.now.seats) if seat.player is None]
        self.add([Sat(place, player) for place in empty if (player := players[place]) is not None])

    def play(self, match: _Match, *, again: bool, seed: str) -> None:
        """Play a match, or a race, from its start as far as it went."""
        self.at = max(self.at, match.at)
        if again:
            self.add([Rematched(seed)])
        self.arrange(match.setup, match.seats)
        self.add([Happened(event) for event in match.race], Start())
        if match.record is not None:
            self.add([WordGiven(place, tidy_word(word)) for place, word in enumerate(match.record.words) if word])
            self.add([Happened(event) for event in match.record.start()], Start())
            for step in match.record.replay():
                self.add([Happened(event) for event in step.events], Move(step.command), self._mover(step.command))

    def _mover(self, command: Command) -> str | None:
        return None if isinstance(command, NextRound) else self.now.seats[command.seat].player

    def settle(self, at: float) -> None:
        """Let the running turn have begun then, or the last thing have happened then, so that clocks start there."""
        version, begun = 0, len(self.batches) - 1
        for place, (events, *_) in enumerate(self.batches):
            if version < self.now.turn_version <= version + len(events) and self.now.stage is Stage.PLAYING:
                begun = place
            version += len(events)
        for place, (events, before, cause, player) in enumerate(self.batches[begun:], begun):
            self.batches[place] = (events, max(before, at), cause, player)
        self.now = fold((event, at) for events, at, *_ in self.batches for event in events)
