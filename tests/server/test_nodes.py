"""Two nodes, and people on both: who is there, who plays for whom, what lies on the table is the same everywhere."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.kit.cluster import Cluster
from tests.kit.lines import Guest, Line
from tests.kit.playing import to_move
from tests.kit.servers import ServerProcess
from tests.kit.services import Postgres

pytestmark = pytest.mark.anyio

# Seconds after which another node has taken over what a dead one left.
TAKEN_OVER = 10.0
CLOCK = 10


@asynccontextmanager
async def spread(cluster: Cluster, **setup: Any) -> AsyncIterator[tuple[Guest, Line, Guest, Line]]:
    """A room of two: its host is connected to the first node, the other person to the second."""
    here, there = (node.url for node in cluster.nodes)
    async with Guest(here) as ann, Guest(there) as bob:
        for guest in (ann, bob):
            await guest.me()
        room = await ann.new_room(**{"players": 2, **setup})
        first, second = await ann.line(room), await bob.line(room)
        await second.do("sit", seat=1)
        await first.reach(second.version)
        yield ann, first, bob, second


async def on(url: str, guest: Guest) -> Guest:
    """The same person, on a device that is connected to another node."""
    other = Guest(url)
    other.http.cookies.update(guest.http.cookies)
    assert await other.me() == await guest.me()
    return other


def present(line: Line) -> list[bool]:
    """Who is there, by the last that somebody was told."""
    told = line.told("snapshot", "update", "presence")[-1]
    here: list[bool] = (
        told["present"] if told["type"] == "presence" else [one["present"] for one in told["view"]["seats"]]
    )
    return here


def draft(line: Line) -> list[list[str]] | None:
    """What is being arranged, by the last that somebody was told."""
    told = line.told("snapshot", "update", "draft")[-1]
    table: list[list[str]] | None = told["table"] if told["type"] == "draft" else told["view"]["match"]["draft"]
    return table


async def test_whoever_sits_down_later_is_there_for_everybody(two_nodes: Cluster) -> None:
    async with spread(two_nodes) as (_, first, _, second):
        await first.until(lambda: present(first) == [True, True])
        await second.do("ready", seat=1, ready=True)
        await first.do("start")
        assert (await first.post("sit-in", seat=1))["code"] == "player-present"
        await second.cut()
        await first.until(lambda: present(first) == [True, False])


async def test_people_on_one_device_are_known_to_every_node(two_nodes: Cluster) -> None:
    there = two_nodes.nodes[1].url
    async with spread(two_nodes, players=3) as (ann, first, _, second), await on(there, ann) as tablet:
        granny = await tablet.ask("POST", "/api/me/locals", {"name": "Granny"})
        await first.do("sit", seat=2, player=granny["id"])
        await first.until(lambda: first.you["seats"] == [0, 2])
        await second.until(lambda: second.view["seats"][2]["name"] == "Granny" and present(second)[2])
        again = await tablet.line(first.room)
        assert again.you["seats"] == [0, 2]
        await tablet.request("DELETE", f"/api/me/locals/{granny['id']}")
        await first.until(lambda: first.you["seats"] == [0])
        assert (await first.post("sit", seat=2, player=granny["id"]))["code"] == "no-such-player"


async def test_a_draft_is_seen_on_every_device_of_its_player(two_nodes: Cluster) -> None:
    async with spread(two_nodes) as (ann, first, bob, second):
        await second.do("ready", seat=1, ready=True)
        await first.do("start")
        await second.reach(first.version)
        seat = 0 if to_move(first, 0) else 1
        mine, other = (first, second) if seat == 0 else (second, first)
        guest, elsewhere = (ann, two_nodes.nodes[1]) if seat == 0 else (bob, two_nodes.nodes[0])
        async with await on(elsewhere.url, guest) as tablet:
            tab = await tablet.line(first.room)
            tiles = mine.match["rack"].split()[:2]
            await mine.draft(seat, [" ".join(tiles)])
            await tab.until(lambda: draft(tab) == [tiles])
            await other.until(lambda: draft(other) == [["?", "?"]])
            # What happens in mid-turn does not take it away.
            await mine.hint(seat, "nudge")
            for somebody, seen in ((mine, [tiles]), (tab, [tiles]), (other, [["?", "?"]])):
                await somebody.reach(mine.version)
                assert draft(somebody) == seen


async def test_the_games_of_a_dead_node_go_on(tmp_path: Path) -> None:
    """It stays dead: another does its bots' moves and clocks, and a bot sits in for those who were connected there."""
    with Cluster(tmp_path, nodes=2, away_seconds=1) as cluster:
        async with (
            spread(cluster, players=3, bots=[None, None, "novice"], clock={"seconds": CLOCK}) as (_, owner, _, clocked),
            spread(cluster, sit_in="novice") as (_, first, _, second),
        ):
            for host, guest in ((owner, clocked), (first, second)):
                await guest.do("ready", seat=1, ready=True)
                await host.do("start")
                await guest.reach(host.version)
            await asyncio.to_thread(cluster.nodes[0].kill)
            now = asyncio.get_running_loop().time
            killed, latest = now(), 0.0
            while not clocked.events("timed-out"):
                began, turn = now(), clocked.match["turn"]
                if turn == 1:
                    await clocked.do("draw", seat=1)
                    continue
                await clocked.until(lambda turn=turn: clocked.match["turn"] != turn)  # type: ignore[misc]
                latest = max(latest, now() - began - (CLOCK if turn == 0 else 0))
            await second.until(lambda: second.view["seats"][0]["bot"] is not None)
            print(f"taken over {latest:.1f} s late, a bot sits in {now() - killed:.1f} s after the node died")
            assert latest < TAKEN_OVER
        assert "Traceback" not in cluster.nodes[1].log.read_text()


