"""What every message is made of: strict, bounded, frozen models and the small types in them."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, LiteralString

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError, PydanticKnownError

from tilerummy.deal import MAX_WORD
from tilerummy.game import MAX_ROUNDS

__all__ = [
    "BOUNDED",
    "ID",
    "LATER",
    "MAX_FRAME",
    "MAX_MELD",
    "MAX_MELDS",
    "MAX_RULES",
    "MAX_SEATS",
    "PATTERNS",
    "SAID",
    "BotName",
    "Count",
    "House",
    "Id",
    "Instant",
    "Level",
    "MeldText",
    "Message",
    "Rounds",
    "SeatNumber",
    "TableText",
    "TileText",
    "Version",
    "Word",
    "said",
]

MAX_FRAME: Final = 65_536
"""The most bytes of a frame, or of a request's body, that the server reads."""
MAX_MELDS: Final = 60
MAX_MELD: Final = 200
MAX_SEATS: Final = 6
MAX_RULES: Final = 40


def _needs_tag(schema: dict[str, Any]) -> None:
    """Demand `type` or `kind`: it has a default only for those who make a message in Python."""
    tags = [tag for tag in ("type", "kind") if "const" in schema.get("properties", {}).get(tag, {})]
    for tag in tags:
        schema["properties"][tag].pop("default", None)
        schema["required"] = [tag, *(name for name in schema.get("required", []) if name != tag)]


class Message(BaseModel):
    """Anything that travels: no unknown fields, no conversions, no changes afterwards."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra=_needs_tag,
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
        protected_namespaces=(),
    )


ID: Final = r"^[A-Za-z0-9_-]{1,64}$"
_BOT: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$"
PATTERNS: Final[Mapping[str, str]] = {
    ID: "must have 1 to 64 letters from a to z, digits, - or _",
    _BOT: "must be a bot's name: 1 to 40 letters from a to z, digits, dots, - or _",
}
"""What a text has to be like that does not fit a pattern."""

Id = Annotated[str, StringConstraints(pattern=ID)]
"""An id that its sender chose, or was given."""
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""How many events a room has had."""
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
"""A seat, counted from 0."""
Count = Annotated[int, Field(ge=0)]
"""How many of something there are."""
Rounds = Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
"""How many rounds a match has."""
Instant = Annotated[float, Field(ge=0)]
"""A moment on the server's clock, in seconds of unix time."""
MeldText = Annotated[str, StringConstraints(max_length=MAX_MELD)]
"""A meld as written: tiles with blanks between them, jokers named where it matters."""
TableText = Annotated[list[MeldText], Field(max_length=MAX_MELDS)]
"""A table: its melds."""
TileText = Annotated[str, StringConstraints(min_length=1, max_length=8)]
"""One tile as written."""
Word = Annotated[str, StringConstraints(max_length=MAX_WORD)]
"""A player's word for the shuffle."""
BotName = Annotated[str, StringConstraints(pattern=_BOT)]
"""The name of a bot."""
Level = Literal["nudge", "point", "reveal"]
"""How much a hint tells."""


def _bounded(value: Any) -> Any:
    """Refuse an object of very many entries before each of them is refused in every way that there is."""
    if isinstance(value, dict) and len(value) > MAX_RULES:
        found = {"field_type": "Dictionary", "max_length": MAX_RULES, "actual_length": len(value)}
        raise PydanticKnownError("too_long", found)
    return value


SAID: Final = "said"
"""The type of an error whose message is the sentence to tell."""


def said(sentence: LiteralString) -> WrapValidator:
    """For values of several forms: one sentence for whatever is wrong, not one for each form that it is not."""

    def read(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError:
            raise PydanticCustomError(SAID, sentence) from None

    return WrapValidator(read)


LATER: Final = ConfigDict(defer_build=True)
"""For unions that no server reads or writes: they are made when somebody does, and not while a server starts."""
BOUNDED: Final = BeforeValidator(_bounded)
"""For objects whose entries may be wrong in several ways each."""
_RuleName = Annotated[str, StringConstraints(min_length=1, max_length=40)]
_RuleValue = bool | Annotated[int, Field(ge=-1_000_000, le=1_000_000)] | Annotated[str, Field(max_length=40)]
House = Annotated[dict[_RuleName, _RuleValue], Field(max_length=MAX_RULES), BOUNDED]
"""House rules: fields of the ruleset and their values."""
