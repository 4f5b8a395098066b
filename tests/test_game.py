"""The game by example: time-outs, empty pools, stars, starts, matches and refusals of each rulebook."""

from dataclasses import replace

import pytest

from tests.kit.build import accepted, at, refused, seed, then
from tests.kit.cases import CASES, Case
from tilerummy.deal import BadSeed, shuffle
from tilerummy.game import MAX_ROUNDS, REFUSALS, advise, apply, begin, fold
from tilerummy.melds import draft, table_text
from tilerummy.rulesets import HEAP, BadRuleset, Ruleset, ruleset
from tilerummy.scoring import finished, match_totals, match_winners
from tilerummy.state import (
    HINT_LEVELS,
    Command,
    Draw,
    Drew,
    Event,
    HandedOver,
    HandOver,
    HintGiven,
    HintUsed,
    MatchEnded,
    NextRound,
    Pass,
    Passed,
    Phase,
    Play,
    Played,
    RoundBegan,
    RoundEnded,
    Started,
    State,
    TimedOut,
    Timeout,
)
from tilerummy.tiles import text, tiles

CLASSIC, CLUB, SABRA, RUMMY, JUNIOR = map(ruleset, ("classic", "club", "sabra", "rummy", "junior"))
POINTS = (CLASSIC, CLUB, SABRA, RUMMY)
PENALTY = {"classic": 3, "club": 1, "sabra": 3, "rummy": 3}
UNTOUCHED = {"classic": 1, "club": 1, "sabra": 3, "rummy": 1}
NAMES = [rules.id for rules in POINTS]


def label(value: object) -> str:
    """How a test names what it is run on."""
    return value.id if isinstance(value, Ruleset) else str(value)


def timed_out(state: State, table: str | None) -> TimedOut:
    """What the clock makes of this draft, where it is not a play."""
    event = accepted(state, Timeout(state.turn, None if table is None else draft(table)))[0]
    assert isinstance(event, TimedOut)
    return event


def played(state: State, table: str) -> Played:
    event = accepted(state, Play(state.turn, draft(table)))[0]
    assert isinstance(event, Played)
    return event


def ended(state: State, command: Command) -> RoundEnded:
    """The end of the round that a command brings about."""
    events = [event for event in accepted(state, command) if isinstance(event, RoundEnded)]
    assert len(events) == 1
    return events[0]


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


# The pool


@pytest.mark.parametrize("rules", POINTS, ids=NAMES)
def test_a_draw_takes_the_next_tile_and_ends_the_turn(rules: Ruleset) -> None:
    state = at(rules, "r1", "r2", pool="k1 k2")
    assert accepted(state, Draw(0)) == (Drew(0, tiles("k1"), 0),)
    after = then(state, Draw(0))
    assert (after.racks[0], after.pool, after.turn) == (tiles("r1 k1"), tiles("k2"), 1)


def test_a_player_who_could_play_may_draw() -> None:
    assert then(at(SABRA, "b11 k1", "r2", table="b8 b9 b10"), Draw(0)).turn == 1


@pytest.mark.parametrize("rules", [*POINTS, JUNIOR], ids=[*NAMES, "junior"])
def test_nobody_passes_while_there_is_a_pool_and_nobody_draws_without(rules: Ruleset) -> None:
    state = at(rules, "b10 k1", "b6 b1", table="b7 b8 b9")
    assert refused(state, Pass(0)).code == "must-draw"
    empty = replace(state, pool=())
    assert refused(empty, Draw(0)).code == "pool-empty"
    assert accepted(empty, Pass(0)) == (Passed(0),)


@pytest.mark.parametrize("rules", [CLASSIC, SABRA, RUMMY], ids=["classic", "sabra", "rummy"])
def test_a_full_circle_of_passes_ends_the_round(rules: Ruleset) -> None:
    """Also of players who could lay: a voluntary pass counts."""
    state = at(rules, "b11 k1", "b11' k9", "b7 r2", table="b8 b9 b10", pool="")
    step = rules.step
    order = [0, step % 3, 2 * step % 3]
    state = then(state, Pass(order[0]), Pass(order[1]))
    assert state.phase is Phase.PLAYING
    end = ended(state, Pass(order[2]))
    assert (end.finisher, end.winner) == (None, 2)
    assert end.scores == (-(12 - 9), -(20 - 9), 14)


