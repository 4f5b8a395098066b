"""Which copy of a tile goes where: the solver does not tell copies apart, somebody's position may."""

from collections import Counter

from tilerummy.legality import is_legal
from tilerummy.melds import Draft, Piece, read
from tilerummy.origins import Origins
from tilerummy.solver.explain import explain
from tilerummy.solver.query import Query, Solution
from tilerummy.solver.search import alike
from tilerummy.tiles import Tile, tile_of

__all__ = ["with_copies"]


def with_copies(query: Query, solution: Solution) -> tuple[Draft, tuple[Tile, ...]]:
    """The new table and the laid tiles, by the very copies that table and rack have; as they are if none is told apart.

    Each tile comes from where the steps of the play take it. Where that breaks a rule about jokers, which may depend
    on it, it comes from where no rule is broken.
    """
    if not solution.tiles:
        return tuple(meld.pieces for meld in query.table), ()
    if not any(tile.copy for tile in (*(tile for meld in query.table for tile in meld.tiles), *query.rack)):
        return solution.after, solution.laid
    chosen = _as_moved(query, solution)
    if not is_legal(query.table, query.rack, chosen, query.rules, opened=query.opened, all_opened=query.all_opened):
        chosen = _by_origins(query, chosen)
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


def _by_origins(query: Query, moved: Draft) -> Draft:
    """The new table with each tile from an origin that breaks no rule; what may come from anywhere lies as moved."""
    rules, before = query.rules, tuple(map(alike, query.table))
    rack = tuple(tile_of(tile.kind) for tile in query.rack)
    after = tuple(tuple(map(_alike, part)) for part in moved)
    melds = [read(part, rules.numbers, rules.groups) for part in after]
    moves = Origins(before, rack, after, melds, rules, only_sound=True).moves
    used = {piece.tile for part in moved for piece in part}
    held = [list(meld.tiles) for meld in query.table]
    held.append([tile for tile in query.rack if tile.is_joker or tile in used])  # the last, as RACK says
    made: list[list[Tile | None]] = [[None] * len(part) for part in after]
    for kind, origin, target, place in moves:
        tile = next(one for one in held[origin] if one.kind == kind.kind)
        held[origin].remove(tile)
        free = (at for at, piece in enumerate(after[target]) if piece.tile is kind and made[target][at] is None)
        made[target][next(free) if place is None else place] = tile
    *table, laid = held
    left = [tile for some in table for tile in some if not tile.is_joker]  # jokers that are left went to the rack
    return _filled(moved, made, left + laid)


def _filled(moved: Draft, made: list[list[Tile | None]], left: list[Tile]) -> Draft:
    """Fill the other places, as moved where that is possible."""
    places = [(target, at, piece.tile) for target, part in enumerate(moved) for at, piece in enumerate(part)]
    for exactly in (True, False):
        for target, at, as_moved in places:
            fits = (one for one in left if one is as_moved or (not exactly and one.kind == as_moved.kind))
            tile = next(fits, None) if made[target][at] is None else None
            if tile is not None:
                made[target][at] = tile
                left.remove(tile)
    return tuple(
        tuple(Piece(tile or piece.tile, piece.face) for tile, piece in zip(row, part, strict=True))
        for row, part in zip(made, moved, strict=True)
    )
