"""Ratings and intervals against closed forms, and against simulations in which the truth is known."""

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.arena.ratings import Pairs, elo, estimate, expected, ratings, share


@given(st.integers(0, 300), st.integers(0, 300))
def test_two_bots_are_apart_by_the_logarithm_of_their_points(won: int, lost: int) -> None:
    """One drawn deal more than there was, here of one game: (won + 1/2) / (lost + 1/2)."""
    deals: Sequence[Pairs] = [{(0, 1): (2, 2)}] * won + [{(0, 1): (0, 2)}] * lost
    if not deals:
        return
    one, other = ratings(2, deals)
    assert one.value - other.value == pytest.approx(400 * math.log10((won + 0.5) / (lost + 0.5)), abs=1e-6)
    assert one.value + other.value == pytest.approx(0, abs=1e-9)


@given(st.floats(-800, 800))
def test_elo_and_shares_are_inverse(difference: float) -> None:
    assert elo(expected(difference)) == pytest.approx(difference, abs=1e-6)
    assert expected(400) == pytest.approx(10 / 11)


def test_the_interval_of_two_bots_is_that_of_independent_games() -> None:
    """One game a deal: the sandwich is the inverse of the information, n p q, up to the drawn deal."""
    deals: Sequence[Pairs] = [{(0, 1): (2, 2)}] * 6000 + [{(0, 1): (0, 2)}] * 4000
    one, _ = ratings(2, deals)
    scale = 400 / math.log(10)
    error = 1.959964 * scale / math.sqrt(10000 * 0.6 * 0.4) / 2  # half of the difference is each one's
    assert one.error == pytest.approx(error, rel=1e-3)


def test_ratings_of_many_are_found_again() -> None:
    truth = [-300.0, -50.0, 0.0, 100.0, 250.0]
    luck = random.Random(5)
    deals: list[Pairs] = []
    for _ in range(600):
        pairs = {}
        for i in range(5):
            for j in range(i + 1, 5):
                due = expected(truth[i] - truth[j])
                pairs[i, j] = (2 * sum(luck.random() < due for _ in range(2)), 4)
        deals.append(pairs)
    for found, true in zip(ratings(5, deals), truth, strict=True):
        assert found.low is not None
        assert found.high is not None
        assert found.low < true < found.high
        assert found.high - found.low < 50


def test_games_of_a_deal_count_once() -> None:
    """A deal whose games always end alike says no more than one of its games, however few are lost."""
    for won, lost in ((60, 40), (99, 1), (100, 0)):
        single: Sequence[Pairs] = [{(0, 1): (2, 2)}] * won + [{(0, 1): (0, 2)}] * lost
        tenfold: Sequence[Pairs] = [{(0, 1): (20, 20)}] * won + [{(0, 1): (0, 20)}] * lost
        for one, ten in zip(ratings(2, single), ratings(2, tenfold), strict=True):
            assert ten == pytest.approx(one)


def reach(deals: Sequence[Pairs]) -> float:
    """How far the interval of the first of two reaches."""
    error = ratings(2, deals)[0].error
    assert error is not None
    return error


@pytest.mark.parametrize("won", [0.5, 0.75, 0.95])
def test_four_times_the_deals_halve_the_interval(won: float) -> None:
    few, many = (
        [{(0, 1): (16, 16)}] * round(count * won) + [{(0, 1): (0, 16)}] * round(count * (1 - won))
        for count in (100, 400)
    )
    assert reach(many) == pytest.approx(reach(few) / 2, rel=0.1)


@pytest.mark.parametrize("count", [5, 20, 100, 500, 5000])
def test_who_won_every_deal_is_rated_as_exactly_as_its_wins_allow(count: int) -> None:
    """At a table of four, where two rotations have eight points: its low end is the exact one of so many wins."""
    one, _ = ratings(2, [{(0, 1): (16, 16)}] * count)
    assert one.low is not None
    assert 2 * one.value == pytest.approx(elo((count + 0.5) / (count + 1)))
    assert 2 * one.low == pytest.approx(elo(0.025 ** (1 / count)), abs=15)
    won = share([(4.0, 4.0)] * count)
    assert won.low is not None
    assert 2 * one.low < elo(won.low) < 2 * one.value


def test_more_won_deals_lift_the_low_end_and_narrow_the_interval() -> None:
    found = [ratings(2, [{(0, 1): (16, 16)}] * count)[0] for count in (3, 10, 30, 100, 300, 1000)]
    lows = [one.low for one in found if one.low is not None]
    errors = [one.error for one in found if one.error is not None]
    assert len(lows) == len(errors) == len(found)
    assert lows == sorted(lows)
    assert errors == sorted(errors, reverse=True)
    assert lows[3] > 250
    assert errors[-1] == pytest.approx(1.959964 * 400 / math.log(10) / 2, rel=0.01)


def test_a_weak_bot_is_rated_as_well_at_a_table_of_four_as_in_pairs() -> None:
    """Three who met in every deal, the last of whom never got a point: how many games make a deal is of no account."""
    two, four = (
        [
            {(0, 1): ((3 + place % 2) * many, 8 * many), (0, 2): (8 * many,) * 2, (1, 2): (8 * many,) * 2}
            for place in range(60)
        ]
        for many in (1, 4)
    )
    for one, other in zip(ratings(3, two), ratings(3, four), strict=True):
        assert other == pytest.approx(one)
        assert one.error is not None
        assert one.error < 200


def test_deals_that_all_end_alike_prove_nothing_about_the_next() -> None:
    """Their interval is that of one deal more, and as much narrower as there are more of them."""
    few, many = ([{(0, 1): (2, 4)}] * count for count in (3, 300))
    some, all_of_them = ratings(2, few)[0].error, ratings(2, many)[0].error
    assert some is not None
    assert all_of_them is not None
    assert some > 50 > 2 > all_of_them > 0


def test_intervals_hold_what_they_promise() -> None:
    """95 of 100 intervals hold the truth, where the games of a deal depend on each other."""
    luck = random.Random(11)
    held = 0
    for _ in range(400):
        deals = []
        for _ in range(120):
            due = min(1.0, max(0.0, luck.gauss(0.6, 0.25)))
            deals.append((float(sum(luck.random() < due for _ in range(4))), 4.0))
        found = share(deals)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.5946 <= found.high  # the mean of the clipped normal distribution
    assert 368 <= held <= 392


def test_who_never_lost_is_not_certain() -> None:
    all_won = share([(2.0, 2.0)] * 10)
    assert all_won.value == 1
    assert all_won.low is not None
    assert 0.8 < all_won.low < 0.95
    halved = share([(1.0, 2.0)] * 10)
    assert halved.value == 0.5
    assert halved.error == pytest.approx(1.959964 * 0.5 * math.sqrt(10 / 9) / 10)
    assert share([(1.0, 2.0)]) == (0.5, None, None)
    assert estimate([]) == (0, None, None)
    assert reach([{(0, 1): (4, 4)}] * 10) > 100
