"""The game by example: the table by ruleset, seats, hints, refusals and the fold."""

from dataclasses import replace

import pytest

from tests.kit.build import accepted, at, refused, seed, then
from tests.kit.turns import (
    CLASSIC,
    CLUB,
    JUNIOR,
    RUMMY,
    SABRA,
    played,
)
from tilerummy.game import REFUSALS, advise, apply, begin, fold
from tilerummy.melds import draft, table_text
from tilerummy.state import (
    HINT_LEVELS,
    Command,
    Draw,
    HandedOver,
    HandOver,
    HintGiven,
    HintUsed,
    NextRound,
    Pass,
    Phase,
    Play,
    Started,
    Timeout,
)
from tilerummy.tiles import text, tiles

# Openings and the table, by ruleset


def test_the_table_from_the_opening_turn_on() -> None:
    """Classic and sabra open and go on, club waits for the next turn, rummy for everybody."""
    table, rack = "b8 b9 b10", "r10 k10 y10 b11 b1"
    after = draft("b8 b9 b10 b11 | r10 k10 y10")
    for rules in (CLASSIC, SABRA):
        assert accepted(at(rules, rack, "r1", table=table, opened=False), Play(0, after))
    for rules in (CLUB, RUMMY):
        state = at(rules, rack, "r1", table=table, opened=False)
        assert [one.code for one in refused(state, Play(0, after)).violations] == ["table-locked"]
    state = at(RUMMY, rack, "r1", table=table, opened=(True, False))
    assert [one.code for one in refused(state, Play(0, after)).violations] == ["table-locked"]
    assert accepted(state, Play(0, draft("b8 b9 b10 | r10 k10 y10")))
    for rules in (CLUB, RUMMY):
        assert accepted(at(rules, rack, "r1", table=table), Play(0, after))


def test_an_opening_is_remembered() -> None:
    state = at(CLASSIC, "r10 k10 y10 b1", "r1", opened=False)
    event = played(state, "r10 k10 y10")
    assert (event.opens, event.points) == (True, 30)
    state = fold([event], state)
    assert state.opened == (True, False)
    again = played(replace(state, turn=0, racks=(tiles("b10 b1"), tiles("r1"))), "r10 k10 y10 b10")
    assert not again.opens


def test_an_illegal_play_names_every_rule() -> None:
    state = at(RUMMY, "r9 k9 b1", "y9", table="b8 b9 b10", opened=False)
    refusal = refused(state, Play(0, draft("b8 b9 | r9 k9 y9")))
    assert refusal.code == "illegal"
    assert [one.code for one in refusal.violations] == ["conserve", "meld", "opening", "table-locked"]
    assert refusal.violations == advise(state, draft("b8 b9 | r9 k9 y9")).violations


def test_unchanged_melds_lie_first_as_they_came() -> None:
    state = at(SABRA, "r4 y1 y2 y3 k1", "k2", table="r1 r2 r3 | b8 b9 b10 | k5 r5 y5")
    event = played(state, "y1 y2 y3 | k5 r5 y5 | r4 r3 r2 r1 | b8 b9 b10")
    assert table_text(event.table) == "b8 b9 b10 | r5 k5 y5 | y1 y2 y3 | r1 r2 r3 r4"


# Seats and hints


def test_a_seat_goes_to_a_bot_and_back() -> None:
    state = fold(begin(SABRA, players=3, seed=seed(1), bots=[None, "greedy"]))
    assert state.bots == (None, "greedy", None)
    other = (state.turn + 1) % 3
    assert accepted(state, HandOver(0, "random")) == (HandedOver(0, "random"),)
    after = then(state, HandOver(0, "random"), HandOver(1, None), HandOver(2, "greedy"), HandOver(0, None))
    assert after.bots == (None, None, "greedy")
    assert (after.turn, after.racks, after.pool) == (state.turn, state.racks, state.pool)
    assert refused(after, HandOver(0, None)).code == "seat-unchanged"
    assert refused(after, HandOver(2, "greedy")).code == "seat-unchanged"
    assert refused(after, Draw(other)).code == "not-your-turn"
    over = replace(after, phase=Phase.ROUND_OVER)
    assert then(over, HandOver(2, None)).bots == (None, None, None)
    assert refused(replace(after, phase=Phase.MATCH_OVER), HandOver(2, None)).code == "match-over"


