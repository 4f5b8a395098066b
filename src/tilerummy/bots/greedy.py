"""Greedy: as many tiles as any legal play lays, every turn."""

import random

from tilerummy.bots.turn import Turn, position, rest
from tilerummy.solver import solve, with_copies
from tilerummy.state import Play
from tilerummy.view import View

__all__ = ["Greedy"]


class Greedy:
    """It asks the solver, and never holds anything back."""

    name = "greedy"
    description = "Lays as many tiles as it can, every turn."

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Play the solver's best play; it leaves nothing to chance, and the solver needs no budget."""
        query = position(view)
        solution = solve(query)
        if not solution.tiles or view.seat is None:
            return rest(view)
        after, _ = with_copies(query, solution)
        return Play(view.seat, after)
