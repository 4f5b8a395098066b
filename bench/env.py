"""The research environment: rounds and steps a second on one core, every agent choosing by chance.

For scale: on such a core OpenSpiel's gin rummy (C++) plays 301 games a second with random agents, RLCard's plays 70.
"""

import time
from typing import Any

import numpy as np

from tilerummy.env import Chance, TileRummy, tilerummy_v0
from tilerummy.rulesets import RULESETS

__all__ = ["environment"]

SECONDS = 5.0


def environment() -> None:
    """Print the table: `raw_env` for every ruleset, and `env` with PettingZoo's wrappers."""
    print(f"environment, agents that choose by chance, {SECONDS:.0f} seconds each\n")
    print(
        f"{'ruleset':10} {'players':>7} {'':8} {'rounds/s':>8} {'steps/s':>8} {'steps a round':>13} {'candidates':>10}"
    )
    for id in RULESETS:
        for players in (2, 4):
            measure(id, players, TileRummy(id, players))
    measure("sabra", 2, tilerummy_v0.env(ruleset="sabra", players=2), "wrapped")
    print()


def measure(ruleset: str, players: int, env: Any, how: str = "raw") -> None:
    """Play rounds for a while, each agent looking before it moves, and print how many."""
    luck, chance = np.random.default_rng(0), Chance()
    rounds = steps = choices = 0
    env.reset(seed=0)
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        env.reset()
        while not env.terminations[env.agent_selection]:
            observation = env.observe(env.agent_selection)
            choices += int(observation["action_mask"].sum())
            env.step(chance(observation, luck))
            steps += 1
        rounds += 1
    took = time.perf_counter() - start
    print(
        f"{ruleset:10} {players:7} {how:8} {rounds / took:8.1f} {steps / took:8.0f} "
        f"{steps / rounds:13.1f} {choices / steps:10.1f}"
    )
