"""A search that is cut short: a legal play, the same every time, and no claim that it is the best."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.bots.positions import play_round, waiting
from tilerummy.bots import bot
from tilerummy.bots.turn import position
from tilerummy.legality import check
from tilerummy.rulesets import RULESETS, ruleset
from tilerummy.solver import Query, Solution, solve, with_copies
from tilerummy.solver.search import alike
from tilerummy.state import State
from tilerummy.tiles import tile_of
from tilerummy.view import view

HARD = position(waiting(24))


def is_legal(query: Query, found: Solution) -> bool:
    """Whether the play is one, and lays what it says, also with the copies told apart."""
    plain = tuple(tile_of(tile.kind) for tile in query.rack)
    judged = [
        check(before, rack, after, query.rules, opened=query.opened, all_opened=query.all_opened)
        for before, rack, after in (
            (tuple(map(alike, query.table)), plain, found.after),
            (query.table, query.rack, with_copies(query, found)[0]),
        )
    ]
    return all(one.legal and len(one.laid) == found.tiles for one in judged)


@pytest.mark.parametrize("limit", [2_000, 20_000])
def test_a_hard_question_is_cut_short(limit: int) -> None:
    found = solve(HARD, limit=limit)
    assert not found.proven
    assert limit < found.nodes < limit + 50_000
    assert found.tiles == 23
    assert is_legal(HARD, found)
    assert replace(solve(HARD, limit=limit), micros=found.micros) == found


def positions(id: str) -> Iterator[Query]:
    """What is asked in a round of greedy players."""
    seen: list[Query] = []

    def watch(state: State) -> None:
        seen.append(position(view(state, state.turn)))

    play_round(ruleset(id), [bot("greedy")] * 4, seed=5, watch=watch)
    yield from seen


@pytest.mark.parametrize("id", RULESETS)
def test_what_is_at_hand_is_legal_and_what_is_proven_is_the_best(id: str) -> None:
    laid = 0
    for query in positions(id):
        best = solve(query)
        assert best.proven
        for limit in (0, 200):
            found = solve(query, limit=limit)
            if found.proven:
                assert replace(found, micros=best.micros) == best
            else:
                assert found.nodes > limit
                assert found.tiles <= best.tiles
            if found.tiles:
                assert is_legal(query, found)
                laid += 1
    assert laid > 10


def test_where_jokers_are_free_no_limit_is_reached() -> None:
    """One question to the kernel is all it takes, once a player has opened."""
    asked = [query for query in positions("sabra") if query.opened]
    assert asked
    assert all(solve(query, limit=0).proven for query in asked)
