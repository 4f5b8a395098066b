"""The best play under every rule: relaxed problems that the kernel solves, branched until the best answer is legal.

A node is a relaxed problem that contains every legal play in which its decisions hold. The node with the best answer
is taken first; if `legality` accepts that answer nothing can be better. Otherwise one more thing is decided (does this
joker stay, what replaces it, which meld does it land in, with which tiles is the game opened), in all possible ways.
"""

import heapq
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property, lru_cache, partial
from itertools import chain, combinations, count, product
from operator import itemgetter
from typing import NamedTuple

from tilerummy import _kernel
from tilerummy.legality import check, is_legal, table_open
from tilerummy.melds import Draft, Meld, Piece
from tilerummy.rulesets import JokerGoes, JokerLeaves, JokerMelds, Rearranging, Ruleset
from tilerummy.solver import reference
from tilerummy.solver.blocks import FREE, KEPT, SPARE, STAYS, SWAPPED, Fates, add_blocks, is_loose
from tilerummy.solver.kernel import (
    BLOCK,
    REAL,
    SOURCES,
    WILD,
    Answer,
    Places,
    Question,
    Value,
    most_value,
    tile_set,
    value,
)
from tilerummy.solver.opening import opening_sets
from tilerummy.solver.query import Query
from tilerummy.tiles import COLOURS, JOKER, MAX_NUMBER, Face, counts, kind_of, tile_of

__all__ = ["Found", "Search", "alike", "is_rare", "written"]

_LONGEST = 9
_LONGEST_LANDING = 5
_AT_HAND = 1000


@dataclass(frozen=True, slots=True)
class Found:
    """The best play as counts, with the new table, and what it took to find it."""

    laid: bytes
    after: Draft
    nodes: int
    micros: float
    proven: bool = True


@dataclass(frozen=True, slots=True)
class _Joker:
    """A joker on the table."""

    home: int
    face: Face
    replacements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A relaxed problem and the decisions that led to it."""

    question: Question
    fates: tuple[str | None, ...]
    opened: bool
    replaced: frozenset[int] = frozenset()
    landed: frozenset[int] = frozenset()
    gathered: frozenset[int] = frozenset()


class _Wanted(NamedTuple):
    """Which melds are to be tried: with a tile of this kind, of some or all of these (a bit each), with a joker."""

    kind: int = -1
    some: int = 0
    all: int = 0
    wild: bool = False
    longest: int = _LONGEST


class _Earlier(IntEnum):
    """Whether an earlier meld lies in a new one."""

    NOT = 0
    PERHAPS = 1
    SURELY = 2


@dataclass(frozen=True, slots=True)
class _Fixing:
    """A node of which one more meld is decided, by the value that it leaves; those that lose less were tried before."""

    node: _Node
    wanted: _Wanted
    settles: Callable[[_Node], bool]
    above: int | None = None


@lru_cache(maxsize=8192)
def alike(meld: Meld) -> Meld:
    """The meld with its copies not told apart."""
    return Meld(tuple(tile_of(tile.kind) for tile in meld.tiles), meld.colour, meld.number)


@lru_cache(maxsize=8192)
def written(meld: Meld) -> tuple[Piece, ...]:
    """The meld's pieces, jokers named."""
    return meld.pieces


