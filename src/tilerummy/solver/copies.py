"""Which copy of a tile goes where: the solver does not tell copies apart, somebody's position may."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Final

from tilerummy.legality import check
from tilerummy.melds import Draft, Piece
from tilerummy.solver.explain import explain
from tilerummy.solver.query import Query, Solution
from tilerummy.tiles import Tile, tile_of

__all__ = ["with_copies"]

_TRIES: Final = 2000


def with_copies(query: Query, solution: Solution) -> tuple[Draft, tuple[Tile, ...]]:
    """The new table and the laid tiles, by the very copies that table and rack have; as they are if none is told apart.

    Each tile comes from where the steps of the play take it. Where that breaks a rule about jokers, which may depend
    on it, equal tiles change places.
    """
    if not solution.tiles:
        return tuple(meld.pieces for meld in query.table), ()
    if not any(tile.copy for tile in (*(tile for meld in query.table for tile in meld.tiles), *query.rack)):
        return solution.after, solution.laid
    after = _as_moved(query, solution)
    chosen = next((one for one in islice(_exchanged(after), _TRIES) if _is_legal(query, one)), after)
    laid = Counter(piece.tile for meld in chosen for piece in meld) & Counter(query.rack)
    return chosen, tuple(sorted(laid.elements()))


def _as_moved(query: Query, solution: Solution) -> Draft:
    """The new table, each tile having gone the way that the steps say."""
    melds = {place: [(_alike(piece), piece.tile) for piece in meld.pieces] for place, meld in enumerate(query.table)}
    rack = [(_alike(Piece(tile)), tile) for tile in sorted(query.rack)]
    for step in explain(query.table, solution.after):
        source = rack if step.source is None else melds[step.source]
        for piece, was in zip(step.pieces, step.were, strict=True):
            found = next(one for one in source if one[0] == was)
            source.remove(found)
            if step.target is not None:
                melds.setdefault(step.target, []).append((piece, found[1]))
    left = [list(meld) for meld in melds.values() if meld]
    made = []
    for part in solution.after:
        meld = next(meld for meld in left if Counter(piece for piece, _ in meld) == Counter(part))
        left.remove(meld)
        made.append(tuple(_taken(piece, meld) for piece in part))
    return tuple(made)


def _taken(piece: Piece, meld: list[tuple[Piece, Tile]]) -> Piece:
    found = next(one for one in meld if one[0] == piece)
    meld.remove(found)
    return Piece(found[1], piece.face)


def _alike(piece: Piece) -> Piece:
    return Piece(tile_of(piece.tile.kind), piece.face)


def _is_legal(query: Query, after: Draft) -> bool:
    opened, all_opened = query.opened, query.all_opened
    return check(query.table, query.rack, after, query.rules, opened=opened, all_opened=all_opened).legal


def _exchanged(after: Draft) -> Iterator[Draft]:
    """The table as it is, then with two equal tiles exchanged, then with more of them, the fewest first."""
    places = [(row, place) for row, meld in enumerate(after) for place in range(len(meld))]
    pairs = [
        (one, other)
        for one, other in combinations(places, 2)
        if _tile(after, one).kind == _tile(after, other).kind and _tile(after, one) is not _tile(after, other)
    ]
    for size in range(len(pairs) + 1):
        for some in combinations(pairs, size):
            yield _swapped(after, some)


_Place = tuple[int, int]


def _tile(after: Draft, at: _Place) -> Tile:
    return after[at[0]][at[1]].tile


def _swapped(after: Draft, pairs: Sequence[tuple[_Place, _Place]]) -> Draft:
    rows = [list(meld) for meld in after]
    for (row, place), (other_row, other) in pairs:
        one, two = rows[row][place], rows[other_row][other]
        rows[row][place], rows[other_row][other] = Piece(two.tile, one.face), Piece(one.tile, two.face)
    return tuple(map(tuple, rows))
