"""Questions that people and programs ask of a position."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from operator import mul

from tilerummy.legality import check
from tilerummy.melds import Meld, best_value
from tilerummy.rulesets import Ruleset
from tilerummy.solver.follow import as_meld, least_touching, unchanged
from tilerummy.solver.query import Objective, Query, Solution
from tilerummy.solver.run import find
from tilerummy.solver.search import Found, Search, alike, written
from tilerummy.tiles import JOKER, Tile, tile_of

__all__ = ["can_lay", "opening", "solve", "solve_many"]


def solve(query: Query, *, follow: bool = False, limit: int | None = None) -> Solution:
    """The best play, proven; with nothing to lay, or nothing worth its weight, the table as it is.

    To `follow` a play, people want as few melds touched as an equally good play allows. Who cannot wait sets a `limit`:
    where the search takes more nodes, the best play that is at hand then will do, and is not proven.
    """
    (solution,) = solve_many([query], follow=follow, limit=limit)
    return solution


def solve_many(
    queries: Sequence[Query], threads: int = 1, *, follow: bool = False, limit: int | None = None
) -> list[Solution]:
    """The best play of each position, in order; the kernel works on that many threads at once."""
    found = find(queries, threads, limit=limit)
    if follow:
        found = [least_touching(query, one) for query, one in zip(queries, found, strict=True)]
    return [_solution(query, one) for query, one in zip(queries, found, strict=True)]


def can_lay(query: Query) -> bool:
    """Whether the player to move has any legal play."""
    rules = query.rules
    if not query.opened and rules.opening:
        return best_value(query.rack, rules.numbers, rules.groups) >= rules.opening
    plain = replace(query, objective=Objective.TILES)
    known = Search(plain).can_lay()
    if known is not None:
        return known
    (found,) = find([plain])
    return any(found.laid)


def opening(rack: Sequence[Tile], rules: Ruleset) -> Solution:
    """The best opening of a rack on an empty table; it lays no tile when the rack cannot open."""
    return solve(Query(rules, (), tuple(rack), opened=False, all_opened=False))


def _solution(query: Query, found: Found) -> Solution:
    before = tuple(map(alike, query.table))
    kept, new = _settled(before, [as_meld(part, query.rules) for part in found.after])
    laid = tuple(tile_of(kind) for kind, number in enumerate(found.laid) for _ in range(number))
    points = sum(tile.number for tile in laid)
    if found.laid[JOKER]:
        points = check(before, laid, found.after, query.rules).points
    weights = query.weights if query.objective is Objective.WEIGHTS else ()
    joker = tile_of(JOKER)
    lay, lie = (sum(meld.tiles.count(joker) for meld in some) for some in (before, (*kept, *new)))
    return Solution(
        after=tuple(map(written, (*kept, *new))),
        laid=laid,
        taken=(joker,) * (lay + found.laid[JOKER] - lie),
        tiles=len(laid),
        points=points,
        jokers=found.laid[JOKER],
        weight=sum(map(mul, found.laid, weights)),
        unchanged=len(kept),
        proven=found.proven,
        nodes=found.nodes,
        micros=found.micros,
    )


def _settled(before: Sequence[Meld], after: Sequence[Meld]) -> tuple[list[Meld], list[Meld]]:
    """The melds of the new table that lay there before, and the others."""
    kept = [before[place] for place in unchanged(before, after)]
    left = Counter(kept)
    new = []
    for meld in after:
        if left[meld]:
            left[meld] -= 1
        else:
            new.append(meld)
    return kept, new
