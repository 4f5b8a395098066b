"""Rooms: their events, the answers that their commands got, the row that lists them, the drafts."""

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Executable, Select, bindparam, delete, insert, or_, select, text, tuple_, update
from sqlalchemy import exc as sql

from tilerummy.server.store.database import Database, columns, dumps, padded, portions, storable
from tilerummy.server.store.schema import answers, drafts, events, rooms, seats
from tilerummy.server.store.values import Answer, Answered, CodeTaken, Conflict, Draft, IdTaken, Meta, RoomRow, Stored

__all__ = ["Rooms"]

_PAGE = 200
_LAST = 2**31 - 1

# Built once: SQLAlchemy finds their compiled form, and the database its plan, by what they look like.
_LISTED = select(
    rooms.c.id,
    rooms.c.code,
    rooms.c.version,
    rooms.c.stage,
    rooms.c.public,
    rooms.c.listing,
    rooms.c.due_at,
    rooms.c.due_task,
    rooms.c.created_at,
    rooms.c.updated_at,
)
_FIND = (
    _LISTED.where(or_(rooms.c.id == bindparam("name"), rooms.c.code == bindparam("name")))
    .order_by((rooms.c.id == bindparam("name")).desc())
    .limit(1)
)
_SINCE = (
    select(
        events.c.version,
        events.c.at,
        events.c.schema,
        events.c.kind,
        events.c.data,
        events.c.cause,
        events.c.player,
    )
    .where(events.c.room == bindparam("in_room"), events.c.version > bindparam("after"))
    .order_by(events.c.version)
)
_VERSIONS = select(rooms.c.id, rooms.c.version).where(rooms.c.id.in_(bindparam("ids", expanding=True)))
_APPEND = (
    update(rooms)
    .where(rooms.c.id == bindparam("in_room"), rooms.c.version == bindparam("expected"))
    .values(lease_until=0.0, lease_node=None)  # what was claimed is done, and what is due now anybody may claim
)
_APPEND_AND_FREE = _APPEND.values(code=None)
_EVENTS = insert(events)
_ANSWER = insert(answers)
_ANSWERED = select(answers.c.player, answers.c.command_id, answers.c.answer, answers.c.at).where(
    answers.c.room == bindparam("in_room"),
    answers.c.player == bindparam("of_player"),
    answers.c.command_id == bindparam("of_command"),
)
# The driver of SQLite would let go of Python's lock for every row, and wait for it again.
_DRAFTS: Executable = text("""
    INSERT INTO drafts (room, version, seat, data, at)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
           json_extract(value, '$[3]'), json_extract(value, '$[4]') FROM json_each(:given) WHERE true
    ON CONFLICT (room) DO UPDATE
    SET version = excluded.version, seat = excluded.seat, data = excluded.data, at = excluded.at
    WHERE drafts.version <= excluded.version
""")
_DRAFT = select(drafts).where(drafts.c.room == bindparam("in_room"))
_CLEAR = delete(drafts).where(drafts.c.room == bindparam("in_room"))
_STOOD = delete(seats).where(seats.c.room == bindparam("in_room"), seats.c.player == bindparam("of_player"))


