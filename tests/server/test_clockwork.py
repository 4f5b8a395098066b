"""The clockwork of nodes whose time is the test's: who is let wait, who is not, and which of several does it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.kit.services import Postgres
from tilerummy.server import clock as clock_module
from tilerummy.server import presence as presence_module
from tilerummy.server.bus import make_bus
from tilerummy.server.clock import Clockwork
from tilerummy.server.drafts import Drafts
from tilerummy.server.events import Leave, SetReady, Setup, Sit, Stage, Start
from tilerummy.server.folding import GRACE
from tilerummy.server.hall import Hall
from tilerummy.server.identity import Actor
from tilerummy.server.live import QUIET, Live
from tilerummy.server.metrics import Metrics
from tilerummy.server.presence import Presence
from tilerummy.server.settings import Settings
from tilerummy.server.store import IdTaken, Player, Seen, Store, Unavailable
from tilerummy.server.tasks import Tasks
from tilerummy.server.thinking import Thinker
from tilerummy.state import State

pytestmark = pytest.mark.anyio

HOUR = 3600.0
DAY = 24 * HOUR
REST = 10.0
FREE = Setup(players=2)
CLOCKED = Setup(players=2, clock=60)
SAT_IN_FOR = Setup(players=2, sit_in="novice")
ADA = Actor("ada", frozenset({"ada"}))
BOB = Actor("bob", frozenset({"bob"}))


class FakeTime:
    """A clock that is set."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def fake_time() -> FakeTime:
    """The clock of every node."""
    return FakeTime()


@dataclass(eq=False)
class Tab:
    """A connection that nobody reads."""

    actor: Actor | None
    chosen: int | None = None

    def send(self, text: str) -> None:
        """Say nothing."""

    def end(self, code: str) -> None:
        """Do nothing."""


