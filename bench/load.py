"""The server under load: tables of four people on real sockets, at a human pace; `python -m bench.load --tables 300`.

A server of its own runs with the settings that anybody has, on an SQLite file; only what one address may do is not
limited, because everybody comes from one here. At each table there is a play every 6 seconds, the player to move
sends two drafts a second, and the other three watch. What is measured is what players wait for: from the moment at
which a command is sent until each other seat has read the update from its socket. The generator shares the machine
with the server, and says how late it was itself; what it measures contains that.

`--curve` goes from 10 to 1,000 tables on one server and draws docs/server-load.svg; `--memory` measures tables that
nobody is connected to.
"""

import argparse
import asyncio
import gc
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import httpx
import uvloop

from bench.games import SEATS, prepare
from bench.growth import PLOT, Point, drawn
from bench.pace import DRAFTS, TURN, Measured, People, lag
from tests.kit.servers import ServerProcess

__all__ = ["Row", "load", "main"]

TABLES, SECONDS = 300, 60.0
CURVE: Final = (10, 30, 100, 200, 300, 400, 500, 600, 800, 1000)
IDLE_TABLES: Final = 2000
_AT_ONCE: Final = 16  # connections that are being made at a time
_WARM_UP: Final = 2 * TURN
_FREE: Final = 1_000_000_000  # of one address; there is no other here
_UNLIMITED: Final[dict[str, Any]] = {
    "rate_limits": "true",
    "requests_per_second": _FREE,
    "requests_burst": _FREE,
    "messages_per_second": _FREE,
    "messages_burst": _FREE,
    "max_connections_per_address": _FREE,
    "bot_pace": 1.2,
    "log_level": "warning",
}


@dataclass(frozen=True, slots=True)
class Row:
    """What so many tables cost, and how long people waited."""

    tables: int
    seconds: float
    tiles: float  # on a table, on average
    cpu: float  # seconds of the server's process
    own_cpu: float  # of the generator's
    memory: int  # bytes of the server's process
    measured: Measured


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=TABLES, help=f"tables of {SEATS} people ({TABLES})")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"how long to measure ({SECONDS:.0f})")
    parser.add_argument("--clock", type=int, help="seconds for a turn; otherwise there is no clock")
    parser.add_argument("--curve", action="store_true", help=f"{CURVE[0]} to {CURVE[-1]} tables, and the plot")
    parser.add_argument("--memory", action="store_true", help=f"{IDLE_TABLES} tables without connections")
    chosen = parser.parse_args()
    if chosen.memory:
        idle(forget=True)
        return
    rows = measure(CURVE if chosen.curve else (chosen.tables,), chosen.seconds, chosen.clock)
    if chosen.curve:
        PLOT.write_text(drawn([_point(row) for row in rows]), encoding="utf-8")


def load() -> None:
    """The goal's number of tables, for a minute, and tables that nobody is connected to; a part of `make bench`."""
    measure((TABLES,), SECONDS)
    idle()


