"""What several nodes share besides the games: whose turn it is to wake a room, and who is connected where."""

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, delete, select, update

from tilerummy.server.store.database import Database
from tilerummy.server.store.schema import answers, links, presence, rooms
from tilerummy.server.store.values import Seen

__all__ = ["Watch"]

_DAY = 86400.0

_DUE = (
    select(rooms.c.id)
    .where(rooms.c.due_at <= bindparam("now"), rooms.c.lease_until <= bindparam("now"))
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
_RELEASE = update(rooms).where(rooms.c.lease_node.is_not(None)).values(lease_until=0.0, lease_node=None)
_PRESENT = select(presence.c.player).where(presence.c.room == bindparam("in_room"), presence.c.until > bindparam("now"))


class Watch(Database):
    """The part of the store that clocks and connections need."""

    async def claim_due(self, now: float, node: str, lease: float, limit: int = 50) -> list[str]:
        """The rooms that are due and that nobody has, the longest due first; the lease is in seconds."""
        if not await self._rows(_DUE, {"now": now, "limit": 1}):
            return []

        def work(connection: Connection) -> list[str]:
            values = {"now": now, "limit": limit, "until": now + lease, "node": node}
            claimed = connection.execute(_CLAIM, values).fetchall()
            return [row.id for row in sorted(claimed, key=lambda row: (row.due_at, row.id))]

        return await self._write(work)

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

    async def present(self, room_id: str, now: float) -> frozenset[str]:
        """The players who are connected to the room through any node."""
        return frozenset(row.player for row in await self._rows(_PRESENT, {"in_room": room_id, "now": now}))

    async def sweep(self, now: float, answers_for: float = 30 * _DAY) -> None:
        """Forget connections that ended, links that are of no use any more, and answers older than that."""

        def work(connection: Connection) -> None:
            connection.execute(delete(presence).where(presence.c.until <= now))
            connection.execute(delete(links).where(links.c.expires_at <= now))
            connection.execute(delete(answers).where(answers.c.at <= now - answers_for))

        await self._write(work)
