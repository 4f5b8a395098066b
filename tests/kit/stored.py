"""Builders: rooms in a store, with events that say little."""

from typing import Any

from tilerummy.server.store import Answer, Meta, RoomRow, Store, Stored

__all__ = ["LOBBY", "PLAYING", "answer", "event", "found", "room"]

LOBBY = Meta("lobby")
PLAYING = Meta("playing")


def event(version: int, at: float | None = None, **data: Any) -> Stored:
    """An event of this version."""
    return Stored(version, 1000.0 + version if at is None else at, 1, "Happened", data)


def answer(command_id: str = "c1", player: str = "ann", **said: Any) -> Answer:
    """What a player was told."""
    return Answer(player, command_id, said, 5.0)


async def room(
    store: Store, name: str = "room", meta: Meta = LOBBY, *, code: str | None = None, at: float = 1001.0
) -> str:
    """A room with one event, by its id."""
    await store.create_room(name, code, [event(1, at)], meta)
    return name


async def found(store: Store, name: str) -> RoomRow:
    """The room's row, which has to be there."""
    row = await store.find_room(name)
    assert row is not None
    return row
