"""A hundred thousand hostile messages beside live games; the figures are printed (pytest -s)."""

import time
from pathlib import Path
from random import Random, SystemRandom

import pytest

from tests.kit.crowd import Seating, crowd
from tests.kit.fuzz import Attack, attack, bugs_in, memory_of
from tests.kit.ledger import assert_nothing_lost
from tests.kit.servers import ServerProcess

pytestmark = pytest.mark.anyio

WARM = 10_000
BATCHES = 9
BATCH = 10_000
LEAK = 40.0  # MB; the caches of melds are full after some ten thousand drafts
TABLES = (Seating(("greedy", "novice")), Seating(("novice",), ("greedy",)))


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


async def test_a_hundred_thousand_hostile_messages(tmp_path: Path) -> None:
    seed = SystemRandom().randrange(2**32)
    print(f"Random({seed})")
    luck, sent, began = Random(seed), Attack(), time.monotonic()
    with ServerProcess(tmp_path) as server:
        async with crowd(server.url, luck=luck, tables=TABLES) as players:
            rooms = [table.room for table in players.tables]
            async with players.playing():
                held = []
                for messages in (WARM, *[BATCH] * BATCHES):
                    await attack(server.url, luck, messages, rooms, attackers=16, sent=sent)
                    held.append(memory_of(server))
                    print(
                        f"{sent.messages} messages in {time.monotonic() - began:.0f} s, {held[-1]:.1f} MB", flush=True
                    )
                await players.everybody_moves()
            print(await assert_nothing_lost(players, f"sqlite:///{tmp_path}/games.db"))
        assert server.process is not None
        assert server.process.poll() is None
        bugs = bugs_in(server)
    print(sent)
    print(f"5xx, errors and traces in the log: {len(bugs)}")
    print(f"memory after the first {WARM} messages {held[0]:.1f} MB, after all {held[-1]:.1f} MB")
    assert bugs == []
    assert sent.messages > 0.95 * (WARM + BATCHES * BATCH)
    assert held[-1] - held[0] < LEAK
