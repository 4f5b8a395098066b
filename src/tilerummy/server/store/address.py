"""The address of a database: read whole before anything is opened, and refused in words that show nothing of it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlalchemy import URL, make_url
from sqlalchemy import exc as sql

__all__ = ["parse_url"]

_EXPECTED: Final = "postgresql://USER:PASSWORD@HOST:PORT/NAME is expected, a password's @ : / ? # as %40 and so on"
# What the driver of PostgreSQL understands of a query; others would only fail later.
_QUERY: Final = frozenset({"host", "passfile", "password", "port", "ssl", "target_session_attrs", "user"})
_SEVERAL: Final = frozenset({"host", "port"})
_CHOICES: Final = {
    "ssl": ("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
    "target_session_attrs": ("any", "primary", "standby", "read-write", "read-only", "prefer-standby"),
}


def parse_url(url: str) -> URL:
    """The database's address with the driver that this program uses; ValueError says what is wrong, without a part.

    >>> parse_url("postgres://host/games?sslmode=require").render_as_string()
    'postgresql+asyncpg://host/games?ssl=require'
    """
    try:
        parsed = make_url(url)
    except sql.ArgumentError:
        raise ValueError("this is not the URL of a database") from None
    except ValueError:
        raise ValueError(_EXPECTED) from None
    match parsed.drivername.split("+")[0]:
        case "sqlite":
            return _file(parsed)
        case "postgresql" | "postgres":
            return _server(parsed)
        case _:
            raise ValueError("this program knows sqlite and postgresql, and no other database")


def _file(parsed: URL) -> URL:
    if not parsed.database or ":memory:" in parsed.database:
        raise ValueError("SQLite needs a file, as in sqlite:///tilerummy.db")
    if parsed.query:
        raise ValueError("SQLite's file is all that can be said: nothing follows a question mark")
    return parsed.set(drivername="sqlite+pysqlite")


def _server(parsed: URL) -> URL:
    # people know libpq's name of it
    query = {"ssl" if name == "sslmode" else name: value for name, value in parsed.query.items()}
    once = {name for name, value in query.items() if isinstance(value, str)}
    if not query.keys() <= _QUERY or not query.keys() - once <= _SEVERAL:
        raise ValueError(f"after the question mark only {', '.join(sorted(_QUERY))} can be said")
    for name, choices in _CHOICES.items():
        if name in query and query[name] not in choices:
            raise ValueError(f"{name} is one of {', '.join(choices)}")
    parsed = parsed.set(drivername="postgresql+asyncpg", query=query)
    try:
        options = parsed.get_dialect()().create_connect_args(parsed)[1]
    except (sql.ArgumentError, ValueError):
        raise ValueError(_EXPECTED) from None
    # A password that is not encoded ends too early: the rest of it would be taken for a host or for a name.
    if "@" in f"{parsed.host}{parsed.database}" or not all(0 < port < 2**16 for port in _ports(options)):
        raise ValueError(_EXPECTED)
    return parsed


def _ports(options: Mapping[str, Any]) -> Iterator[int]:
    port = options.get("port", 5432)
    yield from port if isinstance(port, list) else [port]
