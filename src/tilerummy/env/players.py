"""Players for a seat of the environment: a policy over its observations, a bot, or a bot's name."""

import random
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from tilerummy.bots import BOTS, BUDGET, Bot, bot
from tilerummy.env.checks import refuse
from tilerummy.env.observation import Observation
from tilerummy.env.tilerummy_v0 import TileRummy

__all__ = ["Chance", "Luck", "Player", "Policy", "opposing", "seated", "take_turn"]


class Policy(Protocol):
    """Anything that chooses an action from what an agent observes."""

    def __call__(self, observation: Observation, luck: np.random.Generator, /) -> int:
        """Choose one of the actions that the mask allows."""


Player = str | Bot | Policy
"""Who plays a seat: the name of a bot, a bot, or a policy."""


class Chance:
    """The policy that takes each allowed action equally often."""

    def __call__(self, observation: Observation, luck: np.random.Generator, /) -> int:
        """Choose at random; the allowed actions come first."""
        return int(luck.integers(np.count_nonzero(observation["action_mask"])))


class Luck(NamedTuple):
    """What a seat leaves to chance: NumPy's generator for policies, Python's for bots."""

    policy: np.random.Generator
    bot: random.Random

    @classmethod
    def of(cls, *parts: int) -> "Luck":
        """The same for the same numbers, in any process."""
        return cls(np.random.default_rng(parts), random.Random(",".join(map(str, parts))))


def seated(player: Player, field: str = "player") -> Bot | Policy:
    """The player, a name standing for its bot; raises ValueError, which names the field, where it is none."""
    if isinstance(player, str):
        refuse(player not in BOTS, field, f"no bot is called {player!r}; there are {', '.join(BOTS)}")
        return bot(player)
    plays = callable(player) or callable(getattr(player, "choose", None))
    refuse(not plays, field, f"a bot, its name, or a policy, not {player!r}")
    return player


def opposing(opponents: Player | Sequence[Player], players: int) -> list[Bot | Policy]:
    """The other players, in turn order behind the agent: one for all of them, or one each."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        return [seated(opponents, "opponents")] * (players - 1)
    refuse(len(opponents) != players - 1, "opponents", f"one, or {players - 1} of them, not {len(opponents)}")
    return [seated(one, "opponents") for one in opponents]


def take_turn(game: TileRummy, player: Bot | Policy, luck: Luck, budget: int = BUDGET) -> None:
    """Let a player take the turn of the agent to move; a bot sees its view, a policy its observation."""
    mover = game.agent_selection
    if callable(player):
        game.step(int(player(game.observe(mover), luck.policy)))
    else:
        game.play(player.choose(game.view(mover), luck.bot, budget))
