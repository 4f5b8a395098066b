"""The program as a process: streams that close, signals, and the ways to start it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.runner import run
from tilerummy import __version__

PROGRAM = [sys.executable, "-m", "tilerummy"]
COMMANDS = ("play", "serve", "solve", "check", "rules", "replay", "arena", "migrate", "export", "import")
GOOD = json.dumps({"ruleset": "sabra", "rack": "r1 r2 r3", "after": "r1 r2 r3"})


def shell(line: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a shell line in which `tilerummy` is the program."""
    line = line.replace("tilerummy", f"{sys.executable} -m tilerummy")
    return subprocess.run(["bash", "-c", line], input=stdin, capture_output=True, text=True, timeout=60, check=False)


def test_version_and_help() -> None:
    assert run("--version").out == f"tilerummy {__version__}\n"
    for args in ((), ("--help",), ("-h",)):
        result = run(*args)
        assert result.code == 0
        for command in COMMANDS:
            assert command in result.out
    for command in COMMANDS:
        assert "Usage" in run(command, "--help").out
    for missing in ("analyse", "bench"):
        assert missing not in run("--help").out
        assert run(missing).reason.startswith("No such command")


def test_nobody_reads_on() -> None:
    result = shell("set -o pipefail; tilerummy rules sabra | head -1; tilerummy play --seed 1 | head -1", "d\n" * 9)
    assert result.stderr == ""
    assert len(result.stdout.splitlines()) == 2
    many = shell("tilerummy check --jsonl | head -1", f"{GOOD}\n" * 5000)
    assert (many.stdout.count("\n"), many.stderr) == (1, "")


def test_nobody_takes_the_backup(tmp_path: Path) -> None:
    """Or brings it; that is not told of the database."""
    db = f"--db sqlite:///{tmp_path}/games.db"
    assert shell(f"tilerummy migrate {db}").returncode == 0
    closed = shell(f"tilerummy export - {db} >&-")
    assert (closed.returncode, closed.stderr) == (2, "tilerummy: output: standard output is closed\n")
    closed = shell(f"tilerummy import - {db} <&-")
    assert (closed.returncode, closed.stderr) == (2, "tilerummy: input: standard input is closed\n")
    gone = shell(f"set -o pipefail; tilerummy export - {db} | true")
    assert (gone.returncode, gone.stderr) == (141, "")
    if Path("/dev/full").exists():
        full = shell(f"tilerummy export - {db} > /dev/full")
        assert (full.returncode, full.stderr) == (2, "tilerummy: output: No space left on device\n")


def test_nowhere_to_write() -> None:
    if Path("/dev/full").exists():
        result = shell("tilerummy check --json > /dev/full", GOOD)
        assert (result.returncode, result.stderr) == (2, "tilerummy: output: No space left on device\n")
    assert shell("tilerummy check --json >&-", GOOD).returncode == 0
    assert shell("tilerummy check --json <&-").stderr == "tilerummy: input: standard input is closed\n"
    assert shell("tilerummy play <&-").returncode == 0


def test_a_terminal_of_few_signs() -> None:
    line = "PYTHONIOENCODING=ascii PYTHONUTF8=0 LC_ALL=C tilerummy"
    told = shell(f"{line} rules club --lang fr")
    assert (told.returncode, told.stderr) == (0, "")
    answer = shell(f"{line} check --json --lang fr", '{"ruleset": "club", "rack": "r1", "after": "r1 r2"}')
    assert answer.returncode == 1
    assert answer.stdout.isascii()
    assert json.loads(answer.stdout)["violations"]


def _as_at_a_terminal() -> None:
    """What a shell starts in the background ignores Ctrl-C, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_interrupted(tmp_path: Path) -> None:
    position = json.dumps({"ruleset": "sabra", "rack": "r1 r2 r3"})
    for args, typed in (
        (["check", "--jsonl"], GOOD),
        (["solve", "--jsonl"], position),
        (["play", "--record", str(tmp_path / "game.txt")], "?"),
    ):
        process = subprocess.Popen(
            [*PROGRAM, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=_as_at_a_terminal,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(typed.encode() + b"\n")
        process.stdin.flush()
        assert os.read(process.stdout.fileno(), 1)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert err == b"\n"
    assert (tmp_path / "game.txt").read_text().startswith("[Tilerummy")


def test_no_colour() -> None:
    forced = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    assert "\x1b[38;5;" in run("rules", "sabra", env=forced).out
    assert "38;5" not in run("rules", "sabra", env={**forced, "NO_COLOR": "1"}).out
