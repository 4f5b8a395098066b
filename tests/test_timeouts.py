"""Time-outs of each rulebook, by example."""

from dataclasses import replace

import pytest

from tests.kit.build import accepted, at, then
from tests.kit.turns import (
    CLASSIC,
    CLUB,
    JUNIOR,
    NAMES,
    PENALTY,
    POINTS,
    RUMMY,
    SABRA,
    UNTOUCHED,
    ended,
    label,
    timed_out,
)
from tilerummy.game import fold
from tilerummy.melds import draft, table_text
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.state import (
    Drew,
    Passed,
    Played,
    Timeout,
)
from tilerummy.tiles import tiles

# Time-outs


@pytest.mark.parametrize("rules", POINTS, ids=NAMES)
def test_a_legal_draft_at_the_buzzer_is_played(rules: Ruleset) -> None:
    state = at(rules, "b11 k1", "r1 r2", table="b8 b9 b10")
    (event,) = accepted(state, Timeout(0, draft("b8 b9 b10 b11")))
    assert isinstance(event, Played)
    assert (event.buzzer, event.laid) == (True, tiles("b11"))
    after = fold([event], state)
    assert (after.racks[0], after.pool) == (tiles("k1"), state.pool)


@pytest.mark.parametrize("rules", POINTS, ids=NAMES)
def test_a_last_tile_at_the_buzzer_wins(rules: Ruleset) -> None:
    state = at(rules, "b11", "r1 r2", table="b8 b9 b10")
    assert ended(state, Timeout(0, draft("b8 b9 b10 b11"))).scores == (3, -3)


@pytest.mark.parametrize("rules", POINTS, ids=NAMES)
@pytest.mark.parametrize("table", [None, "b8 b9 b10 | r5 b5 j=5", "b5 r5 j | b10 b9 b8", "b8 b9 b10 |  | r5 b5 j=5"])
def test_nothing_touched(rules: Ruleset, table: str | None) -> None:
    state = at(rules, "b11 k1", "r1 r2", table="b8 b9 b10 | r5 b5 j=5")
    event = timed_out(state, table)
    assert event.penalty == state.pool[: UNTOUCHED[rules.id]]
    assert (event.table, event.laid, event.taken) == (state.table, (), ())
    assert (event.restored, event.passed, event.opens) == (False, False, False)
    assert fold([event], state).turn == 1


@pytest.mark.parametrize("rules", POINTS, ids=NAMES)
@pytest.mark.parametrize("opened", [True, False])
def test_nothing_touched_on_an_empty_table(rules: Ruleset, opened: bool) -> None:
    state = at(rules, "b11 k1", "r1 r2", opened=opened)
    assert timed_out(state, "").penalty == state.pool[: UNTOUCHED[rules.id]]


@pytest.mark.parametrize("rules", [CLASSIC, SABRA, RUMMY], ids=["classic", "sabra", "rummy"])
def test_valid_melds_stay_and_own_loose_tiles_go_back(rules: Ruleset) -> None:
    state = at(rules, "r1 r2 r3 k5 y7", "r4", table="b8 b9 b10")
    event = timed_out(state, "b8 b9 b10 | r1 r2 r3 | k5")
    assert table_text(event.table) == "b8 b9 b10 | r1 r2 r3"
    assert (event.laid, event.taken, event.restored) == (tiles("r1 r2 r3"), (), False)
    after = fold([event], state)
    assert after.racks[0] == (*tiles("k5 y7"), *state.pool[:3])
    assert after.pool == state.pool[3:]


@pytest.mark.parametrize("rules", [SABRA, RUMMY], ids=["sabra", "rummy"])
def test_a_loose_table_tile_goes_to_the_rack(rules: Ruleset) -> None:
    state = at(rules, "r1 r2 r3 k5", "r4", table="b8 b9 b10 b11")
    event = timed_out(state, "b9 b10 b11 | r1 r2 r3 | b8 k5")
    assert table_text(event.table) == "b9 b10 b11 | r1 r2 r3"
    assert (event.laid, event.taken, event.restored) == (tiles("r1 r2 r3"), tiles("b8"), False)
    assert fold([event], state).racks[0] == (*tiles("k5 b8"), *state.pool[:3])


@pytest.mark.parametrize("rules", [SABRA, RUMMY], ids=["sabra", "rummy"])
def test_a_table_tile_that_the_draft_forgot_is_loose(rules: Ruleset) -> None:
    state = at(rules, "r1 r2 r3 k5", "r4", table="b8 b9 b10 b11 | y1 y2 y3")
    event = timed_out(state, "b9 b10 b11")
    assert table_text(event.table) == "b9 b10 b11"
    assert (event.laid, event.taken) == ((), tiles("b8 y1 y2 y3"))


def test_a_meld_that_fell_apart_goes_to_the_rack_under_sabra() -> None:
    state = at(SABRA, "k5", "r4", table="b8 b9 j=b10 | y1 y2 y3")
    event = timed_out(state, "b8 b9 | j | y1 y2 y3 | k5")
    assert table_text(event.table) == "y1 y2 y3"
    assert event.taken == tiles("b8 b9 j")


