"""Which sets of rack tiles can be laid at all."""

from dataclasses import dataclass, replace

from tilerummy import _kernel
from tilerummy.legality import table_open
from tilerummy.melds import best_value
from tilerummy.rulesets import JokerGoes, JokerLeaves, JokerMelds, Rearranging
from tilerummy.solver.kernel import Question, tile_set
from tilerummy.solver.query import Objective, Query
from tilerummy.solver.run import find
from tilerummy.tiles import JOKER, KINDS, Tile, counts, tile_of

__all__ = ["Play", "Plays", "plays"]


@dataclass(frozen=True, slots=True)
class Play:
    """A set of rack tiles that can be laid in one turn; maximal when no larger set that contains it can."""

    laid: tuple[Tile, ...]
    maximal: bool


@dataclass(frozen=True, slots=True)
class Plays:
    """The sets found, maximal ones first, then by most tiles and most points; `complete` when there are no others."""

    sets: tuple[Play, ...]
    complete: bool


def plays(query: Query, limit: int) -> Plays:
    """The distinct sets of rack tiles that can be laid, at most `limit` of them."""
    locked = not table_open(query.rules, opened=query.opened, all_opened=query.all_opened)
    table = counts(() if locked else (tile for meld in query.table for tile in meld.tiles))
    wanted = limit if _is_exact(query) else 4 * limit + 64
    found: dict[bytes, None] = {}
    complete = True
    kept = range(table[JOKER] + 1) if query.rules.joker_goes is JokerGoes.RACK else range(1)
    for number in kept:  # jokers that go from the table to the rack
        here = bytes([*table[:JOKER], table[JOKER] - number])
        question = Question(query, here, bytes(counts(query.rack)))
        some, all_of_them = _kernel.enumerate(tile_set(query.rules), question.for_kernel(), wanted)
        found.update((laid, None) for laid, *_ in some)
        complete = complete and all_of_them
    sets = [tuple(tile_of(kind) for kind in range(KINDS) for _ in range(laid[kind])) for laid in found]
    if not _is_exact(query):
        sets = _legal(query, sets)
    made = [Play(laid, not any(_contains(other, laid) for other in sets)) for laid in sets]
    made.sort(key=lambda play: (not play.maximal, -len(play.laid), -sum(tile.number for tile in play.laid)))
    return Plays(tuple(made[:limit]), complete and len(made) <= limit)


def _is_exact(query: Query) -> bool:
    """Whether the kernel alone knows what can be laid: free jokers, free rearranging, the game opened."""
    rules = query.rules
    free = rules.joker_leaves is JokerLeaves.FREE and rules.joker_goes is JokerGoes.TABLE
    no_limits = rules.rearranging is Rearranging.FREE and rules.joker_melds is JokerMelds.DIVISIBLE
    return free and no_limits and (query.opened or not rules.opening)


def _legal(query: Query, sets: list[tuple[Tile, ...]]) -> list[tuple[Tile, ...]]:
    """Those of the sets that a legal play lays whole."""
    rules = query.rules
    if not query.opened and rules.opening:
        sets = [laid for laid in sets if best_value(laid, rules.numbers, rules.groups) >= rules.opening]
    queries = [replace(query, rack=laid, objective=Objective.TILES) for laid in sets]
    return [laid for laid, one in zip(sets, find(queries), strict=True) if sum(one.laid) == len(laid)]


def _contains(larger: tuple[Tile, ...], smaller: tuple[Tile, ...]) -> bool:
    left = list(larger)
    for tile in smaller:
        if tile not in left:
            return False
        left.remove(tile)
    return bool(left)
