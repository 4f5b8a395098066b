"""Runs and groups, what jokers stand for, and the best value of some tiles."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.value import value
from tilerummy.melds import Broken, Meld, Shape, best_value, draft, draft_text, pieces, read, shapes, table_text
from tilerummy.tiles import COLOURS, JOKER, Tile, Unreadable, counts, kind_of, tile_of, tiles


@pytest.mark.parametrize(
    ("written", "canonical", "points"),
    [
        ("r8 r9 r10", "r8 r9 r10", 27),
        ("b10 b8 b9", "b8 b9 b10", 27),
        ("y13 r13 b13", "r13 b13 y13", 39),
        ("j r13 b13", "r13 b13 j=13", 39),
        ("b6 b7 j", "b6 b7 j=b8", 21),
        ("j b6 b7", "j=b5 b6 b7", 18),
        ("r2 r3 j r5 r6", "r2 r3 j=r4 r5 r6", 20),
        ("r5 j=r6 j=r7", "r5 j=r6 j=r7", 18),
        ("j=r7 r5 j=r6", "r5 j=r6 j=r7", 18),
        ("r5 j=5 j'=5", "r5 j=5 j'=5", 15),
        ("r5 b5 j=k5", "r5 b5 j=5", 15),
        ("r4 j=5 r6", "r4 j=r5 r6", 15),
        ("r5 j j=r7", "r5 j=r6 j=r7", 18),
        ("r13 j j", "r13 j=13 j=13", 39),
        ("j j r2", "r2 j=2 j=2", 6),
        ("r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13", "r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13", 91),
    ],
)
def test_melds(written: str, canonical: str, points: int) -> None:
    meld = read(pieces(written))
    assert isinstance(meld, Meld)
    assert (str(meld), meld.points) == (canonical, points)
    assert read(meld.pieces) == meld


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "empty"),
        ("r1 r2", "too-short"),
        ("r5 j", "too-short"),
        ("r5 b5", "too-short"),
        ("r2 r9", "too-short"),
        ("r2 b6", "mixed"),
        ("r5 r5'", "colour-twice"),
        ("j j j", "no-number"),
        ("j=r1 j=r2 j=r3", "no-number"),
        ("r5 j j", "joker-unnamed"),
        ("r5 j j j", "joker-unnamed"),
        ("r1 r2 r4", "numbers"),
        ("r1 r1' r2", "numbers"),
        ("r5 j r3", "numbers"),
        ("r12 r13 j", "beyond"),
        ("j r1 r2", "beyond"),
        ("r1 b2 k3", "mixed"),
        ("r5 b5 k6", "mixed"),
        ("r1 r1' b1", "colour-twice"),
        ("r5 b5 j=r5", "colour-twice"),
        ("r5 b5 k5 y5 j", "too-long"),
        ("r5 b5 j=6", "joker-name"),
        ("r5 j=b6 r7", "joker-name"),
        ("r5 j j=r9", "joker-name"),
        ("r5 j=r9 r7", "numbers"),
    ],
)
def test_broken_melds_say_why(written: str, reason: str) -> None:
    broken = read(pieces(written))
    assert isinstance(broken, Broken)
    assert broken.reason == reason


def test_the_choices_are_listed() -> None:
    assert read(pieces("r5 j j")) == Broken("joker-unnamed", ("r5 j=r6 j=r7", "r5 j=5 j=5"))


def test_without_groups() -> None:
    assert str(read(pieces("r5 j j"), 10, False)) == "r5 j=r6 j=r7"
    assert read(pieces("r5 b5 k5"), 10, False) == Broken("no-groups")
    assert read(pieces("r5 b6 k7"), 10, False) == Broken("colours")
    assert read(pieces("r5 b6"), 10, False) == Broken("colours")
    assert read(pieces("r5 b5"), 10, False) == Broken("no-groups")
    assert read(pieces("r9 r10 j"), 10, False) == Broken("beyond")


def test_tables_as_text() -> None:
    written = "b8 b9 b10 | r5 j=5 j'=5"
    assert draft_text(draft(written)) == written
    assert table_text([meld for part in draft(written) if isinstance(meld := read(part), Meld)]) == written
    assert draft("") == () == draft("  ")
    assert draft("r1 || r2") == ((*pieces("r1"),), (), (*pieces("r2"),))
    with pytest.raises(Unreadable, match="only a joker"):
        pieces("r5=r6")


def brute_value(some: Iterable[Tile], groups: bool) -> int:
    """The best value by the definition: every way to choose disjoint melds, every way to name the jokers."""
    all_held = counts_of(some)
    melds = [(shape.points, counts_of_shape(shape)) for shape in every_shape() if groups or shape.colour]
    melds = [(points, used) for points, used in melds if used <= all_held]
    seen: dict[frozenset[tuple[int, int]], int] = {}

    def best(held: Counter[int]) -> int:
        key = frozenset(held.items())
        if key not in seen:
            seen[key] = max((points + best(held - used) for points, used in melds if used <= held), default=0)
        return seen[key]

    return best(all_held)


def counts_of(some: Iterable[Tile]) -> Counter[int]:
    return Counter(tile.kind for tile in some)


def counts_of_shape(shape: Shape) -> Counter[int]:
    return Counter([*shape.kinds, *[JOKER] * shape.jokers])


@cache
def every_shape() -> list[Shape]:
    """Each run and group over numbers 1 to 5, with jokers at any places."""
    found = []
    for colour in COLOURS:
        for start in range(1, 4):
            for size in range(3, 7 - start):
                kinds = [kind_of(colour, number) for number in range(start, start + size)]
                for real in range(1, size + 1):
                    found += [Shape(colour, start, size, chosen) for chosen in combinations(kinds, real)]
    for number in range(1, 6):
        kinds = [kind_of(colour, number) for colour in COLOURS]
        for size in (3, 4):
            for real in range(1, size + 1):
                found += [Shape(None, number, size, chosen) for chosen in combinations(kinds, real)]
    return found


@pytest.mark.parametrize("groups", [True, False])
def test_two_tiles_are_more_than_too_few_only_if_no_further_tile_helps(groups: bool) -> None:
    together = {frozenset(shape.kinds) for shape in every_shape() if groups or shape.colour}
    for one, other in combinations(sorted({kind for kinds in together for kind in kinds}), 2):
        broken = read(pieces(f"{tile_of(one)} {tile_of(other)}"), 5, groups)
        assert isinstance(broken, Broken)
        assert (broken.reason == "too-short") == any({one, other} <= kinds for kinds in together)


def all_of(kinds: Iterable[int], copies: int, jokers: int = 0) -> list[Tile]:
    """Every copy of these kinds, and jokers."""
    numbered = [tile_of(kind, copy) for kind in kinds for copy in range(copies)]
    return numbered + [tile_of(JOKER, copy) for copy in range(jokers)]


def kinds_of(first: int, last: int) -> list[int]:
    return [kind_of(colour, number) for colour in COLOURS for number in range(first, last + 1)]


def some_of(kinds: Iterable[int], copies: int, jokers: int, most: int) -> st.SearchStrategy[list[Tile]]:
    """Up to so many tiles of these kinds, and up to so many jokers."""
    numbered = st.lists(st.sampled_from(all_of(kinds, copies)), unique=True, max_size=most)
    return st.builds(lambda some, wild: some + all_of([], 0, wild), numbered, st.integers(0, jokers))


SMALL = some_of(counts_of(tiles("r1 r2 r3 r4 r5 b1 b2 b3 k2 k3 k4 y3 y4")), copies=2, jokers=4, most=8)


@pytest.mark.kernel
@settings(max_examples=200, derandomize=True)
@given(SMALL, st.booleans())
def test_best_value_is_the_best(some: list[Tile], groups: bool) -> None:
    assert best_value(some, 5, groups) == brute_value(some, groups)


@pytest.mark.kernel
@settings(max_examples=200, derandomize=True)
@given(some_of(counts_of(tiles("r3 r4 r5 b3 b5 k5")), copies=3, jokers=4, most=8), st.booleans())
def test_best_value_is_the_best_of_three_copies(some: list[Tile], groups: bool) -> None:
    assert best_value(some, 5, groups) == brute_value(some, groups)


@pytest.mark.kernel
@settings(max_examples=300, derandomize=True)
@given(
    st.one_of(
        some_of(kinds_of(1, 5), copies=3, jokers=4, most=10),
        some_of(kinds_of(9, 13), copies=2, jokers=4, most=10),
        some_of(kinds_of(1, 13), copies=2, jokers=2, most=12),
    ),
    st.booleans(),
)
def test_best_value_of_a_rack(some: list[Tile], groups: bool) -> None:
    assert best_value(some, 13, groups) == value(some, 13, groups)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("j j j j", 0),
        ("r12 r13 j", 36),
        ("r13 j j", 39),
        ("r5 j j j j", 35),
        ("r10 b10 k10 y10 j", 40),
        ("r13 b13 j j j j", 78),  # two groups with a tile each
        ("r11 r12 r13 j j j", 75),  # r11 r12 j, r13 j j: a joker stands for a tile that is there
    ],
)
def test_best_value_with_jokers(written: str, points: int) -> None:
    assert best_value(tiles(written)) == points


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("some", "points"),
    [
        (all_of(kinds_of(1, 5), copies=2, jokers=2), 120 + 6 + 7),
        (all_of(kinds_of(1, 5), copies=3, jokers=4), 180 + 6 + 7 + 8 + 9),
        (all_of(kinds_of(1, 13), copies=2, jokers=2), 728 + 2 * 13),
        (all_of(kinds_of(1, 13), copies=3, jokers=4), 1092 + 4 * 13),
    ],
)
def test_best_value_of_many_tiles(some: list[Tile], points: int) -> None:
    """An exhaustive search is lost here; every tile lies in a meld, and the jokers stand as high as they can."""
    assert best_value(some) == points


@pytest.mark.kernel
@settings(max_examples=50, derandomize=True)
@given(some_of(kinds_of(1, 13), copies=3, jokers=4, most=160), st.integers(0, 159))
def test_best_value_grows_with_the_tiles(some: list[Tile], place: int) -> None:
    fewer = some[:place] + some[place + 1 :]
    assert best_value(fewer, groups=False) <= best_value(fewer) <= best_value(some)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("written", "numbers", "reason"),
    [
        ("r1 r1 r1 r1", 13, "more than 3 of a kind"),
        ("j j j j j", 13, "more than 4 jokers"),
        ("r11", 10, "a number beyond the last"),
        ("r1", 14, "numbers: 1 to 13"),
    ],
)
def test_best_value_refuses_tiles_of_no_set(written: str, numbers: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        best_value(tiles(written), numbers)


@settings(max_examples=100, derandomize=True)
@given(SMALL)
def test_every_shape_is_a_meld(some: list[Tile]) -> None:
    have = counts(some)
    for kind in {tile.kind for tile in some if not tile.is_joker}:
        for shape in shapes(have, have[JOKER], kind, 13, True):
            meld = read(shape.pieces)
            assert isinstance(meld, Meld)
            assert (meld.points, meld.colour, meld.number) == (shape.points, shape.colour, shape.number)
            assert counts_of(meld.tiles) == counts_of_shape(shape)
