"""Positions and games as text: write, read, replay. docs/notation.md describes both forms.

>>> line = "sabra / b8 b9 b10 | r1 r2 j=r3 / b11 k8 y8 / all"
>>> write_position(read_position(line)) == line
True

A game is tag lines and one turn a line. A play names only the melds that are new; the melds that gave a tile to them
are gone, and all others lie as they lay.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from tilerummy.deal import BadSeed, tidy_word
from tilerummy.game import apply, begin, is_bot_name
from tilerummy.melds import Broken, Draft, Meld, Table, draft, draft_text, read, table_text
from tilerummy.rulesets import BadRuleset, Ruleset, house_text, ruleset
from tilerummy.scoring import match_totals
from tilerummy.solver import Query
from tilerummy.state import (
    Command,
    Draw,
    Event,
    HandOver,
    HintUsed,
    NextRound,
    Pass,
    Phase,
    Play,
    Refusal,
    State,
    Timeout,
    fold,
)
from tilerummy.tiles import Tile, Unreadable, shorten, text, tiles

__all__ = [
    "MAX_NAME",
    "MAX_RECORD",
    "MAX_TEXT",
    "BadRecord",
    "Record",
    "Step",
    "check_tiles",
    "read_house",
    "read_position",
    "read_record",
    "read_table",
    "write_position",
    "write_record",
]

MAX_TEXT: Final = 1_000_000
MAX_RECORD: Final = 50_000_000  # longer than any match that a room of the server has place for
MAX_NAME: Final = 40
_VERSION: Final = "1"


class BadRecord(ValueError):
    """A record that cannot be read or replayed: the line, counted from 1, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


# Positions

_STATUS: Final = {"new": (False, False), "opened": (True, False), "all": (True, True)}


def write_position(position: Query) -> str:
    """Write a position in one line: ruleset and house rules / table / rack / who has opened."""
    status = "new" if not position.opened else "all" if position.all_opened else "opened"
    rules = " ".join(filter(None, [position.rules.id, house_text(position.rules)]))
    return " / ".join([rules, table_text(position.table) or "-", text(position.rack) or "-", status])


def read_position(line: str) -> Query:
    """Read a position, or raise Unreadable, or BadRuleset, with the field and the reason."""
    fields = [part.strip() for part in line.split("/")]
    if len(line) > MAX_TEXT or len(fields) != 4:
        raise Unreadable("a position is: ruleset / table / rack / new, opened or all")
    named, table_part, rack_part, status = fields
    words = named.split() or [""]
    rules = ruleset(words[0], read_house(words[1:]))
    if status not in _STATUS:
        raise Unreadable(f"status: new, opened or all, not {shorten(status)}")
    table = read_table("" if table_part == "-" else table_part, rules)
    try:
        rack = tiles("" if rack_part == "-" else rack_part)
    except Unreadable as error:
        raise Unreadable(f"rack: {error}") from None
    check_tiles([*(tile for meld in table for tile in meld.tiles), *rack], rules, "rack")
    opened, all_opened = _STATUS[status]
    return Query(rules, table, rack, opened, all_opened)


def read_house(words: Sequence[str]) -> dict[str, str]:
    """Read house rules written as `field=value` words."""
    house: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name in house:
            raise BadRuleset("house", f"write each rule once, as field=value, not {shorten(word)}")
        house[name] = value
    return house


def read_table(written: str | Draft, rules: Ruleset) -> Table:
    """Read a table of valid melds, or raise Unreadable with the meld and the reason."""
    try:
        proposed = draft(written) if isinstance(written, str) else written
    except Unreadable as error:
        raise Unreadable(f"table: {error}") from None
    melds = []
    for place, part in enumerate(proposed, 1):
        meld = read(part, rules.numbers, rules.groups)
        if isinstance(meld, Broken):
            said = f" ({shorten(draft_text([part]))})" if part else ""
            hint = f"; write {' or '.join(meld.choices)}" if meld.choices else ""
            raise Unreadable(f"table: meld {place}{said} is no meld under {rules.id}: {meld.reason}{hint}")
        melds.append(meld)
    return tuple(melds)


def check_tiles(some: Sequence[Tile], rules: Ruleset, field: str) -> None:
    """Raise Unreadable unless the ruleset has all these tiles at once."""
    numbers: dict[int, int] = {}
    for one in some:
        if not rules.has(one):
            raise Unreadable(f"{field}: {rules.id} has no {one}")
        numbers[one.kind] = numbers.get(one.kind, 0) + 1
        most = rules.jokers if one.is_joker else rules.copies
        if numbers[one.kind] > most:
            face = str(one).rstrip("'")
            raise Unreadable(f"{field}: {numbers[one.kind]} × {face}, but {rules.id} has only {most}")


# Games


