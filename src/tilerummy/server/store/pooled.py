"""PostgreSQL: a pool of connections that survives the loss of each of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import URL, Connection, ExceptionContext, Executable, event
from sqlalchemy import exc as sql
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tilerummy.server import migrations
from tilerummy.server.store.schema import metadata
from tilerummy.server.store.values import Unavailable

__all__ = ["Pooled"]

_SIZE = 10
# Seconds after which a database that does not answer is unavailable.
_PATIENCE = 10.0
# What another attempt may not meet, by SQLSTATE: connections, who may, to what; resources, operators, the system; and
# deadlocks and the like, and what somebody may not do.
_PASSING = ("08", "28", "3D", "53", "57", "58", "40001", "40P01", "42501", "55P03")
# A database that takes no writes, as one that another has taken over from.
_READ_ONLY = "25006"
# The driver was told to look for a server that takes writes, and found none.
_NONE_FITS = "TargetServerAttributeNotMatched"


class Pooled:
    """A database on a server."""

    def __init__(self, url: URL, serializer: Callable[[Any], str]) -> None:
        """For the database that the URL names; nothing is opened before `connect`."""
        self._url = url
        self._engine = _engine(url, serializer)
        # What only reads needs no transaction around it.
        self._reader = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    async def connect(self) -> None:
        """See that the database is there and at this version's schema."""
        try:
            async with self._reader.connect() as connection:
                await connection.run_sync(migrations.check)
        except (sql.SQLAlchemyError, OSError) as error:
            raise _usable(error) from error

    async def migrate(self) -> None:
        """Bring the database to this version's schema, however long that takes."""
        engine = create_async_engine(self._url, hide_parameters=True)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(migrations.upgrade, metadata)
        except (sql.SQLAlchemyError, OSError) as error:
            raise _usable(error) from error
        finally:
            await engine.dispose()

    async def close(self) -> None:
        """Let the connections go."""
        await self._engine.dispose()

    async def read(self, statement: Executable, values: Mapping[str, Any] | None) -> Sequence[Any]:
        """What a query finds; asked once more where the connection was lost, as after a restart of the server."""
        for last in (False, True):
            try:
                async with self._reader.connect() as connection:
                    return (await connection.execute(statement, values)).fetchall()
            except (sql.SQLAlchemyError, OSError) as error:
                if last or not _passing(error):
                    raise _named(error) from error
        raise AssertionError("unreachable")

    async def write(self, work: Callable[[Connection], Any]) -> Any:
        """Do the work as a whole or not at all, once more where the connection was lost before the end of it.

        Where it was lost at the end nobody knows whether it happened, and the caller has to look.
        """
        for last in (False, True):
            ending = False
            try:
                async with self._engine.connect() as connection:
                    result = await connection.run_sync(work)
                    ending = True
                    await connection.commit()
                    return result
            except (sql.SQLAlchemyError, OSError) as error:
                if last or ending or not _passing(error):
                    raise _named(error) from error
        raise AssertionError("unreachable")


def _passing(error: Exception) -> bool:
    """Whether the same call may succeed a moment later; a timeout and a refused connection are OSErrors."""
    if isinstance(error, sql.DBAPIError):
        state = getattr(error.orig, "sqlstate", None) or ""
        none_fits = type(error.orig and error.orig.__cause__).__name__ == _NONE_FITS
        return error.connection_invalidated or none_fits or state.startswith(_PASSING)
    return isinstance(error, OSError | sql.TimeoutError)


def _named(error: Exception) -> Exception:
    if not _passing(error):
        return error
    said = error.orig if isinstance(error, sql.DBAPIError) and error.orig else error
    return Unavailable(str(said).partition("\n")[0] or type(said).__name__)


def _usable(error: Exception) -> Exception:
    """The same for a first connection: what its driver cannot be set up with, as for want of a certificate, is told."""
    if isinstance(error, sql.InterfaceError) and not _passing(error):
        return ValueError(str(error.orig).partition("\n")[0])
    return _named(error)


def _engine(url: URL, serializer: Callable[[Any], str]) -> AsyncEngine:
    """A node that hangs within a transaction loses it, so that no room waits for its lock for ever."""
    engine = create_async_engine(
        url,
        pool_size=_SIZE,
        max_overflow=_SIZE,
        pool_timeout=_PATIENCE,
        json_serializer=serializer,
        hide_parameters=True,  # tiles, names and tokens: what goes wrong with them is logged
        connect_args={
            "timeout": _PATIENCE,
            "command_timeout": _PATIENCE,
            "server_settings": {
                "application_name": "tilerummy",
                "idle_in_transaction_session_timeout": str(int(_PATIENCE * 1000)),
            },
        },
    )

    @event.listens_for(engine.sync_engine, "handle_error")
    def turn_away(context: ExceptionContext) -> None:
        """A connection that may only read stays so, whatever becomes of the database: none of them is used again."""
        if getattr(context.original_exception, "sqlstate", None) == _READ_ONLY:
            context.is_disconnect = True

    return engine
