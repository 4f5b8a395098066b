"""A play that a person can follow: of all equally good plays one that touches the fewest melds.

The kernel proposes sets of melds to touch, the smallest first, that are enough if jokers that may leave their melds are
free; each is put to the search until one is enough indeed. There are bounds, `NODES` for the kernel and `PLAYS` for the
sets put to the search; beyond them the play is one in which no further meld can be left alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from tilerummy import _kernel
from tilerummy.legality import table_open
from tilerummy.melds import Draft, Meld, Piece, read
from tilerummy.rulesets import JokerGoes, Ruleset
from tilerummy.solver.blocks import Fates
from tilerummy.solver.kernel import Question, most_value, tile_set, value
from tilerummy.solver.query import Query
from tilerummy.solver.run import find
from tilerummy.solver.search import Found, Search, alike, written
from tilerummy.tiles import JOKER, KINDS, counts

__all__ = ["NODES", "PLAYS", "as_meld", "least_touching", "unchanged"]

NODES = 50000
PLAYS = 200


def least_touching(query: Query, found: Found) -> Found:
    """An equally good play that touches as few melds as possible."""
    if (
        not any(found.laid)
        or not query.table
        or not table_open(query.rules, opened=query.opened, all_opened=query.all_opened)
    ):
        return found
    search = _Follow(query, found)
    return search.best()


def unchanged(before: Sequence[Meld], after: Iterable[Meld]) -> list[int]:
    """The places of the earlier melds that lie on the new table as they lay."""
    left = Counter(after)
    same = []
    for place, meld in enumerate(before):
        if left[meld]:
            left[meld] -= 1
            same.append(place)
    return same


def as_meld(part: tuple[Piece, ...], rules: Ruleset) -> Meld:
    """A meld of a solution."""
    meld = read(part, rules.numbers, rules.groups)
    assert isinstance(meld, Meld)
    return meld


class _Follow:
    def __init__(self, query: Query, found: Found) -> None:
        self.query = query
        self.found = found
        self.before = tuple(alike(meld) for meld in query.table)
        self.goal = value(query, found.laid)
        self.nodes = found.nodes
        self.micros = found.micros

    def best(self) -> Found:
        """Touch what the kernel proposes, until that is enough or as much as the play does that is known."""
        rules = self.query.rules
        alone = unchanged(self.before, [as_meld(part, rules) for part in self.found.after])
        touched = [place for place in range(len(self.before)) if place not in alone]
        rack = bytes(counts(self.query.rack))
        sets = _kernel.Touching(
            tile_set(rules),
            Question(self.query, bytes(KINDS), rack).for_kernel(),
            self._brought(),
            most_value(self.query, rack) - self.goal,
            sum(1 << place for place in touched),
            NODES,
        )
        best = None
        for _ in range(PLAYS):
            chosen = sets.least(len(touched) - 1)
            best = None if chosen is None else self._touching([place for place in range(64) if chosen >> place & 1])
            if best or chosen is None:
                break
            sets.rule_out(chosen)
        else:
            best = self._one_by_one(touched)
        if not best and sets.spent:
            best = self._one_by_one(touched)
        return replace(best or self.found, nodes=self.nodes + sets.nodes, micros=self.micros + sets.micros)

    def _brought(self) -> Sequence[_kernel.Query]:
        """What each meld brings when it is touched."""
        search = Search(self.query)
        fates = iter(search.fates)
        return [_brought(meld, tuple(next(fates) for _ in meld.jokers), self.query.rules) for meld in self.before]

    def _one_by_one(self, touched: Sequence[int]) -> Found | None:
        """Leave alone one meld after the other, where that works."""
        best = None
        for place in touched:
            fewer = [other for other in touched if other != place]
            play = self._touching(fewer)
            if play:
                best, touched = play, fewer
        return best

    def _touching(self, touched: Sequence[int]) -> Found | None:
        """An equally good play that touches only these melds, if there is one."""
        (found,) = find([replace(self.query, table=tuple(self.before[place] for place in touched))], least=self.goal)
        self.nodes += found.nodes
        self.micros += found.micros
        if value(self.query, found.laid) != self.goal:
            return None
        alone = (written(meld) for place, meld in enumerate(self.before) if place not in touched)
        after: Draft = (*alone, *found.after)
        return Found(found.laid, after, self.nodes, self.micros)


@lru_cache(maxsize=8192)
def _brought(meld: Meld, fates: Fates, rules: Ruleset) -> _kernel.Query:
    """What a meld brings to a play that touches it, as far as the fates of its jokers are known."""
    query = Query(rules, (meld,), ())
    if rules.joker_goes is JokerGoes.RACK:
        lying = counts(meld.tiles)
        jokers = bytes([*[0] * JOKER, lying[JOKER]])
        return Question(query, bytes([*lying[:JOKER], 0]), jokers).for_kernel()
    (question,) = Search(query).table_with(fates)
    return question.for_kernel()