@pytest.mark.parametrize("rules", [CLASSIC, SABRA, RUMMY], ids=["classic", "sabra", "rummy"])
def test_a_play_begins_the_circle_anew(rules: Ruleset) -> None:
    state = at(rules, "k1 k9", "b11 y5", table="b8 b9 b10", pool="")
    state = then(state, Pass(0), Play(1, draft("b8 b9 b10 b11")), Pass(0))
    assert (state.passes, state.phase) == (1, Phase.PLAYING)
    assert ended(state, Pass(1)).scores == (-5, 5)


def test_the_last_tile_of_the_pool_is_drawn_before_anybody_passes() -> None:
    state = at(CLASSIC, "k1", "y5", table="b8 b9 b10", pool="y9")
    state = then(state, Draw(0), Pass(1))
    assert ended(state, Pass(0)).winner == 1


# Stalemates


def test_club_ends_when_the_player_to_move_is_stuck() -> None:
    state = at(CLUB, "r5 r6 r7 b1", "k13 y2", table="b8 b9 b10", pool="")
    end = ended(state, Play(0, draft("b8 b9 b10 | r5 r6 r7")))
    assert (end.finisher, end.winner) == (None, 0)
    assert end.scores == (15 - 1, -15)


def test_club_ends_when_the_last_tile_is_drawn_and_the_next_is_stuck() -> None:
    state = at(CLUB, "r5 r6", "k13 y2", table="b8 b9 b10", pool="y12")
    assert ended(state, Draw(0)).scores == (-23, 23 - 15)


def test_club_goes_on_while_the_player_to_move_can_lay() -> None:
    """The leader cannot end a round by passing."""
    state = at(CLUB, "k1", "b11 y13 r1", "r2 y9 k7", table="b8 b9 b10", pool="")
    state = then(state, Pass(0))
    assert (state.phase, state.turn) == (Phase.PLAYING, 1)
    end = ended(state, Play(1, draft("b8 b9 b10 b11")))  # now seat 2 is stuck, not by its own word
    assert (end.winner, end.scores) == (0, (14 + 18 - 1, -14, -18))


def test_club_takes_a_pass_of_somebody_who_could_lay() -> None:
    state = at(CLUB, "b11 k1", "b7 y9", table="b8 b9 b10", pool="")
    state = then(state, Pass(0))
    assert state.phase is Phase.PLAYING
    assert ended(state, Pass(1)).scores == (16 - 12, -16)  # a full circle


def test_club_is_stuck_before_the_opening_with_too_few_points() -> None:
    state = at(CLUB, "b11 b12 b1", "r9 k9 b9", table="b8 b9' b10", pool="", opened=(True, False))
    assert ended(state, Play(0, draft("b8 b9' b10 b11"))).winner == 0
    enough = at(CLUB, "b11 b12 b1", "r10 k10 b10", table="b8 b9' b10'", pool="", opened=(True, False))
    assert then(enough, Play(0, draft("b8 b9' b10' b11"))).phase is Phase.PLAYING


def test_classic_waits_for_those_who_are_stuck_to_pass() -> None:
    state = at(CLASSIC, "r5 r6 r7 b1", "k13 y2", table="b8 b9 b10", pool="")
    assert then(state, Play(0, draft("b8 b9 b10 | r5 r6 r7"))).phase is Phase.PLAYING


@pytest.mark.parametrize(
    ("rules", "racks", "starter", "winner"),
    [
        (CLASSIC, ("k5", "y2 y3", "r9"), 0, 0),  # fewer tiles
        (CLASSIC, ("y2 y3", "k5", "r9"), 0, 1),
        (CLASSIC, ("k5", "y5", "r5"), 1, 1),  # first in turn order from the starter
        (CLASSIC, ("k9", "y5", "r5"), 0, 1),
        (CLASSIC, ("k9", "y5", "r5"), 2, 2),
        (CLASSIC, ("k5", "y9", "r5"), 1, 2),
        (RUMMY, ("k9", "y5", "r5"), 0, 2),  # counter-clockwise
        (RUMMY, ("k5", "y9", "r5"), 1, 0),
        (SABRA, ("k5", "y5", "r9"), 1, 1),
        (CLUB, ("k5", "y5", "r9"), 1, 1),
    ],
    ids=label,
)
def test_ties_of_a_stalemate(rules: Ruleset, racks: tuple[str, ...], starter: int, winner: int) -> None:
    state = at(rules, *racks, table="b8 b9 b10", pool="", passes=2, starter=starter)
    assert ended(state, Pass(0)).winner == winner


