"""A hundred kills under load, of the server, and of every part of a cluster; the figures are printed (pytest -s)."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import TypeVar

import pytest

from tests.kit.cluster import PARTS, Cluster
from tests.kit.crowd import crowd
from tests.kit.ledger import Figures, assert_nothing_lost
from tests.kit.servers import ServerProcess

pytestmark = pytest.mark.anyio

SERVER_KILLS = 25
CLUSTER_KILLS = 75
# Kills that the same tables live through before they are looked at, and others begin.
SITTING = 15
# Seconds after which another node has taken over what a dead one left: 10, and as much again for a busy machine.
TAKEN_OVER = 20.0

P = TypeVar("P", bound=str)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def luck() -> Random:
    """Another run of luck each time; its seed is told."""
    seed = SystemRandom().randrange(2**32)
    print(f"Random({seed})")
    return Random(seed)


class Trial:
    """Sittings, one after the other, each with a number of kills, and what they came to in all."""

    def __init__(self, url: str, db: str, luck: Random) -> None:
        """At the server of this address."""
        self.url = url
        self.db = db
        self.luck = luck
        self.kills: Counter[str] = Counter()
        self.total = Figures()
        self._began = time.monotonic()

    async def sitting(self, kills: Sequence[P], strike: Callable[[P], Awaitable[None]]) -> None:
        """Let a crowd play while these are killed, and look at everything afterwards."""
        async with crowd(self.url, luck=self.luck) as players:
            async with players.playing():
                for part in kills:
                    await players.everybody_moves()
                    await asyncio.sleep(self.luck.uniform(0, 1))
                    await strike(part)
                    self.kills[part] += 1
            self.total += await assert_nothing_lost(players, self.db)
        print(f"{time.monotonic() - self._began:.0f} s: {dict(self.kills)} {self.total}", flush=True)


async def test_server_killed_many_times(tmp_path: Path, luck: Random) -> None:
    with ServerProcess(tmp_path) as server:
        trial = Trial(server.url, f"sqlite:///{tmp_path}/games.db", luck)

        async def strike(_: str) -> None:
            server.kill()
            await asyncio.to_thread(server.start)

        for start in range(0, SERVER_KILLS, SITTING):
            await trial.sitting(["server"] * min(SITTING, SERVER_KILLS - start), strike)
    assert trial.kills.total() == SERVER_KILLS
    assert trial.total.bot_late < TAKEN_OVER
    assert "Traceback" not in server.log.read_text()


async def test_cluster_killed_many_times(tmp_path: Path, luck: Random) -> None:
    parts = [*PARTS] * (CLUSTER_KILLS // len(PARTS))
    luck.shuffle(parts)
    with Cluster(tmp_path) as cluster:
        trial = Trial(cluster.url, cluster.db, luck)
        for start in range(0, CLUSTER_KILLS, SITTING):
            await trial.sitting(parts[start : start + SITTING], lambda part: cluster.strike(part, luck))
            await cluster.whole()
    assert trial.kills.total() == CLUSTER_KILLS
    assert max(trial.total.bot_late, trial.total.clock_late) < TAKEN_OVER
    assert "Traceback" not in cluster.logs()