def test_classic_restores_a_table_with_a_loose_tile() -> None:
    state = at(CLASSIC, "r1 r2 r3 k5", "r4", table="b8 b9 b10 b11")
    event = timed_out(state, "b9 b10 b11 | r1 r2 r3 | b8 k5")
    assert (event.table, event.laid, event.taken, event.restored) == (state.table, (), (), True)
    assert fold([event], state).racks[0] == (*tiles("r1 r2 r3 k5"), *state.pool[:3])


@pytest.mark.parametrize("table", ["b8 b9 b10 b11 | r1 r2 r3 | k5", "b9 b10 b11 | b8", "b8 b9 b10 b11 | k5"])
def test_club_restores_and_draws_one(table: str) -> None:
    state = at(CLUB, "r1 r2 r3 k5", "r4", table="b8 b9 b10 b11")
    event = timed_out(state, table)
    assert (event.table, event.laid, event.taken, event.restored) == (state.table, (), (), True)
    assert event.penalty == state.pool[:1]


@pytest.mark.parametrize(
    ("rules", "before", "rack", "table", "stays"),
    [
        # "diviser" with a joker: rummy keeps the meld of a joker whole
        (RUMMY, "r2 r3 j=r4 r5 r6", "r7 k1", "r2 r3 j=r4 | r5 r6 r7 | k1", False),
        (CLASSIC, "r2 r3 j=r4 r5 r6", "r7 k1", "r2 r3 j=r4 | r5 r6 r7 | k1", True),
        (SABRA, "r2 r3 j=r4 r5 r6", "r7 k1", "r2 r3 j=r4 | r5 r6 r7 | k1", True),
        # sabra joker 3: only sabra lets a joker stay in its meld and stand for another tile
        (CLASSIC, "b6 b7 j=b8", "b4 k1", "b4 j b6 b7 | k1", False),
        (RUMMY, "b6 b7 j=b8", "b4 k1", "b4 j b6 b7 | k1", False),
        (SABRA, "b6 b7 j=b8", "b4 k1", "b4 j b6 b7 | k1", True),
        # a loose joker may not be kept where it must go into a new meld
        (RUMMY, "b6 b7 j=b8", "b8 k1", "b6 b7 b8 | j k1", False),
        (SABRA, "b6 b7 j=b8", "b8 k1", "b6 b7 b8 | j k1", True),
    ],
    ids=label,
)
def test_what_would_break_a_rule_does_not_stay(rules: Ruleset, before: str, rack: str, table: str, stays: bool) -> None:
    state = at(rules, rack, "y1 y13", table=before)
    event = timed_out(state, table)
    assert event.restored is not stays
    assert (event.table == state.table) is not stays
    assert event.penalty == state.pool[:3]


@pytest.mark.parametrize("rules", [CLASSIC, SABRA, RUMMY], ids=["classic", "sabra", "rummy"])
def test_melds_that_stay_open_when_they_are_worth_enough(rules: Ruleset) -> None:
    state = at(rules, "r10 b10 k10 y1", "r4", table="b1 b2 b3", opened=(False, True))
    event = timed_out(state, "b1 b2 b3 | r10 b10 k10 | y1")
    assert (event.opens, event.restored, event.laid) == (True, False, tiles("r10 b10 k10"))
    assert fold([event], state).opened == (True, True)
    assert event.penalty == state.pool[:3]


@pytest.mark.parametrize("rules", POINTS, ids=NAMES)
def test_melds_that_are_worth_too_little_do_not_stay(rules: Ruleset) -> None:
    state = at(rules, "r9 b9 k9 y1", "r4", table="b1 b2 b3", opened=(False, True))
    event = timed_out(state, "b1 b2 b3 | r9 b9 k9 | y1")
    assert (event.opens, event.restored, event.laid) == (False, True, ())
    assert fold([event], state).opened == (False, True)
    assert event.penalty == state.pool[: PENALTY[rules.id]]


def test_club_does_not_open_by_a_timeout() -> None:
    state = at(CLUB, "r10 b10 k10 y1", "r4", opened=False)
    event = timed_out(state, "r10 b10 k10 | y1")
    assert (event.opens, event.restored) == (False, True)


@pytest.mark.parametrize("rules", [CLASSIC, SABRA, RUMMY], ids=["classic", "sabra", "rummy"])
def test_loose_tiles_alone_cost_the_penalty_before_the_opening_too(rules: Ruleset) -> None:
    state = at(rules, "r9 b9 k9 y1", "r4", table="b1 b2 b3", opened=(False, True))
    event = timed_out(state, "b1 b2 b3 | r9 b9")
    assert (event.opens, event.laid, event.taken) == (False, (), ())
    assert event.penalty == state.pool[:3]


def test_rummy_leaves_a_locked_table_alone_at_the_buzzer() -> None:
    state = at(RUMMY, "r1 r2 r3 b11 k5", "r4", table="b8 b9 b10", opened=(True, False))
    assert timed_out(state, "b8 b9 b10 b11 | r1 r2 r3 | k5").restored
    event = timed_out(state, "b8 b9 b10 | r1 r2 r3 | b11 k5")
    assert (event.restored, event.laid) == (False, tiles("r1 r2 r3"))


