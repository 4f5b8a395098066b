"""Where the tiles of a new table came from: the rules that depend on which tile moved where.

A table tile's *origin* is its earlier meld, a laid tile's origin is the rack. When all tiles are told apart, every
origin is known. When equal tiles are not, `Origins` looks for the assignment that breaks the fewest rules: a search
over constraints (a released joker has its swap, a meld stays together, …), each with the few moves that would satisfy
it. Moves can always be completed to a whole assignment as long as no meld of the new table is asked for more tiles of a
kind than it holds, because any origin may supply any place that is left.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple

from tilerummy.melds import MIN_MELD, Broken, Draft, Meld, Piece, Table, draft_text
from tilerummy.rulesets import JokerGoes, JokerLeaves, JokerMelds, Rearranging, Ruleset
from tilerummy.tiles import COLOURS, Face, Tile, kind_of, tile_of

__all__ = ["RACK", "Args", "BrokenRule", "Move", "Origins"]

Args = Mapping[str, str | int]
"""What a sentence about a broken rule needs."""

RACK: Final = -1
"""The origin of a laid tile."""


class BrokenRule(NamedTuple):
    """A rule that the best assignment breaks."""

    code: str
    tiles: tuple[Tile, ...]
    args: Args


class Move(NamedTuple):
    """A tile from a meld of the table before, or the rack, to a meld of the new table."""

    tile: Tile
    origin: int
    target: int
    place: int | None = None  # in that meld, where it matters: a joker's


class _Way(NamedTuple):
    """One way to satisfy a constraint: the moves it needs, the first of them replacing a joker if it `swaps` one."""

    moves: tuple[Move, ...] = ()
    swaps: "_Joker | None" = None


class _Slot(NamedTuple):
    """A joker's place on the new table, and all that it may be read as."""

    tile: Tile
    target: int
    place: int
    faces: tuple[Face, ...]


@dataclass(slots=True, eq=False)
class _Joker:
    """A joker on the table before the turn; `slot` is where the assignment on trial puts it."""

    tile: Tile
    home: int
    face: Face
    slot: _Slot | None = None

    @property
    def released(self) -> bool:
        return self.slot is None or self.face not in self.slot.faces


@dataclass(frozen=True, slots=True)
class _Trial:
    """The moves decided so far."""

    moved: dict[tuple[Tile, int], int] = field(default_factory=dict)
    from_rack: dict[Tile, int] = field(default_factory=dict)
    filled: dict[tuple[Tile, int], int] = field(default_factory=dict)
    replacing: frozenset[tuple[Tile, int]] = frozenset()
    swapped: frozenset[_Joker] = frozenset()
    broken: tuple["_Constraint", ...] = ()


class _Constraint(NamedTuple):
    """A rule about one joker or meld. Without a code it is a wish: satisfied if possible, no rule otherwise."""

    code: str | None
    ways: Callable[[_Trial], Iterator[_Way]]
    about: Callable[[], tuple[tuple[Tile, ...], Args]]
    late: bool = False  # whether its ways depend on which jokers were swapped


