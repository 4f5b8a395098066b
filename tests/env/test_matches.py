"""Matches with equal deals: luck favours nobody."""

from typing import Any

import numpy as np
import pytest

from tilerummy.bots import BOTS
from tilerummy.env import Chance, Observation, Player, Score, match
from tilerummy.rulesets import RULESETS


@pytest.mark.parametrize(
    "player",
    ["random", "novice", "greedy", BOTS["points"], Chance()],
    ids=["random", "novice", "greedy", "a bot", "a policy"],
)
def test_a_player_against_itself_wins_exactly_half(player: Player) -> None:
    score = match(player, player, deals=3, seed=3)
    assert score.wins == (1,) * 3
    assert score.share == 0.5
    assert score.points == 0


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("players", [2, 3])
def test_in_every_ruleset(name: str, players: int) -> None:
    score = match(Chance(), Chance(), deals=1, seed=4, players=players, ruleset=name)
    assert score.wins == (1,)
    assert score.share == 1 / players


def test_the_better_player_wins_more() -> None:
    score = match("greedy", "random", deals=5, seed=5)
    assert score.share > 0.8
    assert score.points > 0
    assert match("random", "greedy", deals=5, seed=5).share < 0.2


def test_opponents_sit_in_turn_order_behind() -> None:
    """Whoever only draws cannot win against who plays; each of the others has its turn right after the one before."""
    order: list[int] = []

    def watching(number: int) -> Any:
        def policy(observation: Observation, luck: np.random.Generator, /) -> int:
            order.append(number)
            return 0

        return policy

    match(watching(0), [watching(1), watching(2)], deals=1, players=3, ruleset="rummy", max_cycles=2)
    first = order[:6]
    assert len(order) == 18
    assert first[:3] == first[3:]
    assert "".join(map(str, first[:3])) in ("012", "120", "201")


def test_a_round_that_is_cut_off_is_won_by_nobody() -> None:
    score = match(Chance(), Chance(), deals=2, max_cycles=1)
    assert score.wins == (0, 0)
    assert score.points == 0


def test_the_interval_is_the_spread_between_deals() -> None:
    """… and of one deal more, half won and half lost, so that deals that end alike are no proof."""
    low, high = Score(2, (1, 1, 1), 0.0).interval
    assert low + high == pytest.approx(1)
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / np.sqrt(2 * 3))
    low, high = Score(2, (2, 0, 2, 1), 0.0).interval
    doubt = (0.375**2 + 0.625**2) / 2
    assert low == pytest.approx(0.625 - 1.96 * np.sqrt((3 * np.var([1, 0, 1, 0.5], ddof=1) + doubt) / 3 / 4))
    assert high == 1
    assert Score(2, (2,) * 10, 0.0).interval[0] < 0.9
    assert Score(4, (1,), 0.0).interval == (0, 1)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"deals": 0}, "deals"),
        ({"deals": 1, "opponents": ["greedy", "greedy"]}, "opponents"),
        ({"deals": 1, "players": 3, "opponents": ["greedy"]}, "opponents"),
        ({"deals": 1, "opponents": "hal"}, "opponents: no bot is called 'hal'"),
        ({"deals": 1, "opponents": 5}, "opponents"),
        ({"deals": 1, "budget": 0}, "budget"),
        ({"deals": 1, "seed": "x"}, "seed"),
        ({"deals": "1"}, "deals"),
        ({"deals": 1, "ruleset": "mahjong"}, "ruleset"),
    ],
)
def test_bad_matches_are_named(given: dict[str, Any], field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}"):
        match("greedy", **given)


@pytest.mark.parametrize("player", ["hal", 5, None])
def test_a_player_that_is_none_is_named(player: Any) -> None:
    with pytest.raises(ValueError, match=r"^player: "):
        match(player, deals=1)
