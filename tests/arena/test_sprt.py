"""The sequential test on streams whose strength is known."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.arena.ratings import expected
from tilerummy.arena.sprt import Sprt, llr


def stream(difference: float, luck: random.Random, spread: float = 0.2) -> int:
    """The half points of a deal played twice, both games leaning the way of the deal's luck."""
    due = expected(difference)
    lean = luck.choice((-spread, spread))
    return 2 * sum(luck.random() < min(1.0, max(0.0, due + by)) for by in (lean, -lean))


def decided(test: Sprt, difference: float, luck: random.Random) -> Sprt:
    while test.verdict is None and test.deals < 20_000:
        test.add(stream(difference, luck))
    return test


def test_it_errs_as_seldom_as_it_promises() -> None:
    luck = random.Random(3)
    wrong = {0.0: 0, 120.0: 0}
    for difference in wrong:
        for _ in range(150):
            test = decided(Sprt(0, 120, outcomes=4), difference, luck)
            wrong[difference] += test.verdict != ("H1" if difference else "H0")
    # with a chance of 5% each: more than 14 of 150 in one of a hundred
    assert max(wrong.values()) <= 14


def test_it_is_quicker_where_more_is_to_be_seen() -> None:
    def length(difference: float) -> float:
        luck = random.Random(4)
        return sum(decided(Sprt(0, 80, outcomes=4), difference, luck).deals for _ in range(15)) / 15

    assert length(250) < length(80)
    assert length(-100) < length(0)


def test_the_ratio_of_a_coin_is_the_closed_form() -> None:
    """Two outcomes: their shares are the means themselves."""
    for won, lost in ((70, 30), (10, 90), (1, 1)):
        found = llr([lost, won], 0.5, 0.6)
        exact = won * math.log(0.6 / 0.5) + lost * math.log(0.4 / 0.5)
        assert found == pytest.approx(exact, abs=1e-6)


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any), st.floats(-200, 200), st.floats(1, 200))
def test_the_ratio_is_antisymmetric_and_mirrored(seen: list[int], low: float, more: float) -> None:
    mean0, mean1 = expected(low), expected(low + more)
    ratio = llr(seen, mean0, mean1)
    assert llr(seen, mean1, mean0) == pytest.approx(-ratio, abs=1e-6)
    assert llr(seen[::-1], 1 - mean0, 1 - mean1) == pytest.approx(ratio, abs=1e-6)


def test_known_streams() -> None:
    draws = Sprt(0, 50, outcomes=4)
    for _ in range(30):
        draws.add(2)
    assert draws.verdict == "H0"  # no spread at all: what is seen is what is
    losses = Sprt(-10, 10, outcomes=4)
    while losses.verdict is None:
        losses.add(0)
    assert losses.verdict == "H0"
    before = (losses.llr, losses.deals)
    losses.add(4)
    assert (losses.llr, losses.deals) == before
    assert losses.bounds == pytest.approx((-math.log(19), math.log(19)))
