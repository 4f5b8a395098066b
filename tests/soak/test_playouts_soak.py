"""Play-outs put to the engine, over thousands of rounds that no other test has."""

from collections.abc import Callable

import pytest

from tests.kit.build import seed
from tests.kit.cases import CASES, Case
from tests.kit.replay import assert_replays, free
from tilerummy.game import begin, fold
from tilerummy.playouts import Policy
from tilerummy.rulesets import RULESETS

FIRST = 1_000_000  # the deals of other tests are far below
EACH = 100  # rounds in a chunk
GREEDY = {2: 10, 3: 10, 4: 10}  # chunks of greedy rounds of sabra, by players
OTHERS = 30  # rounds of every other game, with every policy


@pytest.mark.parametrize(
    ("players", "chunk"), [(players, at) for players, many in GREEDY.items() for at in range(many)]
)
def test_greedy_rounds(players: int, chunk: int, record_property: Callable[[str, object], None]) -> None:
    rules = RULESETS["sabra"]
    turns = 0
    for number in range(FIRST + chunk * EACH, FIRST + (chunk + 1) * EACH):
        dealt = fold(begin(rules, players=players, seed=seed(number)))
        turns += assert_replays(dealt, [Policy.TILES] * players).turns
    record_property("turns", turns)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rounds_of_every_game(case: Case, record_property: Callable[[str, object], None]) -> None:
    rules, every = free(case.rules), list(Policy) * 3
    turns = 0
    for number in range(FIRST, FIRST + OTHERS):
        dealt = fold(begin(rules, players=case.players, seed=seed(number)))
        turns += assert_replays(dealt, every[number % 3 :][: case.players]).turns
    record_property("turns", turns)
