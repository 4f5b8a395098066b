"""The page: what it weighs, what a drag step takes, how soon one can play; `python -m bench.page`.

A real Chromium draws without a graphics card, on the same cores as everything else. *Weight* is what a player loads,
packed, from the first screen to a game, and what all files together would be. A *drag step* is the time that the page's
main thread computes from one movement of the mouse to the next, from a trace of a tile carried over a table with 106
tiles and a rack of 30; the goal is 8 ms. *Playable*: from the start of the server's process, with a browser that is
open already, until the rack of a game against bots is drawn; the goal is 3 s.
"""

import asyncio
import gzip
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.async_api import Browser, Page, Request

from tests.kit.browser import LAPTOP, Site, chromium, site
from tests.kit.prepared import crowded, put_game
from tests.kit.servers import ServerProcess
from tests.kit.table_page import TablePage
from tilerummy.rulesets import ruleset
from tilerummy.server.page import FOLDER

__all__ = ["main", "page"]

_STEPS: Final = 200
_STARTS: Final = 3
_XP: Final = {"tileset": "xp"}  # with fewer tiles there are never so many on the table
_TRACED: Final = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
_PLAY_NOW: Final = "main button.primary"


def main() -> None:
    """Measure and print."""
    page()


def page() -> None:
    """Everything about the page; a part of `make bench`."""
    asyncio.run(_measure())


async def _measure() -> None:
    with tempfile.TemporaryDirectory(prefix="tilerummy-page-") as folder:
        async with site(Path(folder)) as there:
            await _weight(there)
            await _drag(there)
    async with chromium() as browser:
        times = [await _start(browser) for _ in range(_STARTS)]
    print(f"playable        {statistics.median(times):6.2f} s after the start (of {_STARTS}: {_all(times)})")


async def _weight(there: Site) -> None:
    came: set[str] = set()
    async with there.visitor(LAPTOP) as ada:

        def noted(request: Request) -> None:
            if request.service_worker is None:  # the worker keeps every file for later
                came.add(urlsplit(request.url).path[1:])

        ada.context.on("request", noted)
        page = await ada.open("/")
        await _play_now(page)
        await page.wait_for_load_state("networkidle")
    game = sum(map(_packed, (FOLDER / name for name in came if name.endswith(".js"))))
    whole = sum(map(_packed, FOLDER.rglob("*.js")))
    print(f"JavaScript      {game / 1000:6.1f} kB gzipped, from the first screen to a game")
    print(f"                {whole / 1000:6.1f} kB every screen, in four languages")


def _packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


async def _play_now(page: Page) -> None:
    await page.locator(_PLAY_NOW).first.click()
    await TablePage(page).is_there()
    await page.wait_for_selector(".stage .rack [data-tile], .stage [data-tile]")


async def _drag(there: Site) -> None:
    table, rack = crowded(ruleset("sabra", _XP), 106, 30)
    async with there.visitor(LAPTOP, motion=True) as ada:
        room = await put_game(there.db, [await ada.me(), None], table, [rack], bots=(None, "novice"), house=_XP)
        page = await ada.open(f"/room/{room}")
        on_page = TablePage(page)
        await on_page.is_there()
        await page.wait_for_timeout(1500)
        scene = await on_page.read(2)
        spot = scene.rack[0]
        await there.browser.start_tracing(
            page=page, categories=["disabled-by-default-devtools.timeline", "devtools.timeline"]
        )
        x, y = spot.x + spot.width / 2, spot.y + spot.height / 2
        await page.mouse.move(x, y)
        await page.mouse.down()
        # Playwright's own `move` runs a script on the page at every step while a button is down.
        mouse = await page.context.new_cdp_session(page)
        for step in range(_STEPS):
            across = step % 50
            place = {"x": 100 + across * 20, "y": 600 - (step // 50) * 110 - across}
            await mouse.send(
                "Input.dispatchMouseEvent", {"type": "mouseMoved", "button": "left", "buttons": 1, **place}
            )
        await page.keyboard.press("Escape")
        await page.mouse.up()
        trace = json.loads(await there.browser.stop_tracing())
    steps = _steps(trace["traceEvents"])
    tiles = len(scene.lying) + len(scene.rack)
    print(
        f"a drag step     {_part(steps, 50):6.2f} ms at the median, {_part(steps, 95):.2f} at the 95th percentile,"
        f" {max(steps):.2f} at most ({len(steps)} steps, {tiles} tiles)"
    )


def _steps(events: Sequence[dict[str, Any]]) -> list[float]:
    """Milliseconds of the page's main thread from each movement to the next."""
    moves = [one for one in events if _is_move(one)]
    thread = moves[0]["pid"], moves[0]["tid"]
    here = (one for one in events if (one.get("pid"), one.get("tid")) == thread)
    tasks = [one for one in here if one["name"] == "RunTask" and "dur" in one]
    starts = [one["ts"] for one in moves]
    spent = [0.0] * len(starts)
    for task in tasks:
        end = task["ts"] + task["dur"]
        at = sum(start <= end for start in starts) - 1
        if at >= 0 and task["ts"] - starts[at] < 100_000:
            spent[at] += task.get("tdur", task["dur"]) / 1000
    return spent[3:]  # the first ones lift the tile


def _is_move(event: dict[str, Any]) -> bool:
    return event.get("name") == "EventDispatch" and event["args"].get("data", {}).get("type") == "pointermove"


async def _start(browser: Browser) -> float:
    with tempfile.TemporaryDirectory(prefix="tilerummy-start-") as folder:
        begin = time.perf_counter()
        with ServerProcess(Path(folder)) as server:
            there = Site(browser, server.url, "")
            async with there.visitor(LAPTOP) as ada:
                await _play_now(await ada.open("/"))
                return time.perf_counter() - begin


def _part(times: Sequence[float], part: int) -> float:
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, len(ranked) * part // 100)]


def _all(times: Sequence[float]) -> str:
    return ", ".join(f"{one:.2f}" for one in times)


if __name__ == "__main__":
    main()
