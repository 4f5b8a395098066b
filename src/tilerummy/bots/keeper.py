"""The keeper: greedy with sense about what stays on its rack."""

import random
from dataclasses import dataclass, replace
from typing import Final

from tilerummy.bots.sense import outs, unseen
from tilerummy.bots.turn import Turn, played, position
from tilerummy.solver import Objective, Query, Solution, solve
from tilerummy.tiles import JOKER, KINDS, counts
from tilerummy.view import View

__all__ = ["HARD", "Keeper", "Sense", "keeping"]

HARD: Final = 20_000
"""Nodes of the solver beyond which one question about a position is enough: a few take seconds each."""


@dataclass(frozen=True, slots=True)
class Sense:
    """What the keeper goes by; docs/bots.md tells what each is worth."""

    tile: int = 64  # what laying a tile is worth, as against
    most_outs: int = 24  # keeping one with so many outs, each being worth one
    short: int = 2  # tiles on another rack that make it play all that it can
    holds: int = 2  # with so many players at most it holds jokers until it goes out


class Keeper:
    """It lays as much as greedy does, but keeps what may become a meld, and with two players its jokers."""

    name = "keeper"
    description = "Lays as many tiles as it can, keeps what may become a meld, and its jokers while that helps."

    def __init__(self, sense: Sense | None = None) -> None:
        self.sense = sense or Sense()

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Play with sense; nothing is left to chance, and nothing searched."""
        query, solution = keeping(view, self.sense)
        return played(view, query, solution)


def keeping(view: View, sense: Sense, greedy: Solution | None = None) -> tuple[Query, Solution]:
    """What the keeper asks the solver, and the play that it makes; greedy's play need not be found twice."""
    query = position(view)
    whole = greedy or solve(query)
    if whole.tiles == len(view.rack) or whole.nodes > HARD or _hurries(view, sense):
        return query, whole
    if view.players <= sense.holds and not view.rules.stars and any(tile.is_joker for tile in view.rack):
        query = replace(query, rack=tuple(tile for tile in view.rack if not tile.is_joker))
    weighed = replace(query, objective=Objective.WEIGHTS, weights=_weights(view, sense))
    return weighed, solve(weighed)


def _hurries(view: View, sense: Sense) -> bool:
    """Whether to lay all there is: the pool is empty, or somebody will soon be out."""
    others = (size for seat, size in enumerate(view.rack_sizes) if seat != view.seat)
    return not view.pool_size or min(others) <= sense.short


def _weights(view: View, sense: Sense) -> tuple[int, ...]:
    """What laying a tile of each kind is worth: less with every out that it has on the rack."""
    have = outs(counts(view.rack), unseen(view.rules, view.table, view.rack), view.rules)
    weights = [sense.tile - min(have[kind], sense.most_outs) for kind in range(KINDS)]
    weights[JOKER] = sense.tile - sense.most_outs
    return tuple(weights)
