"""Clients that drop, come back, repeat, reorder and lag: nothing is done twice, and all seats end in the same state."""

import asyncio
import contextlib
import gc
import json
from collections.abc import Awaitable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.crowd import Robot, Seating, crowd
from tests.kit.ledger import assert_nothing_lost
from tests.kit.proxy import Faults, Proxy
from tests.kit.servers import ServerProcess
from tests.kit.services import Postgres, Redis
from tilerummy.client import Client, Lost, News
from tilerummy.protocol import Advice, ReadyCommand, StartCommand
from tilerummy.server.bus import make_bus
from tilerummy.server.events import Setup, Sit, Start
from tilerummy.server.hall import Hall
from tilerummy.server.identity import Actor
from tilerummy.server.metrics import Metrics
from tilerummy.server.settings import Settings
from tilerummy.server.store import Player, Store, Unavailable

pytestmark = pytest.mark.anyio

BAD = Faults(repeats=0.1, swaps=0.3, lags=0.1, cuts=0.05, lag=0.05)


async def test_bad_network(tmp_path: Path, luck: Random) -> None:
    async with Proxy(luck) as proxy:
        with ServerProcess(tmp_path, allowed_origins=proxy.url) as server:
            proxy.target = server.url
            async with crowd(server.url, luck=luck, through=proxy.url) as players:
                proxy.faults = BAD
                async with players.playing():
                    await players.everybody_moves()
                assert proxy.cuts
                assert proxy.repeats
                assert proxy.swaps
                figures = await assert_nothing_lost(players, f"sqlite:///{tmp_path}/games.db")
            print(figures, proxy.cuts, proxy.repeats, proxy.swaps)
        assert "Traceback" not in server.log.read_text()


async def heard(robot: Robot, kind: type[News]) -> None:
    """Wait until the robot hears such a message."""
    while not isinstance(await anext(robot.connection), kind):
        pass


async def renewed(robots: Sequence[Robot], trouble: Awaitable[object]) -> None:
    """Wait until everybody has come back after some trouble and has been told how things are."""
    before = [robot.connection.view for robot in robots]
    await trouble
    for robot, view in zip(robots, before, strict=True):
        while robot.connection.view is view:
            await asyncio.sleep(0.02)


async def test_drafts_and_seats_survive(tmp_path: Path, luck: Random) -> None:
    async with Proxy(luck) as proxy:
        with ServerProcess(tmp_path, allowed_origins=proxy.url) as server:
            proxy.target = server.url
            tables = [Seating(("greedy", "novice"))]
            async with crowd(server.url, luck=luck, tables=tables, through=proxy.url) as players:
                host, guest = players.robots
                await guest.do(ReadyCommand(seat=1, ready=True))
                await host.do(StartCommand())
                match = host.connection.match()
                assert match is not None
                mover, other = (host, guest) if match.turn == 0 else (guest, host)
                while other.connection.version < host.connection.version:
                    await asyncio.sleep(0.02)
                seen = mover.connection.match()
                assert seen is not None
                first, second = seen.rack[:2]
                await mover.connection.draft(mover.seat, [f"{first} {second}"])
                await heard(mover, Advice)

                def assert_as_before() -> None:
                    for robot, shown in ((mover, [[str(first), str(second)]]), (other, [["?", "?"]])):
                        assert robot.connection.view.match is not None
                        assert robot.connection.view.match.draft == shown
                        assert robot.connection.you is not None
                        assert robot.connection.you.seats == [robot.seat]

                async with Store(f"sqlite:///{tmp_path}/games.db") as store:
                    while await store.draft(players.tables[0].room) is None:
                        await asyncio.sleep(0.02)
                await renewed(players.robots, proxy.cut())
                assert_as_before()
                server.kill()
                await renewed(players.robots, asyncio.to_thread(server.start))
                assert_as_before()


