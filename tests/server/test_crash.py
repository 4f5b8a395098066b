"""`kill -9` of everything there is, under load: what was acknowledged is there, once, and every game goes on."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.kit.cluster import PARTS, Cluster
from tests.kit.crowd import Seating, crowd
from tests.kit.ledger import assert_nothing_lost
from tests.kit.servers import ServerProcess

pytestmark = pytest.mark.anyio

KILLS = 5
EACH = 2  # of a node, of PostgreSQL, of Redis; the soak has many more
# Seconds after which another node has taken over what a dead one left: 10, and as much again for a busy machine.
TAKEN_OVER = 20.0


async def test_killed_server(tmp_path: Path, luck: Random) -> None:
    with ServerProcess(tmp_path) as server:
        async with crowd(server.url, luck=luck) as players:
            async with players.playing():
                for _ in range(KILLS):
                    await players.everybody_moves()
                    await asyncio.sleep(luck.uniform(0, 0.5))
                    server.kill()
                    await asyncio.to_thread(server.start)
            figures = await assert_nothing_lost(players, f"sqlite:///{tmp_path}/games.db")
        print(figures)
        assert figures.bots
        assert figures.timeouts
        assert figures.bot_late < TAKEN_OVER
    assert "Traceback" not in server.log.read_text()


async def test_killed_parts_of_a_cluster(tmp_path: Path, luck: Random) -> None:
    with Cluster(tmp_path) as cluster:
        async with crowd(cluster.url, luck=luck) as players:
            async with players.playing():
                for part in [*PARTS] * EACH:
                    await players.everybody_moves()
                    await asyncio.sleep(luck.uniform(0, 0.5))
                    await cluster.strike(part, luck)
            figures = await assert_nothing_lost(players, cluster.db)
        print(figures)
        assert figures.bots
        assert figures.timeouts
        assert max(figures.bot_late, figures.clock_late) < TAKEN_OVER
    assert "Traceback" not in cluster.logs()


async def test_moves_arrive_without_redis(tmp_path: Path, luck: Random) -> None:
    with Cluster(tmp_path, nodes=2) as cluster:
        nodes = [node.url for node in cluster.nodes]
        async with crowd(*nodes, luck=luck, tables=[Seating(("greedy", "novice"))]) as players:
            async with players.playing():
                cluster.redis.kill()
                for _ in range(5):
                    await players.everybody_moves()
                await asyncio.to_thread(cluster.redis.start)
            await assert_nothing_lost(players, cluster.db)
    assert "Traceback" not in cluster.logs()
