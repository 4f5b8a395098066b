"""How a room is kept: its events as rows, and what its own row says for lists and for the clock."""

from collections.abc import Sequence
from typing import Any

from tilerummy.server.codec import SCHEMA, dump, dump_event
from tilerummy.server.events import Room, RoomCommand, RoomEvent, Sat, Stage
from tilerummy.server.room import due
from tilerummy.server.store import Meta, Stored

__all__ = ["meta_of", "stored_events"]


def stored_events(
    events: Sequence[RoomEvent], version: int, at: float, cause: RoomCommand | None, player: str | None
) -> list[Stored]:
    """Events after this version as they are stored; the command that caused them stands on the first."""
    stored = []
    for place, event in enumerate(events):
        kind, data = dump_event(event)
        first = dump(cause) if cause is not None and not place else None
        stored.append(Stored(version + 1 + place, at, SCHEMA, kind, data, first, player))
    return stored


def meta_of(before: Room | None, room: Room, events: Sequence[RoomEvent], pace: float) -> Meta:
    """What the room's row says after these events; `pace` is how long a bot waits before it moves."""
    following = due(room, pace)
    seated = {seat.player: place for place, seat in enumerate(room.seats) if seat.player}
    sat = {event.player for event in events if isinstance(event, Sat)}
    were = {seat.player for seat in before.seats if seat.player} if before else set()
    return Meta(
        stage=room.stage.value,
        public=room.setup.public,
        listing=_listing(room),
        due_at=following.at if following else None,
        due_task=following.task.value if following else None,
        clear_draft=room.turn_version > room.version - len(events),
        free_code=room.stage is Stage.CLOSED,
        sat={player: seated[player] for player in sat if player in seated},
        stood=frozenset() if room.matches else frozenset(were - seated.keys()),
    )


def _listing(room: Room) -> dict[str, Any]:
    """What a list of rooms shows without reading their events; names are looked up when it is shown."""
    return {
        "setup": dump(room.setup),
        "host": room.host,
        "players": [seat.player for seat in room.seats],
        "bots": [seat.bot for seat in room.seats],
        "matches": room.matches,
    }