class Rooms(Database):
    """The part of the store that a game needs."""

    async def create_room(
        self,
        room_id: str,
        code: str | None,
        stored: Sequence[Stored],
        meta: Meta,
        first: Callable[[Connection], None] = lambda _: None,
    ) -> None:
        """Keep a new room with its first events (versions from 1); raises CodeTaken or IdTaken.

        Something else can be done first, in the same transaction.
        """
        _check(stored, 0)
        if not stored:
            raise ValueError("a room begins with an event")
        row = _row(stored, meta) | {"id": room_id, "code": code, "created_at": stored[0].at}

        def work(connection: Connection) -> None:
            first(connection)
            connection.execute(insert(rooms), row)
            self._keep(connection, room_id, stored, meta)

        try:
            await self._write(work)
        except sql.IntegrityError as error:
            if await self._rows(select(rooms.c.id).where(rooms.c.id == room_id)):
                raise IdTaken(room_id) from error
            raise CodeTaken(code) from error

    async def append(
        self, room_id: str, expected: int, stored: Sequence[Stored], answer: Answer | None, meta: Meta
    ) -> None:
        """Keep events after version `expected`, the answer to what caused them, and what the room's row says now.

        All of it or nothing; when this returns it is on disk. Raises Conflict when the room is not at that version,
        and Answered when the command was answered already.
        """
        _check(stored, expected)
        change = _APPEND_AND_FREE if meta.free_code else _APPEND
        row = _row(stored, meta) | {"in_room": room_id, "expected": expected}
        if not stored:
            row["version"] = expected

        def work(connection: Connection) -> None:
            # The row's lock puts the appends of all nodes in line; whoever comes second finds another version there.
            if connection.execute(change, row).rowcount != 1:
                raise Conflict(f"{room_id} is not at version {expected}")
            self._keep(connection, room_id, stored, meta)
            if answer is not None:
                connection.execute(_ANSWER, {"room": room_id, **columns(answer)})

        try:
            await self._write(work)
        except sql.IntegrityError as error:
            standing = answer and await self.answer(room_id, answer.player, answer.command_id)
            if standing:
                raise Answered(standing) from error
            raise

    def _keep(self, connection: Connection, room_id: str, stored: Sequence[Stored], meta: Meta) -> None:
        if stored:
            connection.execute(_EVENTS, [{"room": room_id, **columns(event)} for event in stored])
        if meta.clear_draft:
            connection.execute(_CLEAR, {"in_room": room_id})
        if meta.stood:
            gone = [{"in_room": room_id, "of_player": player} for player in sorted(meta.stood)]
            connection.execute(_STOOD, gone)
        if meta.sat:
            sit = self._insert(seats)
            sit = sit.on_conflict_do_update(index_elements=["room", "player"], set_={"seat": sit.excluded.seat})
            sitting = [{"room": room_id, "player": player, "seat": seat} for player, seat in sorted(meta.sat.items())]
            connection.execute(sit, sitting)

    async def events_since(self, room_id: str, version: int = 0) -> list[Stored]:
        """The room's events after this version, in order."""
        found = await self._rows(_SINCE, {"in_room": room_id, "after": max(0, min(version, _LAST))})
        return [Stored(*row) for row in found]

    async def find_room(self, name: str) -> RoomRow | None:
        """The room of this id, or else the one that has this code now."""
        found = await self._rows(_FIND, {"name": name}) if storable(name) else ()
        return RoomRow(*found[0]) if found else None

    async def versions(self, room_ids: Collection[str]) -> dict[str, int]:
        """How far each of these rooms is; a room that does not exist is left out."""
        versions: dict[str, int] = {}
        for ids in portions(room_ids):
            versions |= {row.id: row.version for row in await self._rows(_VERSIONS, {"ids": ids})}
        return versions

    async def public_rooms(
        self, limit: int = 50, before: str | None = None, stages: Collection[str] = ()
    ) -> list[RoomRow]:
        """Public rooms, the newest first, from the one made before the room `before` on; of these stages, or of any."""
        return await self._page(_LISTED.where(rooms.c.public), limit, before, stages)

    async def rooms_of(
        self, *players: str, limit: int = 50, before: str | None = None, stages: Collection[str] = ()
    ) -> list[RoomRow]:
        """Rooms in which any of these players sits or sat, the newest first, as `public_rooms`."""
        theirs = select(seats.c.room).where(seats.c.player.in_(padded(players)))
        return await self._page(_LISTED.where(rooms.c.id.in_(theirs)), limit, before, stages)

    async def seats_of(self, room_id: str) -> dict[str, int]:
        """Who sits or sat in the room, and where last."""
        found = await self._rows(select(seats.c.player, seats.c.seat).where(seats.c.room == room_id))
        return {row.player: row.seat for row in found}

    async def _page(self, query: Select[Any], limit: int, before: str | None, stages: Collection[str]) -> list[RoomRow]:
        if stages:
            query = query.where(rooms.c.stage.in_(padded(stages)))
        if before is not None:
            if not storable(before):
                return []
            made = select(rooms.c.created_at).where(rooms.c.id == before).scalar_subquery()
            query = query.where(tuple_(rooms.c.created_at, rooms.c.id) < tuple_(made, before))
        query = query.order_by(rooms.c.created_at.desc(), rooms.c.id.desc()).limit(limit)
        return [RoomRow(*row) for row in await self._rows(query)]

    async def all_rooms(self) -> AsyncIterator[RoomRow]:
        """Every room, by id; a room made meanwhile may or may not be among them."""
        last = ""
        while found := await self._rows(_LISTED.where(rooms.c.id > last).order_by(rooms.c.id).limit(_PAGE)):
            for row in found:
                yield RoomRow(*row)
            last = found[-1].id

    async def answer(self, room_id: str, player: str, command_id: str) -> Answer | None:
        """What the player was told about this command, if it came here before."""
        if not storable(player, command_id):
            return None
        keys = {"in_room": room_id, "of_player": player, "of_command": command_id}
        found = await self._rows(_ANSWERED, keys)
        return Answer(*found[0]) if found else None

    async def save_answer(self, room_id: str, answer: Answer) -> Answer:
        """Remember an answer that changes nothing, as a refusal; the first one stands, and is returned."""
        keep = self._insert(answers).on_conflict_do_nothing()

        def work(connection: Connection) -> bool:
            return connection.execute(keep, {"room": room_id, **columns(answer)}).rowcount == 1

        if await self._write(work):
            return answer
        return await self.answer(room_id, answer.player, answer.command_id) or answer

    async def save_drafts(self, batch: Iterable[Draft]) -> None:
        """Replace the drafts of these rooms, except where the one that is there belongs to a later version."""
        rows = [columns(draft) for draft in sorted(batch, key=lambda draft: draft.room)]
        if not rows:
            return
        if self.embedded:
            given = [[row["room"], row["version"], row["seat"], dumps(row["data"]), row["at"]] for row in rows]
            keep, values = _DRAFTS, [{"given": dumps(given)}]
        else:
            keep, values = _keep_drafts(), rows

        def work(connection: Connection) -> None:
            connection.execute(keep, values)

        await self._write(work)

    async def draft(self, room_id: str) -> Draft | None:
        """The last draft kept for the room; whether its turn is still on is for the reader to see by its version."""
        found = await self._rows(_DRAFT, {"in_room": room_id})
        return Draft(*found[0]) if found else None


def _check(stored: Sequence[Stored], expected: int) -> None:
    if [event.version for event in stored] != list(range(expected + 1, expected + 1 + len(stored))):
        raise ValueError(f"events after version {expected} have the versions from {expected + 1} on, without a gap")


def _row(stored: Sequence[Stored], meta: Meta) -> dict[str, Any]:
    row: dict[str, Any] = {
        "stage": str(meta.stage),
        "public": meta.public,
        "listing": dict(meta.listing),
        "due_at": meta.due_at,
        "due_task": meta.due_task and str(meta.due_task),
    }
    if stored:
        row |= {"version": stored[-1].version, "updated_at": stored[-1].at}
    return row


@cache
def _keep_drafts() -> Executable:
    """Only the newer one of two drafts stays; for PostgreSQL, whose dialect is loaded where it is used."""
    from sqlalchemy.dialects import postgresql

    new = postgresql.insert(drafts)
    return new.on_conflict_do_update(
        index_elements=["room"],
        set_={name: new.excluded[name] for name in ("version", "seat", "data", "at")},
        where=drafts.c.version <= new.excluded.version,
    )
