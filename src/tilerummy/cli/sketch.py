"""The table as a player rearranges it in the terminal: short lines of notation that change it.

`+ r1 r2 r3` lays new melds from the rack; `5 b8 b9 b10 b11` makes meld 5 so; `5 + b11` adds to it; `5 - b8` takes from
it; and melds alone, `b9 b10 b11 | k8 y8 b8`, take their tiles from the rack and from wherever they lie. What is not
named stays as it is. Equal tiles need not be told apart: the choice that breaks the fewest rules is taken.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product
from typing import Final, NamedTuple

from tilerummy.game import advise
from tilerummy.legality import Verdict
from tilerummy.melds import Broken, Draft, Meld, Piece, draft, read
from tilerummy.rulesets import Ruleset
from tilerummy.state import State
from tilerummy.tiles import Tile, Unreadable

__all__ = ["Misfit", "Sketch", "edit"]

_NUMBERED: Final = re.compile(r"(\d{1,3})\s*([+-]?)\s*(.*)", re.DOTALL)
_MOST_TRIALS: Final = 256
_MOST_STEPS: Final = 5_000


class Misfit(ValueError):
    """A line that cannot be carried out: the key of its text, and what the text needs."""

    def __init__(self, key: str, **args: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.details = args


@dataclass(frozen=True, slots=True)
class Sketch:
    """A proposed table over the state in which the turn began."""

    state: State
    melds: Draft

    @staticmethod
    def of(state: State) -> "Sketch":
        """The table as it lies."""
        return Sketch(state, tuple(meld.pieces for meld in state.table))

    @property
    def hand(self) -> tuple[Tile, ...]:
        """The tiles still on the rack."""
        used = self._used
        return tuple(tile for tile in self.state.racks[self.state.turn] if tile not in used)

    @property
    def loose(self) -> tuple[Tile, ...]:
        """The tiles of the table that lie nowhere."""
        used = self._used
        return tuple(tile for meld in self.state.table for tile in meld.tiles if tile not in used)

    @property
    def laid(self) -> tuple[Tile, ...]:
        """The tiles from the rack."""
        rack = set(self.state.racks[self.state.turn])
        return tuple(piece.tile for meld in self.melds for piece in meld if piece.tile in rack)

    @property
    def _used(self) -> set[Tile]:
        return {piece.tile for meld in self.melds for piece in meld}

    @property
    def verdict(self) -> Verdict:
        """How the table would be judged."""
        return advise(self.state, self.melds)


class _Place(NamedTuple):
    """A place in a typed meld: any tile of the kind, or exactly this one."""

    piece: Piece
    exact: bool


_Typed = tuple[_Place, ...]


def edit(sketch: Sketch, line: str) -> Sketch:
    """Return the table after a line, or raise Misfit."""
    line = line.strip().lower().replace(",", " ").replace("’", "'")
    if line.startswith("+"):
        return _arranged(sketch, _read(line[1:]), frozenset(), reach=False)
    numbered = _NUMBERED.fullmatch(line)
    if numbered is None:
        return _arranged(sketch, _read(line), frozenset(), reach=True)
    number, sign, rest = int(numbered[1]), numbered[2], numbered[3]
    if not 1 <= number <= len(sketch.melds):
        raise Misfit("no-such-meld", number=number)
    target = number - 1
    typed = _read(rest)
    if not sign:
        return _arranged(sketch, typed, frozenset({target}), reach=True)
    if len(typed) != 1:
        raise Misfit("one-meld")
    if sign == "+":
        grown = _grown(sketch.melds[target], typed[0], sketch.state.rules)
        return _arranged(sketch, [grown], frozenset({target}), reach=True)
    return _less(sketch, target, typed[0])


def _read(written: str) -> list[_Typed]:
    if not written.strip(" |"):
        raise Misfit("nothing-typed")
    typed = []
    for part in written.split("|"):
        for word in part.split():
            try:
                draft(word)
            except Unreadable:
                raise Misfit("unreadable", reason=word[:24]) from None
        if part.strip():
            typed.append(tuple(_Place(piece, piece.tile.copy > 0) for piece in draft(part)[0]))
    return typed


def _grown(meld: Sequence[Piece], more: _Typed, rules: Ruleset) -> _Typed:
    """A meld with more tiles; a joker without a name goes where it fits, to the end if it can."""
    there = tuple(_Place(piece, True) for piece in meld)
    for grown in ((*there, *more), (*more, *there)):
        if isinstance(_meld((place.piece for place in grown), rules), Meld):
            return grown
    return (*there, *more)


def _less(sketch: Sketch, target: int, typed: _Typed) -> Sketch:
    left = list(sketch.melds[target])
    for place in typed:
        found = next((piece for piece in left if _fits(place, piece.tile)), None)
        if found is None:
            raise Misfit("not-in-meld", tile=str(place.piece.tile), number=target + 1)
        left.remove(found)
    melds = (*sketch.melds[:target], *((tuple(left),) if left else ()), *sketch.melds[target + 1 :])
    return Sketch(sketch.state, melds)


def _fits(place: _Place, tile: Tile) -> bool:
    return place.piece.tile is tile if place.exact else place.piece.tile.kind == tile.kind


def _meld(some: Iterable[Piece], rules: Ruleset) -> Meld | Broken:
    return read(tuple(some), rules.numbers, rules.groups)


def _arranged(sketch: Sketch, typed: list[_Typed], forced: frozenset[int], *, reach: bool) -> Sketch:
    """Lay the typed melds; `forced` are the melds they replace, and with `reach` they may take from others."""
    asked = Counter(place.piece.tile.kind for meld in typed for place in meld)
    free = Counter(tile.kind for tile in (*sketch.hand, *sketch.loose))
    own = Counter(tile.kind for place in forced for tile in _tiles(sketch, place))
    need = asked - free - own
    sources = _sources(sketch, need, asked - own, forced) if reach or not need else None
    if sources is None:
        missing = next(place for meld in typed for place in meld if place.piece.tile.kind in need)
        raise Misfit("not-there" if reach else "not-on-rack", tile=str(missing.piece.tile))
    best: tuple[int, Sketch] | None = None
    for chosen in islice(_assignments(sketch, typed, [*sorted(forced), *sorted(sources)]), _MOST_TRIALS):
        trial = _put(sketch, chosen, forced, sources)
        broken = len(trial.verdict.violations)
        if best is None or broken < best[0]:
            best = broken, trial
        if not broken:
            break
    if best is None:  # a copy was named that is elsewhere
        marked = next(place for meld in typed for place in meld if place.exact)
        raise Misfit("not-there", tile=str(marked.piece.tile))
    return best[1]


def _tiles(sketch: Sketch, place: int) -> list[Tile]:
    return [piece.tile for piece in sketch.melds[place]]


def _sources(sketch: Sketch, need: Counter[int], asked: Counter[int], forced: frozenset[int]) -> frozenset[int] | None:
    """The melds that have the needed tiles: those of which the least is left over, then the fewest tiles."""
    kinds = {
        place: Counter(tile.kind for tile in _tiles(sketch, place))
        for place in range(len(sketch.melds))
        if place not in forced
    }
    best: tuple[tuple[int, int], frozenset[int]] | None = None
    steps = 0

    def search(need: Counter[int], chosen: frozenset[int], had: Counter[int]) -> None:
        nonlocal best, steps
        steps += 1
        if steps > _MOST_STEPS:
            return
        if not need:
            cost = ((had - asked).total(), had.total())
            if best is None or cost < best[0]:
                best = cost, chosen
            return
        wanted = next(iter(need))
        for place, counted in kinds.items():
            if place not in chosen and counted[wanted]:
                search(need - counted, chosen | {place}, had + counted)

    search(need, frozenset(), Counter())
    return best[1] if best else None


def _assignments(sketch: Sketch, typed: list[_Typed], sources: list[int]) -> Iterator[Draft]:
    """Each way to take physical tiles for the typed places, those of the table first."""
    there = [tile for place in sources for tile in _tiles(sketch, place)]
    supply = [*there, *sketch.loose, *sketch.hand]
    by_kind: dict[int, list[_Place]] = {}
    for meld in typed:
        for place in meld:
            by_kind.setdefault(place.piece.tile.kind, []).append(place)
    ways = []
    for kind, places in by_kind.items():
        tiles = [tile for tile in supply if tile.kind == kind]
        fitting = [
            way
            for way in permutations(tiles, len(places))
            if all(not place.exact or place.piece.tile is tile for place, tile in zip(places, way, strict=True))
        ]
        ways.append(fitting)
    for combination in product(*ways):
        taken = {kind: iter(way) for kind, way in zip(by_kind, combination, strict=True)}
        yield tuple(
            tuple(Piece(next(taken[place.piece.tile.kind]), place.piece.face) for place in meld) for meld in typed
        )


def _put(sketch: Sketch, new: Draft, forced: frozenset[int], sources: frozenset[int]) -> Sketch:
    """The new melds in the places of those they replace, what is left of others in its place, the rest at the end."""
    rules = sketch.state.rules
    used = {piece.tile for meld in new for piece in meld}
    waiting = [_settled(meld, rules) for meld in new]
    melds: list[tuple[Piece, ...]] = []
    for place, meld in enumerate(sketch.melds):
        if place not in forced and place not in sources:
            melds.append(meld)
            continue
        left = () if place in forced else tuple(piece for piece in meld if piece.tile not in used)
        if any(not piece.tile.is_joker for piece in left):
            melds.extend(_parts(left))
        elif waiting:
            melds.append(waiting.pop(0))
    return Sketch(sketch.state, (*melds, *waiting))


def _parts(left: tuple[Piece, ...]) -> Iterator[tuple[Piece, ...]]:
    """What is left of a meld; of a run, the pieces between the gaps."""
    faces = [piece.face or piece.tile for piece in left]
    start = 0
    for place in range(1, len(left) + 1):
        if place == len(left) or (
            faces[place].colour == faces[0].colour and faces[place].number != faces[place - 1].number + 1
        ):
            yield left[start:place]
            start = place


def _settled(meld: tuple[Piece, ...], rules: Ruleset) -> tuple[Piece, ...]:
    """A valid meld in canonical order with its jokers named; one that is not valid as it was typed."""
    found = _meld(meld, rules)
    if isinstance(found, Meld):
        return found.pieces
    jokers = [piece for piece in meld if piece.tile.is_joker and piece.face is None]
    rest = sorted((piece for piece in meld if piece not in jokers), key=lambda piece: (piece.face or piece.tile).number)
    if not jokers or found.choices or not rest:
        return meld
    numbers = {(piece.face or piece.tile).number for piece in rest}
    row: list[Piece] = []
    for number in range(min(numbers), max(numbers) + 1):
        if number in numbers:
            row.extend(piece for piece in rest if (piece.face or piece.tile).number == number)
        elif jokers:
            row.append(jokers.pop(0))
    for order in ((*row, *jokers), (*jokers, *row)):
        found = _meld(order, rules)
        if isinstance(found, Meld):
            return found.pieces
    return meld
