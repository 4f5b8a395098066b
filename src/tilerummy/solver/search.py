"""The best play under every rule: relaxed problems that the kernel solves, branched until the best answer is legal.

A node is a relaxed problem that contains every legal play in which its decisions hold. The node with the best answer
is taken first; if `legality` accepts that answer nothing can be better. Otherwise one more thing is decided (does this
joker stay, what replaces it, which meld does it land in, with which tiles is the game opened), in all possible ways.
"""

import heapq
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, count, product

from tilerummy.legality import check, table_open
from tilerummy.melds import MIN_MELD, Draft, Meld
from tilerummy.rulesets import JokerGoes, JokerLeaves, JokerMelds, Rearranging, Ruleset
from tilerummy.solver import reference
from tilerummy.solver.blocks import FREE, KEPT, SPARE, STAYS, SWAPPED, add_blocks, is_loose
from tilerummy.solver.kernel import BLOCK, BLOCK_JOKER, PIN, REAL, WILD, Answer, Block, Places, Question, Value, value
from tilerummy.solver.opening import opening_sets
from tilerummy.solver.query import Query
from tilerummy.tiles import COLOURS, JOKER, MAX_NUMBER, Face, counts, kind_of, tile_of

__all__ = ["Found", "Search", "alike", "is_rare"]


@dataclass(frozen=True, slots=True)
class Found:
    """The best play as counts, with the new table, and what it took to find it."""

    laid: bytes
    after: Draft
    nodes: int
    micros: float


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


@lru_cache(maxsize=65536)
def alike(meld: Meld) -> Meld:
    """The meld with its copies not told apart."""
    return Meld(tuple(tile_of(tile.kind) for tile in meld.tiles), meld.colour, meld.number)


