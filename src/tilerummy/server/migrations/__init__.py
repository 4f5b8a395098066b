"""The schema's history: each step is a file in versions/, and Alembic knows which of them a database has had."""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select

__all__ = ["WrongSchema", "check", "head", "upgrade"]

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


def head() -> str:
    """The revision that this version of the program works with."""
    return _script().get_current_head() or ""


def check(connection: Connection) -> None:
    """Raise WrongSchema unless the database is at this version's revision."""
    found = MigrationContext.configure(connection).get_current_revision()
    script = _script()
    wanted = script.get_current_head() or ""
    if found != wanted:
        raise WrongSchema(found, wanted, newer=found is not None and not _known(script, found))


def upgrade(connection: Connection) -> None:
    """Take the database from wherever it is to this version's revision, within the caller's transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))  # several nodes may start at once
    script = _script()
    found = MigrationContext.configure(connection).get_current_revision()
    wanted = script.get_current_head() or ""
    if found == wanted:
        return
    if found is not None and not _known(script, found):
        raise WrongSchema(found, wanted, newer=True)
    # Alembic would run an env.py for this, whose work is these lines.
    with EnvironmentContext(Config(), script, fn=lambda revision, _: script._upgrade_revs(wanted, revision)) as context:
        context.configure(connection=connection)
        context.run_migrations()


def _script() -> ScriptDirectory:
    return ScriptDirectory(str(Path(__file__).parent))


def _known(script: ScriptDirectory, revision: str) -> bool:
    return any(step.revision == revision for step in script.walk_revisions())
