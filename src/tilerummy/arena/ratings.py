"""Ratings and intervals from results that belong together by deal.

Games of one deal are not independent: with the seats rotated, the tiles' luck falls to each side once. So every
interval here counts a deal as one observation.

Elo is the Bradley-Terry model (Bradley and Terry 1952; Hunter 2004 for its likelihood): of two bots, the one rated d
higher has 1 / (1 + 10^(-d/400)) of the points between them. The most likely ratings are found by Newton's method, and
their intervals are those of the sandwich estimator with a cluster for each deal (White 1982; Liang and Zeger 1986).

Deals that all end alike have no spread, and are no proof that the next one will. So each two who met are given one deal
more, of as many points as theirs have on average, that a coin decides as a whole. The ratings take its mean: half of
its points to each, so that who never lost has a rating too. The intervals take its variance, a quarter of its points
squared. Of two bots, one of which won n deals of n, that makes odds of 2n + 1 to 1, and the interval reaches
1.96 √(1/4) / (1/2) to either side as n grows, in natural units: down to odds of 2n / e^1.96 = n / 3.55, where the exact
bound of n wins of n, 0.025^(1/n), is n / 3.69. In Elo that is 340 either way, however many they are: ten times the
deals lift the rating and both ends by 400. How many games make a deal is of no account.

>>> two = ratings(2, [{(0, 1): (3, 4)}] * 100)
>>> round(two[0].value - two[1].value), round(400 * math.log10(151 / 51))
(189, 189)
>>> won = ratings(2, [{(0, 1): (16, 16)}] * 100)[0]
>>> round(2 * won.value), round(2 * won.error), round(elo(0.025 ** (1 / 100)))
(921, 346, 570)
>>> estimate([(1, 2), (1, 2), (2, 2), (0, 2)])
Estimate(value=0.5, low=0.0999..., high=0.9000...)
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

__all__ = ["Estimate", "Pairs", "elo", "estimate", "expected", "ratings", "share"]

Pairs = Mapping[tuple[int, int], tuple[int, int]]
"""What the first of two, the lower number, got from the second within a deal: half points, of how many."""

_Z: Final = NormalDist().inv_cdf(0.975)
_SCALE: Final = 400 / math.log(10)
_STEPS: Final = 100


class Estimate(NamedTuple):
    """A value and its 95% interval; None where one deal is all there is."""

    value: float
    low: float | None
    high: float | None

    @property
    def error(self) -> float | None:
        """How far the interval reaches, to its longer side."""
        return None if self.low is None or self.high is None else max(self.value - self.low, self.high - self.value)


def expected(difference: float) -> float:
    """The share of the points that somebody rated so much higher can expect."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo(share: float) -> float:
    """How much higher somebody is rated who gets this share of the points."""
    return -400 * math.log10(1 / share - 1)


def share(deals: Iterable[tuple[float, float]]) -> Estimate:
    """The share of the points, from deal to deal; its interval counts one deal more, half won and half lost."""
    pairs = [(got, of) for got, of in deals if of]
    value = estimate(pairs)
    if value.error is None:
        return value
    more = _doubt(value.value) * _Z * math.sqrt(len(pairs) / (len(pairs) - 1)) / len(pairs)
    error = math.hypot(value.error, more)
    return Estimate(value.value, max(0.0, value.value - error), min(1.0, value.value + error))


def _doubt(share: float) -> float:
    """How far a deal that is won or lost as a whole lies from this share, in the quadratic mean."""
    return math.sqrt(((1 - share) ** 2 + share**2) / 2)


def estimate(deals: Iterable[tuple[float, float]]) -> Estimate:
    """The total of the first over the total of the second, deal by deal, as a ratio with an interval."""
    pairs = [(got, of) for got, of in deals if of]
    count, whole = len(pairs), math.fsum(of for _, of in pairs)
    if not count:
        return Estimate(0.0, None, None)
    value = math.fsum(got for got, _ in pairs) / whole
    if count == 1:
        return Estimate(value, None, None)
    squares = math.fsum((got - value * of) ** 2 for got, of in pairs)
    error = _Z * math.sqrt(squares * count / (count - 1)) / whole
    return Estimate(value, value - error, value + error)


def ratings(count: int, deals: Sequence[Pairs]) -> list[Estimate]:
    """The Elo of so many entrants, 0 on average."""
    total: dict[tuple[int, int], list[float]] = {}
    for pairs in deals:
        for pair, (halves, of) in pairs.items():
            have = total.setdefault(pair, [0.0, 0.0])
            have[0] += halves / 2
            have[1] += of / 2
    met = Counter(pair for pairs in deals for pair in pairs)
    coins = {pair: of / met[pair] / 2 for pair, (_, of) in total.items()}  # half of the points of one deal more
    for pair, half in coins.items():
        total[pair][0] += half
        total[pair][1] += 2 * half
    found, inverse = _fit(count, total)
    if len(deals) < 2:
        return [Estimate(_SCALE * one, None, None) for one in found]
    shares = {(i, j): 1 / (1 + math.exp(found[j] - found[i])) for i, j in total}
    spread = [0.0] * count
    misses = ({pair: (halves - of * shares[pair]) / 2 for pair, (halves, of) in pairs.items()} for pairs in deals)
    for some in (*misses, *({pair: half} for pair, half in coins.items())):
        slope = [0.0] * count
        for (i, j), more in some.items():
            slope[i] += more
            slope[j] -= more
        for i, row in enumerate(inverse):
            spread[i] += _dot(row, slope) ** 2
    errors = [_Z * _SCALE * math.sqrt(one * len(deals) / (len(deals) - 1)) for one in spread]
    return [Estimate(_SCALE * one, _SCALE * one - e, _SCALE * one + e) for one, e in zip(found, errors, strict=True)]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def _fit(count: int, total: Mapping[tuple[int, int], Sequence[float]]) -> tuple[list[float], list[list[float]]]:
    """The most likely strengths, in natural units, and the inverse of their information, on the plane of sum 0."""
    found, inverse = [0.0] * count, [[0.0] * count] * count
    for _ in range(_STEPS):
        slope = [0.0] * count
        bend = [[1.0] * count for _ in range(count)]  # a constant everywhere holds the sum at 0
        for (i, j), (got, of) in total.items():
            due = 1 / (1 + math.exp(found[j] - found[i]))
            slope[i] += got - of * due
            slope[j] -= got - of * due
            weight = of * due * (1 - due)
            bend[i][i] += weight
            bend[j][j] += weight
            bend[i][j] -= weight
            bend[j][i] -= weight
        inverse = _inverse(bend)
        step = [_dot(row, slope) for row in inverse]
        longest = max(map(abs, step))
        shorter = min(1.0, 2 / longest) if longest else 1.0  # far from the top a whole step may leap over it
        found = [one + shorter * by for one, by in zip(found, step, strict=True)]
        if longest < 1e-12:
            break
    middle = math.fsum(found) / count
    return [one - middle for one in found], inverse


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Gauss and Jordan, with the largest pivot; matrices here are positive definite and small."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for at in range(size):
        best = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            if other != at and rows[other][at]:
                factor = rows[other][at]
                rows[other] = [value - factor * base for value, base in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]
