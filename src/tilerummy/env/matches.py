"""Matches with equal deals: each deal is played once from every seat, so that luck favours nobody.

A seat's chance depends on the deal and the seat, not on who sits there. So a player against itself wins exactly its
share: with two players half the rounds.

>>> match("greedy", "greedy", deals=3, seed=1).share
0.5
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilerummy.bots import BUDGET
from tilerummy.env.checks import whole
from tilerummy.env.players import Luck, Player, opposing, seated, take_turn
from tilerummy.env.tilerummy_v0 import TileRummy

__all__ = ["Score", "match"]


@dataclass(frozen=True, slots=True)
class Score:
    """What came of a match, from the side of the player that was asked about."""

    players: int
    wins: tuple[int, ...]  # of each deal: in how many of its seats the player won
    points: float  # a round, on average

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return len(self.wins) * self.players

    @property
    def share(self) -> float:
        """The part of the rounds that was won."""
        return sum(self.wins) / self.rounds

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share lies with 95 % confidence, by the spread of the deals and one more, half won, half lost."""
        shares = np.array(self.wins) / self.players
        if len(shares) < 2:
            return 0.0, 1.0
        doubt = ((1 - self.share) ** 2 + self.share**2) / 2
        spread = float(((shares - self.share) ** 2).sum()) + doubt
        reach = 1.96 * math.sqrt(spread / (len(shares) - 1) / len(shares))
        return max(0.0, self.share - reach), min(1.0, self.share + reach)


def match(
    player: Player,
    opponents: Player | Sequence[Player] = "random",
    *,
    deals: int,
    seed: int = 0,
    players: int = 2,
    budget: int = BUDGET,
    **configuration: Any,
) -> Score:
    """Play each deal from every seat against these opponents, who sit in turn order behind; `TileRummy`'s rules.

    A round that is cut off (`max_cycles`) is won by nobody.
    """
    whole("deals", deals, 1)
    whole("seed", seed, 0)
    whole("budget", budget, 1)
    game = TileRummy(players=players, **configuration)
    agent = game.possible_agents[0]
    line = [seated(player), *opposing(opponents, players)]
    chance = np.random.default_rng(seed)
    wins, points = [], 0
    for number in range(deals):
        deal = chance.bytes(32).hex()
        won = 0
        for rotation in range(players):
            game.reset(options={"deal": deal, "rotation": rotation})
            lucks = [Luck.of(seed, number, seat) for seat in range(players)]
            while not (game.terminations[agent] or game.truncations[agent]):
                seat = game.game.turn
                behind = (seat - rotation) * game.rules.step % players
                take_turn(game, line[behind], lucks[seat], budget)
            won += game.game.winner == rotation
            points += game.game.scores[-1][rotation] if game.game.scores else 0
        wins.append(won)
    return Score(players, tuple(wins), points / (deals * players))
