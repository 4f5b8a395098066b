"""Hundreds of thousands of hostile messages beside live games, and schemathesis at length; figures by pytest -s."""

import asyncio
import re
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random, SystemRandom
from typing import Final
from urllib.request import urlopen

import httpx
import pytest

from tests.kit.crowd import Seating, crowd
from tests.kit.fuzz import Attack, attack, bugs_in, memory_of
from tests.kit.ledger import assert_nothing_lost
from tests.kit.rude import PATIENCE, guest, new_room
from tests.kit.schema_fuzz import fuzz_api
from tests.kit.servers import ServerProcess
from tilerummy.server.live import QUIET

pytestmark = pytest.mark.anyio

BATCH: Final = 10_000
WARM: Final = 10  # batches until the caches of melds are full
SETTLED: Final = 1.2 * QUIET  # seconds after which as many tables are forgotten as are made
LONGER: Final = 10  # batches after that
# MB in these last batches, beside what more tables take: how many there are goes with the speed of the machine. Python
# keeps up to 2,000 freed tuples of each size up to 20, 5 MB in all, until a full collection, which is rare here; a part
# of them is left. Were something kept of each connection, as 20 kB once were, it would be 28.
GROWTH: Final = 3.0
A_TABLE: Final = 0.009  # MB, to which nobody is connected; by `bench.load --memory`
EXAMPLES: Final = 200  # of each operation and kind of data
LEAST: Final = 3_000  # requests, so that it has not been about nothing
THINKING: Final = 64.0  # MB of a process that thinks, 25 at its start; its caches hold 8,192 melds each
# A bot's seat is anybody's before the start, so that a clock is there for an attacker who takes it and goes.
TABLES: Final = (Seating(("greedy", "novice")), Seating(("novice",), ("greedy",), clock=1))


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


async def test_hundreds_of_thousands_of_hostile_messages(tmp_path: Path) -> None:
    """Nothing is lost and nothing breaks, and once everything has its place the server's memory stays as it is."""
    seed = SystemRandom().randrange(2**32)
    print(f"Random({seed})")
    luck, sent, began = Random(seed), Attack(), time.monotonic()
    with ServerProcess(tmp_path) as server:
        async with crowd(server.url, luck=luck, tables=TABLES) as players:
            rooms = [table.room for table in players.tables]
            async with players.playing():
                held: list[float] = []
                thinking: list[float] = []
                tables: list[int] = []
                warm = 0
                while not warm or len(held) < warm + LONGER:
                    await attack(server.url, luck, BATCH, rooms, attackers=16, sent=sent)
                    held.append(memory_of(server))
                    thinking.append(thinking_memory(server))
                    tables.append(tables_in(server))
                    print(
                        f"{sent.messages} messages in {time.monotonic() - began:.0f} s: {held[-1]:.1f} MB, "
                        f"{tables[-1]} tables; {thinking[-1]:.1f} MB in the process that thinks",
                        flush=True,
                    )
                    if not warm and len(held) >= WARM and time.monotonic() - began > SETTLED:
                        warm = len(held)
                await players.everybody_moves()
            print(await assert_nothing_lost(players, f"sqlite:///{tmp_path}/games.db"))
        assert server.process is not None
        assert server.process.poll() is None
        bugs = bugs_in(server)
    print(sent)
    print(f"5xx, errors and traces in the log: {len(bugs)}")
    grown, more = held[-1] - held[warm - 1], tables[-1] - tables[warm - 1]
    print(f"{warm * BATCH} messages {held[warm - 1]:.1f} MB, all {held[-1]:.1f} MB: {grown:+.1f} MB, {more:+} tables")
    assert bugs == []
    assert sent.messages == len(held) * BATCH
    assert grown - A_TABLE * more < GROWTH
    assert max(thinking) < THINKING


@pytest.mark.parametrize("who", ["guest", "bot"])
async def test_schemathesis_at_length(tmp_path: Path, who: str) -> None:
    """The whole API in the name of a host with a cookie, and of a bot with a token who sits at the table."""
    seed = SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    began = time.monotonic()
    with ServerProcess(tmp_path) as server:
        async with guest(server) as host:
            room = await new_room(host, public=True, players=3, bots=[None, None, "novice"])
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in host.cookies.items())}
            if who == "bot":
                token = (await host.post("/api/me/tokens", json={"label": "Robby"})).json()["token"]
                headers = {"Authorization": f"Bearer {token}"}
            await commanded(host, room, "sit", headers, seat=1)
            played = await played_room(host)
            told = await fuzz_api(
                server,
                tmp_path,
                room,
                played=played,
                seed=seed,
                examples=EXAMPLES,
                stateful=True,
                headers=headers,
            )
            asked, failed = requests_to(server)
            print(f"{told}\n{asked} requests in {time.monotonic() - began:.0f} s, {failed} of them 5xx")
            me = (await host.get("/api/me", headers=headers)).json()
            assert me["kind"] == who, "whoever asked is still somebody"
        assert server.process is not None
        assert server.process.poll() is None
        assert bugs_in(server) == []
    assert failed == 0
    assert asked > LEAST


async def commanded(
    player: httpx.AsyncClient, room: str, kind: str, headers: Mapping[str, str] | None = None, **more: object
) -> None:
    """Do something in a room that must be accepted."""
    body = {"id": kind, "on": 0, "command": {"kind": kind, **more}}
    answer = await player.post(f"/api/rooms/{room}/commands", json=body, headers=headers)
    assert answer.json()["type"] == "ack", answer.text


async def played_room(host: httpx.AsyncClient) -> str:
    """A room in which bots have played a match."""
    room = await new_room(host)
    await commanded(host, room, "start")
    await commanded(host, room, "leave", seat=0)
    async with asyncio.timeout(PATIENCE):
        while (await host.get(f"/api/rooms/{room}")).json()["stage"] != "over":
            await asyncio.sleep(0.1)
    return room


def requests_to(server: ServerProcess) -> tuple[int, int]:
    """How many requests the server has answered, and how many of them with a status of its own fault."""
    with urlopen(f"{server.url}/metrics", timeout=60) as answer:
        lines = re.findall(
            r'^tilerummy_requests_total\{.*status="(\d+)".*\} (\S+)$', answer.read().decode(), re.MULTILINE
        )
    counts = [(int(status), int(float(count))) for status, count in lines]
    return sum(count for _, count in counts), sum(count for status, count in counts if status >= 500)


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
