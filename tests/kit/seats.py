"""People at a table that is far gone: pages on which a turn can be played at once."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from tests.kit.browser import Site, Visitor
from tests.kit.prepared import put_game, put_lobby
from tests.kit.table_page import Scene, TablePage
from tilerummy.bots import bot
from tilerummy.protocol import MatchView, match_view, wire_command

__all__ = ["Come", "at_table", "match_of", "move", "play_out", "turn_is_back"]

Come = Callable[..., Awaitable[Visitor]]


async def at_table(
    site: Site, people: list[Visitor], table: str = "", *racks: str, bots: int = 0, **chosen: Any
) -> tuple[str, list[TablePage]]:
    """A room in which these people and so many bots sit, seat 0 to move; its id, and everybody's page."""
    names: list[str | None] = [await visitor.me() for visitor in people]
    setup: dict[str, Any] = {"bots": (*(None for _ in people), *("novice" for _ in range(bots)))} if bots else {}
    room = await put_game(site.db, [*names, *(None for _ in range(bots))], table, racks, **setup, **chosen)
    pages = []
    for visitor in people:
        page = TablePage(await visitor.open(f"/room/{room}"))
        await page.is_there()
        await page.until(_drawn, "the rack is not drawn")
        pages.append(page)
    return room, pages


def _drawn(scene: Scene) -> bool:
    return bool(scene.rack)


async def match_of(visitor: Visitor, room: str) -> dict[str, Any]:
    """The match as this person may see it."""
    found: dict[str, Any] = (await visitor.get(f"/api/rooms/{room}"))["match"]
    return found


async def turn_is_back(visitor: Visitor, room: str, page: TablePage, version: int) -> Scene:
    """Wait until the match has gone on from this version, seat 0 is to move again, and the page shows it so."""
    until = time.monotonic() + 20
    while True:
        match, scene = await match_of(visitor, room), await page.read()
        racks = dict(enumerate(match["rack_sizes"]))
        if match["version"] > version and match["turn"] == 0 == scene.turn and scene.seats == racks:
            return scene
        assert time.monotonic() < until, f"the turn does not come back from {version}: {match}, {scene}"
        await asyncio.sleep(0.03)


async def move(visitor: Visitor, room: str, kind: str, *unless: str, **what: Any) -> None:
    """A command in this person's name, past every page, which is done unless it is refused with one of these codes."""
    body = {"id": secrets.token_hex(8), "on": 2**31 - 1, "command": {"kind": kind, **what}}
    answer = await visitor.post(f"/api/rooms/{room}/commands", body)
    assert answer["type"] == "ack" or answer["code"] in unless, answer


async def play_out(site: Site, visitor: Visitor, deal: int = 205, *, looking: bool = False, **setup: Any) -> str:
    """A match that somebody has played against a bot, to its end, with a page that looks on or without one."""
    me = await visitor.me()
    room = await put_lobby(site.db, [me], f"{deal:064x}", players=2, bots=(None, "greedy"), **setup)
    if looking:
        page = await visitor.open(f"/room/{room}")
        await page.wait_for_selector("h2")
    path = f"/api/rooms/{room}/commands"
    await visitor.post(path, {"id": "start", "on": 2**31 - 1, "command": {"kind": "start"}})
    for turn in range(400):
        match = await match_of(visitor, room)
        if match["phase"] == "match-over":
            return room
        if match["phase"] == "round-over":
            await move(visitor, room, "next-round")
        elif match["turn"] == 0:
            command = bot("greedy").choose(match_view(MatchView.model_validate(match)), None, 1)  # type: ignore[arg-type]
            body = {"id": f"c{turn}", "on": 2**31 - 1, "command": wire_command(command).model_dump()}
            await visitor.post(path, body)
    raise AssertionError("the match does not end")
