"""A sequential test: is the first of two bots stronger by `elo1`, or only by `elo0`? It stops as soon as it knows.

Wald's test (1945) in the generalised form for results whose distribution is not known: the unknown shares of a deal's
possible outcomes take their most likely values under each hypothesis, which only fixes their mean. A deal with the
seats rotated is one observation, the half points of all its games together, so that paired games count as what they are
(with two players the pentanomial model). This is M. Van den Bergh's computation for the test frame of Stockfish (*A
practical introduction to the GSPRT*, 2019; fishtest's `LLRcalc`), after Owen's empirical likelihood (1988).

>>> test = Sprt(elo0=0, elo1=50, outcomes=4)
>>> while test.verdict is None:
...     test.add(4)
>>> test.verdict, test.deals
('H1', 23)
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from tilerummy.arena.ratings import expected

__all__ = ["Hypotheses", "Sprt", "Verdict", "llr"]

_LITTLE: Final = 1e-3  # of an observation, where there was none: no outcome is impossible
_STEPS: Final = 60

Verdict = Literal["H0", "H1"]
"""Which hypothesis was accepted."""


class Hypotheses(NamedTuple):
    """What is tested, and how often it may be wrong."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(slots=True)
class Sprt:
    """The test and what it has seen: how many deals had 0, 1, … half points, of at most so many."""

    elo0: float
    elo1: float
    outcomes: int
    alpha: float = 0.05
    beta: float = 0.05
    seen: list[int] = field(init=False)
    llr: float = field(init=False, default=0.0)
    verdict: Verdict | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Begin with nothing seen."""
        self.seen = [0] * (self.outcomes + 1)

    @property
    def hypotheses(self) -> Hypotheses:
        """What is tested."""
        return Hypotheses(self.elo0, self.elo1, self.alpha, self.beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the logarithm of the likelihood ratio decides: for `elo0` below, for `elo1` above."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def deals(self) -> int:
        """How many deals were seen."""
        return sum(self.seen)

    def add(self, halves: int) -> None:
        """See one more deal; once decided, nothing changes any more."""
        if self.verdict is not None:
            return
        self.seen[halves] += 1
        self.llr = llr(self.seen, expected(self.elo0), expected(self.elo1))
        low, high = self.bounds
        self.verdict = "H0" if self.llr <= low else "H1" if self.llr >= high else None


def llr(seen: Sequence[int], mean0: float, mean1: float) -> float:
    """The logarithm of how much likelier the outcomes are with the second mean, each between 0 and 1."""
    counts = [max(float(count), _LITTLE) for count in seen]
    total = math.fsum(counts)
    points = [(place / (len(seen) - 1), count / total) for place, count in enumerate(counts)]
    tilt0, tilt1 = _tilt(points, mean0), _tilt(points, mean1)
    terms = (share * math.log((1 + tilt0 * (value - mean0)) / (1 + tilt1 * (value - mean1))) for value, share in points)
    return total * math.fsum(terms)


def _tilt(points: Iterable[tuple[float, float]], mean: float) -> float:
    """The likeliest shares with this mean are share / (1 + tilt · (value - mean)); find the tilt by halving."""
    some = tuple(points)
    low, high = -1 / (1 - mean), 1 / mean  # beyond these a share would be negative
    for _ in range(_STEPS):
        tilt = (low + high) / 2
        slope = math.fsum(share * (value - mean) / (1 + tilt * (value - mean)) for value, share in some)
        low, high = (tilt, high) if slope > 0 else (low, tilt)
    return (low + high) / 2
