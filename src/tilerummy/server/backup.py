"""The backup: every room as one line of JSON, its matches as records; and rooms made again from such lines.

What was played is played again while it is read, so that a line that was read is a legal room. Times within a match
are not kept; a running match goes on with a fresh clock.
"""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tilerummy.contract import BadInput
from tilerummy.race import RaceEvent
from tilerummy.record import BadRecord, Record, read_record
from tilerummy.rulesets import ruleset
from tilerummy.server.codec import BadStored, dump, load
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
    Setup,
    Stage,
    Start,
    Stood,
    WentAway,
    WordGiven,
)
from tilerummy.server.folding import fold
from tilerummy.server.history import Played, read_history, record_text, seat_names
from tilerummy.server.identity import SECRET
from tilerummy.server.keeping import meta_of, stored_events
from tilerummy.server.setups import check_playable
from tilerummy.server.store import CodeTaken, IdTaken, Player, RoomRow, Store, Stored, Token
from tilerummy.state import Command, NextRound

__all__ = ["FORMAT", "export_header", "export_rooms", "import_line"]

FORMAT: Final = 1
_PACE: Final = 1.2
_IMPORTED: Final = "imported"


# Out


async def export_header(store: Store, *, secret: bool) -> dict[str, Any]:
    """The first line: which format this is; with the secret that signs the cookies, everybody keeps their seats."""
    header: dict[str, Any] = {"tilerummy": FORMAT, "at": time.time()}
    return {**header, "secret": await store.secret(SECRET, _none)} if secret else header


def _none() -> str:
    raise BadInput("db: it has never been served from, so that there is no secret")


async def export_rooms(store: Store, *, secret: bool = False) -> AsyncIterator[dict[str, Any]]:
    """Every room of the store, by id."""
    async for row in store.all_rooms():
        yield await _export(store, row, secret)


async def _export(store: Store, row: RoomRow, secret: bool) -> dict[str, Any]:
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
        "players": [await _player(store, one, secret) for _, one in sorted(players.items())],
        "matches": [_match(played, players) for played in history.played],
    }


async def _player(store: Store, player: Player, secret: bool) -> dict[str, Any]:
    tokens = await store.tokens_of(player.id) if secret and player.kind == "bot" else []
    return {
        "id": player.id,
        "name": player.name,
        "kind": player.kind,
        "owner": player.owner,
        "created_at": player.created_at,
        "deleted": player.deleted,
        **({"tokens": [[one.token_hash, one.label, one.created_at] for one in tokens]} if tokens else {}),
    }


def _match(played: Played, players: dict[str, Player]) -> dict[str, Any]:
    names = seat_names(played, players)
    text = record_text(played, names)
    about = {"at": played.at, "setup": dump(played.setup), "seats": list(played.players)}
    if text is None:
        return {**about, "race": [dump(event) for event in played.race]}
    return {**about, "record": text}


# In


async def import_line(store: Store, line: dict[str, Any]) -> str:
    """Make the room of a line, unless it is there: `made`, `there`, or `header`; BadInput keeps nothing of it."""
    if "tilerummy" in line:
        if line["tilerummy"] != FORMAT:
            raise BadInput(f"tilerummy: this reads format {FORMAT}")
        if isinstance(secret := line.get("secret"), str):
            await store.secret(SECRET, lambda: secret)
        return "header"
    read = _Reader(line)
    room_id = read.text("room")
    if await store.find_room(room_id) is not None:
        return "there"
    players = [_read_player(one) for one in read.list("players")]
    try:
        building = _build(read)
    except BadInput:
        raise
    except (ValueError, TypeError, LookupError) as error:
        raise BadInput(f"matches: they cannot be played again: {error}") from None
    for player, tokens in sorted(players, key=lambda pair: pair[0].owner is not None):
        try:
            await store.new_player(player)
        except IdTaken:
            continue
        for token in tokens:
            await store.new_token(token)
    meta = meta_of(None, building.now, building.events, _PACE)
    for code in (read.given.get("code"), None):
        try:
            await store.create_room(room_id, None if meta.free_code else code, building.stored, meta)
            return "made"
        except CodeTaken:
            continue
        except IdTaken:
            return "there"
    raise AssertionError("unreachable")


class _Reader:
    """The fields of a line, each of the kind that is expected, or BadInput."""

    def __init__(self, given: dict[str, Any], within: str = "") -> None:
        self.given = given
        self.within = within

    def _get(self, field: str, kinds: type | tuple[type, ...], expected: str) -> Any:
        value = self.given.get(field)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise BadInput(f"{self.within}{field}: {expected} is expected")
        return value

    def text(self, field: str) -> str:
        return str(self._get(field, str, "text"))

    def number(self, field: str) -> float:
        return float(self._get(field, (int, float), "a number"))

    def list(self, field: str) -> list[Any]:
        found: list[Any] = self._get(field, list, "a list")
        return found

    def value(self, field: str, read: Callable[[Any], Any]) -> Any:
        try:
            return read(self.given.get(field))
        except (BadStored, BadRecord, ValueError) as error:
            raise BadInput(f"{self.within}{field}: {error}") from None


