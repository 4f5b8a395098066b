"""State machines over every ruleset, tile set and number of players, and whole games that come to an end."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.build import seed
from tests.kit.cases import CASES, Case
from tests.kit.machine import QUICK, machines
from tests.kit.players import LIVELY, STEADY, Habits, play_on
from tests.kit.sound import assert_ended_well, assert_private, assert_sound
from tests.kit.strategies import rulesets
from tilerummy.game import begin, fold
from tilerummy.rulesets import Ruleset
from tilerummy.state import Phase

globals().update(machines(QUICK))


def test_every_ruleset_and_player_count_has_a_machine() -> None:
    assert len(CASES) == len(machines(QUICK)) == 3 + 3 + 3 + 5 + 3 + 3 + 3


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rounds_end(case: Case) -> None:
    """Who lays whenever something is found ends a round: tiles run out, and then a circle without a play ends it."""
    rules = case.rules
    for number, habits in enumerate([STEADY, Habits(lays=0.6), Habits(lays=0.0)]):
        before = fold(begin(rules, players=case.players, seed=seed(number)))
        most = len(before.pool) + (rules.total + rules.jokers) * (1 + case.players) + case.players
        for turns, (_, events, state) in enumerate(play_on(before, Random(number), habits)):
            assert turns < most
            assert_ended_well(before, events)
            before = state
        assert before.phase is Phase.MATCH_OVER
        assert_sound(before)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_lively_rounds_end(case: Case) -> None:
    """Also with time-outs, hints and seats that change hands."""
    before = fold(begin(case.rules, players=case.players, seed=seed(1)))
    for turns, (_, events, state) in enumerate(play_on(before, Random(1), LIVELY)):
        assert turns < 3000
        assert_ended_well(before, events)
        assert_sound(state)
        before = state


@settings(QUICK, max_examples=60)
@given(rulesets(), st.integers(0, 2**32 - 1))
def test_house_rules_are_played_as_soundly(rules: Ruleset, number: int) -> None:
    luck = Random(number)
    before = fold(begin(rules, players=luck.randint(2, rules.players), seed=seed(number)))
    for _, events, state in islice(play_on(before, luck, Habits(lays=0.8, lets_time_run_out=0.15)), 50):
        assert_ended_well(before, events)
        assert_sound(state)
        before = state
    assert_private(before)
