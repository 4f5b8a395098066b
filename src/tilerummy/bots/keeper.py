"""The keeper: greedy with sense about what stays on its rack."""

import random
from dataclasses import dataclass, replace
from typing import Final

from tilerummy.bots.sense import outs, unseen
from tilerummy.bots.turn import Turn, must_open, played, position, rest, table_usable
from tilerummy.rulesets import JokerGoes, JokerLeaves, JokerMelds
from tilerummy.solver import Objective, Query, Solution, solve
from tilerummy.tiles import JOKER, KINDS, counts
from tilerummy.view import View

__all__ = ["ENOUGH", "HARD", "Keeper", "Sense", "keeping"]

HARD: Final = 20_000
"""Nodes of the solver beyond which one question about a position is enough, and every further one is cut short."""
ENOUGH: Final = 200_000
"""Nodes after which the first question is cut short too: under some joker rules a few would take seconds."""


@dataclass(frozen=True, slots=True)
class Sense:
    """What the keeper goes by; docs/bots.md tells what each is worth."""

    tile: int = 64  # what laying a tile is worth, as against
    most_outs: int = 24  # keeping one with so many outs, each being worth one
    short: int = 2  # tiles on another rack that make it play all that it can
    holds: int = 2  # with so many players at most it holds jokers until it goes out; with more, its opening


class Keeper:
    """It lays as much as greedy does, but keeps what may become a meld.

    With two players it keeps its jokers too; with more it opens late, with its whole rack at once.
    """

    name = "keeper"
    description = "Lays as many tiles as it can, but keeps jokers and what may become a meld, and opens when it pays."

    def __init__(self, sense: Sense | None = None) -> None:
        self.sense = sense or Sense()

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Play with sense; nothing is left to chance, and nothing searched."""
        if _may_wait(view, self.sense) and not _can_go_out(view):
            return rest(view)
        query, solution = keeping(view, self.sense)
        return played(view, query, solution)


def keeping(view: View, sense: Sense, greedy: Solution | None = None) -> tuple[Query, Solution]:
    """What a keeper that does not wait asks the solver, and its play; greedy's play need not be found twice."""
    query = position(view)
    whole = greedy or solve(query, limit=ENOUGH)
    if whole.tiles == len(view.rack) or whole.nodes > HARD or _hurries(view, sense):
        return query, whole
    holds = view.players <= sense.holds and not view.rules.stars
    rack = tuple(tile for tile in view.rack if not (holds and tile.is_joker))
    weighed = replace(query, rack=rack, objective=Objective.WEIGHTS, weights=_weights(view, sense))
    solution = solve(weighed, limit=HARD)
    return (weighed, solution) if solution.proven else (query, whole)


def _may_wait(view: View, sense: Sense) -> bool:
    """Whether its opening is better held back: all others may build on what lies there.

    That is so where a rack that opens may use the table in the same turn, and so go out at once.
    """
    return view.players > sense.holds and must_open(view) and table_usable(view) and not _hurries(view, sense)


def _can_go_out(view: View) -> bool:
    """Whether the whole rack can be laid; first as if jokers were free, which is a quick no where it is none."""
    query = position(view)
    free = replace(
        view.rules, joker_leaves=JokerLeaves.FREE, joker_goes=JokerGoes.TABLE, joker_melds=JokerMelds.DIVISIBLE
    )
    return all(solve(one, limit=ENOUGH).tiles == len(view.rack) for one in (replace(query, rules=free), query))


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