def test_a_tie_costs_the_other_nothing_under_differences() -> None:
    assert ended(at(CLASSIC, "k5", "y5", pool="", passes=1), Pass(0)).scores == (0, 0)
    assert ended(at(CLUB, "k5", "y5", pool="", passes=1), Pass(0)).scores == (0, -5)


@pytest.mark.parametrize(("rules", "joker"), [(CLASSIC, 30), (CLUB, 30), (SABRA, 25), (RUMMY, 30)], ids=label)
def test_what_a_joker_on_the_rack_costs(rules: Ruleset, joker: int) -> None:
    state = at(rules, "b11", "j r2", table="b8 b9 b10")
    assert ended(state, Play(0, draft("b8 b9 b10 b11"))).scores == (joker + 2, -joker - 2)


# Junior


def test_the_printed_stars() -> None:
    """Examples 1 to 3 of the rulebook: +4, +3, +5."""
    state = at(JUNIOR, "r1 r2 r3 b9", "k1")
    assert played(state, "r1 r2 r3").stars == 4
    state = at(JUNIOR, "r4 r5 b6 y9", "k1", table="r1 r2 r3 | b7 b8 b9")
    assert played(state, "r1 r2 r3 r4 r5 | b6 b7 b8 b9").stars == 3
    state = at(JUNIOR, "r4 y1 y2 y3 k9", "k1", table="r1 r2 r3 | b7 b8 b9")
    event = played(state, "r1 r2 r3 r4 | b7 b8 b9 | y1 y2 y3")
    assert event.stars == 5
    assert fold([event], state).stars == (6 + 5, 6)


def test_two_runs_that_a_tile_joins_are_no_new_meld() -> None:
    state = at(JUNIOR, "r4 y1", "k1", table="r1 r2 r3 | r5 r6 r7")
    assert played(state, "r1 r2 r3 r4 r5 r6 r7").stars == 1


def test_the_last_tile_earns_a_star() -> None:
    state = at(JUNIOR, "r4", "k1 k2", table="r1 r2 r3")
    assert played(state, "r1 r2 r3 r4").stars == 2
    assert ended(state, Play(0, draft("r1 r2 r3 r4"))) == RoundEnded(1, 0, 0, (6 + 2, 6 - 2))


def test_a_swapped_joker_is_kept() -> None:
    state = at(JUNIOR, "r3 b9", "k1", table="r1 r2 j=r3")
    event = played(state, "r1 r2 r3")
    assert (event.laid, event.taken, event.stars) == (tiles("r3"), tiles("j"), 1)
    assert fold([event], state).racks[0] == tiles("b9 j")


def test_a_kept_joker_is_a_tile_left() -> None:
    state = at(JUNIOR, "r3", "k1", table="r1 r2 j=r3")
    event = played(state, "r1 r2 r3")
    assert event.stars == 1
    after = then(state, Play(0, draft("r1 r2 r3")))
    assert (after.phase, after.racks[0]) == (Phase.PLAYING, tiles("j"))


def test_a_joker_laid_again_earns_nothing_and_one_laid_later_does() -> None:
    state = at(JUNIOR, "r3 b5 b6 k9", "k1", table="r1 r2 j=r3")
    assert played(state, "r1 r2 r3 | b5 b6 j").stars == 3 + 1
    later = at(JUNIOR, "j b5 b6 k9", "k1", table="r1 r2 r3")
    assert played(later, "r1 r2 r3 | b5 b6 j").stars == 3 + 1
    spare = at(JUNIOR, "b5 b6 k9", "k1", table="r1 r2 r3 j=r4")
    assert played(spare, "r1 r2 r3 | b5 b6 j").stars == 2 + 1


