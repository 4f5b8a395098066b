"""The optimum of full-size positions, judged by an integer program that shares nothing with the kernel."""

from collections.abc import Iterator
from itertools import count, islice

import pytest

from bench.positions import crowded, self_play
from tests.kit.milp import RULES, assert_optimal
from tilerummy.record import write_position
from tilerummy.rulesets import Ruleset
from tilerummy.solver import Objective, Query


def assert_both_optimal(query: Query, *, presolve: bool) -> None:
    for objective in (Objective.TILES, Objective.POINTS):
        assert assert_optimal(query, objective, presolve=presolve), f"HiGHS was wrong: {write_position(query)}"


def games(rules: Ruleset) -> Iterator[Query]:
    for seed in count(1):
        yield from (query for query in self_play(seed, rules, 4) if query.opened and query.table)


# 200 positions; those of 160 tiles take the judge seconds each, and the soak has more of them.
CROWDED = [("106 tiles", 20, 35), ("106 tiles", 40, 25), ("106 tiles", 60, 12), ("106 tiles", 80, 8)]
CROWDED += [("160 tiles", 20, 8), ("160 tiles", 40, 4), ("160 tiles", 60, 1), ("160 tiles", 80, 1)]
GAMES = [("106 tiles", 96), ("160 tiles", 10)]


@pytest.mark.kernel
@pytest.mark.parametrize(("name", "size", "number"), CROWDED)
def test_crowded_positions(name: str, size: int, number: int) -> None:
    for seed in range(number):
        assert_both_optimal(crowded(seed, RULES[name], size, 14), presolve=seed % 2 == 0)


@pytest.mark.kernel
@pytest.mark.parametrize(("name", "number"), GAMES)
def test_positions_of_games(name: str, number: int) -> None:
    for place, query in enumerate(islice(games(RULES[name]), number)):
        assert_both_optimal(query, presolve=place % 2 == 0)