class Search:
    """The search for the best legal play of one position."""

    def __init__(self, query: Query, least: Value = 1, limit: int | None = None) -> None:
        """Start a search; plays that are worth less than `least` are not looked for, and none after `limit` nodes."""
        self.query = query
        self.limit = limit
        self.rules = query.rules
        self.before = tuple(map(alike, query.table))
        self.rack = tuple(tile_of(tile.kind) for tile in query.rack)
        self.held = bytes(counts(self.rack))
        self.locked = not table_open(query.rules, opened=query.opened, all_opened=query.all_opened)
        self.must_open = not query.opened and query.rules.opening > 0
        self.least = least
        self.heap: list[tuple[Value, int, int, _Node | _Fixing, Answer | None]] = []
        self.order = count()
        self.refused: set[Draft] = set()
        self.nodes = 0
        self.micros = 0.0
        self.jokers = () if self.locked else tuple(_jokers(self.before))
        self.fates = tuple(STAYS if self._must_stay(joker) else None for joker in self.jokers)

    def run(self) -> Generator[list[Question], list[Answer | None], Found]:
        """Search the nodes, the best answer first and of equal ones that with more decided; yields questions."""
        if self.jokers and is_rare(self.rules):
            return self._by_reference()
        waiting = list(self._roots())
        while True:
            answers = yield [node.question for node in waiting]
            for node, answer in zip(waiting, answers, strict=True):
                if answer is not None:
                    self.nodes += answer.raw.nodes
                    self.micros += answer.raw.micros
                    self._push(node, answer)
            waiting = []
            while not waiting:
                if not self.heap:
                    return self._nothing()
                best, *_, first, answer = heapq.heappop(self.heap)
                if isinstance(first, _Node) and answer and self._is_legal(answer, first):
                    return Found(answer.laid, answer.melds, self.nodes, self.micros)
                if self.limit is not None and self.nodes > self.limit:
                    return self._so_far()
                if isinstance(first, _Fixing):
                    self._fix(first, -best)
                else:
                    waiting = self._open(first, -best)

    def _nothing(self) -> Found:
        return Found(bytes(len(self.held)), tuple(map(written, self.before)), self.nodes, self.micros)

    def _so_far(self) -> Found:
        """The best play that is at hand where the search is cut short; the nodes that are open have one each."""
        for *_, node, answer in heapq.nsmallest(_AT_HAND, self.heap):
            if isinstance(node, _Node) and answer and self._is_legal(answer, node):
                return Found(answer.laid, answer.melds, self.nodes, self.micros, proven=False)
        return replace(self._nothing(), proven=False)

    def can_lay(self) -> bool | None:
        """Whether anything can be laid; None where it takes more to tell than the kernel's yes or no."""
        if self.must_open or (self.jokers and is_rare(self.rules)):
            return None
        roots = list(self._roots())
        sure = [node for node in roots if self._is_surely_legal(node)]
        if any(_kernel.exists(tile_set(self.rules), node.question.for_kernel()) for node in sure):
            return True
        return False if len(sure) == len(roots) else None

    def relaxed(self) -> Iterator[tuple[Question, bool]]:
        """Relaxed problems that contain every legal play, each with whether all its plays are legal if they open."""
        rules = self.rules
        adding, whole = rules.rearranging is Rearranging.ADDING, rules.joker_melds is JokerMelds.WHOLE
        free = not _has_joker_rules(rules) and not adding and not whole
        for node in self._roots():
            yield node.question, free or all(fate == STAYS for fate in node.fates) or (adding and self._keeps(node))

    def _keeps(self, node: _Node) -> bool:
        """Whether every meld stays whole: where melds are only added to, only the jokers' fates are to be judged."""
        homes = dict.fromkeys(joker.home for joker in self.jokers)
        return not any(is_loose(self.before[home], self._fates_at(node, home), self.rules) for home in homes)

    def _push(self, node: _Node, answer: Answer) -> None:
        """Queue a node, unless a play is known that is as good."""
        if answer.value >= self.least:
            undecided = node.fates.count(None) + (self.must_open and not node.opened)
            heapq.heappush(self.heap, (-answer.value, undecided, next(self.order), node, answer))
            if self._is_surely_legal(node):
                self.least = answer.value + 1

    def _open(self, node: _Node, best: Value) -> list[_Node]:
        """Decide one more thing: queue what the kernel can go through by itself, return what to ask it."""
        nodes = []
        for one in self._branch(node):
            if isinstance(one, _Fixing):
                heapq.heappush(self.heap, (-best, 0, next(self.order), one, None))
            else:
                nodes.append(one)
        return nodes

    def _fix(self, fixing: _Fixing, best: Value) -> None:
        """Queue the nodes of those melds that leave the best value, and the search for others.

        At first only melds are looked for that leave as good a value as there was without them.
        """
        question, wanted = fixing.node.question, fixing.wanted
        most = value(self.query, question.laid) + most_value(self.query, question.rack)
        first = fixing.above is None
        ceiling = most - max(self.least, best if first else 0) + 1
        loss, melds, nodes, micros = _kernel.fix(
            tile_set(self.rules),
            question.for_kernel(),
            kind=wanted.kind,
            some=wanted.some,
            all=wanted.all,
            wild=wanted.wild,
            longest=_longest(question, self.rules, wanted.longest),
            above=-1 if fixing.above is None else fixing.above,
            ceiling=ceiling,
        )
        self.nodes += nodes
        self.micros += micros
        above = min(loss, ceiling - 1)
        if (first or loss < ceiling) and most - above > self.least:
            heapq.heappush(self.heap, (above + 1 - most, 0, next(self.order), replace(fixing, above=above), None))
        made = [(_places(question, run, places, blocks), raw) for run, places, blocks, raw in melds]
        held = [(self._earlier_in(places), places, raw) for places, raw in made]
        # Where a joker may not land in an earlier meld, melds that may hold one are tried last.
        for earlier, places, raw in sorted(held, key=itemgetter(0)):
            if earlier is not _Earlier.SURELY or not wanted.wild:
                for child in self._with_meld(fixing.node, places):
                    answer = child.question.answer(raw)
                    if answer and fixing.settles(child):
                        self._push(child, answer)

    @cached_property
    def all_tiles(self) -> list[int]:
        """How many there are of each kind, on the table and on the rack."""
        return counts(chain(self.rack, *(meld.tiles for meld in self.before)))

    def _earlier_in(self, places: Places) -> _Earlier:
        """Whether an earlier meld lies in a new one, so that no released joker may."""
        kinds = {kind for kind, source in places if source == REAL}
        all_jokers = sum(source == WILD for _, source in places) == self.all_tiles[JOKER]
        found = _Earlier.NOT
        for meld in self.before if self.rules.joker_goes is JokerGoes.NEW_MELD else ():
            own = _own(meld)
            if own <= kinds:
                # Another tile of the same kind may lie there in its stead, another joker elsewhere.
                sure = (all_jokers or len(own) == len(meld.tiles)) and all(self.all_tiles[kind] == 1 for kind in own)
                found = max(found, _Earlier.SURELY if sure else _Earlier.PERHAPS)
        return found

    def _is_legal(self, answer: Answer, node: _Node) -> bool:
        if self._is_surely_legal(node):
            return True
        after = answer.melds
        if after in self.refused:
            return False
        opened, all_opened = self.query.opened, self.query.all_opened
        legal = is_legal(self.before, self.rack, after, self.rules, opened=opened, all_opened=all_opened)
        if not legal:
            self.refused.add(after)
        return legal

    def _is_surely_legal(self, node: _Node) -> bool:
        """Whether the relaxed problem is the problem itself."""
        return not self.must_open and all(fate == STAYS for fate in node.fates)

    def _by_reference(self) -> Found:
        """House rules that mix what no rulebook mixes are searched through without the kernel."""
        found = Found(bytes(len(self.held)), tuple(meld.pieces for meld in self.before), 0, 0.0)
        for after in reference.plays(self.query):
            laid = bytes(counts(check(self.before, self.rack, after, self.rules).laid))
            if not any(found.laid) or value(self.query, laid) > value(self.query, found.laid):
                found = Found(laid, after, 0, 0.0)
        return found

    # The relaxed problems at the start

    def _roots(self) -> Iterator[_Node]:
        if self.locked:
            fixed = tuple(meld.pieces for meld in self.before)
            yield _Node(Question(self.query, bytes(len(self.held)), self.held, melds=fixed), (), False)
            return
        if self.rules.rearranging is Rearranging.ADDING:
            for chosen in product(*map(self._choices, self.jokers)):
                yield from (_Node(question, chosen, False) for question in self.table_with(chosen))
            return
        if not _has_joker_rules(self.rules):
            yield from (_Node(question, (), False) for question in self.table_with(self.fates))
            return
        staying = (STAYS,) * len(self.jokers)
        for fates in dict.fromkeys((staying, self.fates)):
            yield from (_Node(question, fates, False) for question in self.table_with(fates))

    def _choices(self, joker: _Joker) -> tuple[str, ...]:
        """What may become of a joker where melds are only added to; it is not swapped for a tile that nobody has."""
        swapped = any(self.held[kind] for kind in joker.replacements)
        return (STAYS, SWAPPED, KEPT, SPARE) if swapped else (STAYS, SPARE)

    def table_with(self, fates: Fates) -> Iterator[Question]:
        """The table with these fates of its jokers; several where either colour may replace a joker in a group."""
        wholes = self._wholes(fates)
        loose = [meld.tiles for home, meld in enumerate(self.before) if home not in wholes]
        table, run_pins, group_pins = counts(chain.from_iterable(loose)), [0] * JOKER, [0] * (MAX_NUMBER + 1)
        for joker, fate in zip(self.jokers, fates, strict=True):
            if joker.home in wholes:
                table[JOKER] += fate in (FREE, SWAPPED, SPARE)
            elif fate == STAYS:
                table[JOKER] -= 1
                if joker.face.colour:
                    run_pins[kind_of(joker.face.colour, joker.face.number)] += 1
                else:
                    group_pins[joker.face.number] += 1
        start = Question(self.query, bytes(table), self.held, bytes(run_pins), bytes(group_pins))
        return add_blocks(start, [(self.before[home], here) for home, here in wholes.items()])

    def _wholes(self, fates: Fates) -> dict[int, list[str | None]]:
        """The melds that stay whole with these fates, each with those of its jokers."""
        adding = self.rules.rearranging is Rearranging.ADDING
        if not adding and self.rules.joker_melds is not JokerMelds.WHOLE:
            return {}
        here: dict[int, list[str | None]] = {home: [] for home in range(len(self.before))}
        for joker, fate in zip(self.jokers, fates, strict=True):
            here[joker.home].append(fate)
        return {home: some for home, some in here.items() if adding or (STAYS in some and None not in some)}

    def _must_stay(self, joker: _Joker) -> bool:
        """Whether nothing can replace a joker that has to be replaced."""
        if self.rules.joker_leaves not in (JokerLeaves.SWAP, JokerLeaves.RACK_SWAP):
            return False
        if any(self.held[kind] for kind in joker.replacements):
            return False
        others = self.before if self.rules.joker_leaves is JokerLeaves.SWAP else ()
        return not any(
            tile.kind in joker.replacements
            for home, meld in enumerate(others)
            if home != joker.home
            for tile in meld.tiles
        )

    # Decisions

    def _branch(self, node: _Node) -> Iterator[_Node | _Fixing]:
        if self.must_open and not node.opened:
            for least in opening_sets(self.held, self.rules):
                question = _lay_all(node.question, least)
                if question:
                    yield replace(node, question=question, opened=True)
            return
        if None in node.fates:
            place = node.fates.index(None)
            for fate in (STAYS, FREE):
                yield from self._decide_fate(node, place, fate)
            return
        for place, joker_fate in enumerate(node.fates):
            if joker_fate == FREE and place not in node.replaced and self._needs_replacing(node, place):
                yield from self._replace(node, place)
                return
        for home in dict.fromkeys(joker.home for joker in self.jokers):
            if home not in node.gathered and is_loose(self.before[home], self._fates_at(node, home), self.rules):
                wanted = _Wanted(all=_bits(_own(self.before[home])))
                yield _Fixing(node, wanted, partial(_has_gathered, home))
                return
        for place, joker_fate in enumerate(node.fates):
            if joker_fate in (FREE, SWAPPED, SPARE) and place not in node.landed:
                yield _Fixing(node, _Wanted(wild=True, longest=_LONGEST_LANDING), partial(_has_landed, place))
                return

    def _needs_replacing(self, node: _Node, place: int) -> bool:
        """Whether it is open what replaces a released joker; in a meld that stays whole a rack tile already does."""
        in_block = self.rules.joker_melds is JokerMelds.WHOLE and STAYS in self._fates_at(node, self.jokers[place].home)
        return self.rules.joker_leaves is not JokerLeaves.FREE and not in_block

    def _fates_at(self, node: _Node, home: int) -> list[str | None]:
        return [fate for fate, joker in zip(node.fates, self.jokers, strict=True) if joker.home == home]

    def _decide_fate(self, node: _Node, place: int, fate: str) -> Iterator[_Node | _Fixing]:
        fates = (*node.fates[:place], fate, *node.fates[place + 1 :])
        opened = node.question.laid
        for question in self.table_with(fates):
            again = _lay_all(question, opened)
            if again == node.question:  # the answer is the same, and not legal
                yield from self._branch(replace(node, fates=fates))
            elif again:
                yield replace(node, question=again, fates=fates)

    def _replace(self, node: _Node, place: int) -> Iterator[_Node | _Fixing]:
        """Decide what replaces a released joker: a rack tile, or with classic's rule a tile of another meld."""
        joker = self.jokers[place]
        replaced = node.replaced | {place}
        for kind in joker.replacements:
            question = node.question.lay(kind)
            if question:
                yield replace(node, question=question, replaced=replaced)
        if self.rules.joker_leaves is JokerLeaves.SWAP:
            own = _bits(_own(self.before[joker.home]))
            for kind in joker.replacements:
                if node.question.table[kind]:
                    yield _Fixing(node, _Wanted(kind=kind, some=own), partial(_has_replaced, place))

    def _with_meld(self, node: _Node, places: Places) -> Iterator[_Node]:
        """Decide this meld, with each choice of what else it settles: jokers that it replaces, that land in it."""
        question = node.question.decide(places)
        if question is None:
            return
        released = [place for place, fate in enumerate(node.fates) if fate in (FREE, SWAPPED, SPARE)]
        landing = [place for place in released if place not in node.landed]
        replaceable = [place for place in released if place not in node.replaced and self._may_replace(places, place)]
        homes = {joker.home for joker in self.jokers} - node.gathered
        loose = [home for home in sorted(homes) if is_loose(self.before[home], self._fates_at(node, home), self.rules)]
        together = [home for home in loose if self._may_gather(places, home)]
        wild = sum(source == WILD for _, source in places)
        # Jokers are alike, so it matters only how many of them land here; the others come from the rack.
        landings = [landing[:number] for number in range(min(wild, len(landing)) + 1)]
        for replaced, landed, gathered in product(_subsets(replaceable), landings, _subsets(together)):
            yield replace(
                node,
                question=question,
                replaced=node.replaced.union(replaced),
                landed=node.landed.union(landed),
                gathered=node.gathered.union(gathered),
            )

    def _may_replace(self, places: Places, place: int) -> bool:
        """Whether a tile takes the joker's place here, beside a tile of the joker's old meld (classic)."""
        joker = self.jokers[place]
        real = {kind for kind, source in places if source == REAL}
        own = _own(self.before[joker.home])
        swaps = self.rules.joker_leaves is JokerLeaves.SWAP
        return swaps and not real.isdisjoint(own) and not real.isdisjoint(joker.replacements)

    def _may_gather(self, places: Places, home: int) -> bool:
        """Whether the numbered tiles of this earlier meld are all here."""
        return _own(self.before[home]) <= {kind for kind, source in places if source in (REAL, BLOCK)}


