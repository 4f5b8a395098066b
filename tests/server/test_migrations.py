"""The schema: what the migrations make is what the program expects, and nothing else is touched."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, column, table, update

from tests.kit.services import Postgres
from tests.kit.stored import room
from tilerummy.server import migrations
from tilerummy.server.store import Store, WrongSchema, migrate
from tilerummy.server.store.schema import metadata

pytestmark = pytest.mark.anyio

T = TypeVar("T")
VERSION = table("alembic_version", column("version_num"))


async def within(url: str, work: Callable[[Connection], T]) -> T:
    """Do something to the database behind the store's back."""
    async with Store(url) as store:
        return await store._write(work)


def differences(connection: Connection) -> list[Any]:
    options = {"compare_type": True, "compare_server_default": True}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))


async def pretend(url: str, revision: str) -> None:
    """Have the database say that it is of another version."""
    await within(url, lambda connection: connection.execute(update(VERSION).values(version_num=revision)).rowcount)


async def test_migrations_make_the_schema(store_url: str) -> None:
    await migrate(store_url)
    await migrate(store_url)
    assert await within(store_url, differences) == []


async def test_embedded_database_is_migrated_by_connecting(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    async with Store(url) as store:
        await room(store)
    async with Store(url) as store:
        assert await store.versions(["room"]) == {"room": 1}


async def test_embedded_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    await pretend(url, "9999")
    store = Store(url)
    with pytest.raises(WrongSchema, match="newer") as raised:
        await store.connect()
    assert (raised.value.found, raised.value.wanted, raised.value.newer) == ("9999", migrations.head(), True)


async def test_server_database_is_migrated_on_command_only(postgres: Postgres) -> None:
    with postgres.database(migrated=False) as url:
        with pytest.raises(WrongSchema, match="migrated") as raised:
            await Store(url).connect()
        assert (raised.value.found, raised.value.newer) == (None, False)
        await migrate(url)
        await pretend(url, "9999")
        for attempt in (Store(url).connect, Store(url).migrate):
            with pytest.raises(WrongSchema, match="newer"):
                await attempt()


async def test_nodes_may_migrate_at_once(postgres: Postgres, tmp_path: Path) -> None:
    with postgres.database(migrated=False) as url:
        await asyncio.gather(*(migrate(url) for _ in range(4)))
        assert await within(url, differences) == []
    url = f"sqlite:///{tmp_path}/games.db"
    stores = [Store(url) for _ in range(4)]
    await asyncio.gather(*(store.connect() for store in stores))
    await room(stores[0])
    assert await stores[3].versions(["room"]) == {"room": 1}
    for store in stores:
        await store.close()