async def test_nodes_without_a_bus_let_nobody_in_who_may_not(tmp_path: Path, postgres: Postgres) -> None:
    with (
        postgres.database() as db,
        ServerProcess(tmp_path, db=db) as here,
        ServerProcess(tmp_path, db=db) as there,
    ):
        async with Guest(here.url) as ann, Guest(there.url) as eve, Guest(there.url) as bob:
            shut = await ann.new_room(players=2, bots=[None, "novice"], spectators=False)
            looked = await ann.new_room(players=2, bots=[None, "novice"], spectators=False)
            left = await ann.new_room(players=2)
            for room in (shut, looked):
                await eve.get(f"/api/rooms/{room}")
                await ann.do(room, "start")
            await bob.do(left, "sit", seat=1)
            await ann.do(left, "remove", seat=1)
            for guest, room, code in ((eve, shut, "no-spectators"), (bob, left, "was-removed")):
                with pytest.raises(InvalidStatus) as refused:
                    await guest.line(room)
                assert json.loads(refused.value.response.body or b"")["error"]["code"] == code
            for path in ("/qr.svg", "/record", "/matches", ""):
                room = await ann.new_room(players=2, bots=[None, "novice"], spectators=False)
                await eve.get(f"/api/rooms/{room}")
                await ann.do(room, "start")
                assert (await eve.request("GET", f"/api/rooms/{room}{path}")).code == "no-spectators", path
            # Nor is anybody kept out who may come in by now.
            await ann.do(looked, "leave", seat=0)
            async with asyncio.timeout(60):
                while (await ann.get(f"/api/rooms/{looked}"))["stage"] != "over":
                    await asyncio.sleep(0.05)
            assert (await eve.request("GET", f"/api/rooms/{looked}")).code == "no-spectators"
            await ann.do(looked, "rematch")
            assert (await eve.line(looked)).view["stage"] == "lobby"


async def test_nodes_without_a_bus_end_the_lines_of_the_forgotten(tmp_path: Path, postgres: Postgres) -> None:
    with (
        postgres.database() as db,
        ServerProcess(tmp_path, db=db) as here,
        ServerProcess(tmp_path, db=db) as there,
    ):
        async with Guest(here.url) as ann:
            await ann.me()
            made = await ann.ask("POST", "/api/me/tokens", {"label": "Robby"})
            granny = await ann.ask("POST", "/api/me/locals", {"name": "Granny"})
            async with await on(there.url, ann) as tablet, Guest(there.url, made["token"]) as robby:
                room = await ann.new_room(players=3)
                bot, tab = await robby.line(room), await tablet.line(room)
                await tab.do("sit", seat=1, player=granny["id"])
                await tab.until(lambda: tab.you["seats"] == [0, 1])
                await ann.request("DELETE", f"/api/me/tokens/{made['id']}")
                await bot.until(lambda: bot.closed is not None)
                assert bot.bye == "forgotten"
                assert tab.closed is None
                await ann.request("DELETE", "/api/me")
                await tab.until(lambda: tab.closed is not None)
                assert tab.bye == "forgotten"


async def test_nodes_without_a_bus_look_for_themselves(tmp_path: Path, postgres: Postgres) -> None:
    with (
        postgres.database() as db,
        ServerProcess(tmp_path, db=db) as here,
        ServerProcess(tmp_path, db=db) as there,
    ):
        async with Guest(here.url) as ann, Guest(there.url) as bob:
            for guest in (ann, bob):
                await guest.me()
            room = await ann.new_room(players=2)
            first, second = await ann.line(room), await bob.line(room)
            await second.do("sit", seat=1)
            await first.reach(second.version)
            await second.do("ready", seat=1, ready=True)
            await first.do("start")  # it knows of that, or looks before it refuses
            await second.until(lambda: second.view["stage"] == "playing" and present(second) == [True, True])
