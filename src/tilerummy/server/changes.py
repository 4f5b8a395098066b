"""Players who leave for good."""

import secrets
from typing import Final

from tilerummy.server.events import Leave
from tilerummy.server.identity import Actor
from tilerummy.server.node import Node
from tilerummy.server.room import actor_seats

__all__ = ["leave_all"]

_MOST: Final = 1000


async def leave_all(node: Node, actor: Actor) -> None:
    """Leave every seat of these players in rooms that are open, so that nobody waits for them."""
    hall = node.hall
    rows = await hall.store.rooms_of(*sorted(actor.players), limit=_MOST, stages=("lobby", "playing", "over"))
    for row in rows:
        live = await hall.open(row.id)
        for seat in actor_seats(live.room, actor.players):
            await hall.submit(live, actor, secrets.token_urlsafe(9), live.room.version, Leave(seat))
