"""PettingZoo's own tests, for every ruleset and number of players."""

from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import seed_test

import tilerummy.env
from tests.env.playing import CONFIGURATIONS, names
from tilerummy.env import TileRummy, tilerummy_v0
from tilerummy.rulesets import RULESETS

pytestmark = [
    # PettingZoo says so of every environment but its own that masks actions.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    # Whoever is not to move may do nothing.
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=names)
def test_api(configuration: dict[str, Any]) -> None:
    api_test(tilerummy_v0.env(**configuration))  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=names)
def test_seed(configuration: dict[str, Any]) -> None:
    seed_test(lambda: tilerummy_v0.env(**configuration), num_cycles=20)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("name", RULESETS)
def test_render(name: str) -> None:
    def made(**given: Any) -> Any:
        return tilerummy_v0.env(ruleset=name, players=3, **given)

    render_test(made, {"svg": lambda drawn: drawn.startswith("<svg")})


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_is_registered(name: str) -> None:
    for written in (f"tilerummy/{name}_v0", f"tilerummy/{name}-v0", f"tilerummy/{name}"):
        env = pettingzoo.make("aec", written, players=3)
        assert isinstance(env.unwrapped, TileRummy)
        assert env.unwrapped.rules == RULESETS[name]
        assert env.possible_agents == ["player_0", "player_1", "player_2"]


def test_is_made_as_pettingzoo_wants_it() -> None:
    env = tilerummy_v0.env()
    assert str(env) == env.metadata["name"] == "tilerummy_v0"
    assert env.metadata["is_parallelizable"] is False
    with pytest.raises(AttributeError, match="before reset"):
        print(env.agent_selection)
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(64)
    assert tilerummy.env.raw_env is TileRummy


@pytest.mark.filterwarnings("ignore:.*Illegal move made")
def test_a_masked_action_loses() -> None:
    env: Any = tilerummy_v0.env()
    env.reset(seed=1)
    mover = env.agent_selection
    assert not env.observe(mover)["action_mask"][63]
    env.step(63)
    assert all(env.terminations.values())
    assert env.rewards[mover] == tilerummy_v0.ILLEGAL == -1


def test_a_cycle_limit_from_make() -> None:
    env: Any = pettingzoo.make("aec", "tilerummy/sabra_v0", max_cycles=2)
    env.reset(seed=1)
    for turn in range(4):
        assert not any(env.truncations.values()), turn
        env.step(0)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert not np.any(env.observe("player_0")["action_mask"])