def test_a_spare_joker_is_not_kept() -> None:
    state = at(JUNIOR, "b5 b6 b7 k9", "k1", table="r1 r2 r3 j=r4")
    refusal = refused(state, Play(0, draft("r1 r2 r3 | b5 b6 b7")))
    assert [violation.code for violation in refusal.violations] == ["joker-keep"]


def test_a_draw_costs_a_star() -> None:
    state = at(JUNIOR, "r1", "k1", stars=(3, 6))
    assert accepted(state, Draw(0)) == (Drew(0, state.pool[:1], 1),)
    assert then(state, Draw(0)).stars == (2, 6)


def test_without_a_star_there_is_only_a_pass() -> None:
    state = at(JUNIOR, "r1", "k1", stars=(0, 1))
    assert refused(state, Draw(0)).code == "no-star"
    state = then(state, Pass(0))
    assert (state.stars, state.racks[0]) == ((0, 1), tiles("r1"))
    assert refused(state, Pass(1)).code == "must-draw"
    state = then(state, Draw(1), Pass(0))
    end = ended(state, Pass(1))  # both are broke: a full circle of passes, with tiles still in the pool
    assert state.pool
    assert (end.finisher, end.scores, end.winner) == (None, (0, 0), 0)


def test_a_full_circle_of_passes_has_no_finishing_star() -> None:
    state = at(JUNIOR, "r1", "k1 k9", "y5 y8", pool="", stars=(1, 9, 9))
    end = ended(then(state, Pass(0), Pass(1)), Pass(2))
    assert (end.finisher, end.scores, end.winner) == (None, (0, 7, 7), 1)


@pytest.mark.parametrize(
    ("racks", "stars", "scores", "winner"),
    [
        (("r4", "k1 k2", "y1"), (6, 9, 7), (8, 7, 6), 0),
        (("r4", "k1 k2", "y1"), (6, 1, 0), (8, 0, 0), 0),  # as far as they have any
        (("r4", "k1 k2", "y1"), (6, 10, 9), (8, 8, 8), 0),  # a tie: who finished
        (("r4", "k1 k2", "y1"), (1, 12, 5), (3, 10, 4), 1),  # the finisher need not win
        (("r4", "k1 k2", "y1"), (1, 8, 7), (3, 6, 6), 2),  # a tie of others: fewer tiles
        (("r4", "k1", "y1"), (1, 7, 7), (3, 6, 6), 1),  # then turn order
    ],
    ids=str,
)
def test_what_the_others_pay(
    racks: tuple[str, ...], stars: tuple[int, ...], scores: tuple[int, ...], winner: int
) -> None:
    state = at(JUNIOR, *racks, table="r1 r2 r3", stars=stars)
    end = ended(state, Play(0, draft("r1 r2 r3 r4")))
    assert (end.finisher, end.scores, end.winner) == (0, scores, winner)
    assert then(state, Play(0, draft("r1 r2 r3 r4"))).stars == scores


# The start


def test_drawing_for_the_start() -> None:
    """Jokers are drawn again, ties among the tied; both happen within these seeds."""
    jokers = ties = 0
    for number in range(150):
        state = fold(begin(CLASSIC, players=4, seed=seed(number)))
        left = [0, 1, 2, 3]
        for drawing in state.draws:
            number_of: dict[int, int] = {}
            waiting = list(left)
            drawn = list(drawing)
            while waiting:  # everybody in turn, then those again who drew a joker
                turn, drawn = drawn[: len(waiting)], drawn[len(waiting) :]
                assert [draw.seat for draw in turn] == waiting
                number_of |= {draw.seat: draw.tile.number for draw in turn if not draw.tile.is_joker}
                waiting = [draw.seat for draw in turn if draw.tile.is_joker]
                jokers += len(waiting)
            assert not drawn
            left = [seat for seat in left if number_of[seat] == max(number_of.values())]
        ties += len(state.draws) - 1
        assert left == [state.starter] == [state.turn]
        all_drawn = [draw.tile for drawing in state.draws for draw in drawing]
        assert len(set(all_drawn)) == len(all_drawn)
    assert jokers > 0
    assert ties > 0