def test_hints_are_counted_by_round_and_change_nothing_else() -> None:
    state = fold(begin(SABRA, players=2, seed=seed(1)))
    seat = state.turn
    for level in HINT_LEVELS:
        assert accepted(state, HintUsed(seat, level)) == (HintGiven(seat, level),)
        after = then(state, HintUsed(seat, level))
        assert replace(after, hints=state.hints, version=state.version) == state
        state = after
    assert state.hints[seat] == 3
    assert refused(state, HintUsed(seat, "everything")).code == "bad-hint"
    assert refused(state, HintUsed(1 - seat, "nudge")).code == "not-your-turn"


# Refusals


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Draw(2), "no-such-seat"),
        (Draw(-1), "no-such-seat"),
        (HandOver(7, "greedy"), "no-such-seat"),
        (Play(1, draft("b8 b9 b10 b7")), "not-your-turn"),
        (Draw(1), "not-your-turn"),
        (Pass(1), "not-your-turn"),
        (Timeout(1), "not-your-turn"),
        (HintUsed(1, "nudge"), "not-your-turn"),
        (Play(0, draft("b8 b9 b10")), "illegal"),
        (Play(0, ()), "illegal"),
        (Play(0, draft("b8 b9 b10 | b8 b9 b10")), "bad-table"),
        (Play(0, draft("b8 b9 b10 | r1 r1 r1")), "bad-table"),
        (Play(0, draft("b8 b9 b10 b11''")), "bad-table"),
        (Play(0, draft("b8 b9 b10 j''=b11")), "bad-table"),
        (Pass(0), "must-draw"),
        (NextRound(), "round-running"),
        (HandOver(0, None), "seat-unchanged"),
        (HandOver(0, ""), "bad-bot"),
        (HandOver(0, "two words"), "bad-bot"),
        (HandOver(1, "two\nlines"), "bad-bot"),
        (HintUsed(0, ""), "bad-hint"),
    ],
    ids=str,
)
def test_refusals(command: Command, code: str) -> None:
    state = at(CLASSIC, "b11 r1", "b7 k1", table="b8 b9 b10")
    assert refused(state, command).code == code
    assert code in REFUSALS


@pytest.mark.parametrize(("phase", "code"), [(Phase.ROUND_OVER, "round-over"), (Phase.MATCH_OVER, "match-over")])
def test_no_turn_after_the_end(phase: Phase, code: str) -> None:
    state = replace(at(CLASSIC, "b11 r1", "b7 k1", table="b8 b9 b10"), phase=phase)
    for command in (Draw(0), Pass(0), Timeout(0), Play(0, draft("b8 b9 b10 b11")), HintUsed(0, "nudge"), Draw(1)):
        assert refused(state, command).code == code


def test_every_refusal_code_is_used() -> None:
    """The codes of REFUSALS are those that these tests have seen, and no more."""
    plain = at(CLASSIC, "b11 r1", "b7 k1", table="b8 b9 b10")
    over = replace(plain, phase=Phase.ROUND_OVER)
    broke = at(JUNIOR, "r1", "k1", stars=(0, 1))
    seen = {
        refused(plain, Draw(9)).code,
        refused(plain, Draw(1)).code,
        refused(plain, Play(0, ())).code,
        refused(plain, Play(0, draft("r1 r1 r1"))).code,
        refused(replace(plain, pool=()), Draw(0)).code,
        refused(broke, Draw(0)).code,
        refused(plain, Pass(0)).code,
        refused(over, Draw(0)).code,
        refused(plain, NextRound()).code,
        refused(replace(over, phase=Phase.MATCH_OVER), NextRound()).code,
        refused(plain, HandOver(0, None)).code,
        refused(plain, HandOver(0, "")).code,
        refused(plain, HintUsed(0, "?")).code,
    }
    assert seen == set(REFUSALS)


# Folding


def test_a_match_begins_with_its_start() -> None:
    started, began = begin(SABRA, players=2, seed=seed(0))
    with pytest.raises(ValueError, match="begins with an event"):
        fold([])
    with pytest.raises(ValueError, match="begins with its start"):
        fold([began])
    assert isinstance(started, Started)
    assert fold([], fold([started])) == fold([started])
    assert fold([started]).phase is Phase.ROUND_OVER


def test_apply_leaves_the_state_alone() -> None:
    state = at(CLASSIC, "b11 r1", "b7 k1", table="b8 b9 b10")
    same = replace(state)
    for command in (Draw(0), Play(0, draft("b8 b9 b10 b11")), Timeout(0), HintUsed(0, "nudge"), HandOver(1, "x")):
        first, again = apply(state, command), apply(state, command)
        assert first == again
        assert state == same
    assert text(state.racks[0]) == "b11 r1"
