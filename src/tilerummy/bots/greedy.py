"""Greedy: as many tiles as any legal play lays, every turn."""

import random

from tilerummy.bots.turn import Turn, lay, position
from tilerummy.view import View

__all__ = ["Greedy"]


class Greedy:
    """It asks the solver, and never holds anything back."""

    name = "greedy"
    description = "Lays as many tiles as it can, every turn."

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Play the solver's best play; it leaves nothing to chance, and the solver needs no budget."""
        return lay(view, position(view))
