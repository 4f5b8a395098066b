"""The expert: determinised search. It draws worlds that its view leaves, and plays each candidate out in all of them.

Every candidate is tried in the same worlds, so that luck is the same for all. Whoever is far behind is out, after
every heat the worse half is, and the budget goes to those still in the race. What the keeper would do is the one to
beat, and clearly.
"""

import random
import time
from dataclasses import dataclass, field
from math import sqrt

from tilerummy.bots.candidates import Candidate, candidates
from tilerummy.bots.keeper import Sense
from tilerummy.bots.turn import Turn
from tilerummy.bots.worlds import Belief, Worlds
from tilerummy.playouts import Policy, Situation, compare
from tilerummy.tiles import counts
from tilerummy.view import View

__all__ = ["Expert", "Tuning"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the expert goes by; docs/bots.md tells what each is worth."""

    most: int = 12  # candidates
    least: int = 8  # worlds that each candidate is tried in, or else there are fewer candidates
    batch: int = 16  # worlds that are drawn at a time; after each batch it looks at the clock and at the race
    clear: float = 1.0  # standard errors by which a candidate has to be better than the keeper's choice
    hopeless: float = 2.5  # standard errors behind the leader that put a candidate out
    score: float = 0.02  # what 100 points are worth, a win being 1
    i_hold: int = 2  # with so many players at most it holds its jokers in play-outs
    they_hold: int = 2  # with so many players at most the others do
    belief: Belief = field(default_factory=Belief)
    sense: Sense = field(default_factory=Sense)


class Expert:
    """It tries what it might do in worlds that may be, and does what wins most of them."""

    name = "expert"
    description = "Plays every choice out in its mind, many times over, and takes the one that wins most often."

    def __init__(self, tuning: Tuning | None = None, seconds: float | None = None) -> None:
        """With a time cap it may stop before its budget is spent, and the same seed may not give the same choice."""
        self.tuning = tuning or Tuning()
        self.seconds = seconds

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Search with so many play-outs at most."""
        until = None if self.seconds is None else time.monotonic() + self.seconds
        tuning = self.tuning
        runners = candidates(view, min(tuning.most, max(1, budget // tuning.least)), tuning.sense)
        if len(runners) == 1 or _goes_out(runners[0], view):
            return runners[0].turn(view)
        return _Race(view, rng, tuning, runners).run(budget, until).turn(view)


def _goes_out(one: Candidate, view: View) -> bool:
    """Whether this play wins the round: where stars count, more of them may be had before the end."""
    return one.laid is not None and sum(one.laid) == len(view.rack) and not view.rules.stars


class _Race:
    """Candidates that are tried in the same worlds; the first is the one to beat."""

    def __init__(self, view: View, rng: random.Random, tuning: Tuning, runners: list[Candidate]) -> None:
        assert view.seat is not None
        self._seat = view.seat
        self._tuning = tuning
        self._runners = runners
        self._worlds = Worlds(view, rng, tuning.belief)
        self._policies = [
            Policy.HOLD if view.players <= (tuning.i_hold if seat == view.seat else tuning.they_hold) else Policy.TILES
            for seat in range(view.players)
        ]
        self._situation = Situation(
            view.rules,
            bytes(counts(tile for meld in view.table for tile in meld.tiles)),
            view.opened,
            view.turn,
            view.passes,
            view.stars,
            view.starter,
        )
        self._values: list[list[float]] = [[] for _ in runners]

    def run(self, budget: int, until: float | None) -> Candidate:
        """Spend the budget and name the winner: heats of equal cost, after each of which the worse half is out."""
        racing = list(range(len(self._runners)))
        heats = max(1, (len(racing) - 1).bit_length())
        for heat in range(heats):
            share = budget // (heats - heat)
            while len(racing) > 1 and share >= len(racing) and (until is None or time.monotonic() < until):
                number = min(self._tuning.batch, share // len(racing))
                self._try(racing, number)
                share -= number * len(racing)
                budget -= number * len(racing)
                racing = self._hopeful(racing)
            if heat < heats - 1:
                best = sorted((one for one in racing if one), key=self._mean, reverse=True)
                racing = [*racing[:1], *best[: len(racing) // 2]] if racing[0] == 0 else best[: (len(racing) + 1) // 2]
        if racing[0] == 0:
            return self._runners[max(racing, key=self._merit)]
        return self._runners[max(racing, key=self._mean)]

    def _try(self, racing: list[int], number: int) -> None:
        worlds = self._worlds.draw(number)
        firsts = [self._runners[one].laid for one in racing]
        share = self._tuning.score / 100
        for one, results in zip(racing, compare(self._situation, worlds, firsts, self._policies), strict=True):
            wins, scores = results.wins(self._seat), results.scores(self._seat)
            self._values[one].extend(win + share * score for win, score in zip(wins, scores, strict=True))

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
        gains = [mine - theirs for mine, theirs in zip(self._values[one], self._values[other], strict=True)]
        number = len(gains)
        if number < 2:
            return 0.0
        mean = sum(gains) / number
        spread = sqrt(sum((gain - mean) ** 2 for gain in gains) / (number - 1) / number)
        return mean - errors * spread
