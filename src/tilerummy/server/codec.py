"""The stored form of rooms: commands and events as plain JSON, tiles and melds in the notation.

>>> from tilerummy.server.events import Happened, Move, RoomCommand
>>> from tilerummy.state import Drew, Pass
>>> from tilerummy.tiles import tiles
>>> dump_event(Happened(Drew(2, tiles("r5'"), 0)))
('Happened', {'event': {'kind': 'Drew', 'seat': 2, 'tiles': "r5'", 'stars': 0}})
>>> load_event(SCHEMA, "Sat", {"seat": 1, "player": "ada"})
Sat(seat=1, player='ada')
>>> load(RoomCommand, dump(Move(Pass(0))))
Move(command=Pass(seat=0))

The form follows the type hints: a dataclass is an object, with its `kind` where there are several to choose from; a
field that has a default may be missing. A change that a default cannot bridge needs a new SCHEMA and an upcast from
the one before, so that games stored by an older version still fold.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints, overload

from tilerummy.melds import Broken, Meld, Piece, pieces, read
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.server.events import RoomEvent
from tilerummy.tiles import Tile, text, tile, tiles

__all__ = ["SCHEMA", "UPCASTS", "BadStored", "Upcast", "dump", "dump_event", "load", "load_event"]

SCHEMA: Final = 1

Upcast = Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]

UPCASTS: Final[dict[int, Upcast]] = {}
"""For each schema before this one, what makes an event of the next from one of its own: (kind, data) to the same."""

_T = TypeVar("_T")


class BadStored(ValueError):
    """Stored data that is none of ours, or of a version that is newer than this program."""


def dump(value: object) -> Any:
    """Return a dataclass, or anything that one is made of, as JSON can write it; a dataclass says its kind."""
    data = _form(type(value)).dump(value)
    return {"kind": type(value).__name__, **data} if is_dataclass(value) and isinstance(data, dict) else data


@overload
def load(kind: type[_T], data: Any) -> _T: ...
@overload
def load(kind: UnionType, data: Any) -> Any: ...
def load(kind: Any, data: Any) -> Any:
    """Read a value of this class, or of one of the classes of a union, or raise BadStored."""
    try:
        return _form(kind).load(data)
    except BadStored:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise BadStored(f"no {getattr(kind, '__name__', kind)}: {error}") from error


def dump_event(event: RoomEvent) -> tuple[str, dict[str, Any]]:
    """Return the kind and the data of an event, as SCHEMA has them."""
    return type(event).__name__, _form(type(event)).dump(event)


def load_event(schema: int, kind: str, data: Mapping[str, Any]) -> RoomEvent:
    """Read an event that was stored under this schema, or raise BadStored."""
    if not 1 <= schema <= SCHEMA:
        raise BadStored(f"an event of schema {schema}; this program reads 1 to {SCHEMA}")
    now = dict(data)
    for before in range(schema, SCHEMA):
        kind, now = UPCASTS[before](kind, now)
    return cast("RoomEvent", load(RoomEvent, {**now, "kind": kind}))


class _Form(NamedTuple):
    """How values of a type are written and read."""

    dump: Callable[[Any], Any]
    load: Callable[[Any], Any]


def _form(hint: Any) -> _Form:
    if hint not in _FORMS:
        _FORMS[hint] = _make_form(hint)
    return _FORMS[hint]


def _make_form(hint: Any) -> _Form:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _union(args)
    if origin is tuple and args[1:] == (...,):
        return _sequence(_form(args[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _Form(_plain_mapping, _plain_mapping)
    if is_dataclass(hint):
        return _dataclass(cast("type", hint))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _Form(str, hint)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return _named_tuple(hint)
    raise TypeError(f"{hint} has no stored form")


def _is_a(kind: type) -> _Form:
    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise BadStored(f"{kind.__name__} expected, not {value!r:.40}")
        return value

    return _Form(check, check)


def _text_of(inner: Callable[[Any], str], read_text: Callable[[str], Any]) -> _Form:
    return _Form(inner, lambda data: read_text(_form(str).load(data)))


def _meld(written: str) -> Meld:
    meld = read(pieces(written))
    if isinstance(meld, Broken):
        raise BadStored(f"{written!r:.40} is no meld: {meld.reason}")
    return meld


def _ruleset(data: Any) -> Ruleset:
    return ruleset(data["id"], data["house"])


def _plain_mapping(value: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name): str(one) if isinstance(one, StrEnum) else one for name, one in value.items()}


_FORMS: Final[dict[Any, _Form]] = {
    bool: _is_a(bool),
    int: _is_a(int),
    str: _is_a(str),
    NoneType: _is_a(NoneType),
    Tile: _text_of(str, tile),
    Meld: _text_of(str, _meld),
    tuple[Tile, ...]: _text_of(text, tiles),
    tuple[Piece, ...]: _text_of(lambda some: " ".join(map(str, some)), pieces),
    Ruleset: _Form(lambda rules: {"id": rules.id, "house": _plain_mapping(rules.house)}, _ruleset),
}


def _sequence(inner: _Form) -> _Form:
    def load_all(data: Any) -> tuple[Any, ...]:
        if type(data) is not list:
            raise BadStored(f"a list expected, not {data!r:.40}")
        return tuple(map(inner.load, data))

    return _Form(lambda values: [inner.dump(value) for value in values], load_all)


def _named_tuple(kind: type) -> _Form:
    parts = [_form(hint) for hint in get_type_hints(kind).values()]

    def dump_parts(value: Any) -> list[Any]:
        return [part.dump(one) for part, one in zip(parts, value, strict=True)]

    def load_parts(data: Any) -> Any:
        return kind(*(part.load(one) for part, one in zip(parts, data, strict=True)))

    return _Form(dump_parts, load_parts)


def _dataclass(kind: type) -> _Form:
    hints = get_type_hints(kind)
    parts = {field.name: _form(hints[field.name]) for field in fields(kind)}
    needed = {field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING}

    def dump_fields(value: Any) -> dict[str, Any]:
        return {name: part.dump(getattr(value, name)) for name, part in parts.items()}

    def load_fields(data: Any) -> Any:
        if type(data) is not dict:
            raise BadStored(f"an object expected, not {data!r:.40}")
        given = {name: one for name, one in data.items() if name != "kind"}
        if data.get("kind", kind.__name__) != kind.__name__ or not needed <= given.keys() <= parts.keys():
            raise BadStored(f"no {kind.__name__}: {', '.join(map(str, data))}")
        return kind(**{name: parts[name].load(one) for name, one in given.items()})

    return _Form(dump_fields, load_fields)


def _union(args: tuple[Any, ...]) -> _Form:
    """Of several dataclasses each says its kind; of anything else there is one, or None."""
    others = [arg for arg in args if arg is not NoneType]
    kinds: dict[str, Any] = {kind.__name__: kind for kind in others if isinstance(kind, type) and is_dataclass(kind)}
    if len(others) == 1:
        inner = _form(others[0])
        return _Form(
            lambda value: None if value is None else inner.dump(value),
            lambda data: None if data is None else inner.load(data),
        )
    if len(kinds) < len(args):
        raise TypeError(f"{args} cannot be told apart")

    def load_kind(data: Any) -> Any:
        name = data.get("kind") if isinstance(data, dict) else None
        if name not in kinds:
            raise BadStored(f"one of {', '.join(kinds)} expected, not {data!r:.40}")
        return _form(kinds[name]).load(data)

    return _Form(lambda value: {"kind": type(value).__name__, **_form(type(value)).dump(value)}, load_kind)
