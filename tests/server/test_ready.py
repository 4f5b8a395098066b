"""Ready: a server that cannot store anything says so, refuses what it cannot keep, and is ready again when it can."""

import asyncio
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from tests.kit.served import Guest, Served, served
from tests.kit.services import Postgres
from tilerummy.server import node
from tilerummy.server.store import Store

pytestmark = pytest.mark.anyio

PATIENCE = 60


async def becomes(server: Served, ready: bool) -> None:
    """What is told is as old as a second."""
    guest = server.guest()
    async with asyncio.timeout(PATIENCE):
        while (told := (await guest.http.get("/readyz")).json())["ready"] != ready:
            await asyncio.sleep(0.05)
    assert told["store"] == ready


class Table:
    """Somebody at a table."""

    def __init__(self, guest: Guest, room: str) -> None:
        self.guest = guest
        self.room = room

    async def word(self, word: str, status: int = 200) -> None:
        """Give a word for the shuffle, which is stored or refused."""
        body = {"id": f"{word}-{status}", "on": 2**31 - 1, "command": {"kind": "word", "seat": 0, "word": word}}
        told = await self.guest.post(f"/api/rooms/{self.room}/commands", body, status)
        assert told["code" if status == 503 else "type"] == ("store-away" if status == 503 else "ack")


@asynccontextmanager
async def seated(folder: Path, db: str) -> AsyncIterator[tuple[Served, Table]]:
    async with served(folder, db=db) as server:
        guest = server.guest()
        table = Table(guest, (await guest.new_room(players=2))["room"])
        await table.word("before")
        await becomes(server, True)
        yield server, table


async def kept(db: str, room: str) -> list[str]:
    """The words that are in the database."""
    async with Store(db) as store:
        return [one.data["word"] for one in await store.events_since(room) if one.kind == "WordGiven"]


@contextmanager
def full_disk() -> Iterator[None]:
    """No file may grow: there is no difference for whoever writes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_full_disk(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/games.db"
    async with seated(tmp_path, db) as (server, table):
        with full_disk():
            await table.word("lost", 503)
            await becomes(server, False)
        await becomes(server, True)
        await table.word("after")
    assert await kept(db, table.room) == ["before", "after"]


async def test_a_file_that_is_moved_away(tmp_path: Path) -> None:
    """What would go into a file that nobody finds again is not acknowledged, together with others or alone."""
    db, file = f"sqlite:///{tmp_path}/games.db", tmp_path / "games.db"
    async with seated(tmp_path, db) as (server, table):
        file.rename(tmp_path / "away")
        await table.word("lost", 503)
        await asyncio.gather(*(table.word(f"lost{number}", 503) for number in range(5)))
        await becomes(server, False)
        (tmp_path / "away").rename(file)
        await becomes(server, True)
        await table.word("after")
    assert await kept(db, table.room) == ["before", "after"]


@pytest.mark.parametrize("names", [["games.db"], ["games.db-wal"], ["games.db", "games.db-wal", "games.db-shm"]])
@pytest.mark.parametrize("another", [True, False])
async def test_a_file_that_is_deleted(tmp_path: Path, names: list[str], another: bool) -> None:
    """Or has another one in its place."""
    async with seated(tmp_path, f"sqlite:///{tmp_path}/games.db") as (server, table):
        for name in names:
            (tmp_path / name).unlink()
            if another:
                (tmp_path / name).touch()
        await table.word("lost", 503)
        await becomes(server, False)


async def test_a_database_that_is_killed(tmp_path: Path) -> None:
    with Postgres() as postgres, postgres.database() as db:
        async with seated(tmp_path, db) as (server, table):
            postgres.kill()
            await becomes(server, False)
            await table.word("lost", 503)
            postgres.start()
            await becomes(server, True)
            await table.word("after")
        assert await kept(db, table.room) == ["before", "after"]


@pytest.mark.parametrize("asked", ["", "?target_session_attrs=read-write"])
async def test_a_database_that_takes_no_writes(tmp_path: Path, asked: str) -> None:
    """As after another has taken over from it; connections that were made meanwhile would stay as they are."""
    with Postgres() as postgres, postgres.database() as db:
        name = db.rpartition("/")[2]
        cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        async with seated(tmp_path, db + asked) as (server, table):
            postgres.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
            postgres.execute(cut)
            await table.word("lost", 503)
            await becomes(server, False)
            await asyncio.gather(*(table.word(f"lost{number}", 503) for number in range(5)))
            postgres.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
            await becomes(server, True)
            await asyncio.gather(*(table.word(f"after{number}") for number in range(5)))
        assert sorted(await kept(db, table.room)) == [*(f"after{number}" for number in range(5)), "before"]


async def test_a_database_that_hangs_keeps_no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends without a last word to it."""
    monkeypatch.setattr(node, "_LAST", 0.05)
    async with asyncio.timeout(PATIENCE):
        async with served(tmp_path) as server:
            asked = asyncio.Event()
            await becomes(server, True)

            async def hang(*_: object) -> None:
                asked.set()
                await asyncio.Event().wait()

            monkeypatch.setattr(server.parts.store, "release", hang)
        assert asked.is_set()


async def test_it_is_asked_once_a_second(tmp_path: Path) -> None:
    """However many ask."""
    async with Store(f"sqlite:///{tmp_path}/games.db") as store:
        assert await store.ready()
        (tmp_path / "games.db").rename(tmp_path / "away")
        assert all(await asyncio.gather(*(store.ready() for _ in range(50))))
