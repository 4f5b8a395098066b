"""Whoever comes in by the WebSocket while something happens that keeps them out: what they may see is judged last."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.kit.lines import LATEST, Guest, Line
from tests.kit.served import Served, at_a_port, served
from tilerummy.server.events import PassHost, Remove, RoomCommand, SitIn, Start
from tilerummy.server.identity import Actor
from tilerummy.server.live import Live

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def table(tmp_path: Path) -> AsyncIterator[tuple[Served, Live, Guest, Guest]]:
    """A room of two without spectators, its host, and a guest who has no seat."""
    async with served(tmp_path) as here, at_a_port(here) as url, Guest(url) as host, Guest(url) as guest:
        room = await host.new_room(players=2, bots=[None, "novice"], spectators=False)
        await guest.me()
        yield here, await here.parts.hall.open(room), host, guest


async def on_the_threshold(guest: Guest, room: str) -> Line:
    """A line that the door has let in, while something is done in the room; it asks something at once."""
    line = await guest.line(room, greeted=False)
    await line.send(type="ping")
    return line


async def test_nobody_slips_in_while_a_match_without_spectators_begins(tmp_path: Path) -> None:
    async with table(tmp_path) as (here, live, _, guest):
        async with live.lock:
            starting = asyncio.create_task(here.parts.hall.submit(live, None, "", LATEST, Start()))
            line = await on_the_threshold(guest, live.id)
        assert (await starting)["type"] == "ack"
        await line.until(lambda: line.heard)
        assert line.heard == [{"type": "bye", "code": "no-spectators"}]
        assert not live.sessions


async def test_nobody_slips_in_while_they_are_sent_away(tmp_path: Path) -> None:
    async with table(tmp_path) as (here, live, _, guest):
        await guest.do(live.id, "sit", seat=1)
        async with live.lock:
            removing = asyncio.create_task(here.parts.hall.submit(live, None, "", LATEST, Remove(1)))
            line = await on_the_threshold(guest, live.id)
        assert (await removing)["type"] == "ack"
        await line.until(lambda: line.heard)
        assert line.heard == [{"type": "bye", "code": "was-removed"}]


async def test_nobody_slips_in_while_they_are_forgotten(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, live, _, guest):
        async with live.lock:
            line = await on_the_threshold(guest, live.id)
            assert (await guest.request("DELETE", "/api/me")).status == 204
        await line.until(lambda: line.bye or line.told("heartbeat"))
        assert line.bye == "forgotten"


async def test_whoever_comes_in_does_not_act_for_people_who_are_forgotten(tmp_path: Path) -> None:
    async with table(tmp_path) as (_, live, _, guest):
        granny = (await guest.ask("POST", "/api/me/locals", {"name": "Granny"}))["id"]
        async with live.lock:
            line = await on_the_threshold(guest, live.id)
            assert (await guest.request("DELETE", f"/api/me/locals/{granny}")).status == 204
        await line.until(lambda: line.told("heartbeat"))
        me = await guest.me()
        assert [one.actor for one in live.sessions] == [Actor(me, frozenset({me}))]
        assert set(live.here) == {me}


@pytest.mark.parametrize("command", [PassHost(1), SitIn(1, gone=True)])
async def test_what_is_done_about_whoever_is_gone_is_not_done_to_somebody_else(
    tmp_path: Path, command: RoomCommand
) -> None:
    """Another sits there by the time it is judged."""
    async with table(tmp_path) as (here, live, host, guest), Guest(guest.url) as other:
        await other.do(live.id, "sit", seat=1)
        known = live.room.version
        await other.do(live.id, "stand", seat=1)
        await guest.do(live.id, "sit", seat=1)
        if isinstance(command, SitIn):
            await guest.do(live.id, "ready", seat=1, ready=True)
            await host.do(live.id, "start")
        hall = here.parts.hall
        assert (await hall.submit(live, None, "", known, command))["code"] == "stale"
        assert (await hall.submit(live, None, "", live.room.version, command))["type"] == "ack"
