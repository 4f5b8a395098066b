"""The kernel and the branching above it find exactly what the slow search finds, under every ruleset."""

import random
from collections.abc import Iterator
from dataclasses import replace
from operator import sub

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.strategies import racks, tables
from tilerummy.legality import check
from tilerummy.melds import Draft, Meld, Table, draft_text, table_text
from tilerummy.record import read_table
from tilerummy.rulesets import JokerGoes, Ruleset, ruleset
from tilerummy.solver import Objective, Query, can_lay, reference, solve
from tilerummy.solver.kernel import value
from tilerummy.solver.search import alike
from tilerummy.tiles import COLOURS, JOKER, counts, kind_of, text, tile_of, tiles

RULES = {
    "classic": ruleset("classic", {"numbers": 7, "deal": 6, "opening": 12}),
    "club": ruleset("club", {"numbers": 7, "deal": 6, "opening": 12}),
    "sabra": ruleset("sabra", {"numbers": 7, "deal": 6, "opening": 12}),
    "sabra xp": ruleset("sabra", {"numbers": 7, "copies": 3, "jokers": 4, "deal": 6, "opening": 12}),
    "rummy": ruleset("rummy", {"numbers": 7, "dealing": "pile", "deal": 6, "opening": 12}),
    "junior": ruleset("junior", {"numbers": 7}),
    "classic, 4 jokers": ruleset("classic", {"numbers": 7, "jokers": 4, "deal": 6, "opening": 12}),
    "rummy, 4 jokers": ruleset("rummy", {"numbers": 7, "jokers": 4, "dealing": "pile", "deal": 6, "opening": 12}),
}


def random_melds(chance: random.Random, rules: Ruleset, supply: list[int], number: int) -> Iterator[Meld]:
    """Melds out of the supply, here and there with a joker."""
    for _ in range(number):
        if rules.groups and chance.random() < 0.4:
            value_ = chance.randint(1, rules.numbers)
            kinds = [kind_of(colour, value_) for colour in chance.sample(COLOURS, chance.choice([3, 3, 4]))]
            colour = None
        else:
            colour = chance.choice(COLOURS)
            size = chance.choice([3, 3, 4, 5])
            value_ = chance.randint(1, rules.numbers - size + 1)
            kinds = [kind_of(colour, value_ + place) for place in range(size)]
        taken = []
        for kind in kinds:
            wild = supply[JOKER] > 0 and chance.random() < 0.2
            source = JOKER if wild or not supply[kind] else kind
            if supply[source]:
                supply[source] -= 1
                taken.append(source)
        if len(taken) < len(kinds) or set(taken) == {JOKER}:
            for kind in taken:
                supply[kind] += 1
            continue
        tiles = tuple(tile_of(kind) for kind in taken)
        yield Meld(tiles if colour else tuple(sorted(tiles)), colour, value_)


def random_query(seed: int, rules: Ruleset) -> Query:
    chance = random.Random(seed)
    supply = counts(rules.tiles())
    most = 2 if rules.jokers > 2 else 3  # with four jokers the slow search is very slow
    table: Table = tuple(random_melds(chance, rules, supply, min(most, chance.choice([0, 1, 2, 2, 3]))))
    bag = [kind for kind in range(JOKER + 1) for _ in range(supply[kind])]
    rack = tuple(tile_of(kind) for kind in chance.sample(bag, chance.randint(1, 4 if rules.jokers > 2 else 6)))
    opened = chance.random() < 0.75
    return Query(
        rules,
        table,
        rack,
        opened=opened,
        all_opened=opened and chance.random() < 0.8,
        objective=chance.choice([Objective.TILES, Objective.POINTS]),
    )


def laid_counts(query: Query, after: object) -> tuple[int, ...]:
    assert isinstance(after, tuple)
    before = tuple(query.table)
    verdict = check(before, query.rack, after, query.rules, opened=query.opened, all_opened=query.all_opened)
    assert verdict.legal, verdict.violations
    return tuple(counts(verdict.laid))


def laid_in(query: Query, after: Draft) -> tuple[int, ...]:
    """What a legal play lays: all that the table did not have before, unless jokers may have gone to the rack."""
    if query.rules.joker_goes is JokerGoes.RACK:
        return laid_counts(query, after)
    before = counts(tile for meld in query.table for tile in meld.tiles)
    return tuple(map(sub, counts(piece.tile for meld in after for piece in meld), before))


def assert_equal_to_reference(query: Query) -> None:
    said = f"{query.rules.id} / {table_text(query.table)} / {text(query.rack)} / {query.opened} {query.all_opened}"
    solution = solve(query)
    expected = [laid_in(query, after) for after in reference.plays(query)]
    assert can_lay(query) is bool(expected), said
    nothing = (0,) * (JOKER + 1)
    expected = [laid for laid in expected if value(query, laid) > value(query, nothing)]  # weights may be negative
    assert (solution.tiles > 0) is bool(expected), said
    if expected:
        laid = laid_counts(query, solution.after)
        assert laid == tuple(counts(solution.laid)), said
        best = max(value(query, laid) for laid in expected)
        assert value(query, laid) == best, f"{said}: {draft_text(solution.after)}"


@pytest.mark.kernel
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("part", range(4))
def test_small_random_positions(name: str, part: int) -> None:
    number = 80 if name == "junior" else 250  # the slow search is slowest with junior's jokers
    for seed in range(part * number, (part + 1) * number):
        assert_equal_to_reference(random_query(seed, RULES[name]))


@st.composite
def small_queries(draw: st.DrawFn, rules: Ruleset) -> Query:
    """A small position that shrinks: fewer melds, fewer and lower rack tiles."""
    table = draw(tables(rules, most=2 if rules.jokers > 2 else 3))
    lying = [tile for meld in table for tile in meld.tiles]
    rack = draw(racks(rules, without=lying, most=4 if rules.jokers > 2 else 5))
    opened = draw(st.booleans())
    return Query(
        rules,
        tuple(alike(meld) for meld in table),
        tuple(tile_of(tile.kind) for tile in rack),
        opened=opened,
        all_opened=opened and draw(st.booleans()),
        objective=draw(st.sampled_from([Objective.TILES, Objective.POINTS])),
    )


@pytest.mark.kernel
@pytest.mark.parametrize("name", RULES)
def test_positions_that_shrink(name: str) -> None:
    @settings(max_examples=60, derandomize=True, database=None)
    @given(small_queries(RULES[name]))
    def equal(query: Query) -> None:
        assert_equal_to_reference(query)

    equal()


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["classic", "club", "sabra", "rummy", "junior"])
def test_weights(name: str) -> None:
    """Weights that the caller gives, negative ones too, decide first."""
    chance = random.Random(1)
    for seed in range(60 if name == "junior" else 300):
        weights = tuple(chance.randint(-3, 9) for _ in range(JOKER + 1))
        query = random_query(seed, RULES[name])
        assert_equal_to_reference(replace(query, objective=Objective.WEIGHTS, weights=weights))


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["classic", "club", "sabra", "rummy"])
def test_one_meld_may_replace_two_jokers(name: str) -> None:
    rules = ruleset(name)
    table = read_table("r4 j=r5 j=r6 r7 | r5 b5 k5 y5 | r6 b6 k6 y6 | b8 b9 b10", rules)
    assert_equal_to_reference(Query(rules, table, tiles("b12")))
