"""Hypothesis strategies: rulesets with house rules, tiles, melds, tables, positions, games, and bad text."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from tests.kit.build import seed
from tests.kit.cases import CASES
from tests.kit.players import Habits, play_on
from tilerummy.deal import MAX_WORD
from tilerummy.game import fold
from tilerummy.melds import MIN_MELD, Meld, Piece, Table, read
from tilerummy.record import Record
from tilerummy.rulesets import BOUNDS, RULESETS, BadRuleset, Ruleset, ruleset
from tilerummy.solver import Query
from tilerummy.state import Command
from tilerummy.tiles import COLOURS, JOKER, Face, Tile, kind_of, tile_of

__all__ = ["house_rules", "melds", "mutations", "positions", "racks", "records", "rulesets", "tables", "tiles_of"]


@st.composite
def house_rules(draw: st.DrawFn) -> dict[str, object]:
    """A few house rules, each within its bounds; not every combination makes sense."""
    house: dict[str, object] = {}
    for name in draw(st.lists(st.sampled_from(sorted(BOUNDS)), max_size=4, unique=True)):
        bounds = BOUNDS[name]
        if isinstance(bounds, tuple):
            house[name] = draw(st.integers(*bounds))
        elif issubclass(bounds, StrEnum):
            house[name] = str(draw(st.sampled_from(sorted(bounds))))
        else:
            house[name] = draw(st.booleans())
    return house


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """A ruleset, with house rules that go together."""
    id, house = draw(st.sampled_from(sorted(RULESETS))), draw(house_rules())
    while house:
        try:
            return ruleset(id, house)
        except BadRuleset:
            house.popitem()
    return ruleset(id)


def tiles_of(rules: Ruleset) -> st.SearchStrategy[Tile]:
    """A tile of the set."""
    return st.sampled_from(rules.tiles())


def racks(rules: Ruleset, *, without: Sequence[Tile] = (), most: int = 20) -> st.SearchStrategy[tuple[Tile, ...]]:
    """Different tiles of the set, in any order."""
    left = [tile for tile in rules.tiles() if tile not in set(without)]
    if not left:
        return st.just(())
    return st.lists(st.sampled_from(left), max_size=min(most, len(left)), unique=True).map(tuple)


@st.composite
def melds(draw: st.DrawFn, rules: Ruleset, *, without: frozenset[Tile] = frozenset()) -> Meld:
    """A run or a group, perhaps with jokers."""
    group = rules.groups and draw(st.booleans())
    faces: list[Face]
    if group:
        size = draw(st.integers(MIN_MELD, len(COLOURS)))
        number = draw(st.integers(1, rules.numbers))
        faces = [Face(colour, number) for colour in draw(st.permutations(COLOURS))[:size]]
    else:
        size = draw(st.integers(MIN_MELD, min(6, rules.numbers)))
        low = draw(st.integers(1, rules.numbers - size + 1))
        colour = draw(st.sampled_from(COLOURS))
        faces = [Face(colour, low + place) for place in range(size)]
    jokers = [tile_of(JOKER, copy) for copy in range(rules.jokers) if tile_of(JOKER, copy) not in without]
    places = draw(st.sets(st.integers(0, size - 1), max_size=min(len(jokers), size - 1)))
    written = []
    for place, face in enumerate(faces):
        if place in places:
            written.append(Piece(jokers.pop(), Face(None, face.number) if group else face))
        else:
            assert face.colour
            copies = [tile_of(kind_of(face.colour, face.number), copy) for copy in range(rules.copies)]
            free = [tile for tile in copies if tile not in without]
            assume(free)
            written.append(Piece(draw(st.sampled_from(free))))
    meld = read(tuple(written), rules.numbers, rules.groups)
    assert isinstance(meld, Meld), f"{written}: {meld}"
    return meld


@st.composite
def tables(draw: st.DrawFn, rules: Ruleset, *, most: int = 5) -> Table:
    """Melds of different tiles."""
    used: set[Tile] = set()
    table = []
    for _ in range(draw(st.integers(0, most))):
        meld = draw(melds(rules))
        if used.isdisjoint(meld.tiles):
            used.update(meld.tiles)
            table.append(meld)
    return tuple(table)


@st.composite
def positions(draw: st.DrawFn) -> Query:
    """A table, a rack and who has opened, under any ruleset."""
    rules = draw(rulesets())
    table = draw(tables(rules))
    rack = draw(racks(rules, without=[tile for meld in table for tile in meld.tiles]))
    opened, all_opened = draw(st.sampled_from([(False, False), (True, False), (True, True)]))
    return Query(rules, table, rack, opened, all_opened)


NAMES = st.text(
    st.characters(blacklist_categories=("C", "Z"), whitelist_characters=" "), min_size=1, max_size=MAX_WORD
).filter(str.isprintable)


@st.composite
def records(draw: st.DrawFn, *, turns: int = 40, whole: bool = False) -> Record:
    """A match played at random, a part of it or to its end."""
    case = draw(st.sampled_from(CASES))
    luck = draw(st.integers(0, 2**32 - 1))
    rounds = draw(st.integers(1, 2)) if case.rules.stars else 1
    plain = Record(
        rules=case.rules,
        seed=seed(luck),
        names=tuple(draw(NAMES) for _ in range(case.players)),
        words=draw(st.sampled_from([(), ("luck", *[""] * (case.players - 1))])),
        rounds=rounds,
        first=draw(st.integers(0, case.players - 1)) if case.rules.stars else 0,
        bots=draw(st.sampled_from([(), (None, "greedy", *[None] * (case.players - 2))])),
        date=draw(st.sampled_from(["", "2026-07-01", '"quoted" \\\\ date'])),
    )
    habits = Habits(lays=0.85, lets_time_run_out=0.1, asks=0.05, leaves=0.05)
    commands: list[Command] = []
    for command, _, _ in play_on(fold(plain.start()), Random(luck), habits):
        commands.append(command)
        if not whole and len(commands) >= turns:
            break
    return replace(plain, commands=tuple(commands))


SCRAPS = (
    *("", " ", "\n", "\r", "\t", "'", '"', "=", "|", "/", "-", "#", "[", "]", "\\", "\0", "\u2028", "é", "٣"),
    *("r5", "r14", "j=", "j=r5", "k0", "1", "9", "draw", "play", "pass", "timeout", "hint", "bot", "human", "next"),
    *("[Seat 9 ", '"]', "[Rounds ", "999999", "house", "players=6", "1 play", "1 timeout -", "2 draw\n", "NaN"),
)


@st.composite
def mutations(draw: st.DrawFn, text: str) -> str:
    """The text with a few pieces removed, repeated, swapped or put in."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + draw(st.sampled_from([0, 1, 3, 30, 300])))))
        piece = text[start:end]
        scrap = draw(st.one_of(st.sampled_from(SCRAPS), st.text(max_size=5), st.just(piece * 2), st.just(piece[::-1])))
        text = text[:start] + scrap + text[end:]
    return text
