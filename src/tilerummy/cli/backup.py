"""`tilerummy export` and `tilerummy import`: all games as records, the backup of a server."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import typer

from tilerummy.cli.guard import BAD, complain
from tilerummy.cli.serve import Config, Db, server_needed, settings_for, store_opened
from tilerummy.contract import BadInput, object_of
from tilerummy.tiles import shorten

__all__ = ["export_games", "import_games"]

_LONGEST: Final = 64_000_000  # bytes of a line


class _Unwritten(Exception):
    """Standard output takes no more, which is not the database's fault."""

    def __init__(self, why: OSError) -> None:
        self.why = why


def export_games(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup to write; - for standard output.")],
    db: Db = None,
    config: Config = None,
    secret: Annotated[
        bool,
        typer.Option("--secret", help="With every player, and what they prove it by: they are known elsewhere too."),
    ] = False,
) -> None:
    """Write all games into a file: JSON Lines, a room on each, its matches as records.

    A running server may go on meanwhile. The file holds the racks of running games: keep it to yourself.
    """
    with server_needed("export"):
        from tilerummy.server.backup import export_guests, export_header, export_rooms
        from tilerummy.server.store import Store

        settings = settings_for(config, db=db)
        _check_there(settings.db)

        async def work() -> int:
            count = 0
            async with Store(settings.db) as store:
                with _written(file) as out:
                    out.write(_line(await export_header(store, secret=secret)))
                    if secret:
                        async for guest in export_guests(store):
                            out.write(_line(guest))
                    async for room in export_rooms(store):
                        out.write(_line(room))
                        count += 1
            return count

        try:
            count = store_opened(work())
        except _Unwritten as error:
            raise error.why from None
        print(f"{count} rooms", file=sys.stderr)


def import_games(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup to read; - for standard input.")],
    db: Db = None,
    config: Config = None,
) -> None:
    """Make the rooms of a backup again, under the same ids; running games go on.

    Rooms that are there already stay as they are, so that importing twice changes nothing. A line that cannot be
    used is named, and nothing of it is kept; the exit status is then 2.
    """
    with server_needed("import"):
        settings = settings_for(config, db=db)
        with _read(file) as lines:
            made, there, bad = store_opened(_import(settings.db, lines))
        print(f"{made} rooms made, {there} were there already, {bad} lines cannot be used", file=sys.stderr)
        if bad:
            raise typer.Exit(BAD)


async def _import(db: str, lines: BinaryIO) -> tuple[int, int, int]:
    from tilerummy.server.backup import import_line
    from tilerummy.server.store import Store

    done = {"made": 0, "there": 0, "people": 0}
    bad = 0
    async with Store(db) as store:
        for number, line in enumerate(iter(lambda: lines.readline(_LONGEST + 1), b""), 1):
            if not line.strip():
                continue
            try:
                if len(line) > _LONGEST:
                    raise BadInput("input: the line is too long")
                done[await import_line(store, object_of(line))] += 1
            except BadInput as error:
                complain(f"line {number}: {error}")
                bad += 1
    return done["made"], done["there"], bad


def _check_there(db: str) -> None:
    """A database that nobody has made yet has nothing to tell, and a mistyped name is none."""
    from tilerummy.server.store.address import parse_url

    url = parse_url(db)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        raise BadInput(f"db: {url.database}: there is no such file")


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@contextlib.contextmanager
def _written(file: Path) -> Iterator[BinaryIO]:
    """The file, there only when it is whole, and for nobody else to read; what is no file stays what it is."""
    if str(file) == "-":
        if sys.stdout is None:
            raise BadInput("output: standard output is closed")
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except OSError as error:
            raise _Unwritten(error) from None
        return
    real, whole = Path(os.path.realpath(file)), file.is_file() or not file.exists()
    part = real.with_name(f"{real.name}.part") if whole else file
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            yield out
        if whole:
            part.replace(real)
    except OSError as error:
        raise BadInput(f"FILE: {shorten(str(file))}: {error.strerror or 'it cannot be written'}") from None
    finally:
        if whole:
            with contextlib.suppress(OSError):
                part.unlink()


@contextlib.contextmanager
def _read(file: Path) -> Iterator[BinaryIO]:
    if str(file) == "-":
        if sys.stdin is None:
            raise BadInput("input: standard input is closed")
        yield sys.stdin.buffer
        return
    try:
        with file.open("rb") as lines:
            yield lines
    except OSError as error:
        raise BadInput(f"FILE: {shorten(str(file))}: {error.strerror or 'it cannot be read'}") from None
