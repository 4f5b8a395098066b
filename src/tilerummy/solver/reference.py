"""A slow, obviously right search: every table that the tiles can form, judged by `legality` like a person's play."""

from collections.abc import Iterator

from tilerummy.legality import is_legal, table_open
from tilerummy.melds import BY_NUMBER, Draft, Meld, Shape, shapes
from tilerummy.rulesets import JokerGoes
from tilerummy.solver.query import Query
from tilerummy.tiles import JOKER, counts, tile_of

__all__ = ["can_lay", "plays"]


def can_lay(query: Query) -> bool:
    """Whether the player to move has any legal play."""
    return next(plays(query), None) is not None


def plays(query: Query) -> Iterator[Draft]:
    """Each legal new table, copies not told apart."""
    before = tuple(_alike(meld) for meld in query.table)
    rack = tuple(tile_of(tile.kind) for tile in query.rack)
    locked = not table_open(query.rules, opened=query.opened, all_opened=query.all_opened)
    fixed = tuple(meld.pieces for meld in before) if locked else ()
    must = counts(() if locked else (tile for meld in before for tile in meld.tiles))
    have = [there + held for there, held in zip(must, counts(rack), strict=True)]
    if query.rules.joker_goes is JokerGoes.RACK:
        must[JOKER] = 0  # a joker of the table may go to the rack
    for melds in _Covers(have, must, query.rules.numbers, query.rules.groups).all(laid=False):
        after = (*fixed, *(shape.pieces for shape in melds))
        if is_legal(before, rack, after, query.rules, opened=query.opened, all_opened=query.all_opened):
            yield after


def _alike(meld: Meld) -> Meld:
    return Meld(tuple(tile_of(tile.kind) for tile in meld.tiles), meld.colour, meld.number)


class _Covers:
    """Each choice of melds that uses all tiles that it must and at least one more, the lowest tile first.

    Tiles left without any cover are remembered, so that they are not searched twice.
    """

    def __init__(self, have: list[int], must: list[int], numbers: int, groups: bool) -> None:
        self.have = have
        self.must = must
        self.numbers = numbers
        self.groups = groups
        self.dead: set[tuple[tuple[int, ...], tuple[int, ...], bool]] = set()

    def all(self, laid: bool) -> Iterator[list[Shape]]:
        lowest = next((kind for kind in BY_NUMBER if self.have[kind]), None)
        if lowest is None:
            if laid and not self.must[JOKER]:
                yield []
            return
        key = (tuple(self.have), tuple(self.must), laid)
        if key in self.dead:
            return
        found = False
        for shape in shapes(self.have, self.have[JOKER], lowest, self.numbers, self.groups):
            undo = self.have[:], self.must[:]
            more = laid
            for kind in (*shape.kinds, *[JOKER] * shape.jokers):
                self.have[kind] -= 1
                more = more or not self.must[kind]
                self.must[kind] = max(0, self.must[kind] - 1)
            for rest in self.all(more):
                found = True
                yield [shape, *rest]
            self.have[:], self.must[:] = undo  # in place: the shapes are read from it
        if self.have[lowest] > self.must[lowest]:
            self.have[lowest] -= 1
            for rest in self.all(laid):
                found = True
                yield rest
            self.have[lowest] += 1
        if not found:
            self.dead.add(key)