class Origins:
    """The assignment that breaks the fewest rules: those rules, the laid tiles, the jokers taken to the rack.

    Where only an assignment that breaks none is wanted, the search is much shorter; `sound` says whether there is one.
    """

    def __init__(
        self,
        before: Table,
        rack: Sequence[Tile],
        after: Draft,
        melds: Sequence[Meld | Broken],
        rules: Ruleset,
        *,
        only_sound: bool = False,
    ) -> None:
        self.before = before
        self.after = after
        self.melds = melds
        self.rules = rules
        on_table = [tile for meld in before for tile in meld.tiles]
        new, self.missing = _without([piece.tile for written in after for piece in written], on_table)
        self.foreign, self._unlaid = _without(new, rack)
        self.laid, _ = _without(new, self.foreign)
        self._laid, self._missing = self.laid, self.missing
        self.taken: list[Tile] = []
        self.broken: tuple[BrokenRule, ...] = ()
        self.sound = True
        self._only_sound = only_sound
        self.moves: tuple[Move, ...] = ()  # what has to be so; everything else may come from anywhere
        self._jokers = [
            _Joker(tile, home, meld.face(place))
            for home, meld in enumerate(before)
            for place, tile in enumerate(meld.tiles)
            if tile.is_joker
        ]
        if rules.rearranging is Rearranging.ADDING or (self._jokers and _has_joker_rules(rules)):
            self._alike = len(set(on_table)) + len(set(rack)) < len(on_table) + len(rack) or not set(
                on_table
            ).isdisjoint(rack)
            self._targets: dict[Tile, list[int]] = {}
            for target, written in enumerate(after):
                for piece in written:
                    self._targets.setdefault(piece.tile, []).append(target)
            # Whether each tile can only have come from one place and gone to one.
            self._certain = not self._alike and all(len(targets) == 1 for targets in self._targets.values())
            self._slots = [
                _Slot(piece.tile, target, place, _faces(written, melds[target], place))
                for target, written in enumerate(after)
                for place, piece in enumerate(written)
                if piece.tile.is_joker
            ]
            self._search()

    # The search

    def _search(self) -> None:
        """Keep the assignment that breaks the fewest rules; of equally good ones the first."""
        fewest = 1 if self._only_sound else None
        self.sound = False
        kept = self.laid, self.taken, self.missing
        for _ in self._seat_jokers(0):
            done = self._fewest(self._in_order(), _Trial(), fewest)
            if done is not None:
                fewest = self._cost(done)
                kept = self.laid, self.taken, self.missing
                self.broken = tuple(BrokenRule(c.code, *c.about()) for c in done.broken if c.code)
                self.sound, self.moves = not fewest, tuple(self._moves(done))
                if not fewest or not self._alike:
                    break
        self.laid, self.taken, self.missing = kept

    def _in_order(self) -> tuple[_Constraint, ...]:
        """The constraints; where none may break, those with the fewest ways first, so that a dead end shows soon."""
        found = tuple(self._constraints())
        if not self._only_sound:
            return found
        start = _Trial()
        return tuple(sorted(found, key=lambda one: (one.late, one.code is None, sum(1 for _ in one.ways(start)))))

    def _moves(self, trial: _Trial) -> Iterator[Move]:
        """What a trial has decided."""
        left = dict(trial.filled)
        for (tile, origin), target in trial.moved.items():
            left[tile, target] -= 1
            yield Move(tile, origin, target)
        for (tile, target), number in left.items():
            yield from [Move(tile, RACK, target)] * number
        for joker in self._jokers:
            if joker.slot is not None:
                yield Move(joker.tile, joker.home, joker.slot.target, joker.slot.place)

    def _cost(self, trial: _Trial) -> int:
        """How many rules are broken so far; where a joker may be kept, it depends on that whether a tile was laid."""
        return len({c.code for c in trial.broken if c.code}) + (not self.laid)

    def _seat_jokers(self, index: int) -> Iterator[None]:
        """Give each table joker a place on the new table, where it stays if it can; or none, where it may leave."""
        if index == len(self._jokers):
            if self.rules.joker_goes is not JokerGoes.RACK or self._take():
                yield
            return
        joker = self._jokers[index]
        seated = {other.slot for other in self._jokers[:index]}
        free = {
            (slot.target, slot.faces): slot for slot in self._slots if slot.tile is joker.tile and slot not in seated
        }
        for slot in sorted(free.values(), key=lambda slot: joker.face not in slot.faces):
            joker.slot = slot
            if self._may_be_sound(joker):
                yield from self._seat_jokers(index + 1)
        if not free or self.rules.joker_goes is JokerGoes.RACK:
            joker.slot = None
            if self._may_be_sound(joker):
                yield from self._seat_jokers(index + 1)

    def _may_be_sound(self, joker: _Joker) -> bool:
        """Whether this place leaves a joker a way to be replaced, if it needs one and no rule may break."""
        if not self._only_sound or not joker.released or self.rules.joker_leaves is JokerLeaves.FREE:
            return True
        return any(True for _ in self._swaps(joker, _Trial()))

    def _take(self) -> bool:
        """Take the jokers without a place to the rack; each that is not missed had a rack joker laid in its stead."""
        self.taken = [joker.tile for joker in self._jokers if joker.slot is None]
        instead, _ = _without(self.taken, self._missing)
        self.laid = self._laid + instead
        self.missing, _ = _without(self._missing, self.taken)
        return not _without(instead, self._unlaid)[0]

    def _fewest(self, constraints: Sequence[_Constraint], trial: _Trial, bound: int | None) -> _Trial | None:
        """Satisfy the constraints one after the other, or break them, in fewer broken rules than the bound."""
        cost = self._cost(trial)
        if bound is not None and cost >= bound:
            return None
        if not constraints:
            return trial
        first, rest = constraints[0], constraints[1:]
        best: _Trial | None = None
        for way in first.ways(trial):
            further = self._make(way, trial)
            done = further and self._fewest(rest, further, bound)
            if done:
                best, bound = done, self._cost(done)
                # Told apart, tiles leave no choice but which of them replaces which joker.
                if bound == cost or not (self._alike or way.swaps):
                    return best
            elif further and self._certain and not way.swaps:
                return best  # it has happened like this; that it counts as broken as well makes nothing better
        return self._fewest(rest, replace(trial, broken=(*trial.broken, first)), bound) or best

    def _make(self, way: _Way, trial: _Trial) -> _Trial | None:
        """Make the moves of a way, or return None where they contradict earlier ones."""
        moved, from_rack, filled = trial.moved.copy(), trial.from_rack.copy(), trial.filled.copy()
        for tile, origin, target, _ in way.moves:
            if origin == RACK:
                from_rack[tile] = from_rack.get(tile, 0) + 1
                if from_rack[tile] > self.laid.count(tile):
                    return None
            elif moved.setdefault((tile, origin), target) != target:
                return None
            elif (tile, origin) in trial.moved:
                continue
            filled[tile, target] = filled.get((tile, target), 0) + 1
            if filled[tile, target] > self._room(tile, target):
                return None
        replacing, swapped = trial.replacing, trial.swapped
        if way.swaps:
            tile, origin, *_ = way.moves[0]
            if (tile, origin) in replacing:
                return None  # each released joker needs its own matching tile
            replacing = replacing | {(tile, origin)} if origin != RACK else replacing
            swapped = swapped | {way.swaps}
        return _Trial(moved, from_rack, filled, replacing, swapped, trial.broken)

    # The rules

    def _constraints(self) -> Iterator[_Constraint]:
        rules = self.rules
        may_keep = rules.joker_goes is JokerGoes.RACK
        whole = rules.joker_melds is JokerMelds.WHOLE
        # A joker that vanished where it may not is told by `conserve` alone.
        released = [joker for joker in self._jokers if joker.released and (joker.slot or may_keep)]
        for joker in released:
            about = partial(self._about_joker, joker)
            if rules.joker_leaves is not JokerLeaves.FREE:
                yield _Constraint("joker-swap", partial(self._swaps, joker), about)
            elif whole or may_keep:
                yield _Constraint(None, partial(self._swaps, joker), about)
        for joker in released:
            if joker.slot is None:
                yield _Constraint(
                    "joker-keep", partial(self._kept, joker), partial(self._about_joker, joker), late=True
                )
            elif rules.joker_goes is JokerGoes.NEW_MELD:
                target = joker.slot.target
                held = {piece.tile for piece in self.after[target]}
                for home, meld in enumerate(self.before):
                    if held.issuperset(meld.tiles) and self._could_contain(target, home):
                        about = partial(self._about_landing, joker, target, home)
                        yield _Constraint("joker-new-meld", partial(self._parted, target, home), about)
        for home, meld in enumerate(self.before) if rules.rearranging is Rearranging.ADDING else ():
            yield _Constraint("no-rearranging", partial(self._together, home), partial(_about_meld, meld))
        for home in dict.fromkeys(joker.home for joker in self._jokers) if whole else ():
            about = partial(_about_meld, self.before[home])
            yield _Constraint("joker-meld-split", partial(self._whole, home), about, late=True)

    def _about_joker(self, joker: _Joker) -> tuple[tuple[Tile, ...], Args]:
        needs = " ".join(str(tile_of(kind)) for kind in self._replacements(joker))
        return (joker.tile,), {"face": str(joker.face), "needs": needs, "meld": str(self.before[joker.home])}

    def _about_landing(self, joker: _Joker, target: int, home: int) -> tuple[tuple[Tile, ...], Args]:
        landing = draft_text([self.after[target]])
        return (joker.tile,), {"face": str(joker.face), "landing": landing, "meld": str(self.before[home])}

    def _replacements(self, joker: _Joker) -> list[int]:
        """The kinds that may take a joker's place; in a group any missing colour (classic, *Joker*)."""
        if joker.face.colour is not None:
            return [kind_of(joker.face.colour, joker.face.number)]
        there = {tile.colour for tile in self.before[joker.home].tiles}
        return [kind_of(colour, joker.face.number) for colour in COLOURS if colour not in there]

    def _room(self, tile: Tile, target: int) -> int:
        """How many of these tiles a meld of the new table holds."""
        return self._targets.get(tile, ()).count(target)

    def _numbered(self, home: int) -> list[Tile]:
        return [tile for tile in self.before[home].tiles if not tile.is_joker]

    def _swaps(self, joker: _Joker, trial: _Trial) -> Iterator[_Way]:
        """The ways in which a released joker is replaced, or not needed any more."""
        kinds = self._replacements(joker)
        leaves = self.rules.joker_leaves
        for tile in dict.fromkeys(self.laid):
            if tile.kind in kinds:
                for target in dict.fromkeys(self._targets[tile]):
                    move = Move(tile, RACK, target)
                    if leaves is JokerLeaves.SWAP_OR_SPARE:
                        yield from self._in_its_place(joker, move)
                    else:
                        yield _Way((move,), joker)
        if leaves is JokerLeaves.SWAP:
            # classic, *Joker*: the tile "peut provenir de votre support ou d'une combinaison sur la table"
            for other, meld in enumerate(self.before):
                for tile in meld.tiles if other != joker.home else ():
                    for target in dict.fromkeys(self._targets.get(tile, ()) if tile.kind in kinds else ()):
                        yield from self._in_its_place(joker, Move(tile, other, target))
        if leaves is JokerLeaves.SWAP_OR_SPARE:
            yield from self._spare(joker)

    def _in_its_place(self, joker: _Joker, move: Move) -> Iterator[_Way]:
        """A tile took the joker's place when it lies in one meld with a numbered tile of the joker's old meld."""
        for tile in self._numbered(joker.home):
            if self._room(tile, move.target):
                yield _Way((move, Move(tile, joker.home, move.target)), joker)
                if not self._alike:
                    return

    def _spare(self, joker: _Joker) -> Iterator[_Way]:
        """junior, *Les Jokers*: a joker may leave "du moment que la combinaison conserve au minimum 3 plaques"."""
        own = self._numbered(joker.home)
        for target in dict.fromkeys(self._targets.get(own[0], ())):
            meld = self.melds[target]
            if not isinstance(meld, Meld) or not all(self._room(tile, target) for tile in own):
                continue
            left = len(meld.tiles)
            if joker.slot and joker.slot.target == target:
                left -= 1
                if meld.is_run:
                    gap = joker.slot.faces[0].number
                    below, above = gap - meld.number, meld.number + left - gap
                    left = below if own[-1].number < gap else above if own[0].number > gap else 0
            if left >= MIN_MELD:
                yield _Way(tuple(Move(tile, joker.home, target) for tile in own))

    def _kept(self, joker: _Joker, trial: _Trial) -> Iterator[_Way]:
        if joker in trial.swapped:
            yield _Way()

    def _could_contain(self, target: int, home: int) -> bool:
        return all(joker.slot and joker.slot.target == target for joker in self._jokers if joker.home == home)

    def _parted(self, target: int, home: int, trial: _Trial) -> Iterator[_Way]:
        """The ways in which an earlier meld does not lie whole in this meld of the new table."""
        for tile in self._numbered(home):
            for other in dict.fromkeys(self._targets[tile]):
                if other != target:
                    yield _Way((Move(tile, home, other),))

    def _together(self, home: int, trial: _Trial) -> Iterator[_Way]:
        """The ways in which an earlier meld is still together, jokers that left it aside."""
        return self._in_one(home, [joker for joker in self._jokers if joker.home == home and not joker.released])

    def _whole(self, home: int, trial: _Trial) -> Iterator[_Way]:
        """The ways in which a meld with a joker that was not swapped lies in one meld of the new table."""
        jokers = [joker for joker in self._jokers if joker.home == home and joker not in trial.swapped]
        return self._in_one(home, jokers) if jokers else iter((_Way(),))

    def _in_one(self, home: int, jokers: Sequence[_Joker]) -> Iterator[_Way]:
        own = self._numbered(home)
        for target in dict.fromkeys(self._targets.get(own[0], ())):
            if all(joker.slot is None or joker.slot.target == target for joker in jokers):
                yield _Way(tuple(Move(tile, home, target) for tile in own))


