"""What comes in from outside: bounded reading, strict JSON, and errors of one line that name the field."""

import json
import math
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Final, cast

from tilerummy.melds import Draft, draft, pieces
from tilerummy.record import read_house
from tilerummy.rulesets import RULESETS, BadRuleset, Ruleset, ruleset
from tilerummy.tiles import Tile, Unreadable, shorten, tile, tiles

__all__ = [
    "MAX_BYTES",
    "BadInput",
    "batches",
    "choice",
    "decoded",
    "flag",
    "lines",
    "melds",
    "object_of",
    "one_line",
    "read_bytes",
    "refuse_unknown",
    "rules_of",
    "rules_written",
    "some_tiles",
]

MAX_BYTES: Final = 1_000_000
_CHUNK: Final = 1 << 16
_MAX_DIGITS: Final = 18
_MAX_MESSAGE: Final = 600


class BadInput(ValueError):
    """Something from outside that cannot be used; the message names the field and the reason."""


class _NoNumber:
    """A number that is none of JSON's, or beyond all use; whatever field holds it will refuse it."""

    def __init__(self, said: str) -> None:
        self.said = said

    def __str__(self) -> str:
        """Return what an error calls it."""
        return self.said


def one_line(message: str) -> str:
    """A message on one line, of bearable length, with nothing in it that a terminal would obey."""
    line = "".join(sign if sign.isprintable() else " " for sign in " ".join(message.split()))
    return line if len(line) <= _MAX_MESSAGE else line[:_MAX_MESSAGE] + "…"


# Bytes


@contextmanager
def _source(path: Path | None) -> Iterator[BufferedReader]:
    """Standard input, for no path or `-`, or a file."""
    if path is None or str(path) == "-":
        if sys.stdin is None:
            raise BadInput("input: standard input is closed")
        if sys.stdin.isatty():
            print("tilerummy: reading from the terminal; Ctrl-D ends it", file=sys.stderr)
        yield cast(BufferedReader, sys.stdin.buffer)
        return
    try:
        with path.open("rb") as file:
            yield file
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it cannot be opened"
        raise BadInput(f"FILE: {shorten(os.fspath(path))}: {reason}") from None


def read_bytes(path: Path | None) -> bytes:
    """Read all of it, or refuse what is too long without reading on."""
    with _source(path) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadInput(f"input: longer than {MAX_BYTES} bytes")
    return data


def lines(path: Path | None) -> Iterator[bytes | BadInput]:
    """Each line, as soon as it is there; one that is too long comes as the error it is."""
    for some in batches(path, 1):
        yield from some


def batches(path: Path | None, most: int) -> Iterator[list[bytes | BadInput]]:
    """The lines that are there already, at most so many at a time; nobody waits for more to come before an answer."""
    with _source(path) as file:
        ready: list[bytes | BadInput] = []
        begun = _Begun()
        while chunk := file.read1(_CHUNK):
            *whole, rest = chunk.split(b"\n")
            for part in whole:
                ready.append(begun.ended(part))
                if len(ready) == most:
                    yield ready
                    ready = []
            begun.add(rest)
            if ready:
                yield ready
                ready = []
        if begun.size:
            yield [begun.ended(b"")]


class _Begun:
    """A line whose end has not come yet; of one that is too long, only its length is kept."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, part: bytes) -> None:
        self.size += len(part)
        if self.size > MAX_BYTES:
            self.parts = []
        elif part:
            self.parts.append(part)

    def ended(self, part: bytes) -> bytes | BadInput:
        """The whole line; the next one begins."""
        self.add(part)
        line, size = b"".join(self.parts), self.size
        self.parts, self.size = [], 0
        return line if size <= MAX_BYTES else BadInput(f"input: a line longer than {MAX_BYTES} bytes")


def decoded(data: bytes) -> str:
    """Read bytes as UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"input: not UTF-8 text (byte {error.start + 1})") from None


# JSON


