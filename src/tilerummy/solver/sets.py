"""Which sets of rack tiles can be laid at all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from operator import add, sub

from tilerummy import _kernel
from tilerummy.legality import is_legal, table_open
from tilerummy.melds import best_value
from tilerummy.rulesets import JokerGoes, JokerLeaves, JokerMelds, Rearranging, Ruleset
from tilerummy.solver.kernel import Question, tile_set
from tilerummy.solver.query import Objective, Query
from tilerummy.solver.run import ask, find
from tilerummy.solver.search import Search, is_rare
from tilerummy.tiles import JOKER, KINDS, MAX_NUMBER, Tile, counts, tile_of

__all__ = ["LaidSets", "Play", "Plays", "laid_sets", "laying", "plays"]

_NUMBERS = tuple(kind % MAX_NUMBER + 1 if kind < JOKER else 0 for kind in range(KINDS))
_AT_ONCE = 16  # sets that are put to the rules
_GUARDS = int.from_bytes(bytes([0x80] * KINDS), "little")


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


@dataclass(frozen=True, slots=True)
class LaidSets:
    """The same as counts by kind: the first `maximal` of them are the maximal ones."""

    sets: tuple[bytes, ...]
    maximal: int
    complete: bool
    problems: tuple[Question, ...]  # the relaxed problem in which each was found
    free: bool  # whether each is legal however it is arranged, and whichever of equal tiles lie where


def plays(query: Query, limit: int) -> Plays:
    """The distinct sets of rack tiles that can be laid, at most `limit` of them."""
    found = laid_sets(query, limit)
    made = [Play(_tiles(laid), place < found.maximal) for place, laid in enumerate(found.sets)]
    return Plays(tuple(made), found.complete)


def laid_sets(query: Query, limit: int, *, thorough: bool = True) -> LaidSets:
    """The distinct sets of rack tiles that can be laid, at most `limit` of them, as counts by kind.

    The kernel finds the sets of relaxed problems. Of some problems every set is legal; the sets of the others are put
    to the rules, and if there are too many, no more than it takes to reach the limit. If this is not to be `thorough`,
    only the largest are, and only as the kernel arranges them: another arrangement may be legal where that is not.
    """
    rules = query.rules
    least = 0 if query.opened else rules.opening
    if least and best_value(query.rack, rules.numbers, rules.groups) < least:
        return LaidSets((), 0, True, (), True)
    only = _only_problem(query)
    if only is not None:
        return _sets_of(only, limit, least)
    search = Search(query)
    relaxed = _loose(query) if search.jokers and is_rare(rules) else list(search.relaxed())
    one_sure = len(relaxed) == 1 and relaxed[0][1]
    found: dict[bytes, Question] = {}
    doubtful: dict[bytes, Question] = {}
    largest: set[bytes] = set()  # as far as one problem goes
    complete = True
    for question, sure in relaxed:
        wanted = limit if one_sure else 2 * limit + 64
        some, maximal, all_of_them = _kernel.enumerate(tile_set(rules), question.for_kernel(), wanted)
        complete = complete and all_of_them
        before = question.laid if any(question.laid) else None
        known = found if sure else doubtful
        made = [bytes(map(add, before, laid)) for laid in some] if before else some
        for laid in made:
            known.setdefault(laid, question)
        largest.update(made[:maximal])
        if before:  # alone they may leave a joker without a place
            doubtful.setdefault(before, question)
    if least:
        found, doubtful = (
            {laid: question for laid, question in known.items() if _value(laid, query) >= least}
            for known in (found, doubtful)
        )
    unknown = {laid: question for laid, question in doubtful.items() if laid not in found}
    if unknown:
        waiting = sorted(unknown, key=lambda laid: laid not in largest)
        room = limit - len(found)
        legal = 0
        for start in range(0, len(waiting), _AT_ONCE):
            some_sets = waiting[start : start + _AT_ONCE]
            if legal > (limit if some_sets[0] in largest else room) or (start and not thorough):
                complete = False
                break
            whole, all_known = _laid_whole(search, {laid: unknown[laid] for laid in some_sets}, thorough)
            found.update((laid, unknown[laid]) for laid in whole)
            legal += len(whole)
            complete = complete and all_known
    ranked = sorted(found, key=_rank, reverse=True)
    if not (one_sure and not least):
        largest = _maximal(ranked)
    first = [laid for laid in ranked if laid in largest]
    ordered = [*first, *(laid for laid in ranked if laid not in largest)][:limit]
    return LaidSets(
        sets=tuple(ordered),
        maximal=min(len(first), limit),
        complete=complete and len(found) <= limit,
        problems=tuple([found[laid] for laid in ordered]),
        free=False,
    )


def _only_problem(query: Query) -> Question | None:
    """The problem of which every set is legal, where the rules ask for no more than melds, and an opening."""
    rules = query.rules
    held = bytes(counts(query.rack))
    if not table_open(rules, opened=query.opened, all_opened=query.all_opened):
        return Question(query, bytes(KINDS), held, melds=tuple(meld.pieces for meld in query.table))
    table = counts([tile for meld in query.table for tile in meld.tiles])
    if rules.rearranging is Rearranging.ADDING or (table[JOKER] and not _are_jokers_free(rules)):
        return None
    return Question(query, bytes(table), held)


def _are_jokers_free(rules: Ruleset) -> bool:
    free = rules.joker_leaves is JokerLeaves.FREE and rules.joker_goes is JokerGoes.TABLE
    return free and rules.joker_melds is not JokerMelds.WHOLE


def _sets_of(problem: Question, limit: int, least: int) -> LaidSets:
    query = problem.query
    sets, maximal, complete = _kernel.enumerate(tile_set(query.rules), problem.for_kernel(), limit)
    if least:  # what contains an opening is one, so that a maximal set stays maximal
        opening = [_value(laid, query) >= least for laid in sets]
        sets, maximal = list(compress(sets, opening)), sum(opening[:maximal])
    return LaidSets(tuple(sets), maximal, complete, (problem,) * len(sets), True)


def _loose(query: Query) -> list[tuple[Question, bool]]:
    """For joker rules mixed as in no rulebook: everything on the table is free, and jokers may go to the rack."""
    table = counts(tile for meld in query.table for tile in meld.tiles)
    kept = range(table[JOKER] + 1) if query.rules.joker_goes is JokerGoes.RACK else range(1)
    held = bytes(counts(query.rack))
    return [(Question(query, bytes([*table[:JOKER], table[JOKER] - number]), held), False) for number in kept]


def _laid_whole(search: Search, sets: dict[bytes, Question], thorough: bool) -> tuple[list[bytes], bool]:
    """Those that a legal play lays whole, as the kernel does or in another way, and whether there are no others."""
    query, rules = search.query, search.rules
    legal = []
    for laid, answer in zip(sets, ask([laying(question, laid) for laid, question in sets.items()]), strict=True):
        if answer and answer.laid == laid:
            rack, after = _tiles(laid), answer.melds
            if is_legal(search.before, rack, after, rules, opened=query.opened, all_opened=query.all_opened):
                legal.append(laid)
    others = [laid for laid in sets if laid not in legal]
    if not thorough:
        return legal, not others
    queries = [replace(query, rack=_tiles(laid), objective=Objective.TILES) for laid in others]
    return legal + [laid for laid, one in zip(others, find(queries), strict=True) if one.laid == laid], True


def laying(problem: Question, laid: bytes) -> Question:
    """The problem of laying nothing but these, all of them if possible."""
    return replace(problem, rack=bytes(map(sub, laid, problem.laid)))


def _tiles(laid: bytes) -> tuple[Tile, ...]:
    return tuple(tile_of(kind) for kind, number in enumerate(laid) for _ in range(number))


def _value(laid: bytes, query: Query) -> int:
    return _kernel.best_value(laid, query.rules.numbers, query.rules.groups)


def _rank(laid: bytes) -> tuple[int, int]:
    return sum(laid), sum(number * times for number, times in zip(_NUMBERS, laid, strict=True) if times)


def _maximal(ranked: Sequence[bytes]) -> set[bytes]:
    """Those that lie in no other; a set that contains another has more tiles, so it comes earlier."""
    kept: list[int] = []
    largest = set()
    for laid in ranked:
        packed = int.from_bytes(laid, "little")
        if not any(((one | _GUARDS) - packed) & _GUARDS == _GUARDS for one in kept):
            kept.append(packed)
            largest.add(laid)
    return largest
