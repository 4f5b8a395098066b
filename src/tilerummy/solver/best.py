"""Questions that people and programs ask of a position."""

from tilerummy.legality import check, settle
from tilerummy.melds import best_value, read
from tilerummy.solver.query import Objective, Query, Solution
from tilerummy.solver.search import Found, alike, best
from tilerummy.tiles import JOKER, KINDS, tile_of

__all__ = ["can_lay", "solve"]


def solve(query: Query) -> Solution:
    """The best play, proven; with nothing to lay, the table as it is."""
    before = tuple(alike(meld) for meld in query.table)
    found = best(query) or Found((0,) * KINDS, tuple(meld.pieces for meld in before), 0, 0.0)
    melds = [read(part, query.rules.numbers, query.rules.groups) for part in found.after]
    table = settle(before, melds)
    unchanged = sum(meld in before for meld in table)
    laid = tuple(tile_of(kind) for kind, number in enumerate(found.laid) for _ in range(number))
    jokers = [sum(tile.is_joker for meld in some for tile in meld.tiles) for some in (before, table)]
    weights = query.weights if query.objective is Objective.WEIGHTS else (0,) * KINDS
    points = sum(tile.number for tile in laid)
    if found.laid[JOKER]:
        points = check(before, laid, found.after, query.rules).points
    return Solution(
        after=tuple(meld.pieces for meld in table),
        laid=laid,
        taken=(tile_of(JOKER),) * (jokers[0] + found.laid[JOKER] - jokers[1]),
        tiles=len(laid),
        points=points,
        jokers=found.laid[JOKER],
        weight=sum(number * weight for number, weight in zip(found.laid, weights, strict=True)),
        unchanged=unchanged,
        proven=True,
        nodes=found.nodes,
        micros=found.micros,
    )


def can_lay(query: Query) -> bool:
    """Whether the player to move has any legal play."""
    rules = query.rules
    if not query.opened and rules.opening:
        return best_value(query.rack, rules.numbers, rules.groups, rules.opening) >= rules.opening
    return best(query) is not None
