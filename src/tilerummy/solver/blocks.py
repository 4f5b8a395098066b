"""Melds that stay whole, with what becomes of each joker in them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, takewhile
from typing import Final

from tilerummy.melds import MIN_MELD, Meld
from tilerummy.rulesets import JokerMelds, Rearranging, Ruleset
from tilerummy.solver.kernel import REAL, Block, Question
from tilerummy.tiles import COLOURS, MAX_NUMBER

__all__ = ["FREE", "KEPT", "SPARE", "STAYS", "SWAPPED", "Fates", "add_blocks", "is_loose"]

STAYS: Final = "stays"  # stands for what it stood for
FREE: Final = "free"  # released; a matching tile is laid somewhere, where the rules want one
SWAPPED: Final = "swapped"  # a rack tile took its place, and it is laid again (junior)
KEPT: Final = "kept"  # a rack tile took its place, and it goes to the rack (junior)
SPARE: Final = "spare"  # its meld does without it, and it is laid again (junior)

Fates = Sequence[str | None]
"""What becomes of the jokers of a meld, in their order; None is not decided yet."""


def add_blocks(question: Question, wholes: Sequence[tuple[Meld, Fates]]) -> Iterator[Question]:
    """Put melds that stay whole into the question, in each way that the fates of their jokers leave."""
    plain = [meld for meld, _ in takewhile(lambda whole: not whole[1], wholes)]
    if plain:
        runs = tuple([_plain_run(meld) for meld in plain if meld.is_run])
        groups = tuple([_plain_group(meld) for meld in plain if not meld.is_run])
        question = replace(question, run_blocks=question.run_blocks + runs, group_blocks=question.group_blocks + groups)
    if len(plain) == len(wholes):
        yield question
        return
    (meld, fates), rest = wholes[len(plain)], wholes[len(plain) + 1 :]
    for made in (_run_block if meld.is_run else _group_blocks)(question, meld, fates):
        yield from add_blocks(made, rest)


@lru_cache(maxsize=4096)
def _plain_run(meld: Meld) -> Block:
    assert meld.colour
    return COLOURS.index(meld.colour), meld.number, meld.number + len(meld.tiles) - 1, 0


@lru_cache(maxsize=4096)
def _plain_group(meld: Meld) -> tuple[int, int, int]:
    return meld.number, sum(1 << COLOURS.index(tile.colour) for tile in meld.tiles if tile.colour), 0


def is_loose(meld: Meld, fates: Fates, rules: Ruleset) -> bool:
    """Whether a meld that has to stay together is not long enough to be a block without the jokers that left it."""
    adding = rules.rearranging is Rearranging.ADDING
    whole = rules.joker_melds is JokerMelds.WHOLE and STAYS in fates
    if None in fates or not (adding or whole):
        return False
    places = _places(meld, fates)
    return len(places) < MIN_MELD or SPARE in places


def _places(meld: Meld, fates: Fates) -> list[str]:
    """What lies at each place; jokers that left an end of a run, or a group, leave no place."""
    remaining = iter(fates)
    places = [(next(remaining) or STAYS) if tile.is_joker else REAL for tile in meld.tiles]
    places = [REAL if fate in (SWAPPED, KEPT) else fate for fate in places]
    if not meld.is_run:
        return [fate for fate in places if fate not in (FREE, SPARE)]
    while places and places[-1] in (FREE, SPARE):
        places.pop()
    while places and places[0] in (FREE, SPARE):
        places.pop(0)
    return [REAL if fate == FREE else fate for fate in places]


def _run_block(question: Question, meld: Meld, fates: Fates) -> Iterator[Question]:
    assert meld.colour
    colour = COLOURS.index(meld.colour)
    remaining = iter(fates)
    lying = [next(remaining) if tile.is_joker else REAL for tile in meld.tiles]
    first = next(place for place, fate in enumerate(lying) if fate not in (FREE, SPARE))
    places = _places(meld, fates)
    made: Question | None = question
    for place, fate in enumerate(lying):
        kind = colour * MAX_NUMBER + meld.number + place - 1
        if fate in (FREE, SWAPPED, KEPT):
            made = made and made.lay(kind)
            if first <= place < first + len(places):  # a tile lies in the joker's place; at an end it may lie elsewhere
                made = made and made.take(kind, REAL, True)
    if made is None:
        return
    start = meld.number + first
    if len(places) >= MIN_MELD and SPARE not in places:
        mask = sum(1 << place for place, fate in enumerate(places) if fate == STAYS)
        yield replace(made, run_blocks=(*made.run_blocks, (colour, start, start + len(places) - 1, mask)))
        return
    table, pins = bytearray(made.table), bytearray(made.run_pins)
    for place, fate in enumerate(places):
        if fate != SPARE:
            (pins if fate == STAYS else table)[colour * MAX_NUMBER + start + place - 1] += 1
    yield replace(made, table=bytes(table), run_pins=bytes(pins))


def _group_blocks(question: Question, meld: Meld, fates: Fates) -> Iterator[Question]:
    colours = [COLOURS.index(tile.colour) for tile in meld.tiles if tile.colour]
    missing = [colour for colour in range(len(COLOURS)) if colour not in colours]
    in_place = sum(fate in (SWAPPED, KEPT) for fate in fates)
    for chosen in combinations(missing, in_place + fates.count(FREE)):
        made: Question | None = question
        for colour in chosen:
            made = made and made.lay(colour * MAX_NUMBER + meld.number - 1)
        for inside in combinations(chosen, in_place) if made else ():
            yield from _group_block(made, meld, (*colours, *inside), inside, fates.count(STAYS))


def _group_block(
    question: Question | None, meld: Meld, colours: Sequence[int], inside: Sequence[int], jokers: int
) -> Iterator[Question]:
    for colour in inside:
        question = question and question.take(colour * MAX_NUMBER + meld.number - 1, REAL, False)
    if question is None:
        return
    if len(colours) + jokers >= MIN_MELD:
        block = (meld.number, sum(1 << colour for colour in colours), jokers)
        yield replace(question, group_blocks=(*question.group_blocks, block))
        return
    table, pins = bytearray(question.table), bytearray(question.group_pins)
    for colour in colours:
        table[colour * MAX_NUMBER + meld.number - 1] += 1
    pins[meld.number] += jokers
    yield replace(question, table=bytes(table), group_pins=bytes(pins))
