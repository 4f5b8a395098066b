"""Train a small policy in a minute, with NumPy alone, and see it beat chance: `python examples/train.py`.

The policy gives every candidate a score, linear in its features, and takes one with a chance that grows with the score
(softmax). REINFORCE moves the weights towards what was done in rounds that were won. Before training all weights are
zero, and every candidate is equally likely: that is chance itself, and half the rounds are won against it. The bot
`random` is weaker than that, since it does not know the solver's candidates.
"""

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilerummy.env import FEATURES, Chance, Observation, Player, Score, Solo, match
from tilerummy.rulesets import RULESETS

SCALES = np.array([5, 50, 1, 14, 100, 1, 1, 1])  # of FEATURES, in their order
OTHER = ("draw",)  # whether the candidate is the draw or pass
BATCH = 20  # rounds between two changes of the weights
Weights = NDArray[np.float64]


def inputs(observation: Observation) -> NDArray[np.float64]:
    """The features of the candidates that are there, a row each, of about the same size."""
    size = np.count_nonzero(observation["action_mask"])
    rows = np.zeros((size, len(FEATURES) + len(OTHER)))
    rows[:, : len(FEATURES)] = observation["features"][:size] / SCALES
    rows[0, -1] = 1
    return rows


def chances(rows: NDArray[np.float64], weights: Weights) -> NDArray[np.float64]:
    """How likely each candidate is taken."""
    scores = rows @ weights
    grown = np.exp(scores - scores.max())
    return np.asarray(grown / grown.sum())


class Linear:
    """The policy as `match` takes it."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def __call__(self, observation: Observation, luck: np.random.Generator, /) -> int:
        """Take a candidate, the better the likelier."""
        parts = {**observation["observation"], "action_mask": observation["action_mask"]}
        likely = chances(inputs(parts), self.weights)
        return int(luck.choice(len(likely), p=likely))


def train(rounds: int, *, batch: int = BATCH, rate: float = 3.0, seed: int = 1, **configuration: Any) -> Weights:
    """Play this many rounds against chance, and after each batch move the weights."""
    env = Solo(Chance(), **configuration)
    luck = np.random.default_rng(seed)
    weights = np.zeros(len(FEATURES) + len(OTHER))
    env.reset(seed=seed)
    for _ in range(rounds // batch):
        moves, results = [], []
        for _ in range(batch):
            observation, _ = env.reset()
            moved = np.zeros_like(weights)
            reward, over = 0.0, False
            while not over:
                rows = inputs(observation)
                likely = chances(rows, weights)
                action = int(luck.choice(len(likely), p=likely))
                moved += rows[action] - likely @ rows
                observation, reward, terminated, truncated, _ = env.step(action)
                over = terminated or truncated
            moves.append(moved)
            results.append(reward)
        gains = np.array(results) - np.mean(results)
        weights += rate * gains @ np.array(moves) / batch
    return weights


def told(score: Score) -> str:
    """A score in words."""
    low, high = score.interval
    return f"{score.share:6.1%} of {score.rounds} rounds won (95 %: {low:.1%} to {high:.1%})"


def main() -> None:
    """Train, and tell how good the policy was before and is after."""
    options = argparse.ArgumentParser(description="Train a linear policy against agents that choose by chance.")
    options.add_argument("--rounds", type=int, default=600, help="rounds to learn from")
    options.add_argument("--deals", type=int, default=100, help="deals to measure with, each from both seats")
    options.add_argument("--ruleset", default="sabra")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    for name, least in (("rounds", BATCH), ("deals", 1)):
        if getattr(given, name) < least:
            options.error(f"argument --{name}: at least {least}")
    if given.ruleset not in RULESETS:
        options.error(f"argument --ruleset: one of {', '.join(RULESETS)}")
    rivals: dict[str, Player] = {"chance": Chance(), "random": "random", "greedy": "greedy"}

    def measure(when: str, weights: Weights) -> None:
        for name, rival in rivals.items():
            score = match(Linear(weights), rival, deals=given.deals, seed=7, ruleset=given.ruleset)
            print(f"{when:6} against {name:6} {told(score)}")

    measure("before", np.zeros(len(FEATURES) + len(OTHER)))
    start = time.perf_counter()
    weights = train(given.rounds, seed=given.seed, ruleset=given.ruleset)
    print(f"trained on {given.rounds // BATCH * BATCH} rounds in {time.perf_counter() - start:.0f} s")
    for name, weight in zip((*FEATURES, *OTHER), weights, strict=True):
        print(f"  {name:12} {weight:+.2f}")
    measure("after", weights)


if __name__ == "__main__":
    main()
