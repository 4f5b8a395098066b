"""A bot's turn: what a bot is, and how it ends a turn with a command that the game accepts."""

import random
from collections.abc import Iterable
from typing import Final, Protocol

from tilerummy.legality import check, table_open
from tilerummy.melds import Meld
from tilerummy.solver import Objective, Query, Solution, solve, with_copies
from tilerummy.state import Draw, Pass, Play
from tilerummy.view import View

__all__ = [
    "BUDGET",
    "Bot",
    "Turn",
    "commit",
    "is_legal",
    "lay",
    "must_open",
    "played",
    "position",
    "rest",
    "table_usable",
]

BUDGET: Final = 600
"""The usual budget of a turn, in play-outs; a hard turn takes about 300 ms on one core, most take less."""

Turn = Play | Draw | Pass
"""What a bot may answer with."""


class Bot(Protocol):
    """A player without hands; it keeps nothing from one turn to the next."""

    name: str
    description: str

    def choose(self, view: View, rng: random.Random, budget: int) -> Turn:
        """Choose what the view's seat does in its turn; `budget` is how many play-outs it may search with."""


def must_open(view: View) -> bool:
    """Whether this turn's play has to reach the opening."""
    return bool(view.rules.opening) and not view.opened[_seat(view)]


def table_usable(view: View) -> bool:
    """Whether the melds on the table may be used in this turn."""
    return table_open(view.rules, opened=view.opened[_seat(view)], all_opened=all(view.opened))


def position(view: View, objective: Objective = Objective.TILES) -> Query:
    """The position of the view's player, as the solver takes it."""
    return Query(view.rules, view.table, view.rack, view.opened[_seat(view)], all(view.opened), objective)


def lay(view: View, query: Query) -> Turn:
    """Play what the solver finds best, or draw or pass."""
    return played(view, query, solve(query))


def played(view: View, query: Query, solution: Solution) -> Turn:
    """Play a solution of this query, which may ask about a part of the rack; without a tile to lay, draw or pass."""
    if not solution.tiles:
        return rest(view)
    after, _ = with_copies(query, solution)
    return Play(_seat(view), after)


def is_legal(view: View, table: Iterable[Meld]) -> bool:
    """Whether the view's player may commit this table."""
    verdict = check(
        view.table,
        view.rack,
        tuple(meld.pieces for meld in table),
        view.rules,
        opened=view.opened[_seat(view)],
        all_opened=all(view.opened),
    )
    return verdict.legal


def commit(view: View, table: Iterable[Meld]) -> Turn:
    """Play this table where it is a legal play, otherwise draw or pass."""
    melds = tuple(table)
    if not is_legal(view, melds):
        return rest(view)
    return Play(_seat(view), tuple(meld.pieces for meld in melds))


def rest(view: View) -> Draw | Pass:
    """End the turn without a play: draw, or pass where there is no tile, or no star to pay it with."""
    seat = _seat(view)
    broke = bool(view.rules.stars) and not view.stars[seat]
    return Pass(seat) if broke or not view.pool_size else Draw(seat)


def _seat(view: View) -> int:
    if view.seat is None:
        raise ValueError("a spectator has no turn")
    return view.seat
