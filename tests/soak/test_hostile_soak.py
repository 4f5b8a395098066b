"""Twice a hundred thousand hostile messages beside live games; the figures are printed (pytest -s)."""

import re
import time
from pathlib import Path
from random import Random, SystemRandom
from typing import Final
from urllib.request import urlopen

import pytest

from tests.kit.crowd import Seating, crowd
from tests.kit.fuzz import Attack, attack, bugs_in, memory_of
from tests.kit.ledger import assert_nothing_lost
from tests.kit.servers import ServerProcess

pytestmark = pytest.mark.anyio

BATCHES: Final = 20
BATCH: Final = 10_000
WARM: Final = 10  # batches until the caches of melds are full, and as many tables are forgotten as are made
# MB in all batches after those. Python keeps up to 2,000 freed tuples of each size up to 20, 5 MB in all, until a full
# collection, which is rare here; a part of them and a hundred tables (0.5 MB) are left. Were something kept of each
# connection, as 20 kB once were, it would be 28.
GROWTH: Final = 3.0
THINKING: Final = 64.0  # MB of a process that thinks, 25 at its start; its caches hold 8,192 melds each
TABLES: Final = (Seating(("greedy", "novice")), Seating(("novice",), ("greedy",)))


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


async def test_hundreds_of_thousands_of_hostile_messages(tmp_path: Path) -> None:
    """Nothing is lost and nothing breaks, and from the middle on the server's memory stays as it is."""
    seed = SystemRandom().randrange(2**32)
    print(f"Random({seed})")
    luck, sent, began = Random(seed), Attack(), time.monotonic()
    with ServerProcess(tmp_path) as server:
        async with crowd(server.url, luck=luck, tables=TABLES) as players:
            rooms = [table.room for table in players.tables]
            async with players.playing():
                held, thinking = [], []
                for _ in range(BATCHES):
                    await attack(server.url, luck, BATCH, rooms, attackers=16, sent=sent)
                    held.append(memory_of(server))
                    thinking.append(thinking_memory(server))
                    print(
                        f"{sent.messages} messages in {time.monotonic() - began:.0f} s: {held[-1]:.1f} MB, "
                        f"{tables_in(server)} tables; {thinking[-1]:.1f} MB in the process that thinks",
                        flush=True,
                    )
                await players.everybody_moves()
            print(await assert_nothing_lost(players, f"sqlite:///{tmp_path}/games.db"))
        assert server.process is not None
        assert server.process.poll() is None
        bugs = bugs_in(server)
    print(sent)
    print(f"5xx, errors and traces in the log: {len(bugs)}")
    grown = held[-1] - held[WARM - 1]
    print(f"memory after {WARM * BATCH} messages {held[WARM - 1]:.1f} MB, after all {held[-1]:.1f} MB: {grown:+.1f} MB")
    assert bugs == []
    assert sent.messages > 0.95 * BATCHES * BATCH
    assert grown < GROWTH
    assert max(thinking) < THINKING


def thinking_memory(server: ServerProcess) -> float:
    """How much memory the largest of the server's own processes holds, in MB."""
    assert server.process is not None
    found = [0.0]
    for children in Path(f"/proc/{server.process.pid}/task").glob("*/children"):
        for child in children.read_text().split():
            held = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{child}/status").read_text())
            found.append(int(held[1]) / 1024 if held else 0.0)
    return max(found)


def tables_in(server: ServerProcess) -> int:
    """How many tables the server holds in memory."""
    with urlopen(f"{server.url}/metrics", timeout=60) as answer:
        told = re.search(r"^tilerummy_rooms_live (\S+)", answer.read().decode(), re.MULTILINE)
    assert told is not None
    return int(float(told[1]))
