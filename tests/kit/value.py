"""The best value of some tiles by exhaustive search: slow, and independent of the kernel."""

from collections.abc import Iterable

from tilerummy.melds import BY_NUMBER, shapes
from tilerummy.tiles import JOKER, MAX_NUMBER, Tile, counts

__all__ = ["value"]


def value(some: Iterable[Tile], numbers: int = MAX_NUMBER, groups: bool = True) -> int:
    """The most points that disjoint melds within these tiles are worth."""
    have = counts(some)
    return _Search(numbers, groups).value(have[:JOKER], have[JOKER])


class _Search:
    """Over the lowest tile left: lay a meld of which it is the lowest tile, or drop it."""

    def __init__(self, numbers: int, groups: bool) -> None:
        self.numbers = numbers
        self.groups = groups
        self.seen: dict[tuple[tuple[int, ...], int], int] = {}

    def value(self, have: list[int], jokers: int) -> int:
        lowest = next((kind for kind in BY_NUMBER if have[kind]), None)
        if lowest is None:
            return 0
        key = (tuple(have), jokers)
        if key not in self.seen:
            have[lowest] -= 1
            best = self.value(have, jokers)
            have[lowest] += 1
            for shape in shapes(have, jokers, lowest, self.numbers, self.groups):
                for kind in shape.kinds:
                    have[kind] -= 1
                best = max(best, shape.points + self.value(have, jokers - shape.jokers))
                for kind in shape.kinds:
                    have[kind] += 1
            self.seen[key] = best
        return self.seen[key]