class Search:
    """The search for the best legal play of one position."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.rules = query.rules
        self.before = tuple(alike(meld) for meld in query.table)
        self.rack = tuple(tile_of(tile.kind) for tile in query.rack)
        self.held = bytes(counts(self.rack))
        self.locked = not table_open(query.rules, opened=query.opened, all_opened=query.all_opened)
        self.must_open = not query.opened and query.rules.opening > 0
        self.jokers_of = [meld.jokers for meld in self.before]
        self.jokers = () if self.locked else tuple(_jokers(self.before))

    def run(self) -> Generator[list[Question], list[Answer | None], Found]:
        """Search the nodes, the best answer first and of equal ones that with more decided; yields questions."""
        if self.jokers and is_rare(self.rules):
            return self._by_reference()
        nodes, micros = 0, 0.0
        order = count()
        heap: list[tuple[Value, int, int, Answer, _Node]] = []
        waiting = list(self._roots())
        while True:
            answers = yield [node.question for node in waiting]
            for node, answer in zip(waiting, answers, strict=True):
                if answer is not None:
                    nodes += answer.raw.nodes
                    micros += answer.raw.micros
                    if any(answer.laid):
                        a, b, c, d = answer.value
                        undecided = node.fates.count(None) + (self.must_open and not node.opened)
                        heapq.heappush(heap, ((-a, -b, -c, -d), undecided, next(order), answer, node))
            if not heap:
                return Found(bytes(len(self.held)), tuple(meld.pieces for meld in self.before), nodes, micros)
            *_, answer, node = heapq.heappop(heap)
            if self._is_legal(answer, node):
                return Found(answer.laid, answer.melds, nodes, micros)
            waiting = list(self._branch(node))

    def _is_legal(self, answer: Answer, node: _Node) -> bool:
        if not self.must_open and all(fate == STAYS for fate in node.fates):
            return True  # the relaxed problem is then the problem itself
        return check(
            self.before,
            self.rack,
            answer.melds,
            self.rules,
            opened=self.query.opened,
            all_opened=self.query.all_opened,
        ).legal

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
            choices: tuple[str, ...] = (STAYS, SWAPPED, KEPT, SPARE)
            for fates in product(choices, repeat=len(self.jokers)):
                for question in self._with(fates):
                    yield _Node(question, fates, False)
            return
        free: tuple[str, ...] = (FREE,) * len(self.jokers)
        undecided: tuple[str | None, ...] = ()
        if self.jokers and _has_joker_rules(self.rules):
            staying = (STAYS,) * len(self.jokers)
            yield from (_Node(question, staying, False) for question in self._with(staying))
            undecided = (None,) * len(self.jokers)
        yield from (_Node(question, undecided, False) for question in self._with(free))

    def _with(self, fates: Sequence[str | None]) -> Iterator[Question]:
        """The table with these fates of its jokers; several where either colour may replace a joker in a group."""
        table, run_pins, group_pins = [0] * len(self.held), [0] * JOKER, [0] * (MAX_NUMBER + 1)
        wholes: list[tuple[Meld, list[str | None]]] = []
        index = 0
        for meld, jokers in zip(self.before, self.jokers_of, strict=True):
            here = list(fates[index : index + len(jokers)])
            index += len(jokers)
            free = sum(fate in (FREE, None, SWAPPED, SPARE) for fate in here)
            table[JOKER] += free
            adding = self.rules.rearranging is Rearranging.ADDING
            whole = self.rules.joker_melds is JokerMelds.WHOLE and STAYS in here and None not in here
            if adding or whole:
                wholes.append((meld, here))
                continue
            for tile in meld.tiles:
                table[tile.kind] += not tile.is_joker
            for (_, face), fate in zip(jokers, here, strict=True):
                if fate == STAYS and face.colour:
                    run_pins[kind_of(face.colour, face.number)] += 1
                elif fate == STAYS:
                    group_pins[face.number] += 1
        start = Question(self.query, bytes(table), self.held, bytes(run_pins), bytes(group_pins))
        yield from add_blocks(start, wholes)

    # Decisions

    def _branch(self, node: _Node) -> Iterator[_Node]:
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
                yield from self._gather(node, home)
                return
        for place, joker_fate in enumerate(node.fates):
            if joker_fate in (FREE, SWAPPED, SPARE) and place not in node.landed:
                yield from self._land(node, place)
                return

    def _needs_replacing(self, node: _Node, place: int) -> bool:
        """Whether it is open what replaces a released joker; in a meld that stays whole a rack tile already does."""
        in_block = self.rules.joker_melds is JokerMelds.WHOLE and STAYS in self._fates_at(node, self.jokers[place].home)
        return self.rules.joker_leaves is not JokerLeaves.FREE and not in_block

    def _fates_at(self, node: _Node, home: int) -> list[str | None]:
        return [fate for fate, joker in zip(node.fates, self.jokers, strict=True) if joker.home == home]

    def _decide_fate(self, node: _Node, place: int, fate: str) -> Iterator[_Node]:
        fates = (*node.fates[:place], fate, *node.fates[place + 1 :])
        opened = node.question.laid
        for question in self._with(fates):
            again = _lay_all(question, opened)
            if again:
                yield replace(node, question=again, fates=fates)

    def _replace(self, node: _Node, place: int) -> Iterator[_Node]:
        """Decide what replaces a released joker: a rack tile, or with classic's rule a tile of another meld."""
        joker = self.jokers[place]
        replaced = node.replaced | {place}
        for kind in joker.replacements:
            question = node.question.lay(kind)
            if question:
                yield replace(node, question=question, replaced=replaced)
        if self.rules.joker_leaves is JokerLeaves.SWAP:
            for kind in joker.replacements:
                for places in _melds(node.question, self.rules, kind) if node.question.table[kind] else ():
                    if self._may_replace(places, place):
                        yield from (made for made in self._with_meld(node, places) if place in made.replaced)

    def _gather(self, node: _Node, home: int) -> Iterator[_Node]:
        """Decide the meld in which an earlier meld without its spare jokers lies."""
        for places in _melds(node.question, self.rules):
            if self._may_gather(places, home):
                yield from (made for made in self._with_meld(node, places) if home in made.gathered)

    def _land(self, node: _Node, place: int) -> Iterator[_Node]:
        """Decide the meld in which a released joker lands."""
        for places in _melds(node.question, self.rules):
            if any(source == WILD for _, source in places):
                yield from (made for made in self._with_meld(node, places) if place in made.landed)

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
        own = {tile.kind for tile in self.before[joker.home].tiles if not tile.is_joker}
        swaps = self.rules.joker_leaves is JokerLeaves.SWAP
        return swaps and not real.isdisjoint(own) and not real.isdisjoint(joker.replacements)

    def _may_gather(self, places: Places, home: int) -> bool:
        """Whether the numbered tiles of this earlier meld are all here."""
        own = {tile.kind for tile in self.before[home].tiles if not tile.is_joker}
        return own <= {kind for kind, source in places if source in (REAL, BLOCK)}


