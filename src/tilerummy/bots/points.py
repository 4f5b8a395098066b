"""Points: the play worth most points, every turn."""

import random

from tilerummy.bots.turn import Turn, lay, position
from tilerummy.solver import Objective
from tilerummy.view import View

__all__ = ["Points"]


class Points:
    """It gets rid of what would cost it most, and never holds anything back."""

    name = "points"
    description = "Lays the tiles worth most points, every turn."

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Play the solver's dearest play; it leaves nothing to chance, and the solver needs no budget."""
        return lay(view, position(view, Objective.POINTS))
