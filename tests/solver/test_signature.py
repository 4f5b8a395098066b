"""The solver's signature: what it answers to a fixed list of positions, and how many nodes that takes.

A change of the kernel that means to change neither reproduces these numbers; one that does says the new ones.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.positions import crowded
from tilerummy.legality import check
from tilerummy.record import read_position
from tilerummy.rulesets import ruleset
from tilerummy.solver import solve, solve_many

LONG: list[dict[str, Any]] = json.loads((Path(__file__).parent.parent / "truth" / "rearrangements.json").read_text())

SIGNATURE = {
    "sabra": (582, 5988),
    "sabra xp": (591, 15841),
    "classic": (575, 25942),
    "club": (582, 7879),
    "rummy": (562, 8573),
    "junior": (111, 2386),
}


@pytest.mark.kernel
@pytest.mark.parametrize("name", SIGNATURE)
def test_signature(name: str) -> None:
    id, _, tileset = name.partition(" ")
    rules = ruleset(id, {"tileset": tileset} if tileset else {})
    sizes = (8, 16, 24) if id == "junior" else (15, 30, 45, 60, 75, 90)
    queries = [crowded(seed, rules, size, 6 if id == "junior" else 12) for size in sizes for seed in range(10)]
    solutions = solve_many(queries)
    tiles, nodes = sum(one.tiles for one in solutions), sum(one.nodes for one in solutions)
    assert (tiles, nodes) == SIGNATURE[name]


@pytest.mark.kernel
@pytest.mark.parametrize("case", LONG, ids=[case["position"][:40] for case in LONG])
def test_only_a_long_rearrangement_works(case: dict[str, Any]) -> None:
    query = read_position(case["position"])
    solution = solve(query, follow=True)
    assert (solution.tiles, len(query.table) - solution.unchanged) == (case["tiles"], case["touched"])
    assert check(query.table, query.rack, solution.after, query.rules).legal
