"""Records and positions: exact round trips, and readers that answer any text with a record or a reason."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kit.build import seed
from tests.kit.cases import CASES, Case
from tests.kit.players import LIVELY, random_match
from tests.kit.strategies import mutations, positions, records, rulesets
from tilerummy.game import fold
from tilerummy.melds import draft
from tilerummy.record import (
    MAX_RECORD,
    BadRecord,
    Record,
    check_tiles,
    read_house,
    read_position,
    read_record,
    read_table,
    write_position,
    write_record,
)
from tilerummy.rulesets import BadRuleset, Ruleset, house_text, ruleset
from tilerummy.solver import Query
from tilerummy.state import Command, Draw, Event, HandOver, NextRound, Play, State, Timeout
from tilerummy.tiles import Unreadable, tiles

T = TypeVar("T")
QUICK = settings(derandomize=True, database=None, max_examples=40, suppress_health_check=list(HealthCheck))


def told(record: Record) -> tuple[list[Event], State]:
    """Everything that happens in a record, and how it ends."""
    events = list(record.start())
    state = fold(events)
    for step in record.replay():
        events += step.events
        state = step.state
    return events, state


def assert_same(record: Record, again: Record) -> None:
    """Equal, but for a play, which may be written in another order and means the same."""
    assert len(again.commands) == len(record.commands)
    for mine, read in zip(record.commands, again.commands, strict=True):
        if isinstance(mine, Play):
            assert isinstance(read, Play)
            assert read.seat == mine.seat
        elif isinstance(mine, Timeout) and mine.draft == ((),):
            assert read == Timeout(mine.seat, ())
        else:
            assert read == mine
    assert replace(again, commands=()) == replace(record, commands=())
    assert told(again) == told(record)


def attempt(reader: Callable[[str], T], written: str, *reasons: type[Exception]) -> T | Exception:
    """What a reader makes of a text: the value, or one of the reasons it may give."""
    try:
        return reader(written)
    except reasons as reason:
        return reason


# Games


@QUICK
@given(records())
def test_a_record_is_read_back_exactly(record: Record) -> None:
    written = write_record(record)
    again = read_record(written)
    assert_same(record, again)
    assert write_record(again) == written
    assert read_record(written) == again


@pytest.mark.parametrize("case", CASES, ids=str)
def test_whole_games_are_read_back_exactly(case: Case) -> None:
    names = ("Ann", "Bé", 'C "the" \\ D', "D", "E", "F")[: case.players]
    commands = random_match(case.rules, case.players, seed(7), Random(7), LIVELY)
    record = Record(case.rules, seed(7), names, tuple(commands))
    written = write_record(record)
    again = read_record(written)
    assert_same(record, again)
    assert write_record(again) == written
    result = re.search(r'\[Result "(.*)"\]', written)
    assert result
    assert result[1] == " ".join(f"{score:+d}" for score in told(record)[1].scores[0])


@QUICK
@given(rulesets())
def test_house_rules_are_read_back_exactly(rules: Ruleset) -> None:
    record = Record(rules, seed(1), ("Ann", "Bob"))
    again = read_record(write_record(record))
    assert again == record
    assert ruleset(rules.id, read_house(house_text(rules).split())) == rules


@lru_cache
def sample(number: int) -> str:
    """A written record of a part of a game."""
    case = CASES[number % len(CASES)]
    commands = random_match(case.rules, case.players, seed(number), Random(number), LIVELY)[:30]
    return write_record(Record(case.rules, seed(number), tuple("ABCDEF"[: case.players]), tuple(commands)))


@settings(QUICK, max_examples=400)
@given(st.data(), st.integers(0, len(CASES) - 1))
def test_a_spoilt_record_is_read_or_told_why_not(data: st.DataObject, number: int) -> None:
    spoilt = data.draw(mutations(sample(number)))
    answer = attempt(read_record, spoilt, BadRecord)
    if isinstance(answer, Record):
        assert read_record(write_record(answer)) == answer
        return
    assert isinstance(answer, BadRecord)
    assert 1 <= answer.line <= max(1, len(spoilt.splitlines()))
    assert str(answer) == f"line {answer.line}: {answer.reason}"
    assert "\n" not in answer.reason
    assert len(answer.reason) < 400


@settings(QUICK, max_examples=200)
@given(st.one_of(st.text(), st.text(alphabet='[]"\\ rbkyj0123456789\n=|/-#SeatRulnTy', max_size=200)))
def test_any_text_is_read_or_told_why_not(written: str) -> None:
    with pytest.raises(BadRecord):
        read_record(written)


HEAD = f"""[Tilerummy "1"]
[Ruleset "classic"]
[Rounds "1"]
[Seat 1 "Ann"]
[Seat 2 "Bob"]
[Seed "{seed(0)}"]
"""
FIRST = fold(read_record(HEAD).start()).turn + 1
OTHER = 3 - FIRST


def test_blank_lines_and_comments_are_passed_over() -> None:
    plain = read_record(f"{HEAD}\n{FIRST} draw\n{OTHER} draw\n")
    assert plain.commands == (Draw(FIRST - 1), Draw(OTHER - 1))
    chatty = f"# a game\n\n{HEAD}# it begins\n\n   {FIRST} draw  \n\n# and\r\n{OTHER} draw\n# ends\n\n"
    assert read_record(chatty) == plain


def test_tags_may_come_in_any_order() -> None:
    assert read_record("\n".join(reversed(HEAD.splitlines()))) == read_record(HEAD)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('[Tilerummy "1"]\n', "", 1, "the tag Tilerummy is missing"),
        ('[Tilerummy "1"]', '[Tilerummy "2"]', 1, "this reads version 1 of the record, not '2'"),
        ('[Ruleset "classic"]\n', "", 1, "the tag Ruleset is missing"),
        ('"classic"', '"poker"', 2, "ruleset: no ruleset is called 'poker'"),
        ('[Ruleset "classic"]', "[Ruleset classic]", 2, 'a tag is [Name "value"]'),
        ('[Ruleset "classic"]', '[Rules "classic"]', 2, "no tag is called 'Rules'"),
        ('[Ruleset "classic"]', '[Ruleset 1 "classic"]', 2, "no tag is called 'Ruleset'"),
        ('[Rounds "1"]', '[House "opening=400"]', 3, "house.opening: a whole number from 0 to 200, not '400'"),
        ('[Rounds "1"]', '[House "openings=40"]', 3, "house.openings: no such rule"),
        ('[Rounds "1"]', '[House "opening"]', 3, "house: write each rule once, as field=value, not 'opening'"),
        ('[Rounds "1"]', '[House "deal=9 deal=9"]', 3, "house: write each rule once"),
        ('[Rounds "1"]', '[Rounds "one"]', 3, "Rounds is a number, not 'one'"),
        ('[Rounds "1"]', '[Rounds "0"]', 3, "rounds: a match has 1 to 99 rounds, not 0"),
        ('[Rounds "1"]', '[Rounds "1"]\n[Rounds "1"]', 4, "the tag Rounds is there twice"),
        ('[Rounds "1"]', '[First "0"]', 3, "first: a seat from 0 to 1, not -1"),
        ('[Rounds "1"]', '[First "3"]', 3, "first: a seat from 0 to 1, not 2"),
        ('[Rounds "1"]', '[Bot 3 "greedy"]', 3, "there is no seat 3"),
        ('[Rounds "1"]', '[Word 4 "luck"]', 3, "there is no seat 4"),
        ('[Seat 2 "Bob"]\n', "", 4, "players: classic is for 2 to 4 players, not 1"),
        ('[Seat 2 "Bob"]', '[Seat 2 ""]', 5, "seat 2 needs a name"),
        ('[Seat 2 "Bob"]', f'[Seat 2 "{"b" * 41}"]', 5, "seat 2 needs a name"),
        ('[Seat 2 "Bob"]', '[Seat 5 "Bob"]', 5, "players: 5 players need the 160 tiles"),
        (f'[Seed "{seed(0)}"]\n', "", 1, "the tag Seed is missing"),
        (seed(0), "00", 6, "a seed is 64 hexadecimal digits"),
    ],
)
def test_a_bad_tag_is_named_by_its_line(old: str, new: str, line: int, reason: str) -> None:
    assert old in HEAD
    with pytest.raises(BadRecord) as error:
        read_record(HEAD.replace(old, new))
    assert (error.value.line, error.value.reason[: len(reason)]) == (line, reason)


@pytest.mark.parametrize("tag", [f'[Word 2 "{"x" * 41}"]', '[Bot 2 "two words"]', '[Bot 1 "é"]'])
def test_a_bad_word_or_bot_is_named_by_its_line(tag: str) -> None:
    with pytest.raises(BadRecord) as error:
        read_record(HEAD + tag)
    assert error.value.line == 7


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ("nonsense", "a turn is a seat and what it did"),
        ("0 draw", "a turn is a seat and what it did"),
        ("1  draw", "a turn is a seat and what it did"),
        ("9 draw", "'9 draw' is refused: no-such-seat"),
        (f"{OTHER} draw", f"'{OTHER} draw' is refused: not-your-turn"),
        (f"{FIRST} pass", f"'{FIRST} pass' is refused: must-draw"),
        (f"{FIRST} draw r5", "draw takes nothing after it"),
        (f"{FIRST} human now", "human takes nothing after it"),
        (f"{FIRST} human", f"'{FIRST} human' is refused: seat-unchanged"),
        (f"{FIRST} play", "play needs to say what"),
        (f"{FIRST} hint", "hint needs to say what"),
        (f"{FIRST} hint please", f"'{FIRST} hint please' is refused: bad-hint"),
        (f"{FIRST} bot", "bot needs to say what"),
        (f"{FIRST} play r5 r6 r14", "'r14' has no number from 1 to 13"),
        (f"{FIRST} play x5 r6 r7", "'x5' has no known colour: r, b, k or y"),
        (f"{FIRST} timeout r5=r6", "only a joker stands for something, not r5"),
        (f"{FIRST} play r1 r1 r1", f"'{FIRST} play r1 r1 r1' is refused: bad-table"),
        ("next", "'next' is refused: round-running"),
        ('[Seat 3 "Cy"]', "a turn is a seat and what it did"),
    ],
)
def test_a_bad_turn_is_named_by_its_line(turn: str, reason: str) -> None:
    with pytest.raises(BadRecord) as error:
        read_record(f"{HEAD}\n# line 8\n{FIRST} bot greedy\n{FIRST} human\n{turn}\n{FIRST} draw\n")
    assert (error.value.line, error.value.reason[: len(reason)]) == (11, reason)


def test_an_illegal_play_is_told_with_its_rules() -> None:
    rack = fold(read_record(HEAD).start()).racks[FIRST - 1]
    with pytest.raises(BadRecord) as error:
        read_record(f"{HEAD}{FIRST} play {rack[0]}\n")
    assert error.value.reason.endswith("is refused: meld, opening")


def test_the_result_is_checked() -> None:
    commands = random_match(ruleset("junior"), 2, seed(3), Random(3))
    written = write_record(Record(ruleset("junior"), seed(3), ("Ann", "Bob"), tuple(commands)))
    result = re.search(r'\[Result "(.*)"\]', written)
    assert result
    line = written[: result.start()].count("\n") + 1
    for wrong in ("*", "+99 +99", "", result[1] + " "):
        with pytest.raises(BadRecord, match=rf"line {line}: the result is {re.escape(result[1])}, not "):
            read_record(written.replace(result[0], f'[Result "{wrong}"]'))
    unsaid = written.replace(result[0] + "\n", "")
    assert read_record(unsaid) == read_record(written)
    unfinished = "\n".join(written.splitlines()[:-1])
    with pytest.raises(BadRecord, match=r"the result is \*, not"):
        read_record(unfinished)


def test_a_text_that_is_too_long_is_not_read() -> None:
    with pytest.raises(BadRecord, match="at most"):
        read_record("#" * (MAX_RECORD + 1))
    assert read_record(HEAD + "#" * (MAX_RECORD - len(HEAD))) == read_record(HEAD)


def test_a_play_names_only_what_is_new() -> None:
    record = next(
        Record(case.rules, seed(n), ("Ann", "Bob"), tuple(random_match(case.rules, 2, seed(n), Random(n))))
        for n, case in enumerate([CASES[6]])
    )
    state = fold(record.start())
    for step, line in zip(record.replay(), write_record(record).split("\n\n")[1].splitlines(), strict=True):
        if isinstance(step.command, Play):
            new = draft(line.split(" play ")[1])
            assert 0 < len(new) <= len(step.command.table)
            lying = {meld for meld in state.table if meld in step.state.table}
            assert all(not {piece.tile for piece in part} & set(meld.tiles) for part in new for meld in lying)
        state = step.state


def test_a_refused_command_does_not_replay() -> None:
    record = Record(ruleset("classic"), seed(0), ("Ann", "Bob"), (NextRound(),))
    with pytest.raises(ValueError, match="round-running"):
        list(record.replay())
    with pytest.raises(ValueError, match="illegal: lay-one"):
        write_record(replace(record, commands=(Play(FIRST - 1, ()),)))


@pytest.mark.parametrize("bot", ["two\nlines", "", " padded ", "\u2028"])
def test_a_bot_of_any_name_is_written_readably_or_refused(bot: str) -> None:
    """What write_record writes, read_record reads."""
    commands: tuple[Command, ...] = (HandOver(0, bot),)
    for record in (
        Record(ruleset("classic"), seed(0), ("Ann", "Bob"), commands),
        Record(ruleset("classic"), seed(0), ("Ann", "Bob"), bots=(bot, None)),
    ):
        try:
            written = write_record(record)
        except ValueError:
            continue
        assert read_record(written) == record


@pytest.mark.parametrize("name", ["two\nlines", "", "x" * 41])
def test_a_name_that_cannot_be_read_is_not_written(name: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        write_record(Record(ruleset("classic"), seed(0), (name, "Bob")))


# Positions


@settings(QUICK, max_examples=300)
@given(positions())
def test_a_position_is_read_back_exactly(position: Query) -> None:
    line = write_position(position)
    assert "\n" not in line
    again = read_position(line)
    assert again == position
    assert write_position(again) == line


@settings(QUICK, max_examples=400)
@given(st.data())
def test_a_spoilt_position_is_read_or_told_why_not(data: st.DataObject) -> None:
    spoilt = data.draw(mutations("sabra opening=20 / b8 b9 b10 | r1 r2 j=r3 | k5 y5 j'=5 / b11 k8 y8 r1' / opened"))
    answer = attempt(read_position, spoilt, Unreadable, BadRuleset)
    if isinstance(answer, Query):
        assert read_position(write_position(answer)) == answer
    else:
        assert 0 < len(str(answer)) < 500


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "a position is: ruleset / table / rack / new, opened or all"),
        ("sabra / - / -", "a position is: ruleset / table / rack / new, opened or all"),
        ("sabra / - / - / yes", "status: new, opened or all, not 'yes'"),
        ("/ - / - / all", "ruleset: no ruleset is called ''"),
        ("sabra x / - / - / all", "house: write each rule once"),
        ("sabra / b8 b9 / - / all", "table: meld 1 ('b8 b9') is no meld under sabra: too-short"),
        ("sabra / r5 j j / - / all", "table: meld 1 ('r5 j j') is no meld under sabra: joker-unnamed; write r5 j=r6"),
        ("sabra / b8 b9 b10 | / - / all", "table: meld 2 is no meld under sabra: empty"),
        ("sabra / b8 b9 z10 / - / all", "table: 'z10' has no known colour"),
        ("sabra / - / b8 b99 / all", "rack: 'b99' has no number from 1 to 13"),
        ("sabra / b8 b9 b10 / b8 b8 / all", "rack: 3 × b8, but sabra has only 2"),
        ("sabra / - / b8'' / all", "rack: sabra has no b8''"),
        ("junior / - / r11 / all", "rack: junior has no r11"),
        ("sabra / - / j j j / all", "rack: 3 × j, but sabra has only 2"),
        ("junior / r1 b1 k1 / - / all", "table: meld 1 ('r1 b1 k1') is no meld under junior"),
    ],
)
def test_a_bad_position_is_told_its_reason(line: str, reason: str) -> None:
    with pytest.raises((Unreadable, BadRuleset)) as error:
        read_position(line)
    assert str(error.value)[: len(reason)] == reason


def test_a_position_may_be_written_loosely() -> None:
    loose = read_position("  sabra/b10 b9 b8|r1 r2 j/ b11  k8 y8 /all ")
    assert write_position(loose) == "sabra / b8 b9 b10 | r1 r2 j=r3 / b11 k8 y8 / all"
    assert read_position("sabra / - / - / new").rack == ()


def test_a_table_and_its_tiles() -> None:
    rules = ruleset("classic")
    table = read_table("r1 r2 r3 | b5 k5 j", rules)
    assert read_table(tuple(meld.pieces for meld in table), rules) == table
    check_tiles(tiles("r1 r1' j j'"), rules, "rack")
    with pytest.raises(Unreadable, match="field: 3 × r1, but classic has only 2"):
        check_tiles(tiles("r1 r1 r1"), rules, "field")
