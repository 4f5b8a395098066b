"""The expert: determinised search. It draws worlds that its view leaves, and plays each candidate out in all of them.

A plan is a candidate and how to go on after it: laying what can be laid, or lying in wait until the whole rack can be
laid at once. Every plan is tried in the same worlds, so that luck is the same for all. Whoever is far behind is out,
after every heat the worse half is, and the budget goes to those still in the race. Lying in wait is the one to beat,
and clearly.
"""

import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import sqrt
from typing import NamedTuple

from tilerummy.bots.candidates import Candidate, candidates, goes_out
from tilerummy.bots.keeper import Sense
from tilerummy.bots.turn import Turn, rest
from tilerummy.bots.worlds import Belief, Worlds
from tilerummy.playouts import Policy, Results, Situation, World, compare
from tilerummy.state import Draw
from tilerummy.tiles import counts
from tilerummy.view import View

__all__ = ["Expert", "Tuning"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the expert goes by; docs/bots.md tells what each is worth."""

    most: int = 12  # plans
    least: int = 8  # worlds that each plan is tried in, or else there are fewer plans
    sure: int = 48  # worlds that the first plan is tried in alone; where it wins all of them there is no race
    batch: int = 16  # worlds a plan is tried in at a time; after each batch it looks at the clock and at the race
    clear: float = 1.0  # standard errors by which a plan has to be better than the first
    hopeless: float = 2.5  # standard errors behind the leader that put a plan out
    score: float = 0.02  # what 100 points are worth, a win being 1
    i_hold: int = 2  # with so many players at most it holds its jokers in play-outs
    they_hold: int = 2  # with so many players at most the others do
    belief: Belief = field(default_factory=Belief)
    sense: Sense = field(default_factory=Sense)


class Expert:
    """It tries what it might do in worlds that may be, and does what wins most of them."""

    name = "expert"
    description = "Plays every choice out in its mind, many times over, and takes the one that wins most often."
    searches = True  # so that its budget matters

    def __init__(self, tuning: Tuning | None = None, seconds: float | None = None) -> None:
        """With a time cap it may stop before its budget is spent, and the same seed may not give the same choice."""
        self.tuning = tuning or Tuning()
        self.seconds = seconds

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Search with so many play-outs at most."""
        now, seconds, tuning = time.monotonic(), self.seconds, self.tuning
        until, half = (None, None) if seconds is None else (now + seconds, now + seconds / 2)
        most = min(tuning.most, max(1, budget // tuning.least))
        some = candidates(view, most, tuning.sense, half)
        if len(some) == 1 or (some[0].laid is not None and goes_out(sum(some[0].laid), view)):
            return some[0].turn(view)
        plans = list(islice(_plans(view, some, tuning), most))
        return _Race(view, rng, tuning, plans).run(budget, until).turn(view)


class _Plan(NamedTuple):
    """What to do now, and how to go on."""

    now: Candidate
    then: Policy


def _plans(view: View, some: Sequence[Candidate], tuning: Tuning) -> Iterator[_Plan]:
    """Lie in wait; then every candidate, with both ways to go on."""
    usual = Policy.HOLD if view.players <= tuning.i_hold else Policy.TILES
    waits = isinstance(rest(view), Draw)
    if waits:
        yield _Plan(Candidate(None), Policy.WAIT)
    for one in some:
        yield _Plan(one, usual)
        if waits and one.laid is not None:
            yield _Plan(one, Policy.WAIT)


def _in_time(until: float | None) -> bool:
    return until is None or time.monotonic() < until


class _Race:
    """Plans that are tried in the same worlds; the first is the one to beat."""

    def __init__(self, view: View, rng: random.Random, tuning: Tuning, runners: list[_Plan]) -> None:
        assert view.seat is not None
        self._seat = view.seat
        self._tuning = tuning
        self._runners = runners
        self._worlds = Worlds(view, rng, tuning.belief)
        self._others = Policy.HOLD if view.players <= tuning.they_hold else Policy.TILES
        self._situation = Situation(
            view.rules,
            bytes(counts(tile for meld in view.table for tile in meld.tiles)),
            view.opened,
            view.turn,
            view.passes,
            view.stars,
            view.starter,
        )
        self._drawn: list[World] = []
        self._values: list[list[float]] = [[] for _ in runners]  # of each plan, world by world
        self._won = 0  # worlds, by the first plan

    def run(self, budget: int, until: float | None) -> Candidate:
        """Spend the budget and name the winner: heats of equal cost, after each of which the worse half is out."""
        racing = list(range(len(self._runners)))
        sure = self._tuning.sure
        worlds = 0
        if budget >= sure * len(racing):
            while worlds < sure and _in_time(until):
                worlds += min(self._step(worlds, until, sure), sure - worlds)
                budget -= self._try([0], worlds)
            if self._won == sure:
                return self._runners[0].now
        worlds = 0
        heats = max(1, (len(racing) - 1).bit_length())
        for heat in range(heats):
            share = budget // (heats - heat)
            while len(racing) > 1 and share >= len(racing) and _in_time(until):
                worlds += min(self._step(worlds, until, self._tuning.batch), share // len(racing))
                spent = self._try(racing, worlds)
                share -= spent
                budget -= spent
                racing = self._hopeful(racing)
            if heat < heats - 1:
                best = sorted((one for one in racing if one), key=self._mean, reverse=True)
                racing = [*racing[:1], *best[: len(racing) // 2]] if racing[0] == 0 else best[: (len(racing) + 1) // 2]
        if racing[0] == 0:
            return self._runners[max(racing, key=self._merit)].now
        return self._runners[max(racing, key=self._mean)].now

    def _step(self, worlds: int, until: float | None, most: int) -> int:
        """How many worlds come next: with a time cap few at first, since nobody knows how long one takes."""
        return most if until is None else min(self._tuning.batch, max(1, worlds))

    def _try(self, racing: list[int], worlds: int) -> int:
        """Try each plan in the first so many worlds, as far as it has not been; return how many play-outs that took."""
        self._drawn += self._worlds.draw(worlds - len(self._drawn))
        alike: dict[tuple[Policy, int], list[int]] = defaultdict(list)
        for one in racing:
            alike[self._runners[one].then, len(self._values[one])].append(one)
        spent = 0
        for (policy, tried), some in alike.items():
            new = self._drawn[tried:worlds]
            firsts = [self._runners[one].now.laid for one in some]
            policies = [self._others] * len(self._situation.opened)
            policies[self._seat] = policy
            for one, results in zip(some, compare(self._situation, new, firsts, policies), strict=True):
                self._add(one, results)
            spent += len(new) * len(some)
        return spent

    def _add(self, one: int, results: Results) -> None:
        wins, share = results.wins(self._seat), self._tuning.score / 100
        self._won += sum(wins) if one == 0 else 0
        self._values[one] += [win + share * score for win, score in zip(wins, results.scores(self._seat), strict=True)]

    def _hopeful(self, racing: list[int]) -> list[int]:
        """Those that are not far behind the leader."""
        leader = max(racing, key=self._mean)
        return [one for one in racing if one == leader or self._lead(leader, one, self._tuning.hopeless) <= 0]

    def _mean(self, one: int) -> float:
        return sum(self._values[one]) / max(1, len(self._values[one]))

    def _merit(self, one: int) -> float:
        return self._lead(one, 0, self._tuning.clear) if one else 0.0

    def _lead(self, one: int, other: int, errors: float) -> float:
        """By how much a candidate is better than another, less so many standard errors."""
        gains = [mine - theirs for mine, theirs in zip(self._values[one], self._values[other], strict=False)]
        number = len(gains)
        if number < 2:
            return 0.0
        mean = sum(gains) / number
        spread = sqrt(sum((gain - mean) ** 2 for gain in gains) / (number - 1) / number)
        return mean - errors * spread
