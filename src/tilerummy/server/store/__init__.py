"""The store: what the server must not lose, in SQLite or in PostgreSQL behind one set of methods."""

from tilerummy.server.migrations import WrongSchema
from tilerummy.server.store.people import People
from tilerummy.server.store.restore import Restore
from tilerummy.server.store.rooms import Rooms
from tilerummy.server.store.values import (
    Answer,
    Answered,
    CodeTaken,
    Conflict,
    Draft,
    IdTaken,
    Link,
    Meta,
    Misfit,
    Player,
    PlayerKind,
    RoomRow,
    Seen,
    Stored,
    Token,
    Unavailable,
)
from tilerummy.server.store.watch import Watch

__all__ = [
    "Answer",
    "Answered",
    "CodeTaken",
    "Conflict",
    "Draft",
    "IdTaken",
    "Link",
    "Meta",
    "Misfit",
    "People",
    "Player",
    "PlayerKind",
    "Restore",
    "RoomRow",
    "Rooms",
    "Seen",
    "Store",
    "Stored",
    "Token",
    "Unavailable",
    "Watch",
    "WrongSchema",
    "migrate",
]


class Store(Restore, Watch):
    """Everything above, of one database: `async with Store("sqlite:///tilerummy.db") as store`."""


async def migrate(url: str) -> None:
    """Bring a database to this version's schema."""
    await Store(url).migrate()