def object_of(data: bytes) -> dict[str, object]:
    """Read one JSON object; NaN, endless numbers and keys written twice do not pass."""
    text = decoded(data)
    if not text.strip():
        raise BadInput("input: empty; a JSON object is expected")
    try:
        found: object = json.loads(
            text, object_pairs_hook=_once, parse_int=_whole, parse_float=_finite, parse_constant=_NoNumber
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadInput(f"input: no JSON ({error.msg[:1].lower()}{error.msg[1:]}; {where})") from None
    except RecursionError:
        raise BadInput("input: nested too deeply") from None
    if not isinstance(found, dict):
        raise BadInput(f"input: a JSON object is expected, not {_kind(found)}")
    return found


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise BadInput(f"{_key(key)}: written twice")
        found[key] = value
    return found


def _whole(digits: str) -> int | _NoNumber:
    return int(digits) if len(digits) <= _MAX_DIGITS else _NoNumber(f"a number of {len(digits)} digits")


def _finite(digits: str) -> float | _NoNumber:
    number = float(digits)
    return number if math.isfinite(number) else _NoNumber(f"a number as large as {digits[:24]}")


def _key(key: str) -> str:
    """A field as an error names it: bare if it is a plain word."""
    plain = key.isascii() and key.replace("_", "").isalnum() and len(key) <= 24
    return key if plain else shorten(key)


def _kind(value: object) -> str:
    """What a wrong value is called."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return shorten(value)
        case list():
            return "a list"
        case dict():
            return "an object"
        case _NoNumber():
            return str(value)
        case _:
            return f"the number {str(value)[:24]}"


# Fields


def refuse_unknown(given: Mapping[str, object], known: Collection[str]) -> None:
    """Refuse the first field that nobody knows, by its name."""
    for key in given:
        if key not in known:
            raise BadInput(f"{_key(key)}: no such field; there are {', '.join(known)}")


def flag(given: Mapping[str, object], field: str, default: bool) -> bool:
    """A field that is true or false."""
    value = given.get(field, default)
    if not isinstance(value, bool):
        raise BadInput(f"{field}: true or false, not {_kind(value)}")
    return value


def choice(given: Mapping[str, object], field: str, choices: Sequence[str]) -> str:
    """A field that is one of some words; without it the first of them."""
    value = given.get(field, choices[0])
    if not isinstance(value, str) or value not in choices:
        raise BadInput(f"{field}: {' or '.join(choices)}, not {_kind(value)}")
    return value


def rules_of(given: Mapping[str, object]) -> Ruleset:
    """The ruleset with its house rules, from the fields `ruleset` and `house`."""
    if "ruleset" not in given:
        raise BadInput(f"ruleset: missing; one of {', '.join(RULESETS)}")
    id, house = given["ruleset"], given.get("house", {})
    if not isinstance(id, str):
        raise BadInput(f"ruleset: one of {', '.join(RULESETS)}, not {_kind(id)}")
    if not isinstance(house, dict):
        raise BadInput(f"house: an object of rules, not {_kind(house)}")
    for key, value in house.items():
        if value is None or isinstance(value, list | dict | _NoNumber):
            raise BadInput(f"house.{_key(key)}: a number, a word, true or false, not {_kind(value)}")
    try:
        return ruleset(id, house)
    except BadRuleset as error:
        raise BadInput(str(error)) from None


def rules_written(id: str, house: Sequence[str]) -> Ruleset:
    """The ruleset with house rules written as `field=value`."""
    try:
        return ruleset(id, read_house([word for part in house for word in part.split()]))
    except BadRuleset as error:
        raise BadInput(str(error)) from None


def some_tiles(given: Mapping[str, object], field: str) -> tuple[Tile, ...]:
    """Tiles: one text, or a list of tiles."""
    value = _needed(given, field)
    try:
        if isinstance(value, str):
            return tiles(value)
        if isinstance(value, list):
            return tuple(tile(_text(one, field, "a tile")) for one in value)
    except Unreadable as error:
        raise BadInput(f"{field}: {error}") from None
    raise BadInput(f"{field}: tiles as text or a list, not {_kind(value)}")


def melds(given: Mapping[str, object], field: str, most: int) -> Draft:
    """A table: one text with ` | ` between melds, or a list of melds; at most so many."""
    value = _needed(given, field)
    if not isinstance(value, str | list):
        raise BadInput(f"{field}: melds as text or a list, not {_kind(value)}")
    count = value.count("|") + 1 if isinstance(value, str) else len(value)
    if count > most:
        raise BadInput(f"{field}: {count} melds, but there are only {most} tiles")
    try:
        if isinstance(value, str):
            return draft(value)
        return tuple(pieces(_text(one, field, "a meld as text")) for one in value)
    except Unreadable as error:
        raise BadInput(f"{field}: {error}") from None


def _needed(given: Mapping[str, object], field: str) -> object:
    if field not in given:
        raise BadInput(f"{field}: missing")
    return given[field]


def _text(value: object, field: str, expected: str) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{field}: {expected}, not {_kind(value)}")
    return value
