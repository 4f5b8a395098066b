"""Questions that people and programs ask of a position."""

from collections.abc import Sequence
from dataclasses import replace

from tilerummy.legality import check, settle
from tilerummy.melds import best_value, read
from tilerummy.rulesets import Ruleset
from tilerummy.solver.follow import least_touching, unchanged
from tilerummy.solver.query import Objective, Query, Solution
from tilerummy.solver.run import find
from tilerummy.solver.search import Found, alike
from tilerummy.tiles import JOKER, KINDS, Tile, tile_of

__all__ = ["can_lay", "opening", "solve", "solve_many"]


def solve(query: Query, *, follow: bool = False) -> Solution:
    """The best play, proven; with nothing to lay, or nothing worth its weight, the table as it is.

    To `follow` a play, people want as few melds touched as an equally good play allows.
    """
    (solution,) = solve_many([query], follow=follow)
    return solution


def solve_many(queries: Sequence[Query], threads: int = 1, *, follow: bool = False) -> list[Solution]:
    """The best play of each position, in order; the kernel works on that many threads at once."""
    found = find(queries, threads)
    if follow:
        found = [least_touching(query, one) for query, one in zip(queries, found, strict=True)]
    return [_solution(query, one) for query, one in zip(queries, found, strict=True)]


def can_lay(query: Query) -> bool:
    """Whether the player to move has any legal play."""
    rules = query.rules
    if not query.opened and rules.opening:
        return best_value(query.rack, rules.numbers, rules.groups) >= rules.opening
    (found,) = find([replace(query, objective=Objective.TILES)])
    return any(found.laid)


def opening(rack: Sequence[Tile], rules: Ruleset) -> Solution:
    """The best opening of a rack on an empty table; it lays no tile when the rack cannot open."""
    return solve(Query(rules, (), tuple(rack), opened=False, all_opened=False))


def _solution(query: Query, found: Found) -> Solution:
    before = tuple(alike(meld) for meld in query.table)
    table = settle(before, [read(part, query.rules.numbers, query.rules.groups) for part in found.after])
    laid = tuple(tile_of(kind) for kind, number in enumerate(found.laid) for _ in range(number))
    points = sum(tile.number for tile in laid)
    if found.laid[JOKER]:
        points = check(before, laid, found.after, query.rules).points
    kept, lying = (sum(len(meld.jokers) for meld in some) for some in (before, table))
    weights = query.weights if query.objective is Objective.WEIGHTS else (0,) * KINDS
    return Solution(
        after=tuple(meld.pieces for meld in table),
        laid=laid,
        taken=(tile_of(JOKER),) * (kept + found.laid[JOKER] - lying),
        tiles=len(laid),
        points=points,
        jokers=found.laid[JOKER],
        weight=sum(number * weight for number, weight in zip(found.laid, weights, strict=True)),
        unchanged=len(unchanged(before, table)),
        proven=True,
        nodes=found.nodes,
        micros=found.micros,
    )
