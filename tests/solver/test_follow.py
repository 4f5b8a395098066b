"""Plays to follow leave as many melds alone as any equally good play; `plays` finds every set that can be laid."""

from dataclasses import replace
from itertools import combinations, product

import pytest

from bench.positions import crowded
from tests.solver.test_reference import RULES, laid_counts, random_query
from tilerummy.melds import Draft, Meld, draft_text, read, table_text
from tilerummy.record import read_table
from tilerummy.rulesets import RULESETS, ruleset
from tilerummy.solver import Query, follow, opening, plays, reference, solve, solve_many
from tilerummy.solver.follow import unchanged
from tilerummy.solver.kernel import value
from tilerummy.solver.search import alike
from tilerummy.tiles import counts, text, tiles

NAMES = ["classic", "club", "sabra", "sabra xp", "rummy", "junior"]


def left_alone(query: Query, after: Draft) -> int:
    before = [alike(meld) for meld in query.table]
    melds = [read(part, query.rules.numbers, query.rules.groups) for part in after]
    return len(unchanged(before, [meld for meld in melds if isinstance(meld, Meld)]))


@pytest.mark.kernel
@pytest.mark.parametrize("name", NAMES)
def test_as_many_melds_as_possible_are_left_alone(name: str) -> None:
    for seed in range(7000, 7060):
        query = random_query(seed, RULES[name])
        solution = solve(query, follow=True)
        if solution.tiles:
            goal = value(query, laid_counts(query, solution.after))
            equal = [after for after in reference.plays(query) if value(query, laid_counts(query, after)) == goal]
            most = max(left_alone(query, after) for after in equal)
            said = f"{table_text(query.table)} / {text(query.rack)} -> {draft_text(solution.after)}"
            assert (solution.unchanged, left_alone(query, solution.after)) == (most, most), said


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["classic", "club", "sabra", "rummy", "junior"])
def test_no_smaller_set_of_melds_is_enough(name: str) -> None:
    """On tables of up to eight melds, with every set of touched melds tried."""
    for seed in range(30):
        query = crowded(seed, RULESETS[name], 12 + seed % 3 * 4, 8)
        solution = solve(query, follow=True)
        goal = value(query, counts(solution.laid))
        sizes = range(len(query.table) + 1)
        sets = (replace(query, table=chosen) for size in sizes for chosen in combinations(query.table, size))
        fewest = next(len(one.table) for one in sets if value(query, counts(solve(one).laid)) == goal)
        assert len(query.table) - solution.unchanged == fewest, f"{table_text(query.table)} / {text(query.rack)}"


@pytest.mark.kernel
def test_with_no_nodes_left_no_further_meld_can_be_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "NODES", 1)
    monkeypatch.setattr(follow, "PLAYS", 1)
    for name, seed in product(["classic", "club", "sabra", "rummy"], range(30)):
        query = crowded(seed, RULESETS[name], 30, 8)
        solution = solve(query, follow=True)
        goal = value(query, counts(solution.laid))
        assert goal == value(query, counts(solve(query).laid))
        after = [read(part) for part in solution.after]
        alone = unchanged(query.table, [meld for meld in after if isinstance(meld, Meld)])
        touched = [meld for place, meld in enumerate(query.table) if place not in alone]
        for fewer in combinations(touched, len(touched) - 1) if touched else ():
            assert value(query, counts(solve(replace(query, table=fewer)).laid)) < goal


@pytest.mark.kernel
@pytest.mark.parametrize("name", NAMES)
def test_every_set_that_can_be_laid(name: str) -> None:
    for seed in range(8000, 8050):
        query = random_query(seed, RULES[name])
        expected = {laid_counts(query, after) for after in reference.plays(query)}
        found = plays(query, 1000)
        assert found.complete
        assert {tuple(counts(play.laid)) for play in found.sets} == expected
        for play in found.sets:
            mine = tuple(counts(play.laid))
            larger = any(other != mine and all(a >= b for a, b in zip(other, mine, strict=True)) for other in expected)
            assert play.maximal is not larger
        maximal = [play.maximal for play in found.sets]
        assert maximal == sorted(maximal, reverse=True)


@pytest.mark.kernel
def test_a_limit_is_said() -> None:
    query = Query(RULESETS["sabra"], (), tiles("r1 r2 r3 r4 r5 b1 b2 b3 k1 k2 k3"))
    everything = plays(query, 1000)
    assert everything.complete
    few = plays(query, 3)
    assert not few.complete
    assert len(few.sets) == 3


@pytest.mark.kernel
def test_batches_are_the_same_on_any_number_of_threads() -> None:
    queries = [random_query(seed, RULES[name]) for seed in range(9000, 9040) for name in NAMES]
    one, four = solve_many(queries), solve_many(queries, threads=4)
    assert [(s.after, s.laid, s.nodes) for s in one] == [(s.after, s.laid, s.nodes) for s in four]
    assert [(s.after, s.nodes) for s in one] == [((single := solve(query)).after, single.nodes) for query in queries]


@pytest.mark.kernel
def test_openings() -> None:
    sabra = RULESETS["sabra"]
    assert text(opening(tiles("r10 b10 k10 y1 y2"), sabra).laid) == "r10 b10 k10"
    assert opening(tiles("r9 b9 k9 y1 y2"), sabra).tiles == 0
    assert opening(tiles("j r13 b13"), sabra).points == 39
    # The most tiles do not reach the opening, fewer do: the opening decides.
    low = opening(tiles("r1 r2 r3 r4 r10 r11 b10 b11 k10"), ruleset("club"))
    assert text(low.laid) == "r1 r2 r3 r4 r10 b10 k10"


@pytest.mark.kernel
def test_nothing_to_lay_leaves_the_table() -> None:
    table = read_table("b8 b9 b10 | r5 j=r6 r7", RULESETS["sabra"])
    solution = solve(Query(RULESETS["sabra"], table, tiles("k1")))
    assert (solution.tiles, solution.laid, table_text(table)) == (0, (), draft_text(solution.after))
    assert (solution.unchanged, solution.proven) == (2, True)
