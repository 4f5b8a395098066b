"""Whole games on pages: robots in two and three browsers at once, by mouse, by touch, by keyboard and by typing.

Everything is compared after every move of a tile (tests.kit.robots). The deals are known ones, so that a game takes a
while and not longer; in each of them melds on the table are changed. The soak plays deals that nobody knows.
"""

from random import Random

import pytest

from tests.kit.browser import Site
from tests.kit.lines import Json
from tests.kit.robots import Game, gathered
from tests.kit.table_page import Way

pytestmark = pytest.mark.anyio


async def played(site: Site, deal: int, *ways: tuple[Way, ...], **setup: str) -> tuple[Game, Json]:
    """A whole game of this deal."""
    async with gathered(site, ways, f"{deal:064x}", Random(deal), **setup) as game:
        await game.begin()
        match = await game.play()
        print(
            f"{game.turns} turns, {game.plays} plays, {game.changes} changes of the table, {game.moves} moves of tiles"
        )
        return game, match


async def test_a_game_of_two_by_mouse(site: Site) -> None:
    game, match = await played(site, 205, ("mouse",), ("mouse",), ruleset="sabra")
    assert match["phase"] == "match-over"
    assert "" in match["racks"]
    assert game.changes >= 3


async def test_a_game_of_three_on_phones_and_a_laptop(site: Site) -> None:
    game, match = await played(site, 142, ("touch",), ("mouse",), ("touch",), ruleset="club")
    assert match["phase"] == "match-over"
    assert "" in match["racks"]
    assert game.changes >= 3


async def test_a_game_of_two_by_keyboard_and_by_typing(site: Site) -> None:
    game, match = await played(site, 324, ("keys",), ("typed",), ruleset="rummy")
    assert match["phase"] == "match-over"
    assert "" in match["racks"]
    assert game.changes >= 2
