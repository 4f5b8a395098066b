"""One agent against fixed opponents: Gymnasium's own checks, and who plays when."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from tilerummy.bots import BOTS
from tilerummy.env import Chance, Observation, Solo
from tilerummy.rulesets import RULESETS


def rounds(env: Solo, number: int, seed: int) -> list[tuple[float, int]]:
    """Play rounds by chance: the result and the length of each."""
    luck = np.random.default_rng(seed)
    played = []
    env.reset(seed=seed)
    for _ in range(number):
        env.reset()
        steps, reward, over = 0, 0.0, False
        while not over:
            action = luck.choice(np.flatnonzero(env.action_masks()))
            observation, reward, terminated, truncated, _ = env.step(action)
            assert env.observation_space.contains(observation)
            over, steps = terminated or truncated, steps + 1
            assert over or reward == 0
        played.append((reward, steps))
    return played


@pytest.mark.filterwarnings("ignore:.*obs space.*:UserWarning")
@pytest.mark.parametrize("name", RULESETS)
def test_gymnasiums_checks(name: str) -> None:
    env = gymnasium.make(f"tilerummy/{name}-v0", opponents="greedy", players=3, render_mode="svg")
    check_env(env.unwrapped)


@pytest.mark.parametrize(
    "opponents",
    ["greedy", BOTS["novice"], Chance(), ["random", Chance()]],
    ids=["a name", "a bot", "a policy", "several"],
)
def test_whole_rounds(opponents: Any) -> None:
    players = 3 if isinstance(opponents, list) else 2
    first = rounds(Solo(opponents, players=players), 3, seed=5)
    assert first == rounds(Solo(opponents, players=players), 3, seed=5)
    assert {reward for reward, _ in first} <= {1.0, -1.0 / (players - 1)}


def test_the_agent_is_to_move_whenever_it_is_asked() -> None:
    env = Solo("novice", players=4, ruleset="rummy")
    env.reset(seed=1)
    for _ in range(10):
        assert env.game.agent_selection == env.agent
        observation, *_ = env.step(0)
        assert observation["round"][4] == 1


def test_seats() -> None:
    env = Solo("random", seat=1)
    for seed in range(3):
        env.reset(seed=seed)
        assert env.game.seat(env.agent) == 1
    env.reset(options={"seat": 0})
    assert env.game.seat(env.agent) == 0
    drawn = Solo("random")
    assert {(drawn.reset(seed=seed), drawn.game.seat(drawn.agent))[1] for seed in range(20)} == {0, 1}


def test_opponents_sit_in_turn_order_behind() -> None:
    order: list[int] = []

    def watching(number: int) -> Any:
        def policy(observation: Observation, luck: np.random.Generator, /) -> int:
            order.append(number)
            return 0

        return policy

    env = Solo([watching(1), watching(2)], players=3, ruleset="rummy")
    env.reset(seed=2)
    del order[:]
    for _ in range(3):
        env.step(0)
    assert order == [1, 2] * 3


def test_a_masked_action_loses() -> None:
    env = Solo("random")
    env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(63)
    assert (reward, terminated, truncated, info) == (-1, True, False, {"illegal": True})
    assert env.observation_space.contains(observation)


def test_the_same_deal_again() -> None:
    env = Solo("greedy")
    first, _ = env.reset(seed=3, options={"deal": "ab" * 32, "seat": 0})
    again, _ = env.reset(options={"deal": "ab" * 32, "seat": 0})
    assert data_equivalence(first, again)


def test_a_round_that_is_over_before_the_agents_turn() -> None:
    """With three tiles dealt and no opening, somebody goes out at once now and then."""
    env = Solo("greedy", house={"deal": 3, "opening": 0}, ruleset="sabra")
    over = 0
    for seed in range(400):
        observation, _ = env.reset(seed=seed)
        if env.game.terminations[env.agent]:
            over += 1
            assert np.flatnonzero(observation["action_mask"]).tolist() == [0]
            _, reward, terminated, _, _ = env.step(0)
            assert (reward, terminated) == (-1, True)
    assert over


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"seat": 2}, "seat"),
        ({"opponents": []}, "opponents"),
        ({"seat": "1"}, "seat"),
        ({"opponents": "hal"}, "opponents"),
        ({"opponents": 5}, "opponents"),
        ({"opponents": [None]}, "opponents"),
        ({"budget": 0}, "budget"),
        ({"budget": 2.5}, "budget"),
        ({"players": "2"}, "players"),
        ({"reward": 1}, "reward"),
    ],
)
def test_bad_configuration_is_named(given: dict[str, Any], field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        Solo(**given)


@pytest.mark.parametrize(
    ("options", "field"),
    [({"seat": 2}, "seat"), ({"seat": "0"}, "seat"), ({"rotation": 1}, "options"), ({"seeed": 1}, "options")],
)
def test_bad_options_are_named(options: dict[str, Any], field: str) -> None:
    env = Solo()
    with pytest.raises(ValueError, match=f"^{field}: "):
        env.reset(options=options)
