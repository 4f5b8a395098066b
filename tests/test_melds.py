"""Runs and groups, what jokers stand for, and the best value of some tiles."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilerummy.melds import Broken, Meld, Shape, best_value, draft, draft_text, pieces, read, shapes, table_text
from tilerummy.tiles import COLOURS, JOKER, Tile, Unreadable, counts, tile_of, tiles


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
    assert read(pieces("r9 r10 j"), 10, False) == Broken("beyond")


def test_tables_as_text() -> None:
    written = "b8 b9 b10 | r5 j=5 j'=5"
    assert draft_text(draft(written)) == written
    assert table_text([meld for part in draft(written) if isinstance(meld := read(part), Meld)]) == written
    assert draft("") == () == draft("  ")
    assert draft("r1 || r2") == ((*pieces("r1"),), (), (*pieces("r2"),))
    with pytest.raises(Unreadable, match="only a joker"):
        pieces("r5=r6")


def brute_value(some: tuple[Tile, ...]) -> int:
    """The best value by the definition: every way to choose disjoint melds, every way to name the jokers."""
    best = 0
    for shape in every_shape(some):
        rest = Counter(counts_of(some))
        rest.subtract(counts_of_shape(shape))
        if min(rest.values(), default=0) >= 0:
            left = tuple(tile_of(kind) for kind, count in rest.items() for _ in range(count))
            best = max(best, shape.points + brute_value(left))
    return best


def counts_of(some: tuple[Tile, ...]) -> Counter[int]:
    return Counter(tile.kind for tile in some)


def counts_of_shape(shape: Shape) -> Counter[int]:
    return Counter([*shape.kinds, *[JOKER] * shape.jokers])


def every_shape(some: tuple[Tile, ...]) -> list[Shape]:
    """Each run and group over numbers 1 to 5, whatever tiles there are, with jokers at any places."""
    held = counts_of(some)
    found = []
    for colour in COLOURS:
        for start in range(1, 4):
            for size in range(3, 7 - start):
                kinds = [COLOURS.index(colour) * 13 + number - 1 for number in range(start, start + size)]
                real = tuple(kind for kind in kinds if held[kind])
                if real and size - len(real) <= held[JOKER]:
                    found.append(Shape(colour, start, size, real))
                found.extend(
                    Shape(colour, start, size, tuple(k for k in real if k != gone))
                    for gone in real
                    if len(real) > 1 and size - len(real) + 1 <= held[JOKER]
                )
    for number in range(1, 6):
        kinds = [place * 13 + number - 1 for place in range(4)]
        for chosen in range(1, 16):
            real = tuple(kind for place, kind in enumerate(kinds) if chosen >> place & 1)
            if all(held[kind] for kind in real):
                for size in (3, 4):
                    if 0 <= size - len(real) <= held[JOKER]:
                        found.append(Shape(None, number, size, real))
    return found


SMALL = st.lists(st.sampled_from(tiles("r1 r2 r3 r4 r5 b1 b2 b3 k2 k3 k4 y3 y4 j")), max_size=8)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(SMALL)
def test_best_value_is_the_best(some: list[Tile]) -> None:
    assert best_value(some, numbers=5) == brute_value(tuple(some))


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from([tile_of(kind) for kind in range(0, 53)]), max_size=16), st.integers(1, 60))
def test_best_value_stops_when_it_is_enough(some: list[Tile], enough: int) -> None:
    exact = best_value(some)
    assert min(best_value(some, enough=enough), enough) == min(exact, enough)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(SMALL)
def test_every_shape_is_a_meld(some: list[Tile]) -> None:
    have = counts(some)
    for kind in {tile.kind for tile in some if not tile.is_joker}:
        for shape in shapes(have, have[JOKER], kind, 13, True):
            meld = read(shape.pieces)
            assert isinstance(meld, Meld)
            assert (meld.points, meld.colour, meld.number) == (shape.points, shape.colour, shape.number)
            assert counts_of(meld.tiles) == counts_of_shape(shape)
