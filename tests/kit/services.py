"""The real services, started from this machine's programs on free ports, in a directory that goes away with them."""

import asyncio
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import make_url, pool
from sqlalchemy.ext.asyncio import create_async_engine

from tilerummy.server.store import migrate
from tilerummy.server.store.schema import metadata

__all__ = ["Nginx", "Postgres", "Redis", "Service", "free_port", "program"]

PATIENCE = 60.0
PLACES = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), Path("/usr/sbin"), Path("/usr/local/sbin")]

# Much faster than another database: whoever is still connected is cut off, and every row goes.
EMPTY = f"""DO $$ BEGIN
PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
{"".join(f"DELETE FROM {table.name}; " for table in reversed(metadata.sorted_tables))}
END $$"""

T = TypeVar("T")


def program(name: str) -> str:
    """Where a program is: in the path, or where Debian puts it."""
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(map(str, PLACES)))
    assert found, f"there is no {name} here: scripts/services.sh installs it"
    return found


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Service:
    """A server process; it can be killed and started again on the same data and port, and ends with this process."""

    ending = signal.SIGTERM
    unprivileged = False
    """Whether the program refuses to run as root."""

    def __init__(self) -> None:
        """With a directory and a port; nothing runs before `start`."""
        self.port = free_port()
        self.directory = Path(tempfile.mkdtemp(prefix=f"tilerummy-{type(self).__name__.lower()}-", dir=_quick()))
        self.process: subprocess.Popen[bytes] | None = None
        self.user: str | None = None
        if self.unprivileged and os.getuid() == 0:
            known = {entry.pw_name for entry in pwd.getpwall()}
            self.user = "postgres" if "postgres" in known else "nobody"
            shutil.chown(self.directory, self.user)

    def __enter__(self) -> Self:
        try:
            self.prepare()
            self.start()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def prepare(self) -> None:
        """Write what the server needs before its first start."""

    def command(self) -> list[str]:
        """What runs it, in the foreground."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Whether it answers."""
        with socket.socket() as client:
            client.settimeout(1)
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def log(self) -> str:
        """What it said so far."""
        return (self.directory / "log").read_text(errors="replace")

    def start(self) -> None:
        """Run it until it answers."""
        assert self.process is None, "it runs already"
        end = time.monotonic() + PATIENCE
        while True:
            with (self.directory / "log").open("ab") as log:
                self.process = subprocess.Popen(
                    [*_dying_with_us(), *self.command()],
                    cwd=self.directory,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    **self.identity(),
                )
            while self.process.poll() is None and time.monotonic() < end:
                if self.ready():
                    return
                time.sleep(0.01)
            # The processes of one that was killed may need a moment more to let go of the data.
            if time.monotonic() >= end or not self.settling():
                self.kill()
                raise AssertionError(f"{self.command()[0]} does not start:\n{self.log()[-2000:]}")
            time.sleep(0.05)

    def settling(self) -> bool:
        """Whether a start that failed is worth another."""
        return False

    def kill(self) -> None:
        """End it as a crash would, with no chance to tidy up."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in its own way."""
        self._end(self.ending)

    def freeze(self) -> None:
        """Stop it from answering without closing a connection."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def remove(self) -> None:
        """End it and remove its directory."""
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    def run(self, *command: str) -> None:
        """Run one of its tools, as the same user."""
        done = subprocess.run(
            command, cwd=self.directory, capture_output=True, text=True, check=False, **self.identity()
        )
        assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"

    def identity(self) -> dict[str, Any]:
        """As whom a process of it runs."""
        if self.user is None:
            return {}
        entry = pwd.getpwnam(self.user)
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.send_signal(signal.SIGCONT)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None


class Postgres(Service):
    """A PostgreSQL server; with `durable`, one that waits for the disk as it should."""

    unprivileged = True
    ending = signal.SIGQUIT  # nobody needs the data any more

    def __init__(self, *, durable: bool = False) -> None:
        """With or without fsync."""
        super().__init__()
        self.durable = durable
        self._numbers = count(1)
        self._template: str | None = None
        self._clean: list[str] = []

    @property
    def data(self) -> Path:
        """Where its files are."""
        return self.directory / "data"

    def prepare(self) -> None:
        """Make an empty cluster."""
        options = ["--username=tilerummy", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        self.run(program("initdb"), f"--pgdata={self.data}", *options)

    def command(self) -> list[str]:
        """On loopback only, small."""
        settings = {
            "fsync": "on" if self.durable else "off",
            "listen_addresses": "127.0.0.1",
            "max_connections": "200",
            "max_wal_size": "64MB",
            "min_wal_size": "32MB",
            "port": str(self.port),
            "shared_buffers": "16MB",
            "unix_socket_directories": "",
        }
        chosen = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [program("postgres"), "-D", str(self.data), *chosen]

    def ready(self) -> bool:
        """Its own word for it, in the file that names its process."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        assert self.process is not None
        return len(lines) > 7 and int(lines[0]) == self.process.pid and lines[7].strip() == "ready"

    def settling(self) -> bool:
        """Whether processes of the killed server still hold its memory."""
        return any(words in self.log()[-500:] for words in ("still in use", "is another postmaster"))

    def url(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://tilerummy@127.0.0.1:{self.port}/{database}"

    @contextmanager
    def database(self, *, migrated: bool = True) -> Iterator[str]:
        """The URL of a database of one's own: with the schema and nothing in it, or without."""
        template = self._migrated() if migrated else None
        name = self._clean.pop() if migrated and self._clean else self._create(template)
        try:
            yield self.url(name)
        finally:
            if self.process is not None and migrated:
                self.execute(EMPTY, name)
                self._clean.append(name)
            elif self.process is not None:
                self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Run a statement, within or without an event loop."""

        async def run() -> None:
            url = make_url(self.url(database)).set(drivername="postgresql+asyncpg")
            engine = create_async_engine(url, isolation_level="AUTOCOMMIT", poolclass=pool.NullPool)
            async with engine.connect() as connection:
                await connection.exec_driver_sql(statement)
            await engine.dispose()

        _apart(run())

    def _create(self, template: str | None) -> str:
        name = f"games{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else ""))
        return name

    def _migrated(self) -> str:
        if self._template is None:
            name = self._create(None)
            _apart(migrate(self.url(name)))
            self._template = name
        return self._template


class Redis(Service):
    """A Redis server that keeps nothing."""

    def command(self) -> list[str]:
        """On loopback only, without files."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        return [program("redis-server"), *options, "--dir", str(self.directory)]

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"


class Nginx(Service):
    """An nginx with the given http block, which is told the port to listen on."""

    def __init__(self, http: Callable[[int], str]) -> None:
        """With what goes into the http block, as a function of the port."""
        super().__init__()
        self.http = http

    def prepare(self) -> None:
        """Write the configuration; everything that nginx writes stays in the directory."""
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "\n".join(f"{kind}_temp_path {self.directory}/{kind};" for kind in kinds)
        # Without a master: its workers would outlive a kill, and go on serving.
        main = f"daemon off;\nmaster_process off;\npid {self.directory}/pid;\nerror_log stderr;\nevents {{}}\n"
        if os.getuid() == 0:
            main = f"user {pwd.getpwuid(0).pw_name};\n{main}"
        http = f"http {{\naccess_log off;\n{paths}\n{self.http(self.port)}\n}}\n"
        (self.directory / "nginx.conf").write_text(main + http)

    def command(self) -> list[str]:
        """With that configuration and nothing of the machine's."""
        return [program("nginx"), "-p", str(self.directory), "-c", "nginx.conf", "-e", "stderr"]

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"


def _quick() -> str | None:
    """A place in memory where there is room for it: a killed process takes nothing with it from there either."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2**30
    return str(memory) if roomy else None


def _dying_with_us() -> list[str]:
    """The words before a command that end it with this process, however that ends."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []


def _apart(job: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on a loop of its own, even where one is running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, job).result()
