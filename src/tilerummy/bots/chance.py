"""The bot `random`: any legal play or draw, as chance has it."""

import random
from collections.abc import Iterable
from typing import Final, TypeVar

from tilerummy.bots.moves import Step, additions, fill, lay, loans, rack_melds, rack_shapes, splits, swaps
from tilerummy.bots.turn import Turn, commit, is_legal, must_open, table_usable
from tilerummy.rulesets import Rearranging
from tilerummy.view import View

__all__ = ["Chance"]

_T = TypeVar("_T")

_STOPS: Final = 0.65  # of the time: before a play, and after each move of it
_LAYOUTS: Final = 4  # times that it lays out its rack anew to open
_TRIES: Final = 8  # moves of a sort that it puts to the rules

_RACK: Final = (rack_melds,)
_ADDING: Final = (*_RACK, additions, swaps)
_FREE: Final = (*_ADDING, splits, loans)


class Chance:
    """It makes simple moves at random, one after the other, and stops at random."""

    name = "random"
    description = "Makes any legal play that it happens upon, or draws."

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Play at random; chance has no use for the budget."""
        step = Step(view.table, view.rack)
        further = _open if must_open(view) else _move
        while rng.random() >= _STOPS:
            moved = further(step, view, rng)
            if moved is None:
                break
            step, further = moved, _move
        return commit(view, step.table)  # where nothing was laid, that is no play


def _open(step: Step, view: View, rng: random.Random) -> Step | None:
    """Lay melds from the rack, as they come, until they reach the opening."""
    found = rack_shapes(step.rack, view.rules)
    for _ in range(_LAYOUTS):
        chosen, points = [], 0
        for shape in fill(step.rack, _shuffled(found, rng)):
            chosen.append(shape)
            points += shape.points
            if points >= view.rules.opening:
                return lay(step, chosen)
    return None


def _move(step: Step, view: View, rng: random.Random) -> Step | None:
    """Make one more move that leaves a legal play."""
    adding = view.rules.rearranging is Rearranging.ADDING
    for moves in _shuffled(_RACK if not table_usable(view) else _ADDING if adding else _FREE, rng):
        for moved in _shuffled(moves(step, view.rules), rng)[:_TRIES]:
            if is_legal(view, moved.table):
                return moved
    return None


def _shuffled(some: Iterable[_T], rng: random.Random) -> list[_T]:
    result = list(some)
    rng.shuffle(result)
    return result
