"""What a backup writes and brings back: guests with whoever belongs to them, and rooms together with their players."""

from collections.abc import AsyncIterator, Sequence

from sqlalchemy import Connection, insert
from sqlalchemy import exc as sql

from tilerummy.server.store.database import columns, padded
from tilerummy.server.store.people import PLAYER, People
from tilerummy.server.store.rooms import Rooms
from tilerummy.server.store.schema import players, tokens
from tilerummy.server.store.values import Meta, Misfit, Player, Stored, Token

__all__ = ["Restore"]

_PAGE = 200
_GUESTS = PLAYER.where(players.c.kind == "guest", ~players.c.deleted).order_by(players.c.id).limit(_PAGE)
_OWNED = PLAYER.where(~players.c.deleted).order_by(players.c.created_at, players.c.id)


class Restore(Rooms, People):
    """The part of the store that a backup needs."""

    async def all_guests(self) -> AsyncIterator[list[Player]]:
        """Every guest, by id, followed by their locals and bots; who was deleted is left out."""
        last = ""
        while found := [Player(*row) for row in await self._rows(_GUESTS.where(players.c.id > last))]:
            last = found[-1].id
            theirs = _OWNED.where(players.c.owner.in_(padded([guest.id for guest in found])))
            owned = [Player(*row) for row in await self._rows(theirs)]
            for guest in found:
                yield [guest, *(one for one in owned if one.owner == guest.id)]

    async def restore_players(self, some: Sequence[Player], keys: Sequence[Token]) -> None:
        """Keep those of these players who are new, owners before whom they own, with their tokens; raises Misfit."""
        await self._write(lambda connection: self._bring(connection, some, keys))

    async def restore_room(
        self,
        room_id: str,
        code: str | None,
        stored: Sequence[Stored],
        meta: Meta,
        some: Sequence[Player],
        keys: Sequence[Token],
    ) -> None:
        """As `create_room` and `restore_players`, all of it or nothing."""
        await self.create_room(room_id, code, stored, meta, lambda connection: self._bring(connection, some, keys))

    def _bring(self, connection: Connection, some: Sequence[Player], keys: Sequence[Token]) -> None:
        keep = self._insert(players).on_conflict_do_nothing(index_elements=["id"])
        try:
            new = {one.id for one in some if connection.execute(keep, columns(one)).rowcount == 1}
            for token in keys:
                if token.player in new:
                    connection.execute(insert(tokens), columns(token))
        except sql.IntegrityError as error:
            raise Misfit("an owner is not there, or a token is another bot's") from error