async def test_whoever_is_forgotten_is_sent_away_from_every_node(
    tmp_path: Path, postgres: Postgres, redis: Redis
) -> None:
    with (
        postgres.database() as db,
        ServerProcess(tmp_path, db=db, bus=redis.url) as here,
        ServerProcess(tmp_path, db=db, bus=redis.url) as there,
    ):
        async with Client(here.url) as owner:
            room = (await owner.new_room()).room
            token = await owner.new_token("Robot")
            assert token.token is not None
            async with Client(there.url, token.token) as bot, bot.join(room) as watching:
                await owner.drop_token(token.id)
                with pytest.raises(Lost) as lost:
                    async for _ in watching:
                        pass
                assert lost.value.code == "forgotten"


async def test_connection_may_end_while_its_command_is_stored(tmp_path: Path) -> None:
    async with Store(f"sqlite:///{tmp_path}/games.db") as store:
        hall = Hall(store, make_bus(None), Settings(), Metrics())
        ann = Actor("ann", frozenset({"ann"}))
        for step in range(20):
            live = await hall.create(Setup(players=2, bots=(None, "novice")), ann)
            asking = asyncio.create_task(hall.submit(live, ann, "start", live.room.version, Start()))
            await asyncio.sleep(step / 4000)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            await hall.settle()
            kept = await store.find_room(live.id)
            assert kept is not None
            assert live.room.version == kept.version
            answer = await hall.submit(live, ann, "start", live.room.version, Start())
            assert answer["type"] == "ack"
            assert answer["version"] == live.room.version


@pytest.mark.parametrize(("error", "told"), [(Unavailable("gone"), False), (ValueError("a bug"), True)])
async def test_connection_may_end_while_the_store_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, told: bool
) -> None:
    async with Store(f"sqlite:///{tmp_path}/games.db") as store:
        hall = Hall(store, make_bus(None), Settings(), Metrics())
        ann = Actor("ann", frozenset({"ann"}))
        live = await hall.create(Setup(players=2, bots=(None, "novice")), ann)
        reached, over = asyncio.Event(), asyncio.Event()

        async def fail(*_: object) -> None:
            reached.set()
            await over.wait()
            raise error

        monkeypatch.setattr(store, "append", fail)
        asking = asyncio.create_task(hall.submit(live, ann, "start", live.room.version, Start()))
        await reached.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        over.set()
        with contextlib.suppress(Exception):
            await hall.settle()
        del asking
        gc.collect()  # a task whose error nobody has asked for says so when it goes
    assert bool(caplog.records) is told, caplog.text


class Heard:
    """A connection that keeps what it is sent."""

    def __init__(self) -> None:
        self.actor: Actor | None = None
        self.chosen: int | None = None
        self.messages: list[Any] = []

    def send(self, text: str) -> None:
        """Keep it."""
        self.messages.append(json.loads(text))

    def end(self, code: str) -> None:
        """Stay."""


async def test_what_was_stored_is_told_once_the_store_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes away between the command and the look at who that is, and once more when somebody asks again."""
    async with Store(f"sqlite:///{tmp_path}/games.db") as store:
        for name in ("ann", "bob"):
            await store.new_player(Player(name, name.title(), "guest", 1.0, 1.0))
        hall, watching = Hall(store, make_bus(None), Settings(), Metrics()), Heard()
        ann, bob = (Actor(name, frozenset({name})) for name in ("ann", "bob"))
        live = await hall.create(Setup(players=2), ann)
        live.sessions.add(watching)

        async def gone(*_: object) -> None:
            raise Unavailable("gone")

        with monkeypatch.context() as patch:
            patch.setattr(store, "players", gone)
            with pytest.raises(Unavailable):
                await hall.submit(live, bob, "sit", live.room.version, Sit(1, "bob"))
            with pytest.raises(Unavailable):
                await hall.refresh(live)
        assert watching.messages == []
        await hall.refresh(live)
        update, snapshot = watching.messages
        assert [one["event"]["kind"] for one in update["events"]] == ["sat"]
        assert [seat["name"] for seat in snapshot["view"]["seats"]] == ["Ann", "Bob"]
        assert (await hall.submit(live, bob, "sit", live.room.version, Sit(1, "bob")))["type"] == "ack"
