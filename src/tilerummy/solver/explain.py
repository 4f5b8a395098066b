"""A play told in steps that lead from the table before to the table after, moving as few tiles as possible.

>>> from tilerummy.melds import draft, read
>>> table = tuple(read(meld) for meld in draft("b8 b9 b10 | r1 r2 r3"))
>>> for step in explain(table, draft("r1 r2 r3 | b9 b10 b11 | b8 k8 y8")):
...     print(step.verb, " ".join(map(str, step.pieces)), step.source, step.target)
lay b11 None 0
move b8 0 2
lay k8 y8 None 2

Each meld of the new table continues at most one meld of the table before, and each of those is continued by at most
one. The pairs are chosen so that the most tiles stay where they are; no other choice moves fewer.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tilerummy.melds import Draft, Meld, Piece, Table
from tilerummy.tiles import tile_of

__all__ = ["Step", "explain"]


class Step(NamedTuple):
    """Some tiles go from a meld, or from the rack (None), to a meld, or to the rack.

    Melds are numbered: those of the table before from 0, new ones after them. The verbs are `lay` (from the rack),
    `move`, `swap` (a tile takes the place of a joker that leaves its meld), `turn` (a joker comes to stand for
    something else within its meld) and `take` (a joker goes to the rack).
    """

    verb: str
    pieces: tuple[Piece, ...]
    source: int | None
    target: int | None
    were: tuple[Piece, ...]  # the same tiles as they lay before the step, a joker with what it stood for


_Members = frozenset[tuple[Piece, int]]


def explain(before: Table, after: Draft) -> list[Step]:
    """The steps of a play, moving as few tiles as possible."""
    old = [_lying(meld) for meld in before]
    new = [_alike(part) for part in after]
    partner = _partners([_members(part) for part in new], [_members(part) for part in old])
    fresh = iter(range(len(old), len(old) + len(new)))
    target = [next(fresh) if place is None else place for place in partner]
    leaving = [list(part) for part in old]
    coming = [list(part) for part in new]
    for part, pieces, place in zip(new, coming, partner, strict=True):
        if place is not None:
            for piece in part:
                if piece in leaving[place]:
                    leaving[place].remove(piece)
                    pieces.remove(piece)
    steps: list[Step] = []
    for pieces, to in zip(coming, target, strict=True):
        left = [piece for piece in leaving[to] if piece.tile.is_joker] if to < len(old) else []
        for piece in pieces:
            turned = next((other for other in left if piece.tile.is_joker), None)
            if turned:
                left.remove(turned)
                leaving[to].remove(turned)
                steps.append(Step("turn", (piece,), to, to, (turned,)))
            else:
                verb = "swap" if any(_replaces(piece, joker) for joker in left) else "move"
                steps.append(Step(verb, (piece,), None, to, (Piece(piece.tile),)))
    steps = [step if step.verb == "turn" else _from(step, leaving) for step in steps]
    steps += [
        Step("take", (Piece(piece.tile),), place, None, (piece,))
        for place, rest in enumerate(leaving)
        for piece in rest
    ]
    return _in_order(_together(steps), old)


@lru_cache(maxsize=8192)
def _lying(meld: Meld) -> tuple[Piece, ...]:
    return _alike(meld.pieces)


@lru_cache(maxsize=8192)
def _alike(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    return tuple(Piece(tile_of(piece.tile.kind), piece.face) for piece in pieces)


@lru_cache(maxsize=8192)
def _members(pieces: tuple[Piece, ...]) -> _Members:
    """The pieces of a meld as a set, equal ones numbered."""
    return frozenset((piece, pieces[:place].count(piece)) for place, piece in enumerate(pieces))


def _replaces(piece: Piece, joker: Piece) -> bool:
    face = joker.face
    same_colour = face is not None and face.colour in (None, piece.tile.colour)
    return face is not None and same_colour and piece.tile.number == face.number


def _from(step: Step, leaving: list[list[Piece]]) -> Step:
    """Find where a tile comes from: a meld that it leaves, otherwise the rack."""
    (piece,) = step.pieces
    for place, rest in enumerate(leaving):
        for other in rest:
            if other.tile is piece.tile:
                rest.remove(other)
                return step._replace(source=place, were=(other,))
    return step if step.verb == "swap" else step._replace(verb="lay")


def _together(steps: Sequence[Step]) -> list[Step]:
    """Put tiles that go the same way into one step."""
    grouped: dict[tuple[str, int | None, int | None, int], Step] = {}
    for at, step in enumerate(steps):
        alone = at if step.verb in ("swap", "turn", "take") else -1
        key = (step.verb, step.source, step.target, alone)
        known = grouped.get(key)
        grouped[key] = known._replace(pieces=known.pieces + step.pieces, were=known.were + step.were) if known else step
    return list(grouped.values())


def _in_order(steps: Sequence[Step], old: Sequence[Sequence[Piece]]) -> list[Step]:
    """Put first, again and again, a step that leaves its meld looking like a run or a group, if there is one."""
    melds = {place: list(part) for place, part in enumerate(old)}
    waiting = sorted(steps, key=lambda step: step.verb != "swap")
    ordered: list[Step] = []
    while waiting:
        step = next((step for step in waiting if _looks_right(step, melds)), None)
        step = step or next((step for step in waiting if step.verb in ("move", "take")), waiting[0])
        waiting.remove(step)
        ordered.append(step)
        for piece, was in zip(step.pieces, step.were, strict=True):
            if step.source is not None:
                melds[step.source].remove(was)
            if step.target is not None:
                melds.setdefault(step.target, []).append(piece)
    return ordered


def _looks_right(step: Step, melds: dict[int, list[Piece]]) -> bool:
    if step.verb == "swap" or step.target is None:
        return True
    there = melds.get(step.target, [])
    tiles = [piece.tile for piece in there if piece not in step.were] + [piece.tile for piece in step.pieces]
    numbered = [tile for tile in tiles if not tile.is_joker]
    numbers, colours = {tile.number for tile in numbered}, {tile.colour for tile in numbered}
    return len(numbered) in (len(numbers), len(colours)) and 1 in (len(numbers), len(colours))


def _partners(new: Sequence[_Members], old: Sequence[_Members]) -> list[int | None]:
    """For each new meld the earlier one that it continues, if any, so that the most tiles stay.

    Equal melds are paired at once. If A = B were paired with others, B' and A', then A and A' would have no more in
    common with these than A with B and A' with B': what A shares with both of them, they share with each other.
    """
    places: dict[_Members, list[int]] = {}
    for place, members in enumerate(old):
        places.setdefault(members, []).append(place)
    partner = [here.pop(0) if (here := places.get(members)) else None for members in new]
    rows = [row for row, place in enumerate(partner) if place is None]
    columns = sorted(place for left in places.values() for place in left)
    if rows and columns:
        paired = _assigned([[len(new[row] & old[column]) for column in columns] for row in rows])
        for row, column in zip(rows, paired, strict=True):
            partner[row] = None if column is None else columns[column]
    return partner


def _assigned(overlaps: Sequence[Sequence[int]]) -> list[int | None]:
    """For each row the column it is paired with, so that the sum is greatest (the Hungarian method)."""
    rows, columns = len(overlaps), len(overlaps[0])
    size = max(rows, columns)
    cost = [[-overlaps[r][c] if r < rows and c < columns else 0 for c in range(size)] for r in range(size)]
    of_row, of_column = [0] * (size + 1), [0] * (size + 1)
    row_at = [0] * (size + 1)  # which row a column is paired with, counted from 1
    for row in range(1, size + 1):
        row_at[0], column = row, 0
        least, came_from, done = [size * 99] * (size + 1), [0] * (size + 1), [False] * (size + 1)
        while row_at[column]:
            done[column] = True
            this, step, following = row_at[column], size * 99, 0
            for other in range(1, size + 1):
                if not done[other]:
                    slack = cost[this - 1][other - 1] - of_row[this] - of_column[other]
                    if slack < least[other]:
                        least[other], came_from[other] = slack, column
                    if least[other] < step:
                        step, following = least[other], other
            for other in range(size + 1):
                if done[other]:
                    of_row[row_at[other]] += step
                    of_column[other] -= step
                else:
                    least[other] -= step
            column = following
        while column:
            row_at[column] = row_at[came_from[column]]
            column = came_from[column]
    partner: list[int | None] = [None] * rows
    for column in range(1, columns + 1):
        row = row_at[column] - 1
        if row < rows and overlaps[row][column - 1]:
            partner[row] = column - 1
    return partner
