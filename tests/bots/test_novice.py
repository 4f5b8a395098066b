"""The novice: what it sees, what it holds back, and what it overlooks."""

import random

import pytest

from tests.bots.positions import play_round, position
from tilerummy.bots import Chance, Novice
from tilerummy.melds import draft_text
from tilerummy.rulesets import ruleset
from tilerummy.state import Play
from tilerummy.view import View

OTHER = "r1 r1' b1 b1' k1"


def tables(view: View, seeds: int = 40) -> list[str]:
    """The tables that it commits over many turns like this one; an empty text is a draw."""
    commands = [Novice().choose(view, random.Random(seed), 1) for seed in range(seeds)]
    return [draft_text(command.table) if isinstance(command, Play) else "" for command in commands]


def usual(view: View) -> str:
    """What it does most often."""
    every = tables(view)
    return max(every, key=every.count)


def test_adds_to_runs_and_groups() -> None:
    assert usual(position("sabra", "y4 y5 y6 | r8 b8 k8", "y3 y8 r2")) == "y3 y4 y5 y6 | r8 b8 k8 y8"


def test_overlooks_some() -> None:
    assert set(tables(position("sabra", "y4 y5 y6", "y3 r12"))) == {"y3 y4 y5 y6", ""}


def test_sees_no_rearrangement() -> None:
    """The b8 that would make a group is there for the taking."""
    assert set(tables(position("sabra", "b8 b9 b10 b11", "k8 y8 r2"))) == {""}


def test_opens_with_no_more_than_it_takes() -> None:
    view = position("classic", "", "r10 b10 k10 y10 b2 k2 y2 r7", opened=(False, True))
    assert usual(view) == "r10 b10 k10"


def test_opens_with_its_joker_where_it_takes_that() -> None:
    assert usual(position("classic", "", "r10 b10 j r7", opened=(False, True))) == "r10 b10 j=10"


def test_does_not_open_below_the_minimum() -> None:
    assert set(tables(position("classic", "r5 r6 r7", "r8 b9 k9 y9 r1", opened=(False, True)))) == {""}


def test_lets_the_others_open() -> None:
    rack = "r10 b10 k10 r7"
    first = tables(position("classic", "", rack, opened=(False, False)))
    later = tables(position("classic", "", rack, opened=(False, True)))
    assert later.count("") < first.count("") < len(first)


def test_keeps_the_fourth_and_the_joker() -> None:
    assert usual(position("classic", "", "r5 b5 k5 y5 j r12")) == "r5 b5 k5"


@pytest.mark.parametrize(("other", "pool"), [("r1 r2", 9), (OTHER, 0)])
def test_keeps_nothing_when_the_end_is_near(other: str, pool: int) -> None:
    view = position("classic", "k1 k2 k3", "r5 b5 k5 y5 j r12", other=other, pool=pool)
    assert usual(view) == "k1 k2 k3 j=k4 | r5 b5 k5 y5"


def test_lays_its_last_tiles() -> None:
    assert usual(position("classic", "k1 k2 k3", "r5 b5 k5 y5 j")) == "k1 k2 k3 j=k4 | r5 b5 k5 y5"


def test_swaps_a_joker_where_it_may_keep_it() -> None:
    assert usual(position("junior", "r4 j r6", "r5 b9")) == "r4 r5 r6"
    assert usual(position("classic", "r4 j r6", "r5 b9")) == ""


@pytest.mark.parametrize("id", ["sabra", "junior"])
def test_wins_some_and_loses_some(id: str) -> None:
    """A child can win: even chance does."""
    assert {play_round(ruleset(id), [Novice(), Chance()], seed)[0].winner for seed in range(6)} == {0, 1}