class Step(NamedTuple):
    """One command of a record, what it made happen, and the state after it."""

    command: Command
    events: tuple[Event, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it can be played again: its setup, the players' names, and every command."""

    rules: Ruleset
    seed: str
    names: tuple[str, ...]
    commands: tuple[Command, ...] = ()
    words: tuple[str, ...] = ()
    rounds: int = 1
    first: int = 0
    bots: tuple[str | None, ...] = ()
    date: str = ""

    def start(self) -> tuple[Event, ...]:
        """The events with which the match begins."""
        return begin(
            self.rules,
            players=len(self.names),
            seed=self.seed,
            words=self.words,
            rounds=self.rounds,
            first=self.first,
            bots=self.bots,
        )

    def replay(self) -> Iterator[Step]:
        """Play the match again, a command at a time; a refused command is a ValueError."""
        state = fold(self.start())
        for command in self.commands:
            events = apply(state, command)
            if isinstance(events, Refusal):
                codes = ", ".join(violation.code for violation in events.violations)
                raise ValueError(f"{events.code}: {codes}" if codes else events.code)
            state = fold(events, state)
            yield Step(command, events, state)


def write_record(record: Record) -> str:
    """Write a match in canonical form; `read_record` reads it back exactly."""
    for name in record.names:
        if not _is_name(name):
            raise ValueError(f"a name has 1 to {MAX_NAME} printable letters, not {shorten(name)}")
    lines = [
        _tag("Tilerummy", _VERSION),
        _tag("Ruleset", record.rules.id),
        *([_tag("House", house_text(record.rules))] if record.rules.house else []),
        *([_tag("Date", record.date)] if record.date else []),
        _tag("Rounds", str(record.rounds)),
        *([_tag("First", str(record.first + 1))] if record.first else []),
        *(_tag(f"Seat {seat}", name) for seat, name in enumerate(record.names, 1)),
        *(_tag(f"Bot {seat}", bot) for seat, bot in enumerate(record.bots, 1) if bot),
        *(_tag(f"Word {seat}", word) for seat, word in enumerate(record.words, 1) if word),
        _tag("Seed", record.seed),
    ]
    state = fold(record.start())
    turns = []
    for step in record.replay():
        turns.append(_write_turn(step.command, state))
        state = step.state
    lines.append(_tag("Result", _result(state)))
    return "\n".join([*lines, "", *turns, ""])


def _is_name(name: str) -> bool:
    return 1 <= len(name) <= MAX_NAME and name.isprintable()


def _tag(name: str, value: str) -> str:
    if not value.isprintable():
        raise ValueError(f"{name}: a tag is one line of printable letters")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _result(state: State) -> str:
    if state.phase is not Phase.MATCH_OVER:
        return "*"
    return " ".join(f"{total:+d}" for total in match_totals(state.scores, state.players))


def _write_turn(command: Command, before: State) -> str:
    match command:
        case NextRound():
            return "next"
        case Play(seat, proposed):
            numbers, groups = before.rules.numbers, before.rules.groups
            new = [part for part in proposed if read(part, numbers, groups) not in before.table]
            return f"{seat + 1} play {draft_text(new)}"
        case Draw(seat):
            return f"{seat + 1} draw"
        case Pass(seat):
            return f"{seat + 1} pass"
        case Timeout(seat, proposed):
            return f"{seat + 1} timeout" + ("" if proposed is None else f" {draft_text(proposed) or '-'}")
        case HintUsed(seat, level):
            return f"{seat + 1} hint {level}"
        case HandOver(seat, bot):
            return f"{seat + 1} human" if bot is None else f"{seat + 1} bot {bot}"


_TAG: Final = re.compile(r'\[([A-Za-z]+)(?: ([1-9]))? "((?:[^"\\]|\\["\\])*)"\]')
_TURN: Final = re.compile(r"([1-9]) (play|draw|pass|timeout|hint|bot|human)(?: (.*))?")
_ONCE: Final = ("Tilerummy", "Ruleset", "House", "Date", "Rounds", "First", "Seed", "Result")
_PER_SEAT: Final = ("Seat", "Bot", "Word")


class _Tags:
    """The tag lines of a record: values by name, and the line of each."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, int], str] = {}
        self.lines: dict[tuple[str, int], int] = {}

    def add(self, number: int, line: str) -> None:
        found = _TAG.fullmatch(line)
        if found is None:
            raise BadRecord(number, f'a tag is [Name "value"], not {shorten(line)}')
        name, seat, value = found.groups()
        key = (name, int(seat or 0))
        if name not in (_PER_SEAT if seat else _ONCE):
            known = ", ".join([*_ONCE, *(f"{per} 1" for per in _PER_SEAT)])
            raise BadRecord(number, f"no tag is called {shorten(name)}; there are {known}")
        if key in self.values:
            raise BadRecord(number, f"the tag {name} is there twice")
        self.values[key] = re.sub(r"\\(.)", r"\1", value)
        self.lines[key] = number

    def line(self, name: str, seat: int = 0) -> int:
        return self.lines.get((name, seat), 1)

    def need(self, name: str) -> str:
        if (name, 0) not in self.values:
            raise BadRecord(1, f"the tag {name} is missing")
        return self.values[name, 0]

    def whole(self, name: str, default: int) -> int:
        value = self.values.get((name, 0), str(default))
        if not re.fullmatch(r"[0-9]{1,3}", value, re.ASCII):
            raise BadRecord(self.line(name), f"{name} is a number, not {shorten(value)}")
        return int(value)

    def per_seat(self, name: str, players: int) -> list[str | None]:
        for (other, seat), number in self.lines.items():
            if other == name and seat > players:
                raise BadRecord(number, f"there is no seat {seat}")
        return [self.values.get((name, seat)) for seat in range(1, players + 1)]


def read_record(written: str) -> Record:
    """Read a match and play it through, or raise BadRecord with the line and the reason."""
    if len(written) > MAX_RECORD:
        raise BadRecord(1, f"the record has {len(written)} characters; at most {MAX_RECORD} are read")
    tags = _Tags()
    turns: list[tuple[int, str]] = []
    for number, raw in enumerate(written.splitlines(), 1):
        line = raw.strip()
        if line.startswith("[") and not turns:
            tags.add(number, line)
        elif line and not line.startswith("#"):
            turns.append((number, line))
    record = _read_setup(tags)
    try:
        state = fold(record.start())
    except (BadRuleset, BadSeed) as error:
        name = "Seed" if isinstance(error, BadSeed) else error.field.capitalize()
        raise BadRecord(tags.line(name), str(error)) from None
    commands = []
    for number, line in turns:
        command = _read_turn(number, line, state)
        events = apply(state, command)
        if isinstance(events, Refusal):
            codes = ", ".join(violation.code for violation in events.violations)
            raise BadRecord(number, f"{shorten(line)} is refused: {codes or events.code}")
        state = fold(events, state)
        commands.append(command)
    result = tags.values.get(("Result", 0), _result(state))
    if result != _result(state):
        raise BadRecord(tags.line("Result"), f"the result is {_result(state)}, not {shorten(result)}")
    return Record(
        rules=record.rules,
        seed=record.seed,
        names=record.names,
        commands=tuple(commands),
        words=record.words,
        rounds=record.rounds,
        first=record.first,
        bots=record.bots,
        date=record.date,
    )


def _read_setup(tags: _Tags) -> Record:
    version = tags.need("Tilerummy")
    if version != _VERSION:
        raise BadRecord(tags.line("Tilerummy"), f"this reads version {_VERSION} of the record, not {shorten(version)}")
    try:
        rules = ruleset(tags.need("Ruleset"), read_house(tags.values.get(("House", 0), "").split()))
    except BadRuleset as error:
        raise BadRecord(tags.line("Ruleset" if error.field == "ruleset" else "House"), str(error)) from None
    players = max((seat for name, seat in tags.lines if name == "Seat"), default=0)
    names = [name or "" for name in tags.per_seat("Seat", players)]
    try:
        rules.check_players(players)
    except BadRuleset as error:
        raise BadRecord(tags.line("Seat", players), str(error)) from None
    for seat, name in enumerate(names, 1):
        if not _is_name(name):
            raise BadRecord(tags.line("Seat", seat), f"seat {seat} needs a name of 1 to {MAX_NAME} printable letters")
    bots = tags.per_seat("Bot", players)
    words = tags.per_seat("Word", players)
    for seat, (bot, word) in enumerate(zip(bots, words, strict=True), 1):
        if not is_bot_name(bot):
            raise BadRecord(tags.line("Bot", seat), f"no bot is called {shorten(bot or '')}")
        try:
            tidy_word(word or "")
        except BadSeed as error:
            raise BadRecord(tags.line("Word", seat), str(error)) from None
    return Record(
        rules=rules,
        seed=tags.need("Seed"),
        names=tuple(names),
        words=tuple(word or "" for word in words) if any(words) else (),
        rounds=tags.whole("Rounds", 1),
        first=tags.whole("First", 1) - 1,
        bots=tuple(bots) if any(bots) else (),
        date=tags.values.get(("Date", 0), ""),
    )


def _read_turn(number: int, line: str, state: State) -> Command:
    if line == "next":
        return NextRound()
    found = _TURN.fullmatch(line)
    if found is None:
        raise BadRecord(number, f"a turn is a seat and what it did (1 draw, 2 play b8 b9 b10), not {shorten(line)}")
    seat, verb, rest = int(found[1]) - 1, found[2], (found[3] or "").strip()
    if bool(rest) is not (verb in ("play", "hint", "bot")) and not (verb == "timeout"):
        raise BadRecord(number, f"{verb} {'takes nothing after it' if rest else 'needs to say what'}")
    try:
        match verb:
            case "play":
                return Play(seat, _whole_table(draft(rest), state.table))
            case "timeout":
                return Timeout(seat, None if not rest else () if rest == "-" else draft(rest))
            case "draw":
                return Draw(seat)
            case "pass":
                return Pass(seat)
            case "hint":
                return HintUsed(seat, rest)
            case _:
                return HandOver(seat, rest if verb == "bot" else None)
    except Unreadable as error:
        raise BadRecord(number, str(error)) from None


def _whole_table(new: Draft, table: Table) -> Draft:
    """The melds that keep all their tiles, as they lie, and the new ones."""
    moved = {piece.tile for part in new for piece in part}
    kept: list[Meld] = [meld for meld in table if moved.isdisjoint(meld.tiles)]
    return (*(meld.pieces for meld in kept), *new)
