"""Who may do what: every request, message and command, for everybody who may ask; docs/protocol.md has it too.

The table is data. `tests/server/test_rights.py` asks a real server, and holds the table against the API's own
description, so that nothing is left out; `python -m tests.kit.rights` prints it as it stands in the documentation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

__all__ = ["COMMANDS", "MESSAGES", "PEOPLE", "REQUESTS", "SHUT", "YES", "Row", "markdown"]

YES: Final = "yes"

PEOPLE: Final = {
    "stranger": "somebody without a cookie, who becomes a guest where it says yes to something that needs one",
    "guest": "a guest who has nothing to do with the room",
    "elsewhere": "a guest who sits in another room",
    "spectator": "a guest who watches the room",
    "other": "the player of another seat of the room",
    "player": "the player of the seat that it is about, or whose the thing is",
    "host": "the room's host, on a seat of their own",
    "bot": "a bot with its token; its owner is the player",
    "removed": "a guest whom the host has sent away from the room",
}
"""Everybody who may ask, and who they are."""

_SEATED: Final = ("other", "player", "host")

SHUT: Final = "from the start on, without spectators"
"""In mid-game, once the match is over, and once the room is closed."""


@dataclass(frozen=True, slots=True)
class Row:
    """A thing that can be asked for: how, in which situation, and what becomes of it for everybody."""

    what: str
    cells: Mapping[str, str]
    about: str = ""  # what is asked for here, where that is not plain
    situation: str = "lobby"
    body: Mapping[str, Any] = field(default_factory=dict)
    granted: tuple[str, ...] = ()  # refusals that are not about who asks
    changes: bool = True  # the room, so that another one is needed for each who may

    @property
    def label(self) -> str:
        """What stands at the beginning of the row."""
        return f"`{self.what}`{self.about and ', '}{self.about}"


def _all(who: Iterable[str] = PEOPLE, **others: str) -> dict[str, str]:
    """Yes to these, and something else to others."""
    return {one: others.get(one, YES) for one in PEOPLE if one in others or one in who}


def _only(*who: str, otherwise: str, **others: str) -> dict[str, str]:
    """Yes to nobody but these."""
    return {one: others.get(one, YES if one in who else otherwise) for one in PEOPLE}


_LOOK: Final = _all(removed="was-removed")
_LOOK_IN: Final = _only(*_SEATED, otherwise="no-spectators", removed="was-removed")
_OWN: Final = _all(bot="bots-may-not")
_OF_PLAYER: Final = _only("player", otherwise="not-found", bot="bots-may-not")

_CHECK: Final = {"ruleset": "sabra", "rack": "r1 r2 r3", "after": ["r1 r2 r3"]}
_SOLVE: Final = {"ruleset": "sabra", "rack": "r1 r2 r3"}

_REQUESTS: Final = (
    Row("POST /api/rooms", _all(), body={"players": 2}),
    Row("GET /api/rooms", _all()),
    Row("GET /api/rooms/{id}", _LOOK),
    Row("GET /api/rooms/{id}", _LOOK_IN, SHUT, "closed door"),
    Row("POST /api/rooms/{id}/commands", _all(), "whatever its answer is",
        body={"id": "c1", "on": 0, "command": {"kind": "stand", "seat": 3}}),
    Row("GET /api/rooms/{id}/matches", _LOOK),
    Row("GET /api/rooms/{id}/matches", _LOOK_IN, SHUT, "closed door"),
    Row("GET /api/rooms/{id}/matches", _LOOK_IN, "before a rematch, without spectators so far", "closed door, again"),
    Row("GET /api/rooms/{id}/record", _LOOK, "of a match that is over", "over"),
    Row("GET /api/rooms/{id}/record", _all((), **dict.fromkeys(PEOPLE, "no-record") | {"removed": "was-removed"}),
        "before that", "playing"),
    Row("GET /api/rooms/{id}/record", _LOOK_IN, "of a match that is over and had no spectators", "closed door, again"),
    Row("GET /api/rooms/{id}/qr.svg", _LOOK),
    Row("GET /api/rooms/{id}/qr.svg", _LOOK_IN, SHUT, "closed door"),
    Row("GET /api/me", _all()),
    Row("PATCH /api/me", _all(), body={"name": "Somebody New"}),
    Row("DELETE /api/me", _OWN),
    Row("GET /api/me/export", _OWN),
    Row("GET /api/me/rooms", _all()),
    Row("POST /api/me/link", _OWN),
    Row("POST /api/link", _OWN, "with a link that somebody gave", body={"token": "{link}"}),
    Row("POST /api/me/locals", _OWN, body={"name": "Granny"}),
    Row("DELETE /api/me/locals/{id}", _OF_PLAYER, "a local of the player's"),
    Row("GET /api/me/tokens", _OWN),
    Row("POST /api/me/tokens", _OWN, body={"label": "Robby"}),
    Row("DELETE /api/me/tokens/{id}", _OF_PLAYER, "a bot of the player's"),
    *(Row(f"GET /api/{what}", _all()) for what in ("rulesets", "bots", "phrases", "schema")),
    Row("GET /api/rulesets/{ruleset}/rules", _all()),
    Row("POST /api/check", _all(), body=_CHECK),
    Row("POST /api/solve", _all(), body=_SOLVE),
    *(Row(f"GET /{what}", _all()) for what in ("healthz", "readyz", "metrics")),
)  # fmt: skip

REQUESTS: Final = tuple(replace(row, changes=False) for row in _REQUESTS)
"""Every request of the REST API."""

_NOT_YOURS: Final = _only("player", otherwise="not-a-seat-of-yours", removed="was-removed")

MESSAGES: Final = (
    Row("connect", _LOOK, changes=False),
    Row("connect", _LOOK_IN, SHUT, "closed door", changes=False),
    Row("command", _NOT_YOURS | {"stranger": "not-seated"}, "a move of the seat", "playing",
        {"id": "c1", "on": 2**31 - 1, "command": {"kind": "draw", "seat": 1}}),
    Row("draft", _NOT_YOURS, "of the seat", "playing", {"on": 2**31 - 1, "seat": 1, "table": None}),
    Row("hint", _NOT_YOURS | {"stranger": "not-seated"}, "for the seat", "playing",
        {"id": "h1", "on": 2**31 - 1, "seat": 1, "level": "nudge"}),
    Row("phrase", _NOT_YOURS, "of the seat", "playing", {"seat": 1, "phrase": "hello"}),
    Row("show", _NOT_YOURS, "the seat's rack", "playing", {"seat": 1}),
    Row("resume", _LOOK, "", "playing", {"version": 1}, changes=False),
    Row("ping", _LOOK, changes=False),
)  # fmt: skip
"""Every message of the WebSocket."""

_SEATS: Final = _only("player", otherwise="not-a-seat-of-yours")
_HOSTS: Final = _only("host", otherwise="not-host")
_TABLES: Final = _only(*_SEATED, otherwise="not-seated")

COMMANDS: Final = (
    Row("sit", _all(removed="was-removed"), "on a free seat", body={"seat": 3}),
    Row("sit", _all((), **dict.fromkeys(PEOPLE, "seat-taken") | {"player": "already-seated", "removed": "was-removed"}),
        "where the player sits", body={"seat": 1}),
    Row("sit", _only("player", otherwise="no-such-player"), "for a local of the player's",
        body={"seat": 3, "player": "{local}"}),
    Row("stand", _SEATS, body={"seat": 1}),
    Row("ready", _SEATS, body={"seat": 1, "ready": True}),
    Row("word", _SEATS, body={"seat": 1, "word": "luck"}),
    Row("remove", _HOSTS, body={"seat": 1}),
    Row("seat-bot", _HOSTS, body={"seat": 3, "bot": "greedy"}),
    Row("change", _HOSTS, body={"setup": {"players": 4}}),
    Row("start", _HOSTS),
    Row("close", _HOSTS, "before the start"),
    Row("play", _SEATS, "", "playing", {"seat": 1, "table": []}, ("illegal",)),
    Row("draw", _SEATS, "", "playing", {"seat": 1}),
    Row("pass", _SEATS, "", "playing", {"seat": 1}, ("must-draw",)),
    Row("leave", _SEATS, "", "playing", {"seat": 1}),
    Row("return", _SEATS, "", "left", {"seat": 1}),
    Row("sit-in", _TABLES, "for somebody who is gone", "gone", {"seat": 2}),
    Row("sit-in", _only(otherwise="not-seated", **dict.fromkeys(_SEATED, "player-present")),
        "for somebody who is there", "there", {"seat": 1}),
    Row("next-round", _TABLES, "", "round over"),
    Row("call", _SEATS, "", "race", {"seat": 1, "tile": "r5"}),
    Row("tap", _SEATS, "", "race called", {"seat": 1, "tile": "r6"}, ("caller-only-calls",)),
    Row("rematch", _TABLES, "", "over"),
    Row("close", _HOSTS, "when the match is over", "over"),
)  # fmt: skip
"""Every command, by whichever door it comes."""


def markdown() -> str:
    """The table as it stands in the documentation."""
    lines = ["| | is |", "|---|---|", *(f"| {who} | {is_} |" for who, is_ in PEOPLE.items()), ""]
    for title, rows in (("request", REQUESTS), ("message of the WebSocket", MESSAGES), ("command", COMMANDS)):
        lines += [f"| {title} | {' | '.join(PEOPLE)} |", f"|---{'|:-:' * len(PEOPLE)}|"]
        for row in rows:
            cells = (row.cells[who] for who in PEOPLE)
            lines.append(f"| {row.label} | {' | '.join(one if one == YES else f'`{one}`' for one in cells)} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(markdown())
