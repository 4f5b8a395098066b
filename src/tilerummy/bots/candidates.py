"""Candidates: the few plays of a turn that are worth a search, legal under the real rules.

Each is the best play of a part of the rack: all of it, without jokers, without some of the tiles that greedy lays, or
a few tiles alone. Of those that lay as many tiles and as many jokers, what leaves the most outs on the rack comes
first.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from typing import Final

from tilerummy.bots.keeper import ENOUGH, HARD, Sense, keeping
from tilerummy.bots.moves import rack_shapes
from tilerummy.bots.sense import outs, unseen
from tilerummy.bots.turn import Turn, must_open, played, position, rest
from tilerummy.melds import MIN_MELD
from tilerummy.solver import Objective, Query, Solution, solve, solve_many
from tilerummy.tiles import JOKER, Tile, counts
from tilerummy.view import View

__all__ = ["Candidate", "candidates", "goes_out"]

_FEW: Final = 4  # questions at a time
_MOST: Final = 500_000  # nodes of the solver for all of them; where jokers are free it takes about half of that at most


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play, or drawing or passing instead."""

    laid: bytes | None  # counts by kind, as play-outs take them
    query: Query | None = None
    solution: Solution | None = None

    def turn(self, view: View) -> Turn:
        """The command."""
        return rest(view) if self.query is None or self.solution is None else played(view, self.query, self.solution)


def candidates(view: View, most: int, sense: Sense, until: float | None = None) -> list[Candidate]:
    """What may be done in this turn, at most so many, what the keeper would lay first; to draw or to pass is one.

    Whoever is in a hurry gets what is found by then. Where the first answer wins the round, nothing else is asked.
    """
    query = position(view)
    greedy = solve(query, limit=ENOUGH)
    asked = () if greedy.nodes > HARD or goes_out(greedy.tiles, view) else _parts(query, greedy, view)
    found: dict[bytes | None, Candidate] = {}
    for one, solution in chain((keeping(view, sense, greedy), (query, greedy)), _answered(asked, until)):
        laid = bytes(counts(solution.laid)) if solution.tiles else None
        found.setdefault(laid, Candidate(laid, one, solution) if solution.tiles else Candidate(None))
    first = next(iter(found.values()))
    nothing = found.pop(None, Candidate(None))
    order = {one.laid: one for one in (first, nothing, *_ranked(view, list(found.values())))}
    return list(order.values())[:most]


def goes_out(tiles: int, view: View) -> bool:
    """Whether to lay so many wins the round: where stars count, more of them may be had before the end."""
    return tiles == len(view.rack) and not view.rules.stars


def _answered(asked: Iterable[Query], until: float | None) -> Iterator[tuple[Query, Solution]]:
    """The questions with their answers, a few at a time, until time or nodes are spent."""
    waiting, nodes = iter(asked), 0
    while nodes <= _MOST and (until is None or time.monotonic() < until):
        some = list(islice(waiting, _FEW))
        if not some:
            return
        answers = solve_many(some, limit=HARD)
        nodes += sum(one.nodes for one in answers)
        yield from zip(some, answers, strict=True)


def _parts(query: Query, greedy: Solution, view: View) -> Iterator[Query]:
    """The questions whose answers are candidates."""
    yield replace(query, objective=Objective.POINTS)
    if any(tile.is_joker for tile in query.rack):
        yield replace(query, rack=tuple(tile for tile in query.rack if not tile.is_joker))
    laid = _own(query.rack, greedy.laid)
    pieces = [piece for piece in _by_meld(greedy, laid) if len(piece) < len(laid)]
    for part in chain(_one_each(laid), pieces):
        yield replace(query, rack=_less(query.rack, part))
        yield replace(query, rack=_less(laid, part))
    if must_open(view):
        return
    for tile in _one_each(query.rack):
        yield replace(query, rack=tile)
    for piece in pieces:
        yield replace(query, rack=piece)
    for shape in rack_shapes(query.rack, query.rules, jokers=0):
        if shape.size == MIN_MELD:
            yield replace(query, rack=_of_kinds(query.rack, shape.kinds))


def _ranked(view: View, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """The best of each number of tiles and jokers, most tiles first; then the second best of each, and so on."""
    rules, rack = view.rules, counts(view.rack)
    hidden = unseen(rules, view.table, view.rack)
    alike: dict[tuple[int, int], list[tuple[int, int, Candidate]]] = defaultdict(list)
    for place, one in enumerate(found):
        laid = one.laid or b""
        left = [have - gone for have, gone in zip(rack, laid, strict=True)]
        alike[-sum(laid), laid[JOKER]].append((-sum(outs(left, hidden, rules)), place, one))
    for group in alike.values():
        group.sort(key=lambda ranked: ranked[:2])
    for level in zip_longest(*(alike[key] for key in sorted(alike))):
        yield from (ranked[2] for ranked in level if ranked)


def _by_meld(solution: Solution, laid: Sequence[Tile]) -> Iterator[tuple[Tile, ...]]:
    """The laid tiles by the meld that they lie in, as far as copies are not told apart."""
    left = Counter(tile.kind for tile in laid)
    for meld in solution.after[solution.unchanged :]:
        kinds = Counter(piece.tile.kind for piece in meld) & left
        left -= kinds
        if kinds:
            yield _of_kinds(laid, kinds.elements())


def _own(rack: Sequence[Tile], laid: Iterable[Tile]) -> tuple[Tile, ...]:
    """The very tiles of the rack that a solution lays."""
    return _of_kinds(rack, (tile.kind for tile in laid))


def _of_kinds(tiles: Sequence[Tile], kinds: Iterable[int]) -> tuple[Tile, ...]:
    wanted = Counter(kinds)
    chosen = []
    for tile in tiles:
        if wanted[tile.kind]:
            wanted[tile.kind] -= 1
            chosen.append(tile)
    return tuple(chosen)


def _less(rack: Sequence[Tile], gone: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(tile for tile in rack if tile not in gone)


def _one_each(tiles: Iterable[Tile]) -> list[tuple[Tile, ...]]:
    return [(tile,) for tile in {tile.kind: tile for tile in tiles}.values()]