@dataclass
class OneNode:
    """A hall and its clockwork."""

    hall: Hall
    clockwork: Clockwork
    presence: Presence
    thinker: Thinker
    tasks: Tasks

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait for something that the clockwork does, without any time going by."""
        async with asyncio.timeout(60):
            while not happened():
                self.clockwork.will_be_due(self.hall.now())
                await asyncio.sleep(0.01)

    async def expires(self, live: Live) -> None:
        """Wait until a room is closed because nobody used it."""
        await self.until(lambda: live.room.stage is Stage.CLOSED)
        assert await self.hall.store.find_room(live.id) is not None
        if live.code is not None:
            assert await self.hall.store.find_room(live.code) is None

    async def times_out(self, live: Live) -> None:
        """Wait until the time of whoever moves is over."""
        version = live.room.version
        await self.until(lambda: live.room.version > version)

    async def looks(self) -> None:
        """Let the clockwork do all that is due: it has called a tile of a race by then, and has nothing left to do."""
        race = await self.match(Setup(game="race", ruleset="junior", players=2))
        version = race.room.version
        await self.until(lambda: race.room.version > version and not self.clockwork._doing)

    async def match(self, setup: Setup) -> Live:
        """A match of Ada and Bob that has begun."""
        live = await self.hall.create(setup, ADA)
        await self.hall.submit(live, BOB, "sit", 0, Sit(1, "bob"))
        await self.hall.submit(live, BOB, "ready", 0, SetReady(1, True))
        await self.hall.submit(live, ADA, "start", 0, Start())
        assert live.room.stage is Stage.PLAYING
        return live


@asynccontextmanager
async def node_at(db: Path | str, clock: FakeTime) -> AsyncIterator[OneNode]:
    """A node that begins now: alone, on SQLite in this folder, or with others on the database of this URL."""
    url = db if isinstance(db, str) else f"sqlite:///{db}/games.db"
    settings, metrics = Settings(db=url, workers=1, bot_pace=0), Metrics()
    async with Store(settings.db) as store:
        bus, tasks, thinker = make_bus(None), Tasks(), Thinker(1)
        await bus.start()
        for name in ("ada", "bob"):
            with suppress(IdTaken):
                await store.new_player(Player(name, name.title(), "guest", clock(), clock(), None))
        hall = Hall(store, bus, settings, metrics, clock)
        clockwork = Clockwork(hall, Drafts(hall), thinker, tasks)
        hall.on_due = clockwork.will_be_due
        tasks.start(clockwork.run())
        try:
            yield OneNode(hall, clockwork, Presence(hall, tasks), thinker, tasks)
        finally:
            await tasks.close()
            thinker.close()
            await bus.close()


# Rooms that nobody uses


async def test_unused_rooms_expire(tmp_path: Path, fake_time: FakeTime) -> None:
    async with node_at(tmp_path, fake_time) as node:
        lobby = await node.hall.create(FREE, ADA)
        fake_time.now += 2 * HOUR - 1
        kept = await node.hall.create(FREE, BOB)
        fake_time.now += 2
        await node.expires(lobby)
        assert kept.room.stage is Stage.LOBBY


async def test_games_that_nobody_goes_on_with_expire(tmp_path: Path, fake_time: FakeTime) -> None:
    async with node_at(tmp_path, fake_time) as node:
        live = await node.match(FREE)
        fake_time.now += 7 * DAY - 1
        await node.looks()
        assert live.room.stage is Stage.PLAYING
        fake_time.now += 2
        await node.expires(live)


async def test_a_room_outlives_a_lost_connection(tmp_path: Path, fake_time: FakeTime) -> None:
    """However long nothing has happened there; and only once nobody has been there for a while it expires."""
    async with node_at(tmp_path, fake_time) as node:
        live, tab = await node.hall.create(FREE, ADA), Tab(ADA)
        await node.presence.enter(live, tab)
        fake_time.now += 3 * HOUR
        await node.looks()
        assert live.room.stage is Stage.LOBBY
        await node.presence.leave(live, tab)
        for wait in (1, QUIET - 2):
            fake_time.now += wait
            node.hall.tidy()
            await node.looks()
            assert live.room.stage is Stage.LOBBY
        fake_time.now += 2
        await node.expires(live)


async def test_a_room_outlives_a_restart(tmp_path: Path, fake_time: FakeTime) -> None:
    """Whoever was there when the server went has time to come back, and then it is as if it had never gone."""
    async with node_at(tmp_path, fake_time) as node:
        played, lobby = await node.match(FREE), await node.hall.create(FREE, ADA)
        alone = await node.hall.create(FREE, BOB)
    fake_time.now += 8 * DAY
    async with node_at(tmp_path, fake_time) as node:
        rooms = [await node.hall.open(live.id) for live in (played, lobby, alone)]
        fake_time.now += QUIET - 1
        await node.looks()
        assert [live.room.stage for live in rooms] == [Stage.PLAYING, Stage.LOBBY, Stage.LOBBY]
        for live in rooms[:2]:
            await node.presence.enter(live, Tab(ADA))
        fake_time.now += 2
        await node.expires(rooms[2])
        await node.looks()
        assert [live.room.stage for live in rooms[:2]] == [Stage.PLAYING, Stage.LOBBY]


async def test_whoever_comes_back_as_a_bot_sits_down_gets_the_seat_again(
    tmp_path: Path, fake_time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence_module, "_RENEW", 0.01)
    async with node_at(tmp_path, fake_time) as node:
        live, store = await node.match(SAT_IN_FOR), node.hall.store
        await node.presence.enter(live, Tab(BOB))
        fake_time.now += node.hall.settings.away_seconds
        append = store.append

        async def slowly(*given: Any) -> None:
            monkeypatch.setattr(store, "append", append)
            await node.presence.enter(live, Tab(ADA))  # no bot sits there yet, as far as anybody can see
            await append(*given)

        monkeypatch.setattr(store, "append", slowly)
        await node.presence.sit_in(live)
        assert isinstance(live.room.match, State)
        assert live.room.match.bots == ("novice", None)
        node.tasks.keep_up(node.presence.renew)
        await node.until(lambda: isinstance(live.room.match, State) and live.room.match.bots == (None, None))


async def test_who_is_connected_elsewhere_keeps_a_room_open(postgres: Postgres, fake_time: FakeTime) -> None:
    with postgres.database() as url:
        async with node_at(url, fake_time) as node:
            live = await node.hall.create(FREE, ADA)
            fake_time.now += 3 * HOUR
            await node.hall.store.see("another", [Seen(live.id, "ada", fake_time.now - 1)])
            await node.looks()
            assert live.room.stage is Stage.LOBBY
            fake_time.now += QUIET
            await node.hall.store.see("another", [Seen(live.id, "ada", fake_time.now + 9)])
            await node.looks()
            assert live.room.stage is Stage.LOBBY
            fake_time.now += 2 * QUIET
            await node.expires(live)


# Clocks


@pytest.mark.parametrize("late", [-1.0, 0.0, HOUR])
async def test_whoever_could_not_reach_the_server_gets_time_to_come_back(
    tmp_path: Path, fake_time: FakeTime, late: float
) -> None:
    """Whether the time ran out while it was gone, or would a moment after."""
    async with node_at(tmp_path, fake_time) as node:
        old = await node.match(CLOCKED)
    fake_time.now += 60 + GRACE + late
    async with node_at(tmp_path, fake_time) as node:
        live = await node.hall.open(old.id)
        version = live.room.version
        fake_time.now += REST - 1
        await node.looks()
        assert live.room.version == version
        fake_time.now += 1
        await node.times_out(live)


async def test_a_clock_rests_when_the_store_is_out_of_reach(
    tmp_path: Path, fake_time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with node_at(tmp_path, fake_time) as node:
        live, asked = await node.match(CLOCKED), list[float]()

        async def away(*_: object) -> list[str]:
            asked.append(fake_time.now)
            raise Unavailable

        with monkeypatch.context() as patch:
            patch.setattr(node.hall.store, "claim_due", away)
            fake_time.now += 60
            await node.until(lambda: fake_time.now in asked)
        version = live.room.version
        fake_time.now += 2
        await node.until(lambda: node.clockwork._began >= fake_time.now - 2)
        await node.looks()
        assert live.room.version == version
        fake_time.now += REST
        await node.times_out(live)


async def test_a_move_that_the_network_held_up_for_a_second_still_counts(tmp_path: Path, fake_time: FakeTime) -> None:
    async with node_at(tmp_path, fake_time) as node:
        live = await node.match(CLOCKED)
        version = live.room.version
        fake_time.now += 61
        await node.looks()
        assert live.room.version == version
        fake_time.now += 1
        await node.times_out(live)


async def test_a_node_that_was_there_lets_no_clock_rest(postgres: Postgres, fake_time: FakeTime) -> None:
    """Whichever of them claims it first."""
    with postgres.database() as url:
        async with node_at(url, fake_time) as old:
            lives = [await old.match(CLOCKED) for _ in range(4)]
            fake_time.now += 60
            async with node_at(url, fake_time) as young:
                fake_time.now += 2
                await asyncio.gather(*map(old.times_out, lives))
                assert young.clockwork._began + REST > fake_time.now


async def test_what_a_young_node_lets_rest_others_may_claim(postgres: Postgres, fake_time: FakeTime) -> None:
    with postgres.database() as url:
        async with node_at(url, fake_time) as node:
            live = await node.match(CLOCKED)
        fake_time.now += 60
        async with node_at(url, fake_time) as young:
            fake_time.now += 2
            await young.until(lambda: young.clockwork._leaves_clocks > fake_time.now)
            claimed: list[str] = []
            async with asyncio.timeout(60):
                while not claimed:  # what it was about to claim once more is given back once more
                    await asyncio.sleep(0.01)
                    claimed = await young.hall.store.claim_due(fake_time.now, "another", 5.0)
            assert claimed == [live.id]


# Bots


async def test_a_bot_that_waits_keeps_its_room(tmp_path: Path, fake_time: FakeTime) -> None:
    """No other node begins the same thought, and no clock waits for it."""
    async with node_at(tmp_path, fake_time) as node:
        node.tasks.start(node.thinker.run(time.sleep, 60))
        live = await node.match(FREE)
        fake_time.now += 10
        await node.hall.submit(live, ADA, "leave", 0, Leave(0))
        await node.hall.submit(live, BOB, "leave", 0, Leave(1))
        fake_time.now += 2
        await node.until(lambda: live.id in node.clockwork._bots)
        for _ in range(4):
            fake_time.now += 4
            await node.until(lambda: node.clockwork._renewed == fake_time.now)
            later = fake_time.now + 2  # what was claimed before it was renewed has ended by then
            assert await node.hall.store.claim_due(later, "another", 5.0) == []
            await node.looks()


async def test_what_a_dead_node_had_begun_another_does(postgres: Postgres, fake_time: FakeTime) -> None:
    """Within ten seconds, and not at once: it might only be slow."""
    with postgres.database() as url:
        async with node_at(url, fake_time) as dead:
            dead.tasks.start(dead.thinker.run(time.sleep, 60))
            old = await dead.match(FREE)
            for actor, seat in ((ADA, 0), (BOB, 1)):
                await dead.hall.submit(old, actor, "leave", 0, Leave(seat))
            fake_time.now += 2
            await dead.until(lambda: old.id in dead.clockwork._bots)
        async with node_at(url, fake_time) as other:
            assert await other.hall.store.claim_due(fake_time.now, "another", 5.0) == []
            fake_time.now += 10
            live = await other.hall.open(old.id)
            await other.until(lambda: live.room.version > old.room.version)


async def test_clocks_do_not_wait_for_bots(
    tmp_path: Path, fake_time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_AT_ONCE", "_BOTS_AT_ONCE"):
        monkeypatch.setattr(clock_module, name, 1)
    async with node_at(tmp_path, fake_time) as node:
        node.tasks.start(node.thinker.run(time.sleep, 60))
        for _ in range(2):
            live = await node.match(FREE)
            await node.hall.submit(live, ADA, "leave", 0, Leave(0))
            await node.hall.submit(live, BOB, "leave", 0, Leave(1))
        fake_time.now += 2
        await node.until(lambda: bool(node.clockwork._bots))
        await node.looks()
        assert len(node.clockwork._bots) == 1
