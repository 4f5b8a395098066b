"""A play that a person can follow: of all equally good plays one that touches the fewest melds.

A meld is *needed* if no equally good play leaves it alone; a play that touches only needed melds cannot be bettered.
Otherwise sets of the other melds are tried, the smallest first, `TRIALS` of them; beyond that the play is one in which
no further meld can be left alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, islice
from operator import sub

from tilerummy.legality import table_open
from tilerummy.melds import Draft, Meld, read
from tilerummy.rulesets import JokerGoes
from tilerummy.solver.kernel import Question, value
from tilerummy.solver.query import Query
from tilerummy.solver.run import ask, find
from tilerummy.solver.search import Found, alike
from tilerummy.tiles import counts

__all__ = ["TRIALS", "least_touching", "unchanged"]

TRIALS = 400


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


def unchanged(before: Sequence[Meld], after: Sequence[Meld]) -> list[int]:
    """The places of the earlier melds that lie on the new table as they lay."""
    left = list(after)
    same = []
    for place, meld in enumerate(before):
        if meld in left:
            left.remove(meld)
            same.append(place)
    return same


class _Follow:
    def __init__(self, query: Query, found: Found) -> None:
        self.query = query
        self.found = found
        self.before = tuple(alike(meld) for meld in query.table)
        self.goal = value(query, found.laid)
        self.nodes = found.nodes
        self.micros = found.micros
        self.melds = range(len(self.before))
        self.counts = [counts(meld.tiles) for meld in self.before]
        self.lying = bytes(map(sum, zip(*self.counts, strict=True)))
        self.held = bytes(counts(query.rack))

    def best(self) -> Found:
        """Leave alone what can be left alone together with the rest, then look for larger sets of such melds."""
        after = [read(part, self.query.rules.numbers, self.query.rules.groups) for part in self.found.after]
        alone = set(unchanged(self.before, [meld for meld in after if isinstance(meld, Meld)]))
        best = self.found
        for place in self.melds:
            if place not in alone:
                (play,) = self._leaving([alone | {place}])
                if play:
                    best = play
                    alone.add(place)
        others = [place for place in self.melds if place not in alone]
        single = self._leaving([{place} for place in others])
        flexible = alone.union(place for place, play in zip(others, single, strict=True) if play)
        left = TRIALS
        for touched in range(len(flexible) - len(alone)):
            sets = [flexible - set(chosen) for chosen in islice(combinations(sorted(flexible), touched), left)]
            left -= len(sets)
            play = next((play for play in self._leaving(sets) if play), None)
            if play:
                best = play
                break
        return replace(best, nodes=self.nodes, micros=self.micros)

    def _leaving(self, sets: Sequence[set[int]]) -> list[Found | None]:
        """For each set of melds an equally good play that leaves them alone, if there is one."""
        promising = self._promising(sets)
        queries = [
            replace(self.query, table=tuple(self.before[place] for place in self.melds if place not in alone))
            for alone, good in zip(sets, promising, strict=True)
            if good
        ]
        answers = iter(find(queries))
        result: list[Found | None] = []
        for alone, good in zip(sets, promising, strict=True):
            found = next(answers) if good else None
            if found:
                self.nodes += found.nodes
                self.micros += found.micros
            result.append(self._whole(alone, found) if found and value(self.query, found.laid) == self.goal else None)
        return result

    def _promising(self, sets: Sequence[set[int]]) -> list[bool]:
        """Whether free jokers at least would allow it: one call of the kernel for all sets, and most are out."""
        if self.query.rules.joker_goes is JokerGoes.RACK:
            return [True] * len(sets)
        questions = []
        for alone in sets:
            table = self.lying
            for place in alone:
                table = bytes(map(sub, table, self.counts[place]))
            questions.append(Question(self.query, table, self.held))
        answers = ask(questions)
        for answer in answers:
            self.nodes += answer.raw.nodes if answer else 0
            self.micros += answer.raw.micros if answer else 0
        return [answer is not None and answer.value >= self.goal for answer in answers]

    def _whole(self, alone: set[int], found: Found) -> Found:
        after: Draft = (*(self.before[place].pieces for place in sorted(alone)), *found.after)
        return Found(found.laid, after, self.nodes, self.micros)