def _subsets(some: Sequence[int]) -> list[tuple[int, ...]]:
    return [chosen for size in range(len(some) + 1) for chosen in combinations(some, size)]


def _jokers(before: Sequence[Meld]) -> Iterator[_Joker]:
    for home, meld in enumerate(before):
        there = {tile.colour for tile in meld.tiles}
        for _, face in meld.jokers:
            colours = [face.colour] if face.colour else [colour for colour in COLOURS if colour not in there]
            yield _Joker(home, face, tuple(kind_of(colour, face.number) for colour in colours))


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


_LONGEST = 9


def _melds(question: Question, rules: Ruleset, within: int | None = None) -> Iterator[Places]:
    """Each meld that can be made of what is there, or each with a tile of this kind in it, as far as it may matter.

    A run of six or more can be divided so that the part with a given joker has at most five tiles, or nine with a
    second tile that has to lie in it; with more jokers around, or blocks to join, no length is left out.
    """
    have = [there + held for there, held in zip(question.table, question.rack, strict=True)]
    divisible = have[JOKER] + sum(question.run_pins) <= 2 and not question.run_blocks
    longest = _LONGEST if divisible else rules.numbers
    colours = range(len(COLOURS)) if within is None else [within // MAX_NUMBER]
    for colour in colours:
        for first in range(1, rules.numbers - 1):
            for last in range(first + MIN_MELD - 1, min(rules.numbers, first + longest - 1) + 1):
                kinds = range(colour * MAX_NUMBER + first - 1, colour * MAX_NUMBER + last)
                if within is None or within in kinds:
                    for blocks in _within(question.run_blocks, colour, first, last):
                        yield from _fill(kinds, have, question.run_pins, True, blocks, within)
    numbers = range(1, rules.numbers + 1) if within is None else [within % MAX_NUMBER + 1]
    for number in numbers if rules.groups else ():
        pins = [question.group_pins[number]] * JOKER
        column = range(number - 1, JOKER, MAX_NUMBER)
        for size in (MIN_MELD, len(COLOURS)):
            for chosen in combinations(column, size):
                if within is None or within in chosen:
                    yield from _fill(chosen, have, pins, False, (), within)


def _within(blocks: Sequence[Block], colour: int, first: int, last: int) -> Iterator[tuple[Block, ...]]:
    """Each choice of blocks that can lie side by side in this run."""
    here = [block for block in blocks if block[0] == colour and first <= block[1] and block[2] <= last]
    for size in range(len(here) + 1):
        for chosen in combinations(here, size):
            numbers = [number for _, low, high, _ in chosen for number in range(low, high + 1)]
            if len(set(numbers)) == len(numbers):
                yield chosen


def _fill(
    kinds: Sequence[int],
    have: Sequence[int],
    pins: Sequence[int],
    run: bool,
    blocks: tuple[Block, ...],
    within: int | None,
) -> Iterator[Places]:
    """Each way to fill these places with blocks, tiles, pinned and free jokers; at least one is a tile."""
    if not blocks and sum(not have[kind] and not pins[kind] for kind in kinds) > have[JOKER]:
        return
    taken = {
        colour * MAX_NUMBER + number - 1: BLOCK_JOKER if mask >> (number - low) & 1 else BLOCK
        for colour, low, high, mask in blocks
        for number in range(low, high + 1)
    }
    options = []
    for kind in kinds:
        sources = [REAL] * bool(have[kind])
        if kind != within:
            sources += [PIN] * bool(pins[kind]) + [WILD] * bool(have[JOKER])
        options.append([taken[kind]] if kind in taken else sources)
    if all(options) and sum(some == [WILD] for some in options) <= have[JOKER]:
        for chosen in _choices(options, have[JOKER]):
            numbered = REAL in chosen or BLOCK in chosen
            if numbered and (run or chosen.count(PIN) <= pins[kinds[0]]):
                yield Places.of(zip(kinds, chosen, strict=True), run, blocks)


def _choices(options: Sequence[Sequence[str]], jokers: int) -> Iterator[tuple[str, ...]]:
    if not options:
        yield ()
        return
    for source in options[0]:
        left = jokers - (source == WILD)
        if left >= 0:
            for rest in _choices(options[1:], left):
                yield (source, *rest)
