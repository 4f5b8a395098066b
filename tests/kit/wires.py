"""Messages to test with: one of every kind, both ways, and the examples of docs/protocol.md."""

import json
import re
from pathlib import Path
from typing import Any

__all__ = ["CLIENT", "COMMANDS", "SERVER", "commanded", "examples", "room_view"]

Json = dict[str, Any]
_FENCE = re.compile(r"^```json (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PAGE = Path(__file__).parent.parent.parent / "docs" / "protocol.md"


def examples() -> list[tuple[str, str]]:
    """Every example of docs/protocol.md: what it is one of, and its text."""
    found = _FENCE.findall(_PAGE.read_text(encoding="utf-8"))
    return [(kind, line) for kind, lines in found for line in lines.splitlines()]


COMMANDS: list[Json] = [json.loads(text) for kind, text in examples() if kind == "command"]
CLIENT: list[Json] = [json.loads(text) for kind, text in examples() if kind == "client"]
SERVER: list[Json] = [json.loads(text) for kind, text in examples() if kind == "server"]


def commanded(command: Json) -> Json:
    """A command in the message that it travels in."""
    return {"type": "command", "id": "c1", "on": 7, "command": command}


def room_view(version: int) -> Json:
    """A room, seen at this version."""
    snapshot = next(message for message in SERVER if message["type"] == "snapshot")
    view: Json = snapshot["view"]
    return view | {"version": version}
