"""What several nodes share besides the games: whose turn it is to wake a room, and who is connected where."""

from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, func, or_, select, update

from tilerummy.server.store.database import Database, portions
from tilerummy.server.store.schema import answers, drafts, events, links, players, presence, rooms, seats, tokens
from tilerummy.server.store.values import Seen

__all__ = ["Watch"]

_DAY = 86400.0

_DUE = (
    select(rooms.c.id)
    .where(
        rooms.c.due_at <= bindparam("now"),
        rooms.c.lease_until <= bindparam("now"),
        rooms.c.due_task.not_in(bindparam("without", expanding=True)),
    )
    .order_by(rooms.c.due_at)
    .limit(bindparam("limit"))
)
# SQLite has no row locks and leaves the words out; its one writer has the whole database meanwhile.
_LOCKED = _DUE.with_for_update(skip_locked=True).cte("due")
_CLAIM = (
    update(rooms)
    .where(rooms.c.id.in_(select(_LOCKED.c.id)))
    .values(lease_until=bindparam("until"), lease_node=bindparam("node"))
    .returning(rooms.c.id, rooms.c.due_at)
)
_HOLD = (
    update(rooms)
    .where(rooms.c.id.in_(bindparam("ids", expanding=True)), rooms.c.lease_node == bindparam("node"))
    .values(lease_until=bindparam("until"))
)
_RELEASE = update(rooms).where(rooms.c.lease_node.is_not(None)).values(lease_until=0.0, lease_node=None)
_PRESENT = select(presence.c.room, presence.c.player).where(
    presence.c.room.in_(bindparam("ids", expanding=True)),
    presence.c.until > bindparam("now"),
    presence.c.node != bindparam("node"),
)
_LAST_SEEN = select(func.max(presence.c.until).label("until")).where(presence.c.room == bindparam("room"))


def _holds(player: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether a player has, or had, a seat in a room, or is a bot with a token."""
    return or_(exists().where(seats.c.player == player), exists().where(tokens.c.player == player))


_AT_ONCE = 200
_UNPLAYED = (
    select(rooms.c.id)
    .where(
        rooms.c.stage == "closed",
        rooms.c.updated_at <= bindparam("before"),
        rooms.c.listing["matches"].as_integer() == 0,
        ~exists().where(presence.c.room == rooms.c.id),  # whoever still looks at it may do so
    )
    .order_by(rooms.c.id)
    .limit(_AT_ONCE)
    .with_for_update(skip_locked=True, of=rooms)
)
_OWNED = players.alias("owned")
_UNSEEN = (
    select(players.c.id)
    .where(
        or_(players.c.kind == "guest", players.c.deleted),  # people of a device, and bots, go with whose they are
        players.c.seen_at <= bindparam("before"),
        ~_holds(players.c.id),
        ~exists().where(_OWNED.c.owner == players.c.id, _holds(_OWNED.c.id)),
    )
    .order_by(players.c.id)
    .limit(_AT_ONCE)
    .with_for_update(skip_locked=True, of=players)
)


class Watch(Database):
    """The part of the store that clocks and connections need."""

    async def claim_due(
        self, now: float, node: str, lease: float, limit: int = 50, without: Iterable[str] = ()
    ) -> list[str]:
        """The rooms that are due and that nobody has, the longest due first; the lease is in seconds.

        Those with these tasks are left to others.
        """
        wanted = {"now": now, "without": sorted(without)}
        if not await self._rows(_DUE, {**wanted, "limit": 1}):
            return []

        def work(connection: Connection) -> list[str]:
            values = {**wanted, "limit": limit, "until": now + lease, "node": node}
            claimed = connection.execute(_CLAIM, values).fetchall()
            return [row.id for row in sorted(claimed, key=lambda row: (row.due_at, row.id))]

        return await self._write(work)

    async def hold(self, node: str, room_ids: Collection[str], until: float) -> None:
        """Keep what this node has claimed until then; a time that has passed gives it back."""

        def work(connection: Connection) -> None:
            for ids in portions(room_ids):
                connection.execute(_HOLD, {"ids": ids, "node": node, "until": until})

        await self._write(work)

    async def release(self, node: str | None = None) -> None:
        """Give back before the leases end what a node has claimed and not done; without a name, what any node has."""
        claimed = _RELEASE if node is None else _RELEASE.where(rooms.c.lease_node == node)

        def work(connection: Connection) -> None:
            connection.execute(claimed)

        await self._write(work)

    async def next_due(self) -> float | None:
        """When the next room is due, whoever has it."""
        earliest = select(rooms.c.due_at).where(rooms.c.due_at.is_not(None)).order_by(rooms.c.due_at).limit(1)
        found = await self._rows(earliest)
        return found[0].due_at if found else None

    async def see(self, node: str, batch: Iterable[Seen]) -> None:
        """Note until when players count as connected through this node."""
        keep = self._insert(presence)
        keep = keep.on_conflict_do_update(
            index_elements=["room", "player", "node"], set_={"until": keep.excluded.until}
        )
        rows = [{"room": seen.room, "player": seen.player, "node": node, "until": seen.until} for seen in batch]
        if not rows:
            return

        def work(connection: Connection) -> None:
            connection.execute(keep, rows)

        await self._write(work)

    async def present(self, room_ids: Collection[str], now: float, node: str) -> dict[str, frozenset[str]]:
        """The players who are connected to each of these rooms through any node but this one."""
        found: dict[str, set[str]] = {room_id: set() for room_id in room_ids}
        for ids in portions(found):
            for row in await self._rows(_PRESENT, {"ids": ids, "now": now, "node": node}):
                found[row.room].add(row.player)
        return {room_id: frozenset(players) for room_id, players in found.items()}

    async def last_seen(self, room_id: str) -> float:
        """Until when somebody was connected to the room, or counts as such, through any node; 0 if not lately."""
        (found,) = await self._rows(_LAST_SEEN, {"room": room_id})
        return found.until or 0.0

    async def sweep(
        self,
        now: float,
        seen_for: float = 600.0,
        answers_for: float = 30 * _DAY,
        rooms_for: float = 30 * _DAY,
        players_for: float = 180 * _DAY,
    ) -> None:
        """Forget connections that ended so long ago, links that are of no use any more, and answers older than that.

        Also rooms that were closed so long ago before any match, and players who were not here for so long and have
        neither a seat anywhere nor a bot.
        """

        def work(connection: Connection) -> None:
            connection.execute(delete(presence).where(presence.c.until <= now - seen_for))
            connection.execute(delete(links).where(links.c.expires_at <= now))
            connection.execute(delete(answers).where(answers.c.at <= now - answers_for))

        def forget_rooms(connection: Connection) -> bool:
            ids = list(connection.execute(_UNPLAYED, {"before": now - rooms_for}).scalars())
            for table in (events, answers, drafts, seats):
                connection.execute(delete(table).where(table.c.room.in_(ids)))
            connection.execute(delete(rooms).where(rooms.c.id.in_(ids)))
            return len(ids) == _AT_ONCE

        def forget_players(connection: Connection) -> bool:
            ids = list(connection.execute(_UNSEEN, {"before": now - players_for}).scalars())
            whose = or_(players.c.id.in_(ids), players.c.owner.in_(ids))
            connection.execute(delete(links).where(links.c.player.in_(ids)))
            connection.execute(delete(players).where(whose))
            return len(ids) == _AT_ONCE

        await self._write(work)
        for forget in (forget_rooms, forget_players):  # a few at once: others want to write meanwhile
            while await self._write(forget):
                pass