def _without(some: Iterable[Tile], others: Iterable[Tile]) -> tuple[list[Tile], list[Tile]]:
    """Take the others away from some tiles, one for one; return what is left of each."""
    left: dict[Tile, int] = {}
    for tile in others:
        left[tile] = left.get(tile, 0) + 1
    remaining = []
    for tile in some:
        if left.get(tile):
            left[tile] -= 1
        else:
            remaining.append(tile)
    return remaining, [tile for tile, count in left.items() if count for _ in range(count)]


def _has_joker_rules(rules: Ruleset) -> bool:
    return (
        rules.joker_leaves is not JokerLeaves.FREE
        or rules.joker_goes is not JokerGoes.TABLE
        or rules.joker_melds is JokerMelds.WHOLE
    )


def _about_meld(meld: Meld) -> tuple[tuple[Tile, ...], Args]:
    return meld.tiles, {"meld": str(meld)}


def _faces(written: Sequence[Piece], meld: Meld | Broken, place: int) -> tuple[Face, ...]:
    """What the joker at this place stands for; in an unfinished meld, all that it may come to stand for."""
    named = written[place].face
    if isinstance(meld, Meld):
        if meld.colour is None:
            return (Face(None, meld.number),)
        return ((named and Face(meld.colour, named.number)) or meld.face(place),)
    if named:
        return (named,)
    numbered = [(at, piece.tile) for at, piece in enumerate(written) if not piece.tile.is_joker]
    if not numbered:
        return ()
    at, first = numbered[0]
    as_run = Face(first.colour, first.number + place - at)
    as_group = Face(None, first.number)
    one_colour = all(tile.colour == first.colour for _, tile in numbered)
    one_number = all(tile.number == first.number for _, tile in numbered)
    return (as_run,) * one_colour + (as_group,) * one_number