def test_a_jokers_worth_of_redraws() -> None:
    """A set with few tiles: the pile runs out and is shuffled again, and still somebody starts."""
    rules = ruleset("classic", {"numbers": 7, "copies": 1, "jokers": 4, "deal": 5, "players": 4})
    for number in range(60):
        state = fold(begin(rules, players=4, seed=seed(number)))
        assert 0 <= state.starter < 4


def test_the_host_says_who_starts_junior() -> None:
    for first in range(3):
        state = fold(begin(JUNIOR, players=3, seed=seed(0), first=first, rounds=2))
        assert (state.draws, state.starter, state.turn) == ((), first, first)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_deal(case: Case) -> None:
    rules = case.rules
    state = fold(begin(rules, players=case.players, seed=seed(5)))
    order = shuffle(state.seed, state.words, "round 1 deal", rules.tiles())
    for place, seat in enumerate(state.order):
        assert state.racks[seat] == tuple(order[place * rules.deal : (place + 1) * rules.deal])
    assert state.pool == tuple(order[case.players * rules.deal :])
    assert (state.table, state.passes, state.version) == ((), 0, 2)
    assert set(state.stars) == {rules.stars}


def test_rummys_heaps() -> None:
    """Heaps of 7, the last of 8, two for each player in turn order; the pool is the rest in heap order."""
    for players in (2, 3, 4):
        state = fold(begin(RUMMY, players=players, seed=seed(3)))
        order = shuffle(state.seed, state.words, "round 1 deal", RUMMY.tiles())
        heaps = [tuple(order[place * HEAP : (place + 1) * HEAP]) for place in range(14)] + [tuple(order[14 * HEAP :])]
        assert [len(heap) for heap in heaps] == [7] * 14 + [8]
        for place, seat in enumerate(state.order):
            assert state.racks[seat] == heaps[2 * place] + heaps[2 * place + 1]
        assert state.pool == sum(heaps[2 * players :], ())


@pytest.mark.parametrize(("rules", "step"), [(CLASSIC, 1), (CLUB, 1), (SABRA, 1), (RUMMY, -1), (JUNIOR, 1)], ids=label)
def test_the_direction_of_play(rules: Ruleset, step: int) -> None:
    state = fold(begin(rules, players=3, seed=seed(1)))
    seats = [state.turn]
    for _ in range(5):
        state = then(state, Draw(state.turn))
        seats.append(state.turn)
    assert seats == [(seats[0] + step * place) % 3 for place in range(6)]
    assert state.order == tuple(seats[:3])


def test_seeds_and_words_decide_the_deal() -> None:
    plain = fold(begin(SABRA, players=2, seed=seed(1)))
    assert plain == fold(begin(SABRA, players=2, seed=seed(1), words=["", ""], bots=[None, None]))
    assert plain.racks != fold(begin(SABRA, players=2, seed=seed(2))).racks
    worded = fold(begin(SABRA, players=2, seed=seed(1), words=["luck"]))
    assert (plain.racks != worded.racks, worded.words) == (True, ("luck", ""))
    assert worded == fold(begin(SABRA, players=2, seed=seed(1), words=[" luck  "]))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"players": 1}, "players"),
        ({"players": 5}, "players"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": MAX_ROUNDS + 1}, "rounds"),
        ({"first": 2}, "first"),
        ({"first": -1}, "first"),
        ({"words": ["a", "b", "c"]}, "words"),
        ({"bots": ["a", None, None]}, "bots"),
        ({"bots": ["two words"]}, "bots"),
    ],
    ids=str,
)
def test_a_match_that_cannot_be_set_up(given: dict[str, object], field: str) -> None:
    setup = {"players": 2, "seed": seed(0), **given}
    with pytest.raises(BadRuleset) as error:
        begin(CLASSIC, **setup)  # type: ignore[arg-type]
    assert error.value.field == field


@pytest.mark.parametrize("given", [{"seed": "00"}, {"seed": "G" * 64}, {"words": ["x" * 41]}, {"words": ["a\nb"]}])
def test_a_bad_seed_or_word(given: dict[str, object]) -> None:
    with pytest.raises(BadSeed):
        begin(CLASSIC, **{"players": 2, "seed": seed(0), **given})  # type: ignore[arg-type]


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


# Rounds and matches


