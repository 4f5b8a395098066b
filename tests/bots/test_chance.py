"""The bot `random`: every sort of move turns up, and nothing that the rules refuse."""

import random

from tests.bots.positions import position
from tilerummy.bots import Chance
from tilerummy.melds import draft_text
from tilerummy.state import Play
from tilerummy.view import View


def happens(view: View, seeds: int = 120) -> set[str]:
    """All that it does over many turns like this one; an empty text is a draw."""
    commands = [Chance().choose(view, random.Random(seed), 1) for seed in range(seeds)]
    return {draft_text(command.table) if isinstance(command, Play) else "" for command in commands}


def test_adds() -> None:
    assert happens(position("sabra", "r4 r5 r6", "r7 r3 b12")) == {
        "",
        "r4 r5 r6 r7",
        "r3 r4 r5 r6",
        "r3 r4 r5 r6 r7",
    }


def test_splits() -> None:
    assert happens(position("sabra", "r4 r5 r6 r7 r8", "r6' b12")) == {"", "r4 r5 r6' | r6 r7 r8"}


def test_takes_a_tile_that_can_be_spared() -> None:
    """The end of a run, the middle of a long one, the fourth of a group."""
    assert "b9 b10 b11 | b8 k8 y8" in happens(position("sabra", "b8 b9 b10 b11", "k8 y8 r2"))
    assert "b1 b2 b3 | b5 b6 b7 | b4 k4 y4" in happens(position("sabra", "b1 b2 b3 b4 b5 b6 b7", "k4 y4 r12"))
    assert "r1 b1 k1 | y1 y2 y3" in happens(position("sabra", "r1 b1 k1 y1", "y2 y3 r12"))


def test_swaps_a_joker() -> None:
    rack = "r5 b9 b10"
    assert "r4 r5 r6 | b9 b10 j=b11" in happens(position("classic", "r4 j r6", rack))
    assert "r4 r5 r6 j=r7" in happens(position("sabra", "r4 j r6", rack))
    assert "r4 r5 r6" in happens(position("junior", "r4 j r6", rack))
    assert "r8 b8 k8 | b9 b10 j=b11" in happens(position("rummy", "r8 b8 j", "k8 b9 b10"))


def test_opens() -> None:
    opening = position("sabra", "r4 r5 r6", "r7 r10 b10 k10 y2", opened=(False, True))
    assert happens(opening) == {"", "r4 r5 r6 | r10 b10 k10", "r4 r5 r6 r7 | r10 b10 k10"}
