"""Pictures of a position: the right things are in them, and they all have one size."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.env.playing import finish
from tests.kit.build import at
from tilerummy.env.render import HEIGHT, WIDTH, pixels, sketch, words
from tilerummy.env.tilerummy_v0 import TileRummy
from tilerummy.rulesets import RULESETS
from tilerummy.tiles import tiles
from tilerummy.view import View, view

AGENTS = ("player_0", "player_1", "player_2")


def seen() -> View:
    state = at(RULESETS["classic"], "r10 b10", "k3", "y1 y2 y3", table="r4 r5 j=r6", opened=(True, False, False))
    return view(state, 0)


def test_words() -> None:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", words(seen(), AGENTS, tiles("r5")))
    assert "player_0 to move · 97 tiles in the pool" in plain
    assert "player_0: 2 tiles, opened · player_1: 1 tile · player_2: 3 tiles" in plain
    assert re.search(r"4●.*5●.*★6", plain)
    assert "10●" in plain
    assert "3■" not in plain, "another rack is not shown"


def test_svg_is_well_formed_and_of_one_size() -> None:
    root = ElementTree.fromstring(sketch(seen(), AGENTS))
    assert (root.get("width"), root.get("height")) == (str(WIDTH), str(HEIGHT))
    assert [text for text in root.itertext() if "player_1: 1 tile" in text]


def test_pixels_are_drawn() -> None:
    """Felt, wood, ivory and the ink of every colour that lies there are in the picture, and the words are."""
    drawn = pixels(seen(), AGENTS)
    assert drawn.shape == (HEIGHT, WIDTH, 3)
    for ink in ((0xC8, 0x32, 0x2F), (0x1D, 0x5F, 0xC0), (0x7A, 0x3F, 0xB0)):
        assert has(drawn, ink), ink
    assert not has(drawn, (0x23, 0x26, 0x2B)), "no black tile can be seen"
    assert has(drawn[:80], (0xF3, 0xEA, 0xD2)), "the font has the letters"


def has(drawn: NDArray[np.uint8], colour: tuple[int, int, int]) -> bool:
    return bool((np.abs(drawn.astype(np.int16) - colour).max(axis=-1) <= 2).sum() > 20)


@pytest.mark.parametrize("mode", ["svg", "ansi"])
def test_the_end_is_told(mode: str) -> None:
    env = TileRummy("sabra", 2, render_mode=mode)
    env.reset(seed=2)
    finish(env)
    assert env.game.winner is not None
    drawn = env.render()
    assert isinstance(drawn, str)
    assert f"{env.agent(env.game.winner)} wins" in drawn
    assert f"{max(env.game.scores[-1]):+} points" in drawn


def test_people_see_each_turn(capsys: pytest.CaptureFixture[str]) -> None:
    env = TileRummy("sabra", 2, render_mode="human")
    env.reset(seed=2)
    assert capsys.readouterr().out == ""
    env.step(0)
    assert "to move" in capsys.readouterr().out
    assert TileRummy("sabra", 2).render() is None
