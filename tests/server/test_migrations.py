"""The schema: what the migrations make is what the program expects, and nothing else is touched."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, column, create_engine, inspect, select, table, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine

from tests.kit.services import Postgres
from tests.kit.stored import PLAYING, answer, event, found, room
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


async def test_a_new_database_is_made_as_the_schema_is(store_url: str) -> None:
    await migrate(store_url)
    await migrate(store_url)
    assert await within(store_url, differences) == []


def migrated(url: str) -> tuple[list[Any], list[Any]]:
    """Make all steps from nothing; how that differs from the schema, and the table of revisions from one made new."""
    empty = create_engine(url)
    with empty.begin() as connection:
        migrations.migrate(connection, migrations.HEAD)
        migrations.check(connection)
        found = differences(connection), inspect(connection).get_columns("alembic_version")
    empty.dispose()
    return found


async def test_migrations_make_the_schema(tmp_path: Path, postgres: Postgres) -> None:
    new = f"sqlite:///{tmp_path}/new.db"
    await migrate(new)
    made = await within(new, lambda connection: inspect(connection).get_columns("alembic_version"))
    differing, versions = migrated(f"sqlite:///{tmp_path}/old.db")
    assert differing == []
    assert [{**column, "type": str(column["type"])} for column in versions] == [
        {**column, "type": str(column["type"])} for column in made
    ]
    with postgres.database(migrated=False) as url:
        engine = create_async_engine(url.replace("postgresql://", "postgresql+asyncpg://"))
        async with engine.begin() as connection:
            await connection.run_sync(migrations.migrate, migrations.HEAD)
            await connection.run_sync(migrations.check)
            assert await connection.run_sync(differences) == []
        await engine.dispose()


def test_the_newest_step_is_the_revision_of_the_program() -> None:
    assert ScriptDirectory(str(Path(migrations.__file__).parent)).get_current_head() == migrations.HEAD


# A version to come

STEP = """
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade():
    op.add_column("rooms", sa.Column("colour", sa.Text, nullable=False, server_default="red"))
    with op.batch_alter_table("rooms") as rooms:  # SQLite makes the table anew, to whose rows others refer
        rooms.alter_column("public", nullable=True)
    op.create_index("ix_rooms_colour", "rooms", ["colour"])
    op.execute("{last}")
"""


@pytest.fixture(params=["sqlite", "postgresql"])
async def aging_url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The URL of a database of each kind, as this version makes it, that no other test will see."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/games.db"
    else:
        server: Postgres = request.getfixturevalue("postgres")
        with server.database(migrated=False) as url:
            await migrate(url)
            yield url


@pytest.fixture
def to_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the program be a version that has one step more, whose last statement is this."""

    def come(last: str) -> None:
        versions = tmp_path / "migrations" / "versions"
        shutil.copytree(Path(migrations.__file__).parent / "versions", versions)
        (versions / "v0002_colours.py").write_text(STEP.format(last=last))
        monkeypatch.setattr(migrations, "__file__", str(versions.parent / "__init__.py"))
        monkeypatch.setattr(migrations, "HEAD", "0002")

    return come


def colours(connection: Connection) -> list[Any]:
    """What the step to come has done to the rooms."""
    if "colour" not in {one["name"] for one in inspect(connection).get_columns("rooms")}:
        return []
    return list(connection.execute(select(column("id"), column("colour")).select_from(table("rooms"))).all())


async def test_an_old_database_is_brought_up_to_date(aging_url: str, to_come: Callable[[str], None]) -> None:
    """By connecting where it is a file, and otherwise on command only; all that was in it stays."""
    async with Store(aging_url) as store:
        await room(store, code="ABCDE")
        await store.append("room", 1, [event(2)], answer(), PLAYING)
    to_come("UPDATE rooms SET colour = 'blue'")
    if not aging_url.startswith("sqlite"):
        with pytest.raises(WrongSchema, match="is at schema 0001 and has to be migrated to 0002 first"):
            await Store(aging_url).connect()
        await migrate(aging_url)
    async with Store(aging_url) as store:
        assert await store.events_since("room") == [event(1), event(2)]
        assert await store.answer("room", "ann", "c1") == answer()
        assert (await found(store, "ABCDE")).version == 2
        await store.append("room", 2, [event(3)], None, PLAYING)
        with pytest.raises(IntegrityError):
            await store.save_answer("no such room", answer())
    assert await within(aging_url, colours) == [("room", "blue")]


async def test_a_step_that_fails_leaves_everything_as_it_was(
    aging_url: str, to_come: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Store(aging_url) as store:
        await room(store)
    to_come("UPDATE rooms SET colour = nonsense")
    with pytest.raises(DBAPIError, match="nonsense"):
        await migrate(aging_url)
    monkeypatch.undo()
    async with Store(aging_url) as store:
        assert await store.versions(["room"]) == {"room": 1}
    assert await within(aging_url, colours) == []
    assert await within(aging_url, differences) == []


async def test_embedded_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    await pretend(url, "9999")
    store = Store(url)
    with pytest.raises(WrongSchema, match="newer") as raised:
        await store.connect()
    assert (raised.value.found, raised.value.wanted, raised.value.newer) == ("9999", migrations.HEAD, True)


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


@pytest.mark.parametrize("name", ["rooms", "recipes"])
async def test_a_file_of_another_program_is_left_alone(tmp_path: Path, name: str) -> None:
    file = create_engine(f"sqlite:///{tmp_path}/other.db")
    with file.begin() as connection:
        connection.exec_driver_sql(f"CREATE TABLE {name} (id TEXT)")
    for attempt in (Store(f"sqlite:///{tmp_path}/other.db").connect, Store(f"sqlite:///{tmp_path}/other.db").migrate):
        with pytest.raises(ValueError, match=f"no database of tilerummy: another program's '{name}' is in it"):
            await attempt()
    with file.connect() as connection:
        assert inspect(connection).get_table_names() == [name]
    file.dispose()


async def test_a_server_database_may_be_shared(postgres: Postgres) -> None:
    """Unless another program has a table of the same name."""
    with postgres.database(migrated=False) as url:
        postgres.execute("CREATE TABLE recipes (id TEXT)", url.rpartition("/")[2])
        await migrate(url)
    with postgres.database(migrated=False) as url:
        postgres.execute("CREATE TABLE rooms (id TEXT)", url.rpartition("/")[2])
        with pytest.raises(ValueError, match="another program's 'rooms' is in it"):
            await migrate(url)


@pytest.mark.parametrize("content", [b"no database at all" * 500, b"SQLite format 3\0" + b"\xff" * 5000])
async def test_a_file_that_is_no_database(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "junk.db"
    file.write_bytes(content)
    with pytest.raises(ValueError, match="is no database of tilerummy"):
        await Store(f"sqlite:///{file}").connect()
    assert file.read_bytes() == content


async def test_a_file_that_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    await migrate(f"sqlite:///{file}")
    file.write_bytes(file.read_bytes()[: 4 * 4096])
    with pytest.raises(ValueError, match="is no database of tilerummy, or a damaged one"):
        await Store(f"sqlite:///{file}").connect()