def _subsets(some: Sequence[int]) -> list[tuple[int, ...]]:
    return [chosen for size in range(len(some) + 1) for chosen in combinations(some, size)]


def _jokers(before: Sequence[Meld]) -> Iterator[_Joker]:
    for home, meld in enumerate(before):
        for face, replacements in _jokers_in(meld):
            yield _Joker(home, face, replacements)


@lru_cache(maxsize=8192)
def _jokers_in(meld: Meld) -> tuple[tuple[Face, tuple[int, ...]], ...]:
    """What each joker of a meld stands for, and the kinds that may replace it."""
    there = {tile.colour for tile in meld.tiles}
    found = []
    for _, face in meld.jokers:
        colours = [face.colour] if face.colour else [colour for colour in COLOURS if colour not in there]
        found.append((face, tuple(kind_of(colour, face.number) for colour in colours)))
    return tuple(found)


def _has_joker_rules(rules: Ruleset) -> bool:
    return rules.joker_leaves is not JokerLeaves.FREE or rules.joker_goes is not JokerGoes.TABLE


def is_rare(rules: Ruleset) -> bool:
    """Whether the joker rules are mixed as in no rulebook, so that fates alone do not describe every legal play."""
    junior = (
        rules.rearranging is Rearranging.ADDING,
        rules.joker_leaves is JokerLeaves.SWAP_OR_SPARE,
        rules.joker_goes is JokerGoes.RACK,
    )
    whole = rules.joker_melds is JokerMelds.WHOLE
    return any(junior) is not all(junior) or (whole and rules.joker_leaves is not JokerLeaves.RACK_SWAP)


