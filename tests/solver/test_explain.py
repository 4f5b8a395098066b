"""The steps of a play lead from the table before to the table after, and no pairing of melds moves fewer tiles."""

import random
from collections import Counter
from itertools import permutations

import pytest

from tests.solver.test_reference import RULES, random_query
from tilerummy.melds import Draft, Meld, Piece, Table, draft, draft_text
from tilerummy.record import read_table
from tilerummy.rulesets import RULESETS
from tilerummy.solver import Step, explain, solve
from tilerummy.tiles import tile_of


def applied(before: Table, steps: list[Step]) -> Counter[tuple[str, ...]]:
    """The table after doing every step, each meld as sorted text."""
    melds: dict[int, list[Piece]] = {place: list(_alike(meld)) for place, meld in enumerate(before)}
    for step in steps:
        for piece, was in zip(step.pieces, step.were, strict=True):
            if step.source is not None:
                melds[step.source].remove(was)
            if step.target is not None:
                melds.setdefault(step.target, []).append(piece)
    return Counter(tuple(sorted(map(str, part))) for part in melds.values() if part)


def _alike(meld: Meld) -> list[Piece]:
    return [Piece(tile_of(piece.tile.kind), piece.face) for piece in meld.pieces]


def moved(steps: list[Step]) -> int:
    return sum(len(step.pieces) for step in steps if step.source is not None)


def fewest(before: Table, after: Draft) -> int:
    """The fewest table tiles that any pairing of old and new melds moves, by trying all pairings."""
    old = [Counter(map(str, _alike(meld))) for meld in before]
    new = [Counter(map(str, part)) for part in after] + [Counter[str]()] * len(before)
    most = max(sum((a & b).total() for a, b in zip(old, chosen, strict=True)) for chosen in permutations(new, len(old)))
    return sum(part.total() for part in old) - most


@pytest.mark.parametrize("name", ["classic", "club", "sabra", "rummy", "junior"])
def test_random_plays(name: str) -> None:
    tried = 0
    for seed in range(5000, 5150):
        query = random_query(seed, RULES[name])
        solution = solve(query)
        if solution.tiles and len(solution.after) + len(query.table) <= 7:
            steps = explain(query.table, solution.after)
            assert applied(query.table, steps) == Counter(tuple(sorted(map(str, part))) for part in solution.after)
            assert moved(steps) == fewest(query.table, solution.after), draft_text(solution.after)
            laid = sum(len(step.pieces) for step in steps if step.source is None)
            assert laid == solution.tiles
            tried += 1
    assert tried > 30


def test_shuffled_tables() -> None:
    """Tables that have nothing to do with each other but their tiles, too."""
    chance = random.Random(3)
    sabra = RULESETS["sabra"]
    before = read_table("r1 r2 r3 r4 | b1 b2 b3 | k1 k2 k3 j=k4", sabra)
    everything = [piece for meld in before for piece in _alike(meld)]
    for _ in range(200):
        chance.shuffle(everything)
        cuts = sorted(chance.sample(range(1, len(everything)), 2))
        after = tuple(
            tuple(everything[start:end]) for start, end in zip([0, *cuts], [*cuts, len(everything)], strict=True)
        )
        steps = explain(before, after)
        assert applied(before, steps) == Counter(tuple(sorted(map(str, part))) for part in after)
        assert moved(steps) == fewest(before, after)


@pytest.mark.parametrize(
    ("table", "after", "expected"),
    [
        ("b8 b9 b10", "b9 b10 b11 | b8 k8 y8", ["lay b11 - 0", "move b8 0 1", "lay k8 y8 - 1"]),
        ("b3 b4 j", "b3 b4 b5 | r7 y7 j=7", ["swap b5 - 0", "lay r7 y7 - 1", "move j=7 0 1"]),
        ("b6 b7 j", "b4 j=b5 b6 b7", ["lay b4 - 0", "turn j=b5 0 0"]),
        ("r2 r3 r4 j", "r1 r2 r3 r4", ["lay r1 - 0", "take j 0 -"]),
        (
            "b3 b4 j | b5 r5 k5 y5",
            "b3 b4 b5 | r5 k5 y5 | j=k8 k9 k10",
            ["swap b5 1 0", "lay k9 k10 - 2", "move j=k8 0 2"],
        ),
        ("", "r1 r2 r3", ["lay r1 r2 r3 - 0"]),
    ],
)
def test_steps(table: str, after: str, expected: list[str]) -> None:
    steps = explain(read_table(table, RULESETS["sabra"]), draft(after))
    told = [
        f"{step.verb} {draft_text([step.pieces])} {'-' if step.source is None else step.source}"
        f" {'-' if step.target is None else step.target}"
        for step in steps
    ]
    assert told == expected
