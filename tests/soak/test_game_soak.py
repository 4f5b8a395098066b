"""The game's state machines again, for much longer and differently each time."""

from random import Random, SystemRandom

import pytest

from tests.kit.build import seed
from tests.kit.cases import CASES, Case
from tests.kit.machine import SOAK, machines
from tests.kit.players import LIVELY, play_on
from tests.kit.race_machine import race_machines
from tests.kit.sound import assert_ended_well, assert_private, assert_sound
from tilerummy.game import begin, fold

globals().update(machines(SOAK))
globals().update(race_machines(SOAK))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_many_rounds_end(case: Case) -> None:
    for _ in range(30):
        number = SystemRandom().randrange(2**32)
        print(f"{case}: seed({number})")
        state = fold(begin(case.rules, players=case.players, seed=seed(number)))
        for turns, (_, events, after) in enumerate(play_on(state, Random(number), LIVELY)):
            assert turns < 3000
            assert_ended_well(state, events)
            assert_sound(after)
            assert_private(after)
            state = after
