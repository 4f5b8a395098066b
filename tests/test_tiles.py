"""Tiles and their text form."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.tiles import COLOURS, JOKER, KINDS, Face, Unreadable, counts, face, kind_of, text, tile, tile_of, tiles

ANY_TILE = st.builds(tile_of, st.integers(0, JOKER - 1), st.integers(0, 2)) | st.builds(
    tile_of, st.just(JOKER), st.integers(0, 3)
)


@given(st.lists(ANY_TILE))
def test_text_round_trips(some: list[object]) -> None:
    written = " ".join(map(str, some))
    assert list(tiles(written)) == some
    assert text(tiles(written)) == written


@given(ANY_TILE)
def test_there_is_one_object_for_each_tile(one: object) -> None:
    assert tile(str(one)) is one
    assert pickle.loads(pickle.dumps(one)) is one
    assert copy.deepcopy(one) is one
    assert eval(repr(one), {"tile": tile}) is one


def test_kinds() -> None:
    assert [kind_of(colour, number) for colour in COLOURS for number in range(1, 14)] == list(range(JOKER))
    assert counts(tiles("r1 r1' y13 j j'''"))[0] == 2
    assert counts(tiles("r1 r1' y13 j j'''"))[JOKER - 1 :] == [1, 2]
    assert len(counts([])) == KINDS


def test_order_is_colour_number_copy() -> None:
    assert text(sorted(tiles("j y1 r2' r2 b13 k3"))) == "r2 r2' b13 k3 y1 j"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("g5", "no known colour"),
        ("R5", "no known colour"),
        ("r14", "no number from 1 to 13"),
        ("r0", "no number from 1 to 13"),
        ("r05", "no number from 1 to 13"),
        ("r999999999999999999999", "no number from 1 to 13"),
        ("r5'''", "at most three"),
        ("j''''", "is no tile"),
        ("", "is no tile"),
        ("5r", "is no tile"),
        ("r٣", "is no tile"),
        ("joker", "is no tile"),
    ],
)
def test_bad_tiles_say_why(written: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        tile(written)


@given(st.text(max_size=40))
def test_any_text_is_a_tile_or_unreadable(written: str) -> None:
    try:
        said = str(tile(written))
    except Unreadable as error:
        said = str(error)
    assert said == written or "\n" not in said
    assert len(said) < 250


def test_faces() -> None:
    assert face("r5") == Face("r", 5)
    assert face("13") == Face(None, 13)
    assert str(face("k1")) == "k1"
    for bad in ("", "r", "r0", "14", "g5", "r5 ", "-1", "٣"):
        with pytest.raises(Unreadable, match="a joker stands for"):
            face(bad)
