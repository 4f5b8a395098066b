"""`tilerummy serve` as a process: it starts, answers, says where, ends well; and what it says when it cannot start."""

import contextlib
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.cli.runner import run
from tests.kit.services import Postgres
from tilerummy.cli.lan import own_address

PROGRAM = [sys.executable, "-m", "tilerummy"]
ADDRESS = re.compile(r"serves tables at (http://\S+)")


@contextmanager
def serving(
    folder: Path, *args: str, program: Sequence[str] = PROGRAM, **environment: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of its own, and its address."""
    process = subprocess.Popen(
        [*program, "serve", "--db", f"sqlite:///{folder}/games.db", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TILERUMMY_WORKERS": "1", **environment},
        cwd=folder,
    )
    try:
        assert process.stdout is not None
        found = ADDRESS.search(process.stdout.readline())
        assert found, process.communicate()
        yield process, found[1]
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_and_ends_well(tmp_path: Path, ending: signal.Signals) -> None:
    with serving(tmp_path, "--port", "0", TILERUMMY_LOG_FORMAT="json", TILERUMMY_LOG_LEVEL="debug") as (process, url):
        with httpx.Client(base_url=url, timeout=60) as http:
            assert http.get("/healthz").json()["ok"]
            assert http.get("/readyz").json()["ready"]
            me = http.get("/api/me")
            assert "server" not in me.headers
            http.patch("/api/me", json={"name": "Ada Lovelace"}).raise_for_status()
            assert http.post("/api/solve", json={"ruleset": "sabra", "rack": "r1 r2 r3"}).json()["tiles"] == 3
            http.post("/api/rooms", json={"players": 2}).raise_for_status()
            cookie = http.cookies["tilerummy"]
        process.send_signal(ending)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        assert out == ""
    lines = [json.loads(line) for line in err.splitlines()]
    routes = [line["route"] for line in lines if line["logger"] == "tilerummy.access"]
    assert routes == ["/healthz", "/readyz", "/api/me", "/api/me", "/api/solve", "/api/rooms"]
    assert [line for line in lines if line["level"] not in ("debug", "info")] == []
    for secret in (cookie, me.json()["id"], me.json()["name"], "Lovelace", "r1 r2", "BEGIN", "INSERT"):
        assert secret not in err
    assert oct((tmp_path / "games.db").stat().st_mode & 0o777) == "0o600"


@pytest.mark.parametrize(
    "screen", [{"DISPLAY": "", "WAYLAND_DISPLAY": ""}, {"DISPLAY": ":9", "BROWSER": "no-such-browser"}]
)
def test_a_page_is_opened_where_that_can_be_seen(tmp_path: Path, screen: dict[str, str]) -> None:
    """For want of a screen, or of a browser, nothing fails."""
    with serving(tmp_path, "--port", "0", "--open", PATH="", **screen) as (_, url):
        assert httpx.get(f"{url}/healthz", timeout=60).json()["ok"]


def test_the_browser_gets_the_address(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.part && mv {seen}.part {seen}\n')
    browser.chmod(0o755)
    with serving(tmp_path, "--port", "0", "--open", DISPLAY=":9", BROWSER=f"{browser} %s") as (_, url):
        for _ in range(200):
            if seen.exists():
                break
            time.sleep(0.05)
        assert seen.read_text().strip() == url


def test_the_next_free_port_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        result = run("serve", "--port", str(port), "--db", f"sqlite:///{tmp_path}/x.db")
        assert result.reason == f"port: {port} is taken; --port 0 takes any that is free"
        assert not (tmp_path / "x.db").exists()
    other = tmp_path / "other"
    other.mkdir()
    with serving(tmp_path) as (_, first), serving(other) as (_, second):
        assert first != second
        assert httpx.get(f"{second}/healthz").json()["ok"]


def test_one_server_for_a_file(tmp_path: Path) -> None:
    """Two would not hear of each other; but whoever died, however, is in nobody's way, and a backup may be made."""
    db, link = f"sqlite:///{tmp_path}/games.db", tmp_path / "linked.db"
    link.symlink_to(tmp_path / "games.db")
    with serving(tmp_path, "--port", "0") as (process, url):
        solved = httpx.post(f"{url}/api/solve", json={"ruleset": "sabra", "rack": "r1 r2 r3"}, timeout=60)
        assert solved.json()["tiles"] == 3  # so that a process that thinks is there, which outlives the server
        for _ in range(2):
            for name in (db, f"sqlite:///{link}"):
                told = run("serve", "--port", "0", "--db", name).reason
                assert told.startswith(f"db: {tmp_path}/games.db is served already at {url};")
        backup = str(tmp_path / "backup.jsonl")
        for command in (["migrate"], ["export", backup], ["import", backup]):
            assert run(*command, "--db", db).code == 0
        process.kill()
        process.wait()
        with serving(tmp_path, "--port", "0") as (_, again):
            assert httpx.get(f"{again}/readyz", timeout=60).json()["ready"]


def test_warnings_are_logged() -> None:
    """As every other line: whoever reads JSON Lines reads them all."""
    warn = (
        "import warnings\n"
        "from tilerummy.server.logs import set_up\n"
        "from tilerummy.server.settings import Settings\n"
        "set_up(Settings(log_format='json'))\n"
        "warnings.warn('of something')\n"
    )
    told = subprocess.run([sys.executable, "-c", warn], capture_output=True, text=True, timeout=60, check=True)
    line = json.loads(told.stderr)
    assert (line["level"], line["logger"]) == ("warning", "py.warnings")
    assert "of something" in line["message"]


TILE = re.compile(r"""["' ][rbky](1[0-3]|[1-9])["' ]""")


@pytest.mark.parametrize("form", ["json", "text"])
def test_no_log_tells_what_could_not_be_stored(tmp_path: Path, form: str) -> None:
    """A statement that fails has tiles, names and ids in it."""
    with serving(tmp_path, "--port", "0", TILERUMMY_LOG_FORMAT=form, TILERUMMY_LOG_LEVEL="debug") as (process, url):
        with httpx.Client(base_url=url, timeout=60) as http:
            me = http.patch("/api/me", json={"name": "Ada Lovelace"}).json()
            made = http.post("/api/rooms", json={"players": 2, "bots": [None, "novice"]}).json()
            for table in ("events", "tokens"):
                refuse = f"CREATE TRIGGER {table}_no BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END"
                execute(tmp_path / "games.db", refuse)
            start = {"id": "c1", "on": 2**31 - 1, "command": {"kind": "start"}}
            told = http.post(f"/api/rooms/{made['room']}/commands", json=start)
            assert (told.status_code, told.json()["error"]["code"]) == (500, "our-bug")
            assert http.post("/api/me/tokens", json={"label": "Babbage"}).status_code == 500
            hidden = ["Lovelace", "Babbage", "trb_", me["id"], made["room"], made["code"], http.cookies["tilerummy"]]
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    assert err.count("IntegrityError") >= 2
    assert [secret for secret in (*hidden, "parameters: (", "INSERT") if secret in err] == []
    assert not TILE.search(err)


def execute(file: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(file, timeout=60)) as connection:
        connection.execute(statement)
        connection.commit()


def test_a_server_that_cannot_start_says_so(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/x.db"
    assert run("migrate", "--db", db).code == 0
    abort = "BEGIN SELECT RAISE(ABORT, 'hunter2'); END"
    trigger = f"CREATE TRIGGER t BEFORE INSERT ON secrets WHEN NEW.name != 'pulse' {abort}"
    execute(tmp_path / "x.db", trigger)
    told = subprocess.run([*PROGRAM, "serve", "--port", "0", "--db", db], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stderr.endswith("tilerummy: serve: the server did not start; the log says why\n")
    assert "IntegrityError" in told.stderr
    assert "hunter2" not in told.stderr


def test_on_the_local_network(tmp_path: Path) -> None:
    found = own_address()
    with serving(tmp_path, "--lan", "--port", "0") as (process, url):
        assert process.stdout is not None
        shown, _, port = url.rpartition(":")
        assert shown == f"http://{found or 'localhost'}"
        if found:
            drawn = [process.stdout.readline() for _ in range(10)]
            assert sum("█" in line for line in drawn) >= 8
        with httpx.Client(base_url=f"http://localhost:{port}") as http:
            link = http.post("/api/me/link").json()["url"]
        assert link.startswith(f"{url}/link#")


def test_without_a_local_network(tmp_path: Path) -> None:
    """No QR code shows an address that only this machine reaches."""
    alone = "from tilerummy.cli import lan, main\nlan.own_address = lambda: None\nmain()\n"
    with serving(tmp_path, "--lan", "--port", "0", program=[sys.executable, "-c", alone]) as (process, url):
        assert url.startswith("http://localhost:")
        with httpx.Client(base_url=url) as http:
            link = http.post("/api/me/link", headers={"Host": "192.0.2.7:8000"}).json()["url"]
        assert link.startswith("http://192.0.2.7:8000/link#")
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        out = process.stdout.read()
    assert out == "no address on a local network was found; the setting public_url can name it\n"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_nobody_on_the_local_network_reaches_a_loopback(tmp_path: Path, host: str) -> None:
    told = run("serve", "--lan", "--host", host, "--port", "0", "--db", f"sqlite:///{tmp_path}/x.db").reason
    assert told == f"host: only this machine reaches {host}; with --lan leave it out"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--port", "70000"), "port: at most 65535 is expected"),
        (("--db", "mysql://u:hunter2@h/d"), "db: sqlite:///FILE or postgresql://"),
        (("--db", "sqlite:////proc/none/x.db"), "db: it cannot be opened: No such file or directory"),
        (("--db", "postgresql://u:hunter2@127.0.0.1:1/d"), "db: it cannot be used"),
        (("--db", "postgresql://u:hunter2@127.0.0.1:99999/d"), "db: postgresql://USER:PASSWORD@HOST:PORT/NAME"),
        (("--db", "postgresql://u:x@127.0.0.1:hunter2/d"), "db: postgresql://USER:PASSWORD@HOST:PORT/NAME"),
        (("--db", "postgresql://u@127.0.0.1:1/d?ssl=hunter2"), "db: ssl is one of disable, allow,"),
        (("--db", "postgresql://u@127.0.0.1:1/d?ssl=verify-full"), 'db: root certificate file "'),
        (("--bus", "http://h"), "bus: redis://HOST:PORT is expected"),
        (("--bus", "redis://:hunter2/x@127.0.0.1:6379/0"), "bus: redis://USER:PASSWORD@HOST:PORT/NUMBER is expected"),
        (("--bus", "redis://127.0.0.1:99999"), "bus: redis://USER:PASSWORD@HOST:PORT/NUMBER is expected"),
        (("--bus", "redis://127.0.0.1?socket_timeout=hunter2"), "bus: redis://USER:PASSWORD@HOST:PORT/NUMBER"),
        (("--bus", "redis://127.0.0.1?hunter2=abc"), "bus: redis://USER:PASSWORD@HOST:PORT/NUMBER is expected"),
        (("--host", "no.such.host.invalid"), "host: no.such.host.invalid port"),
        (("--config", "none.toml"), "config (none.toml): No such file"),
        (("--nonsense",), "No such option"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(args: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    given = args if "--db" in args else ("--db", f"sqlite:///{tmp_path}/x.db", *args)
    given = given if "--port" in args else ("--port", "0", *given)
    told = run("serve", *given, env={"HOME": str(tmp_path)})  # where nobody's certificates are
    assert told.reason.startswith(reason)
    assert "hunter2" not in told.err


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["migrate"], ["export", "-"], ["import", "-"]])
def test_a_file_that_is_no_database(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / "junk.db"
    file.write_bytes(b"no database at all" * 300)
    told = run(*command, "--db", f"sqlite:///{file}").reason
    assert told == f"db: {file} is no database of tilerummy, or a damaged one"
    execute(tmp_path / "other.db", "CREATE TABLE rooms (id TEXT)")
    told = run(*command, "--db", f"sqlite:///{tmp_path}/other.db").reason
    assert told == "db: this is no database of tilerummy: another program's 'rooms' is in it"


def test_migrate(tmp_path: Path) -> None:
    result = run("migrate", "--db", f"sqlite:///{tmp_path}/x.db")
    assert (result.code, result.out) == (0, f"sqlite:///{tmp_path}/x.db is up to date\n")
    for url in ("postgresql://u:hunter2@127.0.0.1:1/d", "postgresql://u@127.0.0.1:1/d?password=hunter2"):
        told = run("migrate", "--db", url).reason
        assert told.startswith("db: it cannot be used")
        assert "hunter2" not in told


def test_postgresql_is_migrated_by_a_command(tmp_path: Path) -> None:
    with Postgres() as server, server.database(migrated=False) as url:
        told = run("serve", "--port", "0", "--db", url).reason
        assert told.startswith("db: the database is at schema none")
        assert told.endswith("; tilerummy migrate --db URL does it")
        for _ in range(2):
            assert run("migrate", "--db", f"{url}?password=hunter2").out.endswith("?*** is up to date\n")
        with serving(tmp_path, "--port", "0", "--db", url) as (process, address):
            assert httpx.get(f"{address}/readyz", timeout=60).json()["ready"]
            made = httpx.post(f"{address}/api/rooms", json={"players": 2}, timeout=60).json()["room"]
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=60) == 0
        backup = str(tmp_path / "backup.jsonl")
        assert run("export", backup, "--db", url).code == 0
        assert made in Path(backup).read_text("utf-8")
        assert run("import", backup, "--db", url).err.startswith("0 rooms made, 1 were there already")
        assert run("import", backup, "--db", f"sqlite:///{tmp_path}/new.db").err.startswith("1 rooms made")


def test_a_user_who_may_not_is_told_so() -> None:
    """As on a new database of somebody else's."""
    with Postgres() as server, server.database(migrated=False) as url:
        server.execute("CREATE ROLE plain LOGIN")
        server.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC", url.rpartition("/")[2])  # as since PostgreSQL 15
        theirs = url.replace("tilerummy@", "plain@")
        assert run("migrate", "--db", theirs).reason == "db: it cannot be used: permission denied for schema public"
        assert run("migrate", "--db", url).code == 0
        for command in (["migrate"], ["serve", "--port", "0"], ["export", "-"], ["import", os.devnull]):
            told = run(*command, "--db", theirs).reason
            assert told == "db: it cannot be used: permission denied for table alembic_version"


def test_without_the_extra() -> None:
    """The command line works without the server's libraries, and says what to install."""
    hide = (
        "import sys, importlib.abc\n"
        "class Hide(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('fastapi', 'starlette', 'pydantic_settings', 'uvicorn', 'redis',\n"
        "                                      'sqlalchemy', 'segno', 'itsdangerous', 'prometheus_client',\n"
        "                                      'filelock'):\n"
        "            raise ModuleNotFoundError(f'No module named {name}', name=name)\n"
        "sys.meta_path.insert(0, Hide())\n"
        "from tilerummy.cli import main\n"
        "main()\n"
    )
    solved = subprocess.run(
        [sys.executable, "-c", hide, "solve", "--json", "--ruleset", "sabra", "--rack", "r1 r2 r3"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert solved.stdout, solved.stderr
    assert json.loads(solved.stdout)["tiles"] == 3
    for command in (["serve"], ["migrate"], ["export", "x"], ["import", "x"]):
        told = subprocess.run(
            [sys.executable, "-c", hide, *command], capture_output=True, text=True, timeout=60, check=False
        )
        assert told.returncode == 2
        assert told.stderr.endswith("is missing; pip install 'tilerummy[server]' has it\n")
        assert told.stderr.count("\n") == 1
