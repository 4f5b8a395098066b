"""One database behind the store's methods, and the small things that they share."""

import asyncio
import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from sqlalchemy import Connection, Executable, Table
from sqlalchemy.dialects import sqlite

from tilerummy.server.store.address import parse_url
from tilerummy.server.store.embedded import Embedded
from tilerummy.server.store.schema import secrets
from tilerummy.server.store.values import Unavailable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from sqlalchemy.dialects import postgresql

__all__ = ["Backend", "Database", "columns", "dumps", "padded", "portions", "storable"]

_T = TypeVar("_T")

_PORTION = 1024
_FRESH = 1.0  # seconds
_PULSE = "pulse"  # no secret, but a row of the server's own
_MOVE = 800  # times twenty characters


class Backend(Protocol):
    """What a kind of database has to do."""

    async def connect(self) -> None: ...
    async def migrate(self) -> None: ...
    async def close(self) -> None: ...
    async def read(self, statement: Executable, values: Mapping[str, Any] | None) -> Sequence[Any]: ...
    async def write(self, work: Callable[[Connection], Any]) -> Any: ...


class Database:
    """Queries, and writes that happen as a whole or not at all; raises Unavailable where it cannot."""

    def __init__(self, url: str) -> None:
        """For the database at this URL, `sqlite:///file` or `postgresql://…`; nothing is opened before `connect`."""
        self._url = parse_url(url)
        self.embedded = self._url.get_backend_name() == "sqlite"
        self._backend: Backend | None = None
        self._looking = asyncio.Lock()
        self._look_again = 0.0
        self._ready = False

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self) -> None:
        """Open the database: an embedded one is made or migrated, another has to be at this version's schema.

        Raises WrongSchema, or Unavailable.
        """
        backend = self._made()
        try:
            await backend.connect()
        except BaseException:
            await backend.close()
            raise
        self._backend = backend

    async def close(self) -> None:
        """Let every connection go, once what is being written is written; what is asked later is Unavailable."""
        backend, self._backend = self._backend, None
        if backend is not None:
            await backend.close()

    async def migrate(self) -> None:
        """Bring the database to this version's schema; `connect` does it by itself only on SQLite."""
        backend = self._made()
        try:
            await backend.migrate()
        finally:
            await backend.close()

    async def ping(self) -> None:
        """Store something small that is new, as large as a move where the disk is ours to fill; raises Unavailable."""
        keep = self._insert(secrets).values(name=_PULSE, value=f"{time.time_ns()} " * (_MOVE if self.embedded else 1))
        keep = keep.on_conflict_do_update(index_elements=["name"], set_={"value": keep.excluded.value})

        def work(connection: Connection) -> None:
            connection.execute(keep)

        await self._write(work)

    async def ready(self) -> bool:
        """Whether something can be stored, as was found out within the last second."""
        async with self._looking:
            if time.monotonic() >= self._look_again:
                try:
                    await self.ping()
                    self._ready = True
                except Unavailable:
                    self._ready = False
                self._look_again = time.monotonic() + _FRESH
            return self._ready

    async def _rows(self, statement: Executable, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        """What a query finds."""
        return await self._open().read(statement, values)

    async def _write(self, work: Callable[[Connection], _T]) -> _T:
        """Do the work in one transaction; it may be done again, so it changes nothing but the database."""
        result: _T = await self._open().write(work)
        return result

    def _open(self) -> Backend:
        if self._backend is None:
            raise Unavailable("the store is not open")
        return self._backend

    def _made(self) -> Backend:
        if self.embedded:
            return Embedded(self._url, dumps)
        from tilerummy.server.store.pooled import Pooled  # what it needs takes a while to load

        return Pooled(self._url, dumps)

    def _insert(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """An insert that may say what happens where the row exists already."""
        if self.embedded:
            return sqlite.insert(table)
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)


def storable(*texts: str) -> bool:
    """Whether a database can hold such texts at all: what it cannot hold it need not be asked for."""
    try:
        return not any(b"\0" in text.encode() for text in texts)
    except UnicodeEncodeError:
        return False


def columns(value: "DataclassInstance") -> dict[str, Any]:
    """A value as a row; unlike `asdict`, without a copy of everything in it."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def portions(ids: Collection[str]) -> Iterator[list[str]]:
    """The same ids in lists that one statement takes, each padded."""
    listed = list(ids)
    for start in range(0, len(listed), _PORTION):
        yield padded(listed[start : start + _PORTION])


def padded(ids: Collection[str]) -> list[str]:
    """The same ids, the last repeated up to a power of two, so that few different statements are ever prepared.

    >>> padded(["a", "b", "c"])
    ['a', 'b', 'c', 'c']
    """
    listed = list(ids)
    return listed + listed[-1:] * ((1 << (len(listed) - 1).bit_length()) - len(listed)) if listed else listed


dumps = partial(json.dumps, separators=(",", ":"))
