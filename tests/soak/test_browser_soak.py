"""Whole games on pages under every ruleset with every number of players, in two to six browsers at once.

The deals are nobody's choice, and every robot moves tiles in a way of its own; `pytest -s` tells how much was played.
"""

import time
from collections.abc import AsyncIterator
from random import Random, SystemRandom
from typing import Any

import pytest

from tests.kit.browser import Site
from tests.kit.browser import site as opened
from tests.kit.racing import race
from tests.kit.robots import gathered
from tests.kit.table_page import Way
from tilerummy.rulesets import MIN_PLAYERS, RULESETS, ruleset

pytestmark = pytest.mark.anyio

WAYS: tuple[tuple[Way, ...], ...] = (
    ("mouse",),
    ("touch",),
    ("keys", "typed"),
    ("touch",),
    ("mouse", "keys"),
    ("typed",),
)
MINDS = ("greedy", "novice", "greedy")
XP: dict[str, Any] = {"ruleset": "sabra", "house": {"tileset": "xp"}}


def setups() -> list[Any]:
    """Every ruleset with every number of players; five and six play with the 160 tiles."""
    usual: list[tuple[str, dict[str, Any]]] = [(id, {"ruleset": id}) for id in RULESETS]
    found = []
    for name, setup in [*usual, ("sabra-xp", XP)]:
        rules = ruleset(setup["ruleset"], setup.get("house", {}))
        for players in range(MIN_PLAYERS, rules.players + 1):
            found.append(pytest.param(players, setup, id=f"{name}-{players}"))
    return found


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """A server with its built page, and one Chromium."""
    async with opened(tmp_path_factory.mktemp("site")) as found:
        yield found


@pytest.fixture
def luck() -> Random:
    """Another run of luck each time; its seed is told."""
    seed = SystemRandom().randrange(2**32)
    print(f"Random({seed})")
    return Random(seed)


@pytest.mark.parametrize(("players", "setup"), setups())
async def test_a_whole_game(site: Site, luck: Random, players: int, setup: dict[str, Any]) -> None:
    began = time.monotonic()
    ways = luck.sample(WAYS, players)
    async with gathered(site, ways, luck.randbytes(32).hex(), luck, MINDS, **setup) as game:
        await game.begin()
        match = await game.play()
    assert match["phase"] == "match-over"
    print(
        f"{game.turns} turns, {game.plays} plays, {game.changes} changes of the table, {game.moves} moves of tiles, "
        f"{time.monotonic() - began:.0f} s"
    )


@pytest.mark.parametrize(("players", "caller"), [(2, None), (3, None), (4, None), (3, 0), (4, 2)])
async def test_a_whole_race(site: Site, luck: Random, players: int, caller: int | None) -> None:
    began = time.monotonic()
    ways: list[tuple[Way, ...]] = luck.sample((("mouse",), ("touch",), ("mouse",), ("touch",)), players)
    setup: dict[str, Any] = {"game": "race", "ruleset": "junior", "caller": caller}
    async with gathered(site, ways, luck.randbytes(32).hex(), luck, **setup) as game:
        await game.start()
        found = await race(game, luck)
    assert found["winners"]
    assert len(found["placed"].split()) == 40
    print(f"{game.moves} tiles looked for, {time.monotonic() - began:.0f} s")
