"""The contract of `check` and `solve`: JSON in, JSON out, and errors of one line that name the field.

The command line and the server are doors to it; other programs use it, so that it stays as it is.

>>> case = {"ruleset": "sabra", "table": ["b8 b9 b10"], "rack": "b11", "after": ["b8 b9 b10 b11"]}
>>> judged(read_case(case))
{'legal': True, 'violations': [], 'laid': 'b11', 'points': 11}
>>> read_case({**case, "rack": "x5"})
Traceback (most recent call last):
tilerummy.contract.BadInput: rack: 'x5' has no known colour: r, b, k or y
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tilerummy.legality import Verdict
from tilerummy.legality import check as judge
from tilerummy.melds import Broken, Draft, Table, draft, draft_text, pieces, read
from tilerummy.record import check_tiles, read_house, read_table
from tilerummy.rulesets import RULESETS, BadRuleset, Ruleset, ruleset
from tilerummy.solver import Objective, Query, Solution, explain
from tilerummy.solver.copies import with_copies
from tilerummy.texts import sentence
from tilerummy.texts import steps as in_words
from tilerummy.tiles import Tile, Unreadable, shorten, text, tile, tiles

__all__ = [
    "BadInput",
    "Case",
    "Goal",
    "choice",
    "decoded",
    "flag",
    "judged",
    "melds",
    "object_of",
    "one_line",
    "read_case",
    "read_query",
    "refuse_unknown",
    "rules_of",
    "rules_written",
    "solved",
    "some_tiles",
    "steps_of",
    "verdict_of",
]

_MAX_DIGITS: Final = 18
_MAX_MESSAGE: Final = 600
_CASE: Final = ("ruleset", "house", "opened", "all_opened", "table", "rack", "after", "after_rack")
_QUERY: Final = ("ruleset", "house", "opened", "all_opened", "objective", "table", "rack")


class BadInput(ValueError):
    """Something from outside that cannot be used; the message names the field and the reason."""

    @property
    def field(self) -> str:
        """The field that is wrong."""
        return str(self).partition(": ")[0]

    @property
    def reason(self) -> str:
        """What is wrong with it."""
        return str(self).partition(": ")[2] or str(self)


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


def _table(before: Draft, rules: Ruleset) -> Table:
    """The melds of a table, or raise BadInput with the one that is none and a sentence why."""
    try:
        return read_table(before, rules)
    except Unreadable as error:
        found = ((part, read(part, rules.numbers, rules.groups)) for part in before)
        part, broken = next((part, broken) for part, broken in found if isinstance(broken, Broken))
        args = {"reason": broken.reason, "meld": draft_text([part])}
        why = "" if broken.choices else f" ({sentence('meld', args, rules, 'en')})"
        raise BadInput(f"{error}{why}") from None


def _needed(given: Mapping[str, object], field: str) -> object:
    if field not in given:
        raise BadInput(f"{field}: missing")
    return given[field]


def _text(value: object, field: str, expected: str) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{field}: {expected}, not {_kind(value)}")
    return value


# Plays


@dataclass(frozen=True, slots=True)
class Case:
    """A play to be judged."""

    rules: Ruleset
    table: Table
    rack: tuple[Tile, ...]
    after: Draft
    opened: bool
    all_opened: bool


def read_case(given: Mapping[str, object]) -> Case:
    """Read a play, or raise BadInput with the field and the reason."""
    refuse_unknown(given, _CASE)
    rules = rules_of(given)
    opened, all_opened = flag(given, "opened", True), flag(given, "all_opened", True)
    before = melds({"table": [], **given}, "table", rules.total)
    rack = some_tiles(given, "rack")
    after = melds(given, "after", rules.total)
    on_table = [piece.tile for meld in before for piece in meld]
    on_after = [piece.tile for meld in after for piece in meld]
    try:
        check_tiles(on_table, rules, "table")
        table = _table(before, rules)
        check_tiles([*on_table, *rack], rules, "rack")
        check_tiles(on_after, rules, "after")
        if "after_rack" in given:
            after_rack = some_tiles(given, "after_rack")
            check_tiles(after_rack, rules, "after_rack")
            _balance([*on_table, *rack], [*on_after, *after_rack])
    except Unreadable as error:
        raise BadInput(str(error)) from None
    return Case(rules, table, rack, after, opened, all_opened)


def _balance(before: list[Tile], after: list[Tile]) -> None:
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    if gone or come:
        said = [f"{text(sorted(gone.elements()))} is nowhere afterwards"] if gone else []
        said += [f"{text(sorted(come.elements()))} was nowhere before"] if come else []
        raise BadInput(f"after_rack: does not balance with rack, table and after: {' and '.join(said)}")


def verdict_of(case: Case) -> Verdict:
    """Judge a play."""
    return judge(case.table, case.rack, case.after, case.rules, opened=case.opened, all_opened=case.all_opened)


def judged(case: Case, lang: str = "en") -> dict[str, object]:
    """The answer to a play, as JSON."""
    verdict = verdict_of(case)
    return {
        "legal": verdict.legal,
        "violations": [
            {
                "code": broken.code,
                "tiles": text(broken.tiles),
                "message": sentence(broken.code, broken.args, case.rules, lang),
                **({"args": dict(broken.args)} if broken.args else {}),
            }
            for broken in verdict.violations
        ],
        "laid": text(sorted(verdict.laid)),
        "points": verdict.points,
    }


# Positions


class Goal(StrEnum):
    """What the best play has most of."""

    TILES = "tiles"
    POINTS = "points"


def read_query(given: Mapping[str, object]) -> Query:
    """Read a position, or raise BadInput with the field and the reason."""
    refuse_unknown(given, _QUERY)
    rules = rules_of(given)
    opened, all_opened = flag(given, "opened", True), flag(given, "all_opened", True)
    objective = Objective(choice(given, "objective", tuple(Goal)))
    before = melds({"table": [], **given}, "table", rules.total)
    rack = some_tiles(given, "rack")
    on_table = [piece.tile for meld in before for piece in meld]
    try:
        check_tiles(on_table, rules, "table")
        table = _table(before, rules)
        check_tiles([*on_table, *rack], rules, "rack")
    except Unreadable as error:
        raise BadInput(str(error)) from None
    return Query(rules, table, rack, opened, opened and all_opened, objective)


def solved(query: Query, solution: Solution, lang: str = "en", *, steps: bool = True) -> dict[str, object]:
    """The answer to a position, as JSON; `steps` tells how to get there, in a language."""
    after, laid = with_copies(query, solution)
    return {
        "tiles": solution.tiles,
        "points": solution.points,
        "laid": text(sorted(laid)),
        **({"taken": text(solution.taken)} if solution.taken else {}),
        "after": [" ".join(map(str, meld)) for meld in after],
        "unchanged": solution.unchanged,
        **({"steps": steps_of(query, solution, lang)} if steps else {}),
        "proven": solution.proven,
        "nodes": solution.nodes,
        "micros": round(solution.micros, 1),
    }


def steps_of(query: Query, solution: Solution, lang: str) -> list[str]:
    """The play in steps, in a language."""
    done = explain(query.table, solution.after) if solution.tiles else []
    return in_words(query.table, done, query.rules, lang)
