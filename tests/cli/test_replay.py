"""`tilerummy replay`: a good record, bad ones, and stepping at a terminal."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.runner import run
from tests.kit.build import seed
from tilerummy.game import apply, fold
from tilerummy.record import Record, write_record
from tilerummy.rulesets import ruleset
from tilerummy.state import Command, Draw, HandOver, HintUsed, Refusal, Timeout


def played() -> Record:
    """A short game: a hint, a seat given to a bot and back, draws, a time-out."""
    record = Record(rules=ruleset("classic"), seed=seed(1), names=("Ada", "Bob \\ [b]"), date="2026-01-02")
    state = fold(record.start())
    commands: list[Command] = [HintUsed(state.turn, "nudge"), HandOver(1, "novice"), HandOver(1, None)]
    for turn in range(4):
        seat = (state.turn + turn) % 2
        commands.append(Timeout(seat) if turn == 2 else Draw(seat))
    for command in commands:
        events = apply(state, command)
        assert not isinstance(events, Refusal), events
        state = fold(events, state)
    return Record(rules=record.rules, seed=record.seed, names=record.names, commands=tuple(commands), date=record.date)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(write_record(played()), "utf-8")
    return path


def test_the_whole_game_in_a_pipe(file: Path) -> None:
    result = run("replay", str(file))
    assert (result.code, result.err) == (0, "")
    assert "Ada: 14 tiles" in result.out
    assert "Bob \\ [b] draws 1 tile" in result.out
    assert "7. " in result.out
    assert "\x1b" not in result.out
    assert result == run("replay", str(file), "--all") == run("replay", "-", stdin=file.read_bytes())
    assert "Bob \\ [b] pioche" in run("replay", str(file), "--lang", "fr").out


def test_json_lines(file: Path) -> None:
    result = run("replay", str(file), "--json")
    states = [json.loads(line) for line in result.out.splitlines()]
    assert (result.code, result.err) == (0, "")
    assert [state["step"] for state in states] == list(range(8))
    assert [len(rack.split()) for rack in states[0]["racks"]] == [14, 14]
    assert len(states[0]["pool"].split()) == 78
    assert states[0]["turn"] in (1, 2)
    assert states[-1]["table"] == []
    assert len(states[4]["pool"].split()) == 77
    assert states[4]["events"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('[Tilerummy "1"]', '[Tilerummy "9"]', "line 1: this reads version 1"),
        ('[Ruleset "classic"]', '[Ruleset "poker"]', "line 2: ruleset: no ruleset"),
        ("hint nudge", "hint shout", "line 10: '"),
        ("draw", "fly", "line 13: a turn is a seat and what it did"),
        ("draw", "play r1 r1 r1", "line 13: '"),
        ("[Seed ", "[Sead ", "line 7: no tag is called 'Sead'"),
        ("[Seat 2", "[Seat 4", "line 1: seat 2 needs a name"),
    ],
)
def test_bad_records(file: Path, old: str, new: str, reason: str) -> None:
    written = file.read_text("utf-8")
    assert old in written
    assert run("replay", "-", stdin=written.replace(old, new, 1)).reason.startswith(reason)


@settings(max_examples=40)
@given(st.integers(0, 400), st.integers(0, 6), st.text(max_size=6))
def test_any_record_is_replayed_or_refused(place: int, length: int, other: str) -> None:
    written = write_record(played())
    result = run(
        "replay", "-", "--json", stdin=(written[:place] + other + written[place + length :]).encode(errors="replace")
    )
    assert result.code == 0 or result.reason


def test_bad_files(tmp_path: Path) -> None:
    assert run("replay", str(tmp_path / "none")).reason.startswith("FILE: ")
    assert run("replay").reason.startswith("Missing argument")
    assert run("replay", "-", stdin=b"\xff").reason.startswith("input: not UTF-8")
    assert run("replay", "-", stdin=b"x" * 2_000_000).reason.startswith("input: longer")
    assert run("replay", "-", "--json", stdin=b"").reason.startswith("line 1: ")


def at_terminal(args: list[str], answers: list[str]) -> tuple[int, str]:
    """Run the program at a pseudo-terminal, answering each prompt in turn; what it showed."""
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "COLUMNS": "90", "LINES": "40"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tilerummy", *args], stdin=follower, stdout=follower, stderr=follower, env=env
    )
    os.close(follower)
    shown, waiting, end = b"", list(answers), time.monotonic() + 60
    while time.monotonic() < end:
        ready, _, _ = select.select([leader], [], [], 0.2)
        if ready:
            try:
                data = os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            shown += data
        elif process.poll() is not None:
            break
        elif waiting:
            os.write(leader, waiting.pop(0).encode())
    os.close(leader)
    return process.wait(10), shown.decode()


def test_stepping_at_a_terminal(file: Path) -> None:
    code, shown = at_terminal(["replay", str(file)], ["\n", "5\n", "b\n", "what\n", "99\n", "q\n"])
    assert code == 0
    for place in ("0 of 7", "1 of 7", "5 of 7", "4 of 7", "7 of 7"):
        assert place in shown
    assert "Enter goes on" in shown
    assert "\x1b[" in shown


def test_a_game_at_a_terminal(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    answers = ["what\n", "2\n", "9\n", "2\n", "Zoë\n", "?\n", "d\n", "q\n", "n\n", "q\n", "y\n"]
    code, shown = at_terminal(["play", "--seed", "5", "--record", str(record)], answers)
    assert code == 0, shown
    assert "Which rules?" in shown
    assert "Zoë, it is your turn." in shown
    assert "Until next time!" in shown
    assert '[Seat 1 "Zoë"]' in record.read_text("utf-8")
    assert run("replay", str(record)).code == 0
