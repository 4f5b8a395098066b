"""The codes by which a program knows what is wrong; those of refusals are the game's, the race's and the room's own.

A newer server may have more of them, so that no reader refuses one that it does not know.
"""

from collections.abc import Mapping
from typing import Final, Literal, get_args

__all__ = ["BYES", "ERRORS", "PROBLEMS", "ErrorCode", "ProblemCode"]

ErrorCode = Literal[
    "bad-message",
    "bad-command",
    "bad-table",
    "not-seated",
    "not-a-seat-of-yours",
    "not-your-turn",
    "too-hard",
    "unavailable",
]
"""Of an error over the WebSocket."""

ERRORS: Final[tuple[ErrorCode, ...]] = get_args(ErrorCode)

BYES: Final[Mapping[str, int]] = {
    "restart": 1001,
    "too-slow": 1013,
    "unavailable": 1013,
    "bad-messages": 1008,
    "was-removed": 1000,
    "no-spectators": 1000,
    "forgotten": 1000,
}
"""Of a connection that the server ends, with the WebSocket's own code that goes with each."""

ProblemCode = Literal[
    "bad-request",
    "bad-token",
    "forbidden",
    "foreign-origin",
    "bots-may-not",
    "was-removed",
    "no-spectators",
    "not-found",
    "no-such-room",
    "no-record",
    "race-has-no-record",
    "link-used",
    "method-not-allowed",
    "too-slow",
    "conflict",
    "too-many",
    "too-large",
    "not-json",
    "bad-input",
    "bad-setup",
    "bad-name",
    "too-hard",
    "slow-down",
    "our-bug",
    "not-ready",
    "busy",
    "full",
    "restart",
    "store-away",
]
"""Of a request that is answered with an error."""

PROBLEMS: Final[Mapping[ProblemCode, tuple[int, str]]] = {
    "bad-request": (400, "The request cannot be read."),
    "bad-token": (401, "The bot token is not known."),
    "forbidden": (403, "That is not allowed."),
    "foreign-origin": (403, "A page of another origin may not use this server."),
    "bots-may-not": (403, "Bots may not do this; their owner may."),
    "was-removed": (403, "The host has sent you away from this table."),
    "no-spectators": (403, "This table has no spectators while it plays."),
    "not-found": (404, "There is nothing here by this name."),
    "no-such-room": (404, "No room has this id or code."),
    "no-record": (404, "No such match is over yet."),
    "race-has-no-record": (404, "A race has no record."),
    "link-used": (404, "The link was used already, or is too old."),
    "method-not-allowed": (405, "This cannot be done here; the header Allow says what can."),
    "too-slow": (408, "The request took too long to arrive."),
    "conflict": (409, "That cannot be done now."),
    "too-many": (409, "There are as many of these as one may have."),
    "too-large": (413, "The request is too large."),
    "not-json": (415, "JSON is expected."),
    "bad-input": (422, "A field is wrong; the error names it."),
    "bad-setup": (422, "The setup makes no sense; the error names the field to change."),
    "bad-name": (422, "That is no name; the error says why."),
    "too-hard": (422, "This takes too long here."),
    "slow-down": (429, "Too many requests; Retry-After says when to come back."),
    "our-bug": (500, "A bug of ours; the request id says which."),
    "not-ready": (503, "Not ready."),
    "busy": (503, "Too many questions are waiting for an answer; try again in a moment."),
    "full": (503, "Every table is taken; try again later."),
    "restart": (503, "The server is going away; try again in a moment."),
    "store-away": (503, "The store is out of reach; try again."),
}
"""The status that goes with each, and what it means; the first of a status stands where nothing more is known."""
