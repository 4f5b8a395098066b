"""Sense: what a rack may become, from what is on it and what nobody has seen.

Two tiles that want a third make a meld with the tile that is missing. Each copy of it that has not been seen is an
**out**. A tile with outs is worth keeping, one without is only in the way.

>>> from tilerummy.rulesets import ruleset
>>> from tilerummy.tiles import counts, tiles
>>> rules = ruleset("sabra")
>>> rack = tiles("r5 r6 k9 y1")
>>> hidden = unseen(rules, (), rack)
>>> [outs(counts(rack), hidden, rules)[tile.kind] for tile in rack]
[4, 4, 0, 0]
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from tilerummy.melds import MIN_MELD, Table
from tilerummy.rulesets import Ruleset
from tilerummy.tiles import COLOURS, JOKER, KINDS, MAX_NUMBER, Tile

__all__ = ["outs", "unseen"]


def unseen(rules: Ruleset, table: Table, rack: Sequence[Tile]) -> list[int]:
    """How many tiles of each kind are neither on the table nor on this rack."""
    hidden = list(_all(rules))
    for meld in table:
        for tile in meld.tiles:
            hidden[tile.kind] -= 1
    for tile in rack:
        hidden[tile.kind] -= 1
    return hidden


def outs(rack: Sequence[int], hidden: Sequence[int], rules: Ruleset) -> list[int]:
    """For each kind on the rack, how many unseen tiles would make a meld of it and another rack tile."""
    found = [0] * KINDS
    for meld in _threes(rules.numbers, rules.groups):
        one, two, three = meld
        held = (rack[one] > 0) + (rack[two] > 0) + (rack[three] > 0)
        if held == MIN_MELD - 1:
            missing = one if not rack[one] else two if not rack[two] else three
            for kind in meld:
                if kind != missing:
                    found[kind] += hidden[missing]
    return found


@lru_cache(maxsize=64)
def _all(rules: Ruleset) -> tuple[int, ...]:
    counted = [0] * KINDS
    for tile in rules.tiles():
        counted[tile.kind] += 1
    return tuple(counted)


@lru_cache(maxsize=16)
def _threes(numbers: int, groups: bool) -> tuple[tuple[int, int, int], ...]:
    """Every meld of three tiles without a joker, by kinds."""
    firsts = range(0, JOKER, MAX_NUMBER)
    runs = [(at, at + 1, at + 2) for first in firsts for at in range(first, first + numbers - MIN_MELD + 1)]
    if not groups:
        return tuple(runs)
    colours = combinations(range(len(COLOURS)), MIN_MELD)
    return (
        *runs,
        *(
            (one * MAX_NUMBER + at, two * MAX_NUMBER + at, three * MAX_NUMBER + at)
            for one, two, three in colours
            for at in range(numbers)
        ),
    )