@pytest.mark.parametrize("rules", POINTS, ids=NAMES)
@pytest.mark.parametrize(
    "table",
    [
        "b8 b9 b10 | r4 r5 r6",  # another player's tiles
        "b8 b9 b10 | y11 y12 y13",  # tiles of the pool
        "b8 b9 b10 | b8 b9 b10",  # tiles that are already there
        "b8 b9 b10 | k1 k1'' k1'",  # a third copy, which the set does not have
    ],
)
def test_a_draft_of_tiles_that_are_not_there_is_put_back(rules: Ruleset, table: str) -> None:
    state = at(rules, "r1 r2 r3 k5", "r4 r5 r6", table="b8 b9 b10")
    event = timed_out(state, table)
    assert (event.table, event.restored) == (state.table, True)
    assert event.penalty == state.pool[: PENALTY[rules.id]]


@pytest.mark.parametrize("rules", POINTS, ids=NAMES)
def test_a_timeout_with_an_empty_pool_is_a_pass(rules: Ruleset) -> None:
    state = at(rules, "b11 k1 k5", "b7 r2", table="b8 b9 b10", pool="")
    for table in (None, "b8 b9 b10", "b8 b9 b10 | k1", "b8 b9 b10 | k1 k1"):
        event = timed_out(state, table)
        assert (event.passed, event.penalty, event.laid) == (True, (), ())
        assert fold([event], state).passes == 1


@pytest.mark.parametrize("rules", [CLASSIC, SABRA, RUMMY], ids=["classic", "sabra", "rummy"])
def test_melds_that_stay_with_an_empty_pool_are_no_pass(rules: Ruleset) -> None:
    state = at(rules, "r1 r2 r3 k5", "r4", table="b8 b9 b10", pool="", passes=1)
    event = timed_out(state, "b8 b9 b10 | r1 r2 r3 | k5")
    assert (event.passed, event.laid) == (False, tiles("r1 r2 r3"))
    assert fold([event], state).passes == 0


def test_a_penalty_is_what_the_pool_has() -> None:
    state = at(SABRA, "b11 k1", "r1 r2", table="b8 b9 b10", pool="y1 y2")
    event = timed_out(state, None)
    assert (event.penalty, event.passed) == (tiles("y1 y2"), False)
    assert fold([event], state).pool == ()


def test_a_circle_of_timeouts_ends_a_round_without_a_pool() -> None:
    state = at(CLASSIC, "k1", "r2", "y5", table="b8 b9 b10", pool="")
    state = then(state, Timeout(0), Timeout(1, draft("b8 b9 b10 | r2")))
    assert ended(state, Timeout(2)).scores == (1 + 4, -1, -4)


@pytest.mark.parametrize(
    ("rules", "house", "keeps", "draws"),
    [
        (CLASSIC, "restore", False, 3),
        (CLASSIC, "keep-valid", True, 3),
        (CLASSIC, "keep-own", False, 3),
        (SABRA, "restore", False, 3),
        (SABRA, "keep-valid", True, 3),
        (RUMMY, "restore", False, 3),
        (RUMMY, "keep-valid", True, 3),
        (CLUB, "restore", False, 1),
        (CLUB, "keep-valid", True, 1),
    ],
    ids=label,
)
def test_a_house_rule_for_timeouts(rules: Ruleset, house: str, keeps: bool, draws: int) -> None:
    state = at(ruleset(rules.id, {"timeout": house}), "r1 r2 r3 k5", "r4", table="b8 b9 b10 b11")
    event = timed_out(state, "b9 b10 b11 | r1 r2 r3 | b8 k5")
    assert event.restored is not keeps
    assert event.taken == (tiles("b8") if keeps else ())
    assert event.penalty == state.pool[:draws]
    own = timed_out(state, "b8 b9 b10 b11 | r1 r2 r3 | k5")
    assert own.restored is (house == "restore")


def test_house_rules_for_the_number_of_penalty_tiles() -> None:
    rules = ruleset("classic", {"timeout_draws": 5, "untouched_draws": 0})
    state = at(rules, "r1 r2 r3 k5", "r4", table="b8 b9 b10")
    assert len(timed_out(state, "b8 b9 b10 | k5").penalty) == 5
    assert timed_out(state, None).penalty == ()


def test_a_junior_timeout_is_a_turn_without_a_play() -> None:
    state = at(JUNIOR, "r1 r2 r3 b9", "k1", stars=(2, 0))
    for table in ("r1 r2", "r1 r2 r3 | b9"):
        assert accepted(state, Timeout(0, draft(table))) == (Drew(0, state.pool[:1], 1),)
    assert accepted(state, Timeout(0)) == (Drew(0, state.pool[:1], 1),)
    assert accepted(replace(state, turn=1), Timeout(1)) == (Passed(1),)
    assert accepted(replace(state, pool=()), Timeout(0)) == (Passed(0),)
    (buzzer,) = accepted(state, Timeout(0, draft("r1 r2 r3")))
    assert isinstance(buzzer, Played)
    assert (buzzer.buzzer, buzzer.stars) == (True, 4)
