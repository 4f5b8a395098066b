"""`tilerummy arena`: the contract, the report for people, bad input, interruptions."""

import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.runner import run
from tilerummy.arena import DealResult, Hypotheses, Settings, here
from tilerummy.arena.engines import Unit
from tilerummy.arena.settings import MOVE_TIME
from tilerummy.bots import BUDGET
from tilerummy.cli import contest
from tilerummy.cli.contest import GAMES

QUICK = ("arena", "--seats", "novice,random", "--games", "4", "--seed", "7", "--workers", "1")
PROGRAM = [sys.executable, "-m", "tilerummy", "arena"]


def test_the_contract() -> None:
    report = run(
        *("arena", "--seats", "greedy,random,greedy,random", "--games", "6", "--seed", "7"),
        *("--ruleset", "classic", "--json", "--workers", "1"),
    ).json
    assert report["seats"] == ["greedy", "random", "greedy", "random"]
    assert (report["ruleset"], report["seed"], report["games"], report["deals"], report["players"]) == (
        *("classic", 7, 6, 3),
        4,
    )
    greedy, random = report["bots"]
    assert set(greedy) == {
        *("name", "bot", "budget", "games", "par", "wins", "win_rate", "win_rate_interval", "mean_score"),
        *("mean_score_interval", "elo", "elo_interval", "errors", "moves", "ms_per_move", "ms_slowest"),
    }
    assert greedy["wins"] + random["wins"] == 6
    assert greedy["elo"] == -random["elo"] > 0
    assert greedy["elo_interval"][0] < greedy["elo"] < greedy["elo_interval"][1]
    assert greedy["mean_score"] == -random["mean_score"]
    assert (report["errors"], report["sprt"], report["round_robin"]) == ([], None, False)


def test_where_it_was_made_is_told_beside_the_results() -> None:
    report, again = (run(*QUICK, "--json").json for _ in range(2))
    made = report["provenance"]
    assert set(made) == {"date", "version", "python", "platform", "cpus"}
    assert datetime.fromisoformat(made["date"]).utcoffset() == timedelta()
    assert platform.python_version() in made["python"]
    assert 1 <= made["cpus"] <= (os.cpu_count() or 1)
    for one in (report, again):
        del one["provenance"], one["seconds"]
        for bot in one["bots"]:
            assert bot.pop("ms_slowest") >= bot.pop("ms_per_move") > 0
    assert report == again


def test_for_people() -> None:
    shown = run(*QUICK)
    assert (shown.code, shown.err) == (0, "")
    assert "4 games of 2 deals, each with the seats rotated; seed 7." in shown.out
    novice = next(line.split() for line in shown.out.splitlines() if line.split()[:1] == ["novice"])
    head = next(line.split() for line in shown.out.splitlines() if line.split()[:1] == ["Bot"])
    assert head == ["Bot", "Wins", "Par", "Score", "Elo", "Errors", "ms", "max"]
    assert float(novice[-1]) >= float(novice[-2]) > 0
    assert max(map(len, shown.out.splitlines())) <= 80
    told = run(*QUICK, "--lang", "de").out
    assert "4 Spiele aus 2 Verteilungen" in told


def test_a_fault_is_told_and_the_run_goes_on() -> None:
    shown = run("arena", "--seats", "gone=cmd:/nowhere/bot,random", "--games", "2")
    assert shown.code == 0
    assert "Deal 0: gone crashed: /nowhere/bot cannot be started: No such file or" in shown.out
    many = run("arena", "--seats", "gone=cmd:/nowhere/bot,random", "--games", "24", "--workers", "1")
    assert "… and 14 more" in many.out
    report = run("arena", "--seats", "gone=cmd:/nowhere/bot,random", "--games", "2", "--json").json
    assert [error["reason"] for error in report["errors"]] == ["crash", "crash"]
    assert report["bots"][0]["command"] == ["/nowhere/bot"]


