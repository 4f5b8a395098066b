"""Reading what came in: a message, or one sentence about what is wrong with it that names the field.

>>> parse('{"type": "resume", "version": 7}')
Resume(type='resume', version=7)
>>> parse('{"type": "resume", "version": "7"}').message
'version must be a whole number'
>>> error = parse('{"type": "command", "id": "a1", "on": 3, "command": {"kind": "play", "seat": 0}}')
>>> error.id, error.field, error.message
('a1', 'command.table', 'command.table is missing')
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import from_json

from tilerummy.protocol.base import PATTERNS, SAID
from tilerummy.protocol.commands import BadField
from tilerummy.protocol.messages import CLIENT_MESSAGE, SERVER_MESSAGE, ClientMessage, ErrorMessage, ServerMessage
from tilerummy.rulesets import RULES, allowed
from tilerummy.tiles import shorten

__all__ = ["BAD_MESSAGE", "blame", "parse", "parse_server"]

BAD_MESSAGE: Final = "bad-message"
"""The code of an error about a message that cannot be read."""

_MOST: Final = 200  # errors in one message
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]{1,40}")

_REASONS: Final[Mapping[str, str]] = {
    "missing": "is missing",
    "extra_forbidden": "is not a field here",
    "string_type": "must be text",
    "string_too_long": "must have at most {max_length} characters",
    "string_too_short": "must have at least {min_length} characters",
    "string_unicode": "must be text without broken signs",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "must be a smaller number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "too_long": "must have at most {max_length} entries",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "union_tag_invalid": "must be one of {expected_tags}",
    "union_tag_not_found": "is missing",
}


def parse(text: str | bytes) -> ClientMessage | ErrorMessage:
    """Read what a client sent, or say what is wrong with it."""
    try:
        return CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        if error.error_count() > _MOST:  # to tell them all, of which one is told, would take long
            return ErrorMessage(code=BAD_MESSAGE, field="body", message="body is wrong in too many ways")
        first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return ErrorMessage(code=BAD_MESSAGE, field=None, message="the message is not JSON")
    loc = first["loc"][1:]  # it begins with the message's type
    if not loc and first["type"] in ("model_attributes_type", "dict_type", "model_type"):
        return ErrorMessage(code=BAD_MESSAGE, field=None, message="the message must be a JSON object")
    bad = blame({**first, "loc": loc})
    return ErrorMessage(code=BAD_MESSAGE, field=bad.field, message=bad.message, id=_id(text))


def parse_server(text: str | bytes) -> ServerMessage | None:
    """Read what the server sent; None for a message of a newer server, whose unknown fields are passed over too."""
    try:
        return SERVER_MESSAGE.validate_json(text, extra="ignore")
    except ValidationError as error:
        if any(one["type"] == "union_tag_invalid" and not one["loc"] for one in error.errors(include_url=False)):
            return None
        raise


def blame(error: Mapping[str, Any]) -> BadField:
    """The field that one of pydantic's errors is about, and a sentence about it."""
    kind, context = error["type"], error.get("ctx", {})
    path = _path(error["loc"])
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        path.append(str(context["discriminator"]).strip("'"))
        context = {**context, "expected_tags": str(context.get("expected_tags", "")).replace("'", "")}
    field = ".".join(path) or "body"
    if path[-2:-1] == ["house"]:
        reason = _of_rule(path[-1])
    elif kind == SAID:
        reason = error["msg"]
    elif kind == "string_pattern_mismatch":
        reason = PATTERNS[context["pattern"]]
    elif kind == "string_too_short" and context["min_length"] == 1:
        reason = "must not be empty"
    else:
        reason = _REASONS.get(kind, "cannot be used here").format_map(context)
    return BadField(field, f"{field} {reason}")


def _of_rule(name: str) -> str:
    """A house rule has a value that is none, or there is no such rule."""
    return f"must be {allowed(name)}" if name in RULES else f"is no rule; the rules are {', '.join(RULES)}"


def _path(loc: Sequence[str | int]) -> list[str]:
    """The way to a field as its sender knows it: without the names of the kinds that pydantic puts in between."""
    path: list[str] = []
    for place, part in enumerate(loc):
        if place and loc[place - 1] == "command" and path == ["command"]:
            continue  # the command's kind
        if path[-2:-1] == ["house"]:
            break  # a value is one thing, whatever its forms
        written = str(part)
        path.append(written if _PLAIN.fullmatch(written) else shorten(written))
    return path


def _id(text: str | bytes) -> str | None:
    given = from_json(text)
    found = given.get("id") if isinstance(given, dict) else None
    return found if isinstance(found, str) and _ID.fullmatch(found) else None
