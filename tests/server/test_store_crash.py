"""What was acknowledged is there after a crash, of the program or of the database, and nothing is there by half."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.services import Postgres, free_port
from tests.kit.stored import PLAYING, answer, event, found, room
from tilerummy.server.store import Answered, Conflict, Store, Unavailable

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parent.parent.parent


def append_until(acknowledged: int, url: str) -> int:
    """Kill a program that appends once it said so many versions; the last that it said."""
    command = [sys.executable, "-m", "tests.kit.appender", url, "room"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        lines = [program.stdout.readline() for _ in range(acknowledged)]
        program.kill()
        return int([*lines, *program.stdout.readlines()][-1])


async def whole(store: Store) -> int:
    """How many events the room has, each command's together with its answer."""
    kept = await store.events_since("room")
    assert [one.version for one in kept] == list(range(1, len(kept) + 1))
    assert (await found(store, "room")).version == len(kept)
    assert len(kept) % 2 == 1
    for version in range(1, len(kept), 2):
        assert kept[version].data == {"said": version}
        assert await store.answer("room", "ann", f"c{version}") is not None
    return len(kept)


async def test_killed_program_loses_nothing(store: Store, store_url: str) -> None:
    await room(store)
    for acknowledged in (1, 12):
        last = await asyncio.to_thread(append_until, acknowledged, store_url)
        kept = await whole(store)
        assert last <= kept <= last + 2


async def test_killed_database_loses_nothing() -> None:
    with Postgres(durable=True) as server, server.database() as url:
        async with Store(url) as store:
            await room(store)
            acknowledged: list[int] = []
            crashes: list[Unavailable] = []
            enough = asyncio.Event()

            async def play() -> None:
                version = 1
                while not enough.is_set():
                    pair = [event(version + 1, said=version), event(version + 2)]
                    try:
                        await store.append("room", version, pair, answer(f"c{version}"), PLAYING)
                    except Unavailable as error:
                        crashes.append(error)
                        await asyncio.sleep(0.01)
                        continue
                    except (Conflict, Answered):
                        # it had happened, although the word of it was lost
                        assert await store.answer("room", "ann", f"c{version}") is not None
                    version += 2
                    acknowledged.append(version)

            async def more(count: int) -> None:
                goal = len(acknowledged) + count
                while len(acknowledged) < goal:
                    await asyncio.sleep(0.005)

            playing = asyncio.create_task(play())
            for count in (3, 7, 1):
                await more(count)
                seen = len(crashes)
                server.kill()
                while len(crashes) == seen:
                    await asyncio.sleep(0.005)
                with pytest.raises(Unavailable):
                    await store.ping()
                with pytest.raises(Unavailable):
                    await store.claim_due(1.0, "a", 5.0)
                server.start()
            await more(3)
            enough.set()
            await playing
            assert await whole(store) == acknowledged[-1]
            await store.ping()


async def test_restarted_database_is_not_noticed_by_the_next_call() -> None:
    with Postgres() as server, server.database() as url:
        async with Store(url) as store:
            await asyncio.gather(*(room(store, f"room{number}") for number in range(8)))
            server.kill()
            server.start()
            await store.append("room0", 1, [event(2)], None, PLAYING)
            server.kill()
            server.start()
            assert len(await store.events_since("room0")) == 2
            server.kill()
            server.start()
            names = [f"room{number}" for number in range(1, 8)]
            await asyncio.gather(*(store.append(name, 1, [event(2)], None, PLAYING) for name in names))


@pytest.mark.parametrize("there", [True, False])
async def test_database_out_of_reach_is_unavailable(postgres: Postgres, there: bool) -> None:
    url = postgres.url("nowhere") if there else f"postgresql://nobody@127.0.0.1:{free_port()}/games"
    for attempt in (Store(url).connect, Store(url).migrate):
        with pytest.raises(Unavailable):
            await attempt()


async def test_file_out_of_reach_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "games.db").mkdir()
    with pytest.raises((Unavailable, OSError)):
        await Store(f"sqlite:///{tmp_path}/games.db").connect()


async def test_file_that_another_process_holds_is_waited_for(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    async with Store(url) as store, Store(url) as other:
        await room(store)
        await asyncio.gather(*((store, other)[number % 2].release("nobody") for number in range(20)))