def test_html(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    shown = run(*QUICK, "--html", str(file))
    assert "".join(f"The report is in {file}.".split()) in "".join(shown.out.split())  # however it is wrapped
    assert file.read_text("utf-8").startswith("<!DOCTYPE html>")
    again = run(*QUICK, "--html", str(file), "--json", "--lang", "fr")
    assert again.json["games"] == 4
    assert '<html lang="fr">' in file.read_text("utf-8")


def test_a_run_goes_on_in_its_file(tmp_path: Path) -> None:
    def figures(*args: str) -> list[tuple[str, float, float]]:
        return [(one["name"], one["wins"], one["elo"]) for one in run(*args, "--json").json["bots"]]

    file = str(tmp_path / "run.jsonl")
    short = figures(*QUICK, "--out", file)
    assert figures("arena", "--resume", file) == short
    longer = figures("arena", "--resume", file, "--games", "8", "--workers", "1")
    assert longer == figures(*QUICK[:3], "--games", "8", "--seed", "7", "--workers", "1")
    assert len(Path(file).read_text().splitlines()) == 5
    assert figures("arena", "--resume", file, "--games", "4") == short
    assert figures(*QUICK, "--resume", file) == short
    for field, *args in (
        ("seats", "--seats", "novice,greedy"),
        ("budget", "--seats", "novice,random", "--budget", "5"),
        ("budget", "--budget", "5"),
        ("seed", "--seed", "8"),
        ("ruleset", "--ruleset", "classic"),
        ("house", "--house", "opening=40"),
        ("move-time", "--move-time", "3"),
        ("players", "--players", "3"),
        ("round-robin", "--round-robin"),
        ("out", "--out", str(tmp_path / "other")),
    ):
        assert run("arena", "--resume", file, *args).reason.startswith(f"--{field}: "), field
    assert run(*QUICK, "--out", file).reason.startswith("--out: ")


def test_a_run_with_a_test_goes_on_as_that_run(tmp_path: Path) -> None:
    file = str(tmp_path / "run.jsonl")
    args = ("arena", "--seats", "novice,random", "--seed", "7", "--workers", "1", "--json")
    test = ("--sprt", "-200,100", "--alpha", "0.2", "--beta", "0.1")
    whole = run(*args, *test, "--games", "60").json
    assert whole["sprt"]["verdict"] == "H1"
    begun = run(*args, *test, "--games", "2", "--out", file).json
    assert begun["sprt"]["verdict"] is None
    for said in ((), test, ("--alpha", "0.2"), ("--sprt", "-200,100")):
        resumed = run("arena", "--resume", file, *said, "--games", "60", "--workers", "1", "--json").json
        assert resumed["sprt"] == whole["sprt"]
        assert resumed["games"] == whole["games"]
    for field, *other in (
        ("sprt", "--sprt", "-200,90"),
        ("sprt", "--sprt", "none"),
        ("alpha", "--alpha", "0.05"),
        ("beta", *test[:4], "--beta", "0.2"),
    ):
        assert run("arena", "--resume", file, *other).reason.startswith(f"--{field}: "), other

    untested = str(tmp_path / "untested.jsonl")
    run(*args, "--games", "2", "--out", untested)
    assert run("arena", "--resume", untested, *test).reason.startswith("--sprt: the run in the file was begun with")
    assert run("arena", "--resume", untested, "--alpha", "0.2").reason == "--alpha: only with --sprt"

    head, *deals = Path(file).read_text().splitlines()
    old = {name: value for name, value in json.loads(head).items() if name != "sprt"}
    Path(file).write_text("\n".join([json.dumps(old), *deals]) + "\n")
    assert run("arena", "--resume", file, "--json").json["sprt"] is None
    assert run("arena", "--resume", file, *test, "--games", "60", "--json").json["sprt"] == whole["sprt"]


def test_what_is_refused_leaves_no_file_behind(tmp_path: Path) -> None:
    out, html = tmp_path / "run.jsonl", tmp_path / "report.html"
    files = ("--out", str(out), "--html", str(html))
    for field, *wrong in (
        ("sprt", "--sprt", "5"),
        ("sprt", "--sprt", "5,0"),
        ("alpha", "--alpha", "0.1"),
        ("games", "--games", "0"),
        ("ray", "--ray", "127.0.0.1:1"),
        ("html", "--html", "/nowhere/at/all.html"),
        ("html", "--html", str(out)),
        ("out", "--out", "/nowhere/at/all"),
        ("out", "--resume", str(out)),
    ):
        assert run(*QUICK, *files, *wrong).reason.startswith(f"--{field}: "), wrong
        assert list(tmp_path.iterdir()) == [], wrong
    assert run(*QUICK, *files).code == 0
    assert out.exists()
    assert html.read_text("utf-8").endswith("</html>\n")
    before = html.read_bytes(), out.read_bytes()
    assert run("arena", "--resume", str(out), "--html", str(out)).reason.startswith("--html: ")
    assert run(*QUICK, *files).reason.startswith("--out: ")
    assert (html.read_bytes(), out.read_bytes()) == before


def test_what_two_runs_cannot_share(tmp_path: Path) -> None:
    """A run that goes on keeps its file to itself, and nothing of it is lost."""
    file = tmp_path / "run.jsonl"
    args = ["--seats", "novice,random", "--seed", "7", "--games", "100000", "--workers", "1", "--out", str(file)]
    process = subprocess.Popen([*PROGRAM, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < 2):
        time.sleep(0.02)
    refused = run("arena", "--resume", str(file), "--games", "2")
    process.terminate()
    process.wait(60)
    assert refused.reason.startswith("--resume: another run is writing to ")
    assert run("arena", "--resume", str(file), "--games", "2", "--json").json["games"] == 2


def test_a_budget_is_for_those_who_search(tmp_path: Path) -> None:
    file = str(tmp_path / "run.jsonl")
    gone = ("arena", "--seats", "gone=cmd:/nowhere/bot,random")
    assert run(*gone, "--budget", "5", "--games", "2", "--out", file, "--json").json["bots"][0]["budget"] == 5
    assert run(*gone, "--budget", "6", "--resume", file).reason.startswith("--budget: the run in the file")
    assert run(*QUICK, "--budget", "5").reason.startswith("--budget: none of these bots searches")
    assert run("arena", "--seats", "greedy:500,random").reason.startswith("--seats: greedy does not search")


def test_round_robin_and_a_test() -> None:
    args = ("--seats", "random,novice,expert:5", "--round-robin", "--games", "2", "--workers", "1", "--json")
    ladder = run("arena", *args).json
    assert (ladder["games"], ladder["players"], ladder["round_robin"]) == (6, 2, True)
    assert [one["name"] for one in ladder["bots"]] == ["random", "novice", "expert:5"]
    assert ladder["bots"][2]["budget"] == 5
    assert run("arena", *args, "--players", "3").json["games"] == 3
    test = run("arena", "--seats", "novice,random", "--games", "200", "--sprt", "-200,100", "--json").json["sprt"]
    assert test["verdict"] == "H1"
    assert test["llr"] >= test["bounds"][1]
    told = run(*QUICK, "--sprt", "0,5").out.replace("\n", " ")
    assert "The test has not decided within 2 deals whether novice is stronger than random by 5 Elo or by 0" in told


def test_junior_and_house_rules() -> None:
    report = run(*QUICK, "--ruleset", "junior", "--house", "stars=8", "--json").json
    assert report["house"] == {"stars": 8}
    assert all(one["mean_score"] >= 0 for one in report["bots"])


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ((), "--seats: missing"),
        (("--seats", "nobody,random"), "--seats: no bot is called 'nobody'"),
        (("--seats", "greedy"), "--seats: sabra is for 2 to 4 players, not 1"),
        (("--seats", "a,b"), "--seats: "),
        ((*QUICK[1:], "--games", "0"), "--games: "),
        ((*QUICK[1:], "--seed", "-3"), "--seed: "),
        ((*QUICK[1:], "--move-time", "nan"), "--move-time: "),
        ((*QUICK[1:], "--budget", "0"), "--budget: "),
        ((*QUICK[1:], "--ruleset", "chess"), "--ruleset: "),
        ((*QUICK[1:], "--ruleset", "junior-simplified"), "--ruleset: "),
        ((*QUICK[1:], "--house", "opening=x"), "house.opening: "),
        ((*QUICK[1:], "--house", "opening"), "--house: "),
        ((*QUICK[1:], "--players", "3"), "--players: "),
        ((*QUICK[1:], "--sprt", "5"), "--sprt: "),
        ((*QUICK[1:], "--sprt", "nan,5"), "--sprt: "),
        ((*QUICK[1:], "--sprt", "5,0"), "--sprt: "),
        ((*QUICK[1:], "--sprt", "0,5", "--alpha", "1"), "--alpha: "),
        ((*QUICK[1:], "--alpha", "0.05"), "--alpha: only with --sprt"),
        ((*QUICK[1:], "--beta", "0.1"), "--beta: only with --sprt"),
        ((*QUICK[1:], "--ray", "127.0.0.1:1"), "--ray: no cluster at '127.0.0.1:1': Connection refused"),
        ((*QUICK[1:], "--html", "/nowhere/at/all.html"), "--html: '/nowhere/at/all.html': No such file or directory"),
        ((*QUICK[1:], "--out", "/nowhere/at/all"), "--out: "),
        ((*QUICK[1:], "--resume", "/nowhere/at/all"), "--resume: "),
        ((*QUICK[1:], "--ray", "not an address"), "--ray: no cluster at"),
        ((*QUICK[1:], "--workers", "0"), "Invalid value for '--workers'"),
        ((*QUICK[1:], "--games", "many"), "Invalid value for '--games'"),
    ],
)
def test_bad_input_names_the_field(args: tuple[str, ...], reason: str) -> None:
    assert run("arena", *args).reason.startswith(reason)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupted_run_ends_at_once_and_goes_on_later(tmp_path: Path, workers: str) -> None:
    file = tmp_path / "run.jsonl"
    html = tmp_path / "report.html"
    args = ["--seats", "novice,random", "--seed", "7", "--workers", workers, "--out", str(file), "--html", str(html)]
    process = subprocess.Popen(
        [*PROGRAM, *args, "--games", "100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < 3):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert f"--resume {file} goes on with it" in err
    assert "Traceback" not in err
    assert not html.exists()
    resumed = run("arena", "--resume", str(file), "--games", "4", "--workers", "1", "--json").json
    whole = run(*QUICK, "--json").json
    assert [one["wins"] for one in resumed["bots"]] == [one["wins"] for one in whole["bots"]]


def test_a_run_that_is_told_to_end_does(tmp_path: Path) -> None:
    """Also while a bot of ours is at its turn, to whom the end is no concern."""
    file = tmp_path / "run.jsonl"
    args = ["--seats", "novice,random", "--games", "100000", "--workers", "1", "--out", str(file)]
    process = subprocess.Popen([*PROGRAM, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < 3):
        time.sleep(0.02)
    process.terminate()
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 143


def test_workers_end_with_the_one_who_started_them(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    args = ["--seats", "novice,random", "--games", "100000", "--workers", "2", "--out", str(file)]
    process = subprocess.Popen([*PROGRAM, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < 3):
        time.sleep(0.02)
    workers = [int(one) for one in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    assert len(workers) >= 2
    process.kill()
    process.wait()
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{one}").exists() for one in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = [one for one in workers if Path(f"/proc/{one}").exists()]
    for one in left:
        os.kill(one, signal.SIGKILL)
    assert not left


def test_json_only_even_where_a_bar_is_shown() -> None:
    done = subprocess.run([*PROGRAM, *QUICK[1:], "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["games"] == 4
    assert done.stderr == ""


def test_json_only_whatever_an_engine_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Ray does, on standard output, when a worker is gone."""

    def talkative(run: Settings, units: Iterable[Unit]) -> Generator[DealResult, None, None]:
        print("A worker died")
        yield from here(run, units)

    monkeypatch.setattr(contest, "here", talkative)
    shown = run(*QUICK, "--json")
    assert shown.json["games"] == 4
    assert shown.err == "A worker died\n"


@pytest.mark.parametrize(
    ("ending", "status", "workers", "where"),
    [
        ("INT", 130, "2", ()),
        ("TERM", 143, "2", ()),
        ("TERM", 143, "1", ()),
        ("INT", 130, "1", ("--ray", "local")),
        ("TERM", 143, "1", ("--ray", "local")),
    ],
)
def test_programs_end_with_an_interrupted_run(
    tmp_path: Path, ending: str, status: int, workers: str, where: tuple[str, ...]
) -> None:
    """Also those that hang, in processes that wait for them."""
    script = tmp_path / "hang.py"
    script.write_text(
        f"import os, time\nopen(r'{tmp_path}/' + str(os.getpid()) + '.pid', 'w').close()\ntime.sleep(3600)\n"
    )
    args = ["--seats", f"x=cmd:{sys.executable} {script},random", "--workers", workers, "--move-time", "600"]
    process = subprocess.Popen([*PROGRAM, *args, *where], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and len(list(tmp_path.glob("*.pid"))) < int(workers):
        time.sleep(0.02)
    process.send_signal(signal.Signals[f"SIG{ending}"])
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (status, "")
    programs = [Path(f"/proc/{file.stem}") for file in tmp_path.glob("*.pid")]
    deadline = time.monotonic() + 30
    while any(one.exists() for one in programs) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = [one for one in programs if one.exists()]
    for one in left:
        os.kill(int(one.name), signal.SIGKILL)
    assert not left


def test_the_help_tells_the_defaults() -> None:
    told = run("arena", "--help", env={"COLUMNS": "200"}).out
    assert f"[default: ({GAMES})]" in told
    assert f"[default: ({MOVE_TIME:g})]" in told
    assert f"[default: ({BUDGET})]" in told
    assert told.count(f"[default: ({Hypotheses(0, 1).alpha})]") == 2
