"""The schema's history: each step is a file in versions/, and Alembic knows which of them a database has had.

Most databases have had all of them, and a new one needs none: it is made as the schema is now. Only what is older is
migrated, and only then Alembic is loaded, which takes longer than all else that a start does to the database.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, func, insert, inspect, select

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

__all__ = ["HEAD", "WrongSchema", "check", "migrate", "upgrade"]

HEAD: Final = "0001"
"""The revision that this version of the program works with."""

# As Alembic makes it.
_VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
# Any number that no other program on the same database locks.
_LOCK = 0x7469_6C65


class WrongSchema(Exception):
    """The database was made by another version of the program: `found` is its revision, `wanted` the program's."""

    def __init__(self, found: str | None, wanted: str, *, newer: bool) -> None:
        """With both revisions, and whether the database is the newer one."""
        if newer:
            reason = f"the database is at schema {found}, which a newer version made; this one knows {wanted}"
        else:
            reason = f"the database is at schema {found or 'none'} and has to be migrated to {wanted} first"
        super().__init__(reason)
        self.found, self.wanted, self.newer = found, wanted, newer


def check(connection: Connection) -> None:
    """Raise WrongSchema unless the database is at this version's revision."""
    found = _found(connection)
    if found != HEAD:
        raise WrongSchema(found, HEAD, newer=found is not None and not _known(_script(), found))


def upgrade(connection: Connection, schema: MetaData) -> None:
    """Take the database from wherever it is to this version's revision, within the caller's transaction.

    Raises ValueError where it is another program's.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))  # several nodes may start at once
    found = _found(connection)
    if found == HEAD:
        return
    if found is None:
        _check_empty(connection, schema)
        schema.create_all(connection, checkfirst=False)
        _VERSION.create(connection)
        connection.execute(insert(_VERSION).values(version_num=HEAD))
        return
    migrate(connection, HEAD)


def migrate(connection: Connection, wanted: str) -> None:
    """Make the steps that the database has not had, as far as a revision; an empty one has had none."""
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext

    script = _script()
    found = _found(connection)
    if found is not None and not _known(script, found):
        raise WrongSchema(found, wanted, newer=True)
    # Alembic would run an env.py for this, whose work is these lines.
    with EnvironmentContext(Config(), script, fn=lambda revision, _: script._upgrade_revs(wanted, revision)) as context:
        context.configure(connection=connection)
        context.run_migrations()


def _found(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_VERSION.name):
        return None
    return connection.execute(select(_VERSION.c.version_num)).scalar()


def _check_empty(connection: Connection, schema: MetaData) -> None:
    """Several programs may share a database of a server's, under other names; a file belongs to one of them."""
    there = set(inspect(connection).get_table_names())
    taken = there if connection.dialect.name == "sqlite" else there & schema.tables.keys()
    if taken:
        raise ValueError(f"this is no database of tilerummy: another program's {min(taken)!r} is in it")


def _script() -> "ScriptDirectory":
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(Path(__file__).parent))


def _known(script: "ScriptDirectory", revision: str) -> bool:
    return any(step.revision == revision for step in script.walk_revisions())
