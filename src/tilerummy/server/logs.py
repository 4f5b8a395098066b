"""Logs: lines for people or JSON Lines; never a cookie, a token, a tile, a name or an address's query in them."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final, TextIO

from tilerummy.server.settings import Settings

__all__ = ["ACCESS", "JsonLines", "Lines", "set_up"]

ACCESS: Final = logging.getLogger("tilerummy.access")
_OWN: Final = "fields"  # what a call gives as extra={"fields": {...}}


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    found = getattr(record, _OWN, None)
    return found if isinstance(found, dict) else {}


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class Lines(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the time, the level, the message, and its fields as name=value."""
        told = "".join(f" {name}={value}" for name, value in _fields(record).items() if value is not None)
        line = f"{_time(record)} {record.levelname.lower():7} {record.getMessage()}{told}"
        safe = "".join(sign if sign.isprintable() else " " for sign in line)
        return f"{safe}\n{self.formatException(record.exc_info)}" if record.exc_info else safe


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