def _read_player(given: Any) -> tuple[Player, list[Token]]:
    read = _Reader(given if isinstance(given, dict) else {}, "players.")
    kind, owner, at = read.text("kind"), read.given.get("owner"), read.number("created_at")
    if kind not in ("guest", "bot", "local") or not isinstance(owner, str | None):
        raise BadInput("players.kind: guest, bot or local is expected")
    id = read.text("id")
    deleted = read.given.get("deleted") is True
    player = Player(id, read.text("name"), kind, at, at, owner, deleted)  # type: ignore[arg-type]
    tokens = read.given.get("tokens", [])
    try:
        return player, [Token(str(hash), id, str(label), float(made)) for hash, label, made in tokens]
    except (TypeError, ValueError):
        raise BadInput("players.tokens: lists of a hash, a label and a time are expected") from None


def _build(read: _Reader) -> "_Building":
    """Play everything in a line again."""
    stage, seed, setup = read.text("stage"), read.text("seed"), read.value("setup", _setup)
    if stage not in tuple(Stage):
        raise BadInput(f"stage: one of {', '.join(Stage)} is expected")
    matches = [_read_match(one, f"matches.{number}.") for number, one in enumerate(read.list("matches"), 1)]
    first = matches[0] if matches else None
    opened = Opened(first.setup if first else setup, read.text("host"), first.seed or seed if first else seed)
    building = _Building(opened, read.number("created_at"))
    for player in read.list("removed"):
        building.add([Sat(0, str(player)), Removed(0)])
    for match in matches:
        building.play(match, again=match is not first, seed=match.seed or seed)
    if read.given.get("gathering") is True:
        if matches:
            building.add([Rematched(seed)])
        seats = [_seat(one) for one in read.list("seats")]
        building.arrange(setup, [seat.get("player") for seat in seats])
        for place, seat in enumerate(seats):
            building.add([WordGiven(place, str(seat["word"]))] if seat.get("word") else [])
            building.add([ReadySet(place, True)] if seat.get("ready") is True else [])
    building.add([WentAway(seat) for seat in read.list("away") if isinstance(seat, int)])
    if stage == Stage.CLOSED:
        building.add([Closed(_IMPORTED)])
    if building.now.stage != stage:
        raise BadInput(f"stage: its matches make it {building.now.stage.value}, not {stage}")
    building.settle(time.time() if stage == Stage.PLAYING else read.number("updated_at"))
    return building


@dataclass(frozen=True, slots=True)
class _Match:
    """A match of a line: its record, or the events of a race."""

    at: float
    setup: Setup
    seats: list[Any]
    record: Record | None
    race: list[RaceEvent]

    @property
    def seed(self) -> str | None:
        return self.record.seed if self.record else None


def _read_match(given: Any, within: str) -> _Match:
    read = _Reader(given if isinstance(given, dict) else {}, within)
    at, setup, seats = read.number("at"), read.value("setup", _setup), read.list("seats")
    if "race" in read.given:
        return _Match(at, setup, seats, None, read.value("race", _race))
    record: Record = read.value("record", lambda text: read_record(str(text)))
    if record.rules != ruleset(setup.ruleset, setup.house) or len(record.names) != setup.players:
        raise BadInput(f"{within}record: it is not of this setup")
    return _Match(at, setup, seats, record, [])


def _setup(data: Any) -> Setup:
    setup = load(Setup, data)
    check_playable(setup)
    return setup


def _seat(data: Any) -> dict[str, Any]:
    return data if isinstance(data, dict) else {}


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

    def arrange(self, setup: Setup, players: Sequence[Any]) -> None:
        """Seat these players under this setup."""
        if self.now.setup != setup:
            self.add([Changed(setup)])
        wanted = [player if isinstance(player, str) else None for player in players]
        if len(wanted) != len(self.now.seats):
            raise BadInput(f"seats: {len(self.now.seats)} are expected, not {len(wanted)}")
        places = [place for place, seat in enumerate(self.now.seats) if seat.player not in (None, wanted[place])]
        self.add([Stood(place) for place in places])
        empty = [place for place, seat in enumerate(self.now.seats) if seat.player is None]
        self.add([Sat(place, player) for place in empty if (player := wanted[place]) is not None])

    def play(self, match: _Match, *, again: bool, seed: str) -> None:
        """Play a match, or a race, from its start as far as it went."""
        self.at = max(self.at, match.at)
        if again:
            self.add([Rematched(seed)])
        self.arrange(match.setup, match.seats)
        self.add([Happened(event) for event in match.race], Start())
        if match.record is not None:
            self.add([WordGiven(place, word) for place, word in enumerate(match.record.words) if word])
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


def _race(data: Any) -> list[RaceEvent]:
    if not isinstance(data, list) or not data:
        raise BadInput("race: a list of events is expected")
    return [load(RaceEvent, one) for one in data]
