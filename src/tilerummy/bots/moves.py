"""Simple moves: melds from the rack, additions, and the rearrangements that a player sees at a glance.

A move goes from a step to a step: the melds on the table and the tiles still on the rack. Moves know what melds are,
not what the ruleset forbids; `turn.is_legal` judges the table in the end. No move depends on the order of a set, so
that the same turn has the same moves in any process.

>>> from tilerummy.melds import draft, read, table_text
>>> from tilerummy.rulesets import ruleset
>>> from tilerummy.tiles import tiles
>>> step = Step(tuple(read(meld) for meld in draft("r4 r5 r6 r7 r8")), tiles("r6' b8 k8"))
>>> [table_text(moved.table) for moved in splits(step, ruleset("sabra"))]
["r4 r5 r6' | r6 r7 r8"]
>>> [table_text(moved.table) for moved in loans(step, ruleset("sabra"))]
['r4 r5 r6 r7 | r8 b8 k8']
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tilerummy.melds import BY_NUMBER, MIN_MELD, Meld, Shape, Table, shapes
from tilerummy.rulesets import JokerGoes, Ruleset
from tilerummy.tiles import COLOURS, JOKER, Face, Tile, counts

__all__ = [
    "Step",
    "additions",
    "fill",
    "lay",
    "lay_out",
    "loans",
    "rack_melds",
    "rack_shapes",
    "splits",
    "swaps",
]

_STARTS = 12  # melds with which `lay_out` tries to begin
_MOST_JOKERS = 2  # in one meld; more of them multiply the melds and not the sense


class Step(NamedTuple):
    """The melds on the table, and the tiles on the rack."""

    table: Table
    rack: tuple[Tile, ...]


# From the rack alone


def rack_shapes(rack: Iterable[Tile], rules: Ruleset, jokers: int = _MOST_JOKERS) -> list[Shape]:
    """Each meld that these tiles hold with at most so many jokers, dearest first."""
    have = counts(rack)
    jokers = min(jokers, have[JOKER])
    found = [
        shape
        for lowest in BY_NUMBER
        if have[lowest]
        for shape in shapes(have, jokers, lowest, rules.numbers, rules.groups)
    ]
    return sorted(found, key=lambda shape: -shape.points)


def lay_out(rack: Sequence[Tile], found: Sequence[Shape]) -> list[Shape]:
    """Choose disjoint melds that are worth much: the dearest that still fits, again and again, from several starts."""
    tried = (fill(rack, (first, *found)) for first in found[:_STARTS])
    return max(tried, key=lambda chosen: sum(shape.points for shape in chosen), default=[])


def fill(rack: Iterable[Tile], found: Iterable[Shape]) -> list[Shape]:
    """Choose disjoint melds: each in turn, as often as it still fits."""
    left, chosen = counts(rack), []
    for shape in found:
        while shape.jokers <= left[JOKER] and all(left[kind] for kind in shape.kinds):
            left[JOKER] -= shape.jokers
            for kind in shape.kinds:
                left[kind] -= 1
            chosen.append(shape)
    return chosen


def lay(step: Step, chosen: Iterable[Shape]) -> Step:
    """Lay disjoint melds from the rack."""
    for shape in chosen:
        meld = _meld(shape, step.rack)
        step = Step((*step.table, meld), _less(step.rack, meld.tiles))
    return step


def rack_melds(step: Step, rules: Ruleset) -> Iterator[Step]:
    """Lay one new meld."""
    for shape in rack_shapes(step.rack, rules):
        yield lay(step, (shape,))


def _meld(shape: Shape, tiles: Iterable[Tile]) -> Meld:
    """Make a meld with the first of these tiles that fit."""
    jokers: list[Tile] = []
    by_kind: dict[int, Tile] = {}
    for tile in tiles:
        if tile.is_joker:
            jokers.append(tile)
        else:
            by_kind.setdefault(tile.kind, tile)
    numbered = [by_kind[kind] for kind in shape.kinds]
    if shape.colour is None:
        return Meld(tuple(sorted((*numbered, *jokers[: shape.jokers]))), None, shape.number)
    there = {tile.number: tile for tile in numbered}
    places = range(shape.number, shape.number + shape.size)
    spare = iter(jokers)
    return Meld(tuple(there[at] if at in there else next(spare) for at in places), shape.colour, shape.number)


# Onto the table


def additions(step: Step, rules: Ruleset) -> Iterator[Step]:
    """Add one rack tile to a meld on the table: to an end of a run, or as a missing colour of a group."""
    for tile in _one_of_each(step.rack):
        yield from _added(step.table, tile, _less(step.rack, (tile,)), rules)


def _added(table: Table, tile: Tile, rack: tuple[Tile, ...], rules: Ruleset) -> Iterator[Step]:
    for place, meld in enumerate(table):
        for grown in _grown(meld, tile, rules):
            yield Step(_put(table, place, grown), rack)


def _grown(meld: Meld, tile: Tile, rules: Ruleset) -> Iterator[Meld]:
    if meld.colour is None:
        fits = tile.is_joker or (tile.number == meld.number and all(tile.colour != one.colour for one in meld.tiles))
        if fits and len(meld.tiles) < len(COLOURS):
            yield Meld(tuple(sorted((*meld.tiles, tile))), None, meld.number)
    elif tile.is_joker or tile.colour == meld.colour:
        above, below = meld.number + len(meld.tiles), meld.number - 1
        if above <= rules.numbers and tile.number in (above, 0):
            yield Meld((*meld.tiles, tile), meld.colour, meld.number)
        if below and tile.number in (below, 0):
            yield Meld((tile, *meld.tiles), meld.colour, below)


def splits(step: Step, rules: Ruleset) -> Iterator[Step]:
    """Split a long run with a second copy of one of its tiles."""
    for tile in _one_of_each(step.rack):
        for place, meld in enumerate(step.table):
            at = tile.number - meld.number
            if meld.colour == tile.colour and at + 1 >= MIN_MELD and at + MIN_MELD <= len(meld.tiles):
                low = Meld((*meld.tiles[:at], tile), meld.colour, meld.number)
                high = Meld(meld.tiles[at:], meld.colour, tile.number)
                yield Step(_put(step.table, place, low, high), _less(step.rack, (tile,)))


def loans(step: Step, rules: Ruleset) -> Iterator[Step]:
    """Take a tile that a meld can spare, and make a new meld of it and rack tiles."""
    for place, meld in enumerate(step.table):
        for tile, left in _spared(meld):
            for new in _melds_with(tile, step.rack, rules):
                yield Step((*_put(step.table, place, *left), new), _less(step.rack, new.tiles))


def _spared(meld: Meld) -> Iterator[tuple[Tile, tuple[Meld, ...]]]:
    """Each numbered tile whose meld stays valid without it, and what stays."""
    size = len(meld.tiles)
    for at, tile in enumerate(meld.tiles):
        low, high = meld.tiles[:at], meld.tiles[at + 1 :]
        if tile.is_joker:
            continue
        if meld.colour is None:
            if size > MIN_MELD:
                yield tile, (Meld(low + high, None, meld.number),)
        elif size > MIN_MELD and all(not part or len(part) >= MIN_MELD for part in (low, high)):
            parts = (Meld(low, meld.colour, meld.number), Meld(high, meld.colour, meld.number + at + 1))
            yield tile, tuple(part for part in parts if part.tiles)


def _melds_with(tile: Tile, rack: Sequence[Tile], rules: Ruleset) -> Iterator[Meld]:
    """Each new meld of this table tile and rack tiles, one rack joker at most."""
    near = [
        other
        for other in rack
        if other.is_joker or other.number == tile.number or (other.colour == tile.colour and _close(other, tile))
    ]
    for shape in rack_shapes([tile, *near], rules, jokers=1):
        if tile.kind in shape.kinds:
            yield _meld(shape, [tile, *near])


def _close(one: Tile, other: Tile) -> bool:
    return abs(one.number - other.number) < MIN_MELD


def swaps(step: Step, rules: Ruleset) -> Iterator[Step]:
    """Swap a rack tile for the joker that stands for it; the joker goes where the ruleset sends it."""
    for tile in _one_of_each(step.rack):
        rack = _less(step.rack, (tile,))
        for place, meld in enumerate(step.table):
            for joker, stood_for in meld.jokers:
                if not _stands_for(stood_for, tile, meld):
                    continue
                swapped = tuple(tile if one is joker else one for one in meld.tiles)
                whole = Meld(swapped if meld.colour else tuple(sorted(swapped)), meld.colour, meld.number)
                yield from _land(Step(_put(step.table, place, whole), rack), joker, rules)


def _stands_for(face: Face, tile: Tile, meld: Meld) -> bool:
    if face.number != tile.number:
        return False
    return face.colour == tile.colour if face.colour else all(tile.colour != one.colour for one in meld.tiles)


def _land(step: Step, joker: Tile, rules: Ruleset) -> Iterator[Step]:
    """Put a joker that was swapped into a new meld with rack tiles, or on a meld or the rack where that is allowed."""
    if rules.joker_goes is JokerGoes.RACK:
        yield Step(step.table, (*step.rack, joker))
    if rules.joker_goes is JokerGoes.TABLE:
        yield from _added(step.table, joker, step.rack, rules)
    numbered = [tile for tile in step.rack if not tile.is_joker]
    for shape in rack_shapes([*numbered, joker], rules, jokers=1):
        if shape.jokers:
            new = _meld(shape, [*numbered, joker])
            yield Step((*step.table, new), _less(step.rack, new.tiles))


# Tiles


def _put(table: Table, place: int, *melds: Meld) -> Table:
    return (*table[:place], *melds, *table[place + 1 :])


def _less(rack: Iterable[Tile], gone: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(tile for tile in rack if tile not in gone)


def _one_of_each(rack: Iterable[Tile]) -> Iterator[Tile]:
    """One tile of each kind: equal tiles make equal moves."""
    return iter({tile.kind: tile for tile in rack}.values())
