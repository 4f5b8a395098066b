"""The novice: melds from its rack and simple additions, some of them overlooked, so that a child can win."""

import random
from typing import Final

from tilerummy.bots.moves import Step, additions, lay, lay_out, rack_shapes, swaps
from tilerummy.bots.turn import Turn, commit, must_open, rest, table_usable
from tilerummy.melds import MIN_MELD, Shape
from tilerummy.rulesets import JokerGoes
from tilerummy.tiles import Tile
from tilerummy.view import View

__all__ = ["Novice"]

_OVERLOOKS: Final = 0.1  # of its rack tiles, in any one turn
_WAITS: Final = 0.3  # of the turns in which it could be the first to open
_SHORT: Final = 3  # tiles on another rack that make it hurry


class Novice:
    """It follows a little of the advice that classic prints (*Stratégie*) until the round draws to its end."""

    name = "novice"
    description = "Lays melds from its rack and adds single tiles, and overlooks some of them."

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Play what it sees of its rack; it searches nothing, so there is no use for the budget."""
        seen = tuple(tile for tile in view.rack if rng.random() >= _OVERLOOKS)
        waits = rng.random() < _WAITS and not any(view.opened)
        start = Step(view.table, seen)
        if not must_open(view):
            all_of_it = _add(_lay_melds(start, view), view, jokers=True)
            if _hurries(view) or (not all_of_it.rack and len(seen) == len(view.rack)):
                return commit(view, all_of_it.table)
            return commit(view, _add(_lay_threes(start, view), view, jokers=False).table)
        opening = _opening(seen, view)
        if not opening or (waits and not _hurries(view)):
            return rest(view)  # "let the others open the game"
        opened = lay(start, opening)
        if _hurries(view):
            opened = _add(_lay_melds(opened, view), view, jokers=True)
        return commit(view, opened.table)


def _hurries(view: View) -> bool:
    """Whether to lay all there is: each tile earns a star, the pool is empty, or somebody will soon be out."""
    others = (size for seat, size in enumerate(view.rack_sizes) if seat != view.seat)
    return bool(view.rules.stars) or not view.pool_size or min(others) <= _SHORT


def _opening(seen: tuple[Tile, ...], view: View) -> list[Shape]:
    """The melds to open with, no more than it takes; its joker only if it takes that too."""
    plain = rack_shapes(seen, view.rules, jokers=0)
    for found in (_threes(plain), plain, rack_shapes(seen, view.rules)):
        chosen, points = [], 0
        for shape in lay_out(seen, found):
            chosen.append(shape)
            points += shape.points
            if points >= view.rules.opening:
                return chosen
    return []


def _lay_melds(step: Step, view: View) -> Step:
    """Lay the melds on the rack, jokers and all."""
    return lay(step, lay_out(step.rack, rack_shapes(step.rack, view.rules)))


def _lay_threes(step: Step, view: View) -> Step:
    """Lay melds of three: "keep the fourth for the next turn", and "sometimes keep the joker"."""
    return lay(step, lay_out(step.rack, _threes(rack_shapes(step.rack, view.rules, jokers=0))))


def _threes(found: list[Shape]) -> list[Shape]:
    return [shape for shape in found if shape.size == MIN_MELD]


def _add(step: Step, view: View, *, jokers: bool) -> Step:
    """Add single tiles to the melds that lay there before; what was just laid can wait."""
    if not table_usable(view):
        return step
    earlier, new = step.table[: len(view.table)], step.table[len(view.table) :]
    kept = () if jokers else tuple(tile for tile in step.rack if tile.is_joker)
    step = Step(earlier, tuple(tile for tile in step.rack if tile not in kept))
    while added := next(additions(step, view.rules), None):
        step = added
    # junior, *Les Jokers*: the joker that a tile was swapped for may be kept
    while view.rules.joker_goes is JokerGoes.RACK and (swapped := next(swaps(step, view.rules), None)):
        step = Step(swapped.table, swapped.rack[:-1])
        kept = (*kept, swapped.rack[-1])
    return Step((*step.table, *new), (*step.rack, *kept))
