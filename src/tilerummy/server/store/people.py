"""Players, the links and tokens by which they prove who they are, and the server's own secrets."""

from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update
from sqlalchemy import exc as sql

from tilerummy.server.store.database import Database, columns, padded, portions, storable
from tilerummy.server.store.schema import events, links, players, rooms, seats, secrets, tokens
from tilerummy.server.store.values import IdTaken, Link, Player, Token

__all__ = ["PLAYER", "People"]

PLAYER = select(
    players.c.id,
    players.c.name,
    players.c.kind,
    players.c.created_at,
    players.c.seen_at,
    players.c.owner,
    players.c.deleted,
)
_PLAYERS = PLAYER.where(players.c.id.in_(bindparam("ids", expanding=True)))
_TOKEN = select(tokens.c.token_hash, tokens.c.player, tokens.c.label, tokens.c.created_at)
_USE = (
    update(links)
    .where(links.c.token_hash == bindparam("hash"), links.c.used_at.is_(None), links.c.expires_at > bindparam("now"))
    .values(used_at=bindparam("now"))
    .returning(links.c.player)
)


class People(Database):
    """The part of the store that identity needs."""

    async def new_player(self, player: Player) -> None:
        """Keep a player; raises IdTaken."""
        try:
            await self._insert_one(players, columns(player))
        except sql.IntegrityError as error:
            raise IdTaken(player.id) from error

    async def player(self, player_id: str) -> Player | None:
        """The player of this id, deleted or not."""
        return (await self.players((player_id,))).get(player_id)

    async def players(self, player_ids: Collection[str]) -> dict[str, Player]:
        """The players of these ids, deleted or not; who does not exist is left out."""
        wanted = [player_id for player_id in player_ids if storable(player_id)]
        found = [row for ids in portions(wanted) for row in await self._rows(_PLAYERS, {"ids": ids})]
        return {row.id: Player(*row) for row in found}

    async def owned_by(self, owner: str) -> list[Player]:
        """The locals and bots that belong to a player, the oldest first; deleted ones belong to nobody."""
        query = PLAYER.where(players.c.owner == owner).order_by(players.c.created_at, players.c.id)
        return [Player(*row) for row in await self._rows(query)]

    async def rename(self, player_id: str, name: str) -> bool:
        """Give a player another name; false if there is no such player."""
        change = update(players).where(players.c.id == player_id, ~players.c.deleted).values(name=name)
        return await self._change(change) == 1

    async def touch(self, player_ids: Collection[str], at: float) -> None:
        """Note when these players were last here."""
        if player_ids:
            ids = padded(sorted(player_ids))
            await self._change(update(players).where(players.c.id.in_(ids), players.c.seen_at < at).values(seen_at=at))

    async def delete_player(self, player_id: str) -> bool:
        """Forget a player and whoever belongs to them: name, links, tokens; their moves in games stay, nameless."""
        theirs = or_(players.c.id == player_id, players.c.owner == player_id)

        def work(connection: Connection) -> bool:
            ids = list(connection.execute(select(players.c.id).where(theirs, ~players.c.deleted)).scalars())
            if player_id not in ids:
                return False
            connection.execute(delete(links).where(links.c.player.in_(ids)))
            connection.execute(delete(tokens).where(tokens.c.player.in_(ids)))
            gone = update(players).where(players.c.id.in_(ids)).values(name="", owner=None, deleted=True)
            connection.execute(gone)
            return True

        return await self._write(work)

    async def export_player(self, player_id: str) -> dict[str, Any] | None:
        """Everything that is kept about a player but the games themselves, as JSON."""
        player = await self.player(player_id)
        if player is None:
            return None
        owned = await self.owned_by(player_id)
        ids = [player_id, *(other.id for other in owned)]
        sitting = (
            select(seats.c.room, seats.c.player, seats.c.seat, rooms.c.created_at)
            .join(rooms, rooms.c.id == seats.c.room)
            .where(seats.c.player.in_(padded(ids)))
            .order_by(rooms.c.created_at, seats.c.room, seats.c.player)
        )
        theirs = select(seats.c.room).where(seats.c.player.in_(padded(ids)))
        given = (
            select(events.c.room, events.c.player, events.c.data, events.c.at)
            .where(events.c.room.in_(theirs), events.c.player.in_(padded(ids)), events.c.kind == "WordGiven")
            .order_by(events.c.at, events.c.room, events.c.version)
        )
        issued = (
            select(links.c.expires_at, links.c.used_at).where(links.c.player == player_id).order_by(links.c.expires_at)
        )
        return {
            "player": columns(player),
            "owned": [columns(other) for other in owned],
            "tokens": [
                {"player": token.player, "label": token.label, "created_at": token.created_at}
                for token in await self.tokens_of(*ids)
            ],
            "links": [dict(row._mapping) for row in await self._rows(issued.order_by(links.c.expires_at))],
            "seats": [dict(row._mapping) for row in await self._rows(sitting)],
            "words": [
                {"room": row.room, "player": row.player, "word": row.data["word"], "at": row.at}
                for row in await self._rows(given)
            ],
        }

    async def new_link(self, link: Link) -> None:
        """Keep a one-time link."""
        await self._insert_one(links, columns(link))

    async def use_link(self, token_hash: str, now: float) -> str | None:
        """The player whose link this is, once and in time; after that, None."""

        def work(connection: Connection) -> str | None:
            used = connection.execute(_USE, {"hash": token_hash, "now": now}).first()
            return str(used.player) if used else None

        return await self._write(work)

    async def new_token(self, token: Token) -> None:
        """Keep a bot's token."""
        await self._insert_one(tokens, columns(token))

    async def token(self, token_hash: str) -> Token | None:
        """The token of this hash."""
        found = await self._rows(_TOKEN.where(tokens.c.token_hash == token_hash))
        return Token(*found[0]) if found else None

    async def tokens_of(self, *player_ids: str) -> list[Token]:
        """The tokens of these players, the oldest first."""
        query = _TOKEN.where(tokens.c.player.in_(padded(player_ids))).order_by(tokens.c.created_at, tokens.c.token_hash)
        return [Token(*row) for row in await self._rows(query)]

    async def delete_token(self, token_hash: str) -> bool:
        """Forget a token; false if there is none."""
        return await self._change(delete(tokens).where(tokens.c.token_hash == token_hash)) == 1

    async def secret(self, name: str, make: Callable[[], str]) -> str:
        """The server's secret of this name, made the first time that any node asks."""
        query = select(secrets.c.value).where(secrets.c.name == name)
        if not await self._rows(query):
            await self._change(self._insert(secrets).values(name=name, value=make()).on_conflict_do_nothing())
        found = await self._rows(query)
        return str(found[0].value)

    async def _insert_one(self, table: Any, row: dict[str, Any]) -> None:
        await self._change(insert(table).values(row))

    async def _change(self, statement: Any) -> int:
        def work(connection: Connection) -> int:
            return connection.execute(statement).rowcount

        return await self._write(work)
