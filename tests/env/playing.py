"""Rounds in the environment, played by chance."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tilerummy.env import Chance, TileRummy

__all__ = ["CONFIGURATIONS", "NAMES", "finish", "names"]

CONFIGURATIONS: list[dict[str, Any]] = [
    *({"ruleset": name, "players": players} for name in ("classic", "club", "sabra", "rummy") for players in (2, 3, 4)),
    *({"ruleset": "junior", "players": players} for players in (2, 4)),
    {"ruleset": "sabra", "players": 6, "house": {"tileset": "xp"}},
]
"""Every ruleset with every number of players, as far as that is another game."""


def names(configuration: dict[str, Any]) -> str:
    """How a test is called."""
    return f"{configuration['ruleset']}-{configuration['players']}"


NAMES = [names(configuration) for configuration in CONFIGURATIONS]


def finish(env: TileRummy, seed: int = 0, watch: Callable[[TileRummy], None] = lambda env: None) -> list[int]:
    """Play to the end by chance, watched before each turn; return the actions."""
    luck, chance, actions = np.random.default_rng(seed), Chance(), []
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        watch(env)
        actions.append(chance(env.observe(env.agent_selection), luck))
        env.step(actions[-1])
    return actions
