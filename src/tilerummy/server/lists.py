"""Lists of rooms, made of what the store's rows say, with the names looked up at once."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import Depends, Query
from pydantic import Field

from tilerummy.protocol import Id, said
from tilerummy.server.codec import load
from tilerummy.server.errors import Problem
from tilerummy.server.events import Setup
from tilerummy.server.identity import Actor
from tilerummy.server.parts import Here, Parts
from tilerummy.server.store import Player, RoomRow
from tilerummy.server.wire import Json, setup_view
from tilerummy.tiles import shorten

__all__ = ["Before", "Limit", "room_list"]

Limit = Annotated[
    int,
    Field(ge=1, le=100),
    said("must be a whole number from 1 to 100"),
    Query(description="How many rooms, at most."),
]


async def _before(
    here: Here,
    before: Annotated[Id | None, Query(description="The id of a room: only rooms that were made before it.")] = None,
) -> str | None:
    found = None if before is None else await here.store.find_room(before)
    if before is not None and (found is None or found.id != before):
        raise Problem(422, f"before: no room has the id {shorten(before)}", field="before")
    return before


Before = Annotated[str | None, Depends(_before)]
"""The room at which a page of a list begins."""


async def room_list(here: Parts, rows: Sequence[RoomRow], limit: int, actor: Actor | None) -> Json:
    """A page of a list, as a RoomList; one row more than the limit says that there is another page."""
    shown = rows[:limit]
    ids = {player for row in shown for player in (row.listing["host"], *row.listing["players"]) if player}
    players = await here.store.players(ids) if ids else {}
    mine = actor.players if actor else frozenset[str]()
    return {
        "rooms": [_summary(row, players, mine) for row in shown],
        "next": shown[-1].id if len(rows) > limit else None,
    }


def _summary(row: RoomRow, players: Mapping[str, Player], mine: frozenset[str]) -> Json:
    listing = row.listing
    seats = list(zip(listing["players"], listing["bots"], strict=True))
    return {
        "room": row.id,
        "code": row.code,
        "version": row.version,
        "stage": row.stage,
        "setup": setup_view(load(Setup, listing["setup"])),
        "host": _name(listing["host"], players),
        "names": [bot if player is None else _name(player, players) for player, bot in seats],
        "free": sum(player is None and bot is None for player, bot in seats),
        "matches": listing["matches"],
        "yours": [place for place, (player, _) in enumerate(seats) if player in mine],
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def _name(player: str, players: Mapping[str, Player]) -> str | None:
    found = players.get(player)
    return found.name if found and not found.deleted else None