def measure(steps: Sequence[int], seconds: float, clock: int | None = None) -> list[Row]:
    """Measure one server with more and more tables, and print what is found."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    gc.disable()  # a look through all that everybody sees stops the generator for a third of a second
    with _server() as server, _mind() as mind:
        work = _steps(server, mind, steps, seconds, clock)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(work)


# Tables with people


async def _steps(
    server: "_Server", mind: Executor, steps: Sequence[int], seconds: float, clock: int | None
) -> list[Row]:
    rows: list[Row] = []
    tables: list[People] = []
    print(_HEAD)
    async with asyncio.TaskGroup() as playing, httpx.AsyncHTTPTransport() as http:
        tasks = []
        for step in steps:
            more = await _joined(server, http, mind, step - len(tables), len(tables), clock)
            begin = time.perf_counter() + 0.5
            for place, people in enumerate(more):
                tasks.append(playing.create_task(people.play(begin + TURN * place / len(more))))
            tables += more
            await asyncio.sleep(_WARM_UP)
            rows.append(await _row(server, tables, seconds))
            print(_line(rows[-1]), flush=True)
        for task in tasks:
            task.cancel()
    await asyncio.gather(*(people.close() for people in tables))
    return rows


async def _joined(
    server: "_Server", http: httpx.AsyncBaseTransport, mind: Executor, count: int, first: int, clock: int | None
) -> list[People]:
    """New tables, everybody connected."""
    prepared = await prepare(server.db, count, seed=first, clock=clock)
    made = [People(one, server.url, http, mind, seed) for seed, one in enumerate(prepared, first)]
    places = asyncio.Semaphore(_AT_ONCE)

    async def join(people: People) -> None:
        async with places:
            await people.connect()

    await asyncio.gather(*map(join, made))
    return made


async def _row(server: "_Server", tables: Sequence[People], seconds: float) -> Row:
    measured = Measured()
    for people in tables:
        people.measured = measured
    watching = asyncio.create_task(lag(measured.lag.append))
    cpu, own, start = _cpu(server.pid), time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    took = time.perf_counter() - start
    cpu, own = _cpu(server.pid) - cpu, time.process_time() - own
    watching.cancel()
    for people in tables:
        people.measured = None
    tiles = statistics.mean(people.tiles for people in tables)
    return Row(len(tables), took, tiles, cpu, own, _memory(server.pid), measured)


_HEAD: Final = (
    f"{'':6} {'':>7} {'':>8} {'commit to broadcast, ms':^27} {'draft, ms':^13} {'ack, ms':^13} {'server':^20}"
    f" {'generator':^26}\n"
    f"{'tables':>6} {'plays/s':>7} {'drafts/s':>8} {'p50':>6} {'p95':>6} {'p99':>6} {'most':>6}"
    f" {'p50':>6} {'p99':>6} {'p50':>6} {'p99':>6} {'CPU %':>6} {'ms/t·s':>6} {'MB':>6}"
    f" {'CPU %':>6} {'lag p99':>9} {'most':>9} {'load':>5}  troubles"
)


def _line(row: Row) -> str:
    found = row.measured
    intended = row.tables / TURN, row.tables * DRAFTS / TURN
    heard = " ".join(f"{_percentile(found.heard, part) * 1000:6.1f}" for part in (50, 95, 99, 100))
    seen = " ".join(f"{_percentile(found.seen, part) * 1000:6.1f}" for part in (50, 99))
    answered = " ".join(f"{_percentile(found.answered, part) * 1000:6.1f}" for part in (50, 99))
    share, own = 100 * row.cpu / row.seconds, 100 * row.own_cpu / row.seconds
    each = 1000 * row.cpu / row.seconds / row.tables
    pace = f"{found.plays / row.seconds:7.1f} {found.drafts / row.seconds:8.1f}"
    slow = "" if found.plays / row.seconds > 0.97 * intended[0] else f"; meant {intended[0]:.0f} and {intended[1]:.0f}"
    troubles = ", ".join(f"{name} {count}" for name, count in found.troubles.items()) or "none"
    return (
        f"{row.tables:6} {pace} {heard} {seen} {answered} {share:6.0f} {each:6.2f} {row.memory / 1e6:6.0f}"
        f" {own:6.0f} {_percentile(found.lag, 99) * 1000:6.1f} ms {max(found.lag, default=0) * 1000:6.1f} ms"
        f" {os.getloadavg()[0]:5.1f}  {troubles}{slow}"
    )


def _point(row: Row) -> Point:
    found = row.measured
    times = [_percentile(some, part) * 1000 for some in (found.heard, found.seen) for part in (50, 99)]
    commit, commit_p99, draft, draft_p99 = times
    share = 100 * row.cpu / row.seconds
    return Point(row.tables, commit, commit_p99, draft, draft_p99, row.memory / 1e6, share)


def _percentile(times: Sequence[float], part: int) -> float:
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, len(ranked) * part // 100)] if ranked else 0.0


# Tables without anybody


def idle(*, forget: bool = False) -> None:
    """Print what tables cost that are in memory while nobody is connected, and what is left when they are let go."""
    with _server() as server, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_idle(server, forget=forget))


async def _idle(server: "_Server", *, forget: bool) -> None:
    rooms = [one.room for one in await prepare(server.db, IDLE_TABLES + 100)]
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        await _look(http, rooms[IDLE_TABLES:])  # so that what is loaded once has been loaded
        before = _memory(server.pid)
        await _look(http, rooms[:IDLE_TABLES])
        after = _memory(server.pid)
        each = (after - before) / IDLE_TABLES / 1000
        print(f"{IDLE_TABLES} tables in mid-game, nobody connected: {each:.1f} kB each ({before / 1e6:.0f} MB before)")
        if forget:
            while await _live(http):
                await asyncio.sleep(5)
            left = _memory(server.pid)
            await _look(http, rooms[:IDLE_TABLES])
            again = _memory(server.pid)
            print(f"when they are let go: {left / 1e6:.0f} MB; when all are looked at again: {again / 1e6:.0f} MB")


async def _look(http: httpx.AsyncClient, rooms: Sequence[str]) -> None:
    for room in rooms:
        (await http.get(f"/api/rooms/{room}")).raise_for_status()


async def _live(http: httpx.AsyncClient) -> int:
    text = (await http.get("/metrics")).text
    return int(float(next(line.split()[1] for line in text.splitlines() if line.startswith("tilerummy_rooms_live "))))


# Processes


class _Server(ServerProcess):
    """With the address of its database, and the number of its process."""

    def __init__(self, folder: Path) -> None:
        self.db = f"sqlite:///{folder / 'games.db'}"
        super().__init__(folder, db=self.db, **_UNLIMITED)

    @property
    def pid(self) -> int:
        """The number of the process that serves."""
        assert self.process is not None
        return self.process.pid


@contextmanager
def _server() -> Iterator[_Server]:
    with tempfile.TemporaryDirectory(prefix="tilerummy-load-") as folder, _Server(Path(folder)) as server:
        yield server


@contextmanager
def _mind() -> Iterator[Executor]:
    """A process that thinks; whoever serves and measures goes before it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=os.nice, initargs=(5,)) as pool:
        yield pool


def _cpu(pid: int) -> float:
    """Seconds that a process has computed, with all its threads."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    """Bytes of a process that are in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
