"""Robots that run a whole race on pages: a tile is called, and they press the ones beside it, sometimes a wrong one."""

import asyncio
from dataclasses import dataclass
from random import Random
from typing import Final

from playwright.async_api import Page

from tests.kit.lines import Json
from tests.kit.robots import Game, Robot
from tilerummy.race import Found, RaceState, fitting
from tilerummy.tiles import tile, tiles

__all__ = ["race"]

_PATIENCE: Final = 20.0
_GLANCE: Final = 0.03
_READ: Final = """
() => ({
  placed: [...document.querySelectorAll('[data-place].full')].map((element) => element.dataset.place),
  loose: [...document.querySelectorAll('[data-loose]')]
    .filter((element) => element.getAttribute('aria-hidden') !== 'true').map((element) => element.dataset.loose),
  stars: Object.fromEntries([...document.querySelectorAll('[data-seat]')]
    .map((element) => [element.dataset.seat, (element.textContent.match(/\\d+/g) ?? []).map(Number)])),
})
"""


@dataclass(frozen=True, slots=True)
class Board:
    """What a page shows of a race."""

    placed: frozenset[str]
    loose: frozenset[str]
    numbers: dict[str, list[int]]
    """Those that stand beside each seat."""


async def race(game: Game, luck: Random) -> Json:
    """Run the race, once everybody has it before them, to its end; it as everybody sees it then."""
    for robot in game.robots:
        await robot.visitor.page.wait_for_selector("[data-loose]")
    while True:
        now = await _agree(game)
        if now["winners"]:
            return now
        if not now["open"]:
            if now["caller"] is not None:
                caller = game.robots[now["caller"]]
                await _press(caller, luck.choice(sorted((await _read(caller.visitor.page)).loose)))
                await _later(game, now["version"])
            await asyncio.sleep(_GLANCE)
            continue
        game.moves += 1
        robot = luck.choice([one for one in game.robots if one.seat != now["caller"]])
        good = [str(one) for one in fitting(_state(now))]
        wrong = sorted((await _read(robot.visitor.page)).loose - {*good})
        if wrong and luck.random() < 0.1:
            await _press(robot, luck.choice(wrong))
        await _press(robot, luck.choice(good))
        await _later(game, now["version"])


async def _press(robot: Robot, name: str) -> None:
    button = robot.visitor.page.locator(f'[data-loose="{name}"]')
    await (button.tap() if "touch" in robot.ways else button.click())


async def _later(game: Game, version: int) -> None:
    async with asyncio.timeout(_PATIENCE):
        while (await _view(game))["version"] <= version:
            await asyncio.sleep(_GLANCE)


async def _view(game: Game) -> Json:
    found: Json = (await game.robots[0].visitor.get(f"/api/rooms/{game.room}"))["race"]
    return found


async def _read(page: Page) -> Board:
    seen = await page.evaluate(_READ)
    return Board(frozenset(seen["placed"]), frozenset(seen["loose"]), seen["stars"])


async def _agree(game: Game) -> Json:
    """Wait until every page shows the race as it is."""
    now: Json = {}
    boards: list[Board] = []
    try:
        async with asyncio.timeout(_PATIENCE):
            while True:
                now = await _view(game)
                if now["winners"]:
                    return now
                boards = [await _read(robot.visitor.page) for robot in game.robots]
                if (await _view(game))["version"] == now["version"] and all(_same(now, board) for board in boards):
                    return now
                await asyncio.sleep(_GLANCE)
    except TimeoutError:
        raise AssertionError(f"the pages do not show {now}: {boards}") from None


def _same(now: Json, board: Board) -> bool:
    placed = frozenset(now["placed"].split())
    stars = all(
        stars in board.numbers.get(str(seat), []) for seat, stars in enumerate(now["stars"]) if seat != now["caller"]
    )
    return board.placed == placed and not board.loose & placed and len(board.loose) + len(placed) == 40 and stars


def _state(now: Json) -> RaceState:
    finds = tuple(Found(one["seat"], tile(one["tile"])) for one in now["finds"])
    return RaceState(
        now["players"],
        now["caller"],
        now["version"],
        tuple(now["stars"]),
        frozenset(tiles(now["placed"])),
        tile(now["called"]),
        finds,
    )
