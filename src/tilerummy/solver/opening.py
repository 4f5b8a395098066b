"""Openings: the smallest sets of rack tiles that reach the opening."""

from collections.abc import Iterator

from tilerummy.melds import BY_NUMBER, shapes
from tilerummy.rulesets import Ruleset
from tilerummy.tiles import JOKER

__all__ = ["opening_sets"]


def opening_sets(rack: bytes, rules: Ruleset) -> list[tuple[int, ...]]:
    """Each set of rack tiles (counts by kind) whose melds reach the opening, and no smaller set within it does."""
    found: set[tuple[int, ...]] = set()
    none = (0,) * len(rack)
    seen: set[tuple[tuple[int, ...], tuple[int, ...], int]] = set()

    def search(have: list[int], used: tuple[int, ...], points: int) -> None:
        if points >= rules.opening:
            found.add(used)
            return
        lowest = next((kind for kind in BY_NUMBER if have[kind]), None)
        if lowest is None or (tuple(have), used, points) in seen:
            return
        seen.add((tuple(have), used, points))
        for shape in shapes(have, have[JOKER], lowest, rules.numbers, rules.groups):
            kinds = (*shape.kinds, *[JOKER] * shape.jokers)
            more = list(used)
            for kind in kinds:
                have[kind] -= 1
                more[kind] += 1
            search(have, tuple(more), points + shape.points)
            for kind in kinds:
                have[kind] += 1
        kept = have[lowest]
        have[lowest] = 0
        search(have, used, points)
        have[lowest] = kept

    search(list(rack), none, 0)
    return list(_smallest(found))


def _smallest(sets: set[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    kept: list[tuple[int, ...]] = []
    for one in sorted(sets, key=lambda counts: (sum(counts), counts)):
        if not any(all(a <= b for a, b in zip(other, one, strict=True)) for other in kept):
            kept.append(one)
            yield one