def last_tile(racks: tuple[str, ...], winner: int, **more: object) -> tuple[Event, ...]:
    """The events when the winner lays the last tile, `b11`, and the others hold these racks."""
    held = [*racks[:winner], "b11", *racks[winner:]]
    state = at(CLASSIC, *held, table="b8 b9 b10", turn=winner, **more)  # type: ignore[arg-type]
    return accepted(state, Play(winner, draft("b8 b9 b10 b11")))


def test_classics_printed_score_table() -> None:
    rounds = [
        (("k5", "k13 k3", "y3"), 0, (24, -5, -16, -3)),
        (("k6", "k11", "y5"), 2, (-6, -11, 22, -5)),
        (("k13 y13 r6", "k12 r1", "y2"), 3, (-32, -13, -2, 47)),
    ]
    scores: list[tuple[int, ...]] = []
    events: tuple[Event, ...] = ()
    for racks, winner, printed in rounds:
        events = last_tile(racks, winner, rounds=3, scores=scores)
        end = events[1]
        assert isinstance(end, RoundEnded)
        assert (end.round, end.winner, end.scores) == (len(scores) + 1, winner, printed)
        scores.append(end.scores)
        assert len(events) == (3 if len(scores) == 3 else 2)
    assert events[-1] == MatchEnded((-14, -29, 4, 39), (3,))


def test_sabras_printed_score_table() -> None:
    rounds = [
        finished([(), tiles("k5"), tiles("k13 k3"), tiles("y3")], 0, SABRA),
        finished([tiles("k6"), tiles("k11"), (), tiles("y5")], 2, SABRA),
    ]
    assert rounds == [(24, -5, -16, -3), (-6, -11, 22, -5)]
    assert match_totals(rounds, 4) == (18, -16, 6, -8)
    assert match_winners((18, -16, 6, -8)) == (0,)


def test_clubs_printed_scores() -> None:
    state = at(CLUB, "b11", "k5", "y10", "r3", table="b8 b9 b10")
    assert ended(state, Play(0, draft("b8 b9 b10 b11"))).scores == (18, -5, -10, -3)


def test_a_match_of_several_rounds() -> None:
    state = fold(begin(CLASSIC, players=2, seed=seed(4), rounds=3))
    deals = []
    events: tuple[Event, ...] = ()
    for number in (1, 2, 3):
        deals.append(state.racks)
        assert (state.round, state.phase) == (number, Phase.PLAYING)
        assert refused(state, NextRound()).code == "round-running"
        winner = state.turn
        racks = [tiles("k5"), tiles("k5")]
        racks[winner] = tiles("b11")
        # Put the players near the end, then let the player to move lay the last tile.
        near = at(CLASSIC, "k5", "y5", table="b8 b9 b10")
        state = replace(near, **{name: getattr(state, name) for name in ("rounds", "round", "scores", "seed", "turn")})
        state = replace(state, racks=tuple(racks), version=10 * number)
        events = accepted(state, Play(winner, draft("b8 b9 b10 b11")))
        state = fold(events, state)
        assert state.winner == winner
        if number < 3:
            assert state.phase is Phase.ROUND_OVER
            (began,) = accepted(state, NextRound())
            assert isinstance(began, RoundBegan)
            assert began.round == number + 1
            state = fold([began], state)
            assert (state.table, state.opened, state.hints, state.winner) == ((), (False,) * 2, (0, 0), None)
    assert state.phase is Phase.MATCH_OVER
    assert len(set(deals)) == 3
    assert isinstance(events[-1], MatchEnded)
    assert events[-1].totals == match_totals(state.scores, 2)
    assert refused(state, NextRound()).code == "match-over"


def test_a_drawn_match_has_two_winners() -> None:
    events = last_tile(("k5",), 0, rounds=2, scores=[(-5, 5)])
    assert events[-1] == MatchEnded((0, 0), (0, 1))


def test_stars_of_a_match_add_up() -> None:
    state = at(JUNIOR, "r4", "k1", table="r1 r2 r3", rounds=2, scores=[(3, 9)])
    assert accepted(state, Play(0, draft("r1 r2 r3 r4")))[-1] == MatchEnded((3 + 8, 9 + 5), (1,))


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
