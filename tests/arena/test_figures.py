"""Figures in words: never a value that cannot be."""

import json
import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tilerummy.arena import Settings, contest, read_seats, report_json, seated
from tilerummy.arena.figures import around, number, within
from tilerummy.arena.ratings import Estimate, share
from tilerummy.rulesets import ruleset


@given(st.floats(-1000, 1000), st.integers(0, 2))
def test_nothing_has_no_sign(value: float, digits: int) -> None:
    plain, signed = number(value, digits), number(value, digits, signed=True)
    assert not re.fullmatch(r"[-+]0(\.0*)?", plain)
    assert not re.fullmatch(r"[-+]0(\.0*)?", signed)
    assert float(plain) == float(signed) == round(value, digits)
    assert signed[0] in "+-" or float(signed) == 0


@given(st.lists(st.integers(0, 2), min_size=2, max_size=9))
def test_a_share_and_its_interval_lie_within_0_and_100(halves: list[int]) -> None:
    value, reach = within(share((one, 2) for one in halves), 100, 1, "%")
    low, high = map(float, reach.split("–"))
    assert 0 <= low <= float(value.removesuffix("%")) <= high <= 100


def test_one_deal_has_no_interval() -> None:
    assert around(Estimate(-0.2, None, None), signed=True) == ("0", "")
    assert within(Estimate(0.5, None, None), 100, 1, "%") == ("50.0%", "")


def test_whoever_sits_on_every_seat_wins_for_certain() -> None:
    entrants, lineups = seated(read_seats("random,random"))
    (bot,) = contest(Settings(entrants, lineups, 4, 3)).report().bots
    assert (bot.par, bot.win_rate) == (1, Estimate(1, None, None))


def test_nobody_has_fewer_than_no_stars() -> None:
    entrants, lineups = seated(read_seats("novice,random"))
    scores = [one.score for one in contest(Settings(entrants, lineups, 6, 0, ruleset("junior"))).report().bots]
    novice, random = scores
    assert random.low == 0 < random.value
    assert random.high is not None
    assert random.high > 2 * random.value  # so that ± would reach below
    assert novice.low is not None
    assert novice.low > 0


def test_no_minus_before_nothing_in_json() -> None:
    entrants, lineups = seated(read_seats("one=novice,other=novice"))
    report = contest(Settings(entrants, lineups, 4, 7)).report()
    little = Estimate(-0.0001, -0.0002, -0.00001)
    bots = tuple(replace(one, elo=little, score=little) for one in report.bots)
    assert "-0.0" not in json.dumps(report_json(replace(report, bots=bots), 0)["bots"])