def _lay_all(question: Question, laid: Sequence[int]) -> Question | None:
    made: Question | None = question
    for kind, number in enumerate(laid):
        already = question.laid[kind]
        if made and number > already:
            made = made.lay(kind, number - already)
    return made


def _longest(question: Question, rules: Ruleset, divided: int) -> int:
    """The longest melds that are to be tried.

    A run of six or more can be divided so that the part with a given joker has at most five tiles, or nine with two
    more that have to lie in it; with more jokers around, or blocks to join, no length is left out.
    """
    jokers = question.table[JOKER] + question.rack[JOKER] + sum(question.run_pins)
    return divided if jokers <= 2 and not question.run_blocks else rules.numbers


def _places(question: Question, run: bool, places: Sequence[tuple[int, int]], blocks: int) -> Places:
    """A meld as the kernel decided it."""
    joined = tuple(block for place, block in enumerate(question.run_blocks) if blocks >> place & 1)
    return Places.of(((kind, SOURCES[source]) for kind, source in places), run, joined)


def _own(meld: Meld) -> set[int]:
    return {tile.kind for tile in meld.tiles if not tile.is_joker}


def _bits(kinds: Iterable[int]) -> int:
    return sum(1 << kind for kind in kinds)


def _has_replaced(place: int, node: _Node) -> bool:
    return place in node.replaced


def _has_gathered(home: int, node: _Node) -> bool:
    return home in node.gathered


def _has_landed(place: int, node: _Node) -> bool:
    return place in node.landed
