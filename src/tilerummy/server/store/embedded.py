"""SQLite: one thread that writes, some that read, each crossed to once for a whole transaction.

Whatever waits while a transaction is on its way to the disk goes into the next one together: under load the disk is
asked once for many appends. Where one of them fails, the transaction is done again with a savepoint around each.

A file that was moved away or deleted would go on taking what is written, for nobody to find: before a transaction ends
it is looked for under its name.
"""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Executable, create_engine, event
from sqlalchemy import exc as sql

from tilerummy.server import migrations
from tilerummy.server.store.schema import metadata
from tilerummy.server.store.values import Unavailable

__all__ = ["Embedded"]

_READERS = 4
# Seconds to wait for another process that writes into the same file.
_PATIENCE = 10.0
# What another attempt may not meet.
_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
}
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

_Work = Callable[[Connection], Any]
_Outcome = tuple[Any, Exception | None]
_Place = tuple[int, int]


class Embedded:
    """A database in a file."""

    def __init__(self, url: URL, serializer: Callable[[Any], str]) -> None:
        """For the file that the URL names; nothing is opened before `connect`."""
        assert url.database is not None
        self._path = Path(url.database).absolute()
        self._migrated = False
        self._writer = _writer(url, serializer, self._opened, lambda: self._migrated)
        self._reader = _reader(url, serializer, self._opened)
        self._writing = ThreadPoolExecutor(1, "store-writer")
        self._reading = ThreadPoolExecutor(_READERS, "store-reader")
        self._waiting: list[tuple[_Work, asyncio.Future[Any]]] = []
        self._draining: asyncio.Task[None] | None = None
        self._places: dict[Path, _Place] = {}

    async def connect(self) -> None:
        """Make the file, or bring it to this version's schema."""
        await self.migrate()
        real = self._path.resolve()
        files = (self._path, real.with_name(f"{real.name}-wal"))
        self._places = {file: place for file in files if (place := _place(file)) is not None}

    async def migrate(self) -> None:
        """As `connect`."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))  # it holds the server's secret
        await self.write(lambda connection: migrations.upgrade(connection, metadata))
        self._migrated = True
        await asyncio.get_running_loop().run_in_executor(self._writing, _check_keys, self._writer)

    async def close(self) -> None:
        """Wait for what is being written, then close the file."""
        while self._draining is not None:
            await asyncio.wait([self._draining])
        for threads in (self._reading, self._writing):
            await asyncio.to_thread(threads.shutdown)
        self._reader.dispose()
        self._writer.dispose()

    async def read(self, statement: Executable, values: Mapping[str, Any] | None) -> Sequence[Any]:
        """What a query finds, of everything that was written before."""

        def fetch() -> Sequence[Any]:
            with self._reader.connect() as connection:
                return connection.execute(statement, values).fetchall()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, fetch)
        except sql.DBAPIError as error:
            raise self._named(error) from error

    async def write(self, work: Callable[[Connection], Any]) -> Any:
        """Do the work as a whole or not at all; it is on disk when this returns."""
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._draining is None:
            self._draining = asyncio.create_task(self._drain())
        return await done

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                outcomes = await loop.run_in_executor(self._writing, self._transact, [work for work, _ in batch])
                for (_, done), (result, error) in zip(batch, outcomes, strict=True):
                    if done.cancelled():
                        continue
                    if error is None:
                        done.set_result(result)
                    else:
                        done.set_exception(error)
        finally:
            self._draining = None

    def _transact(self, batch: Sequence[_Work]) -> list[_Outcome]:
        """What each piece of work returned or raised; who raised changed nothing."""
        try:
            with self._writer.begin() as connection:
                outcomes: list[_Outcome] = [(work(connection), None) for work in batch]
                self._find()
                return outcomes
        except Exception as error:
            if len(batch) == 1 or _passing(error):
                return [(None, self._named(error))] * len(batch)
        return self._apart(batch)

    def _apart(self, batch: Sequence[_Work]) -> list[_Outcome]:
        """The same again, each piece within a savepoint: one of them cannot be done, the others can."""
        outcomes: list[_Outcome] = []
        try:
            with self._writer.begin() as connection:
                for work in batch:
                    try:
                        with connection.begin_nested():
                            outcomes.append((work(connection), None))
                    except Exception as error:
                        if _passing(error):
                            raise  # SQLite may have given up the whole transaction
                        outcomes.append((None, error))
                self._find()
        except Exception as error:
            return [(None, self._named(error))] * len(batch)
        return outcomes

    def _opened(self) -> sqlite3.Connection:
        """A connection to the file, which is not made where it is not there any more."""
        address = f"{self._path.as_uri()}?mode=rw"
        connection = sqlite3.connect(address, uri=True, timeout=_PATIENCE, check_same_thread=False)
        try:
            self._find()
        except Unavailable:
            connection.close()
            raise
        return connection

    def _find(self) -> None:
        """Raise Unavailable where what is written goes into another file than the one that is there."""
        for file, place in self._places.items():
            if _place(file) != place:
                raise Unavailable("the database's file was moved, deleted or replaced; the server has to start again")

    def _named(self, error: Exception) -> Exception:
        """The same error, or Unavailable where another attempt may not meet it, or ValueError for a file to no use."""
        if _code(error) in _BROKEN:
            named: Exception = ValueError(f"{self._path} is no database of tilerummy, or a damaged one")
        elif _passing(error) and not isinstance(error, Unavailable):
            named = Unavailable(str(getattr(error, "orig", error)).partition("\n")[0])
        else:
            return error
        named.__cause__ = error
        return named


def _place(file: Path) -> _Place | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _code(error: Exception) -> int:
    code: int = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0)
    return code & 0xFF


def _passing(error: Exception) -> bool:
    return _code(error) in _PASSING or isinstance(error, Unavailable)


def _writer(
    url: URL,
    serializer: Callable[[Any], str],
    opened: Callable[[], sqlite3.Connection],
    checks_keys: Callable[[], bool],
) -> Engine:
    """Python's driver would begin a transaction by itself, at the first change and without the lock: it is told not to.

    https://docs.sqlalchemy.org/en/20/dialects/sqlite.html#sqlite-transactions
    """
    engine = create_engine(
        url,
        creator=opened,
        json_serializer=serializer,
        hide_parameters=True,  # tiles, names and tokens: what goes wrong with them is logged
        pool_size=1,
        max_overflow=0,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", f"foreign_keys={'ON' if checks_keys() else 'OFF'}"):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _check_keys(writer: Engine) -> None:
    """Let the writer check foreign keys from now on; while a migration puts a table in the place of another to which
    rows refer it must not, and within a transaction that cannot be changed.

    https://www.sqlite.org/lang_altertable.html#otheralter
    """
    with contextlib.closing(writer.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA foreign_keys=ON")


def _reader(url: URL, serializer: Callable[[Any], str], opened: Callable[[], sqlite3.Connection]) -> Engine:
    engine = create_engine(
        url,
        creator=opened,
        isolation_level="AUTOCOMMIT",
        json_serializer=serializer,
        hide_parameters=True,
        pool_size=_READERS,
        max_overflow=0,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA query_only=ON").close()

    return engine
