"""Logs: lines for people or JSON Lines; never a cookie, a token, a tile, a name or an address's query in them.

What an exception says may hold any of these, whoever raised it. A traceback therefore has the calls and the types of
the exceptions, and not a word of theirs.
"""

import asyncio
import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, TextIO

from tilerummy.server.settings import Settings

__all__ = ["ACCESS", "JsonLines", "Lines", "set_up", "unheard"]

ACCESS: Final = logging.getLogger("tilerummy.access")
_OWN: Final = "fields"  # what a call gives as extra={"fields": {...}}
_CALL: Final = re.compile(r'^  File ".*", line \d+, in .*$', re.MULTILINE)
_CAUSE: Final = "\nThe above exception was the direct cause of the following exception:\n\n"
_DURING: Final = "\nDuring handling of the above exception, another exception occurred:\n\n"

_log = logging.getLogger(__name__)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    found = getattr(record, _OWN, None)
    return found if isinstance(found, dict) else {}


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _told(error: BaseException, told: frozenset[int] = frozenset()) -> Iterator[str]:
    """The calls that led to an error and its type, after those that led to it."""
    told |= {id(error)}
    context = None if error.__suppress_context__ else error.__context__
    for before, led in ((error.__cause__, _CAUSE), (None if error.__cause__ else context, _DURING)):
        if before is not None and id(before) not in told:
            yield from _told(before, told)
            yield led
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    if elsewhere := _CALL.findall(getattr(error, "tb", None) or ""):  # as text, from a process that thinks
        yield "\n".join([*elsewhere, ""])
    yield f"{type(error).__module__}.{type(error).__qualname__}\n"
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield "\nOne of them:\n\n"
            yield from _told(one, told)


def _traceback(record: logging.LogRecord) -> str:
    error = record.exc_info and record.exc_info[1]
    return "".join(_told(error)).rstrip("\n") if error else ""


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the time, the level, where it comes from, the message, and its fields."""
        line: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if told := _traceback(record):
            line["traceback"] = told
        return json.dumps(line, default=str)


class Lines(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the time, the level, the message, and its fields as name=value."""
        told = "".join(f" {name}={value}" for name, value in _fields(record).items() if value is not None)
        line = f"{_time(record)} {record.levelname.lower():7} {record.getMessage()}{told}"
        safe = "".join(sign if sign.isprintable() else " " for sign in line)
        traced = _traceback(record)
        return f"{safe}\n{traced}" if traced else safe


def set_up(settings: Settings, stream: TextIO | None = None) -> None:
    """Log to standard error in the chosen form; uvicorn's own lines come in it too, but for its access log, and so
    does what libraries warn of.
    """
    logging.captureWarnings(True)
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if settings.log_format == "json" else Lines())
    root = logging.getLogger()
    for old in list(root.handlers):
        if getattr(old, "of_tilerummy", False):
            root.removeHandler(old)
    handler.of_tilerummy = True  # type: ignore[attr-defined]
    root.addHandler(handler)
    root.setLevel(settings.log_level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        theirs = logging.getLogger(name)
        theirs.handlers.clear()
        theirs.propagate = name != "uvicorn.access"
    logging.getLogger("uvicorn").setLevel(max(logging.INFO, root.level))
    # What these tell below a warning has every message and every statement in it: tiles, names, tokens, the secret.
    for name in ("aiosqlite", "alembic", "asyncio", "asyncpg", "httpx", "redis", "sqlalchemy", "websockets"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


def unheard(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error that nobody waits for; asyncio itself would show what was called with what, and what was raised."""
    _log.error("something that nobody waits for ended by a bug", exc_info=context.get("exception"))
