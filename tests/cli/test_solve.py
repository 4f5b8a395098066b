"""`tilerummy solve`: the contract, batches, drawings, and everything that can be wrong with the input."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.runner import Result, run
from tests.cli.test_check import JSON, MELD
from tilerummy.melds import draft
from tilerummy.record import read_table
from tilerummy.rulesets import RULESETS, ruleset
from tilerummy.texts import LANGUAGES

pytestmark = pytest.mark.kernel

PROGRAM = [sys.executable, "-m", "tilerummy", "solve"]
POSITION: dict[str, Any] = {"ruleset": "sabra", "table": "b8 b9 b10 | r1 r2 r3", "rack": "b11 k8 y8"}
STUCK: dict[str, Any] = {"ruleset": "sabra", "table": "b8 b9 b10 | r1 r2 r3", "rack": "b12 k8 y8"}
WRITTEN = ("--ruleset", "sabra", "--table", "b8 b9 b10 | r1 r2 r3", "--rack", "b11 k8 y8")
LINE = "sabra / b8 b9 b10 | r1 r2 r3 / b11 k8 y8 / all"
ANSWER = {
    "tiles": 3,
    "points": 27,
    "laid": "b11 k8 y8",
    "after": ["r1 r2 r3", "b9 b10 b11", "b8 k8 y8"],
    "unchanged": 1,
    "steps": [
        "Add the blue 11 to the blue run 8-9-10.",
        "Take the blue 8 from the blue run 8-9-10-11 for a new group.",
        "Add the black 8 and the yellow 8 to the blue 8.",
    ],
    "proven": True,
}
MEASURED = {"nodes", "micros"}
PLAYS = json.loads((Path(__file__).parents[1] / "truth" / "plays.json").read_text("utf-8"))


def solve(position: object, *args: str) -> Result:
    written = position if isinstance(position, bytes | str) else json.dumps(position)
    return run("solve", "--json", *args, stdin=written)


def solve_lines(positions: list[object], *args: str) -> tuple[int, list[Any]]:
    written = [one if isinstance(one, str) else json.dumps(one) for one in positions]
    result = run("solve", "--jsonl", *args, stdin="\n".join(written) + "\n")
    assert result.err == ""
    return result.code, [json.loads(line) for line in result.out.splitlines()]


def told(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what was measured."""
    assert answer.keys() >= MEASURED
    return {key: value for key, value in answer.items() if key not in MEASURED}


# The contract


def test_the_contract() -> None:
    result = run("solve", "--json", *WRITTEN)
    assert (result.code, result.err) == (0, "")
    assert told(result.json) == ANSWER
    assert list(result.json) == [*ANSWER, "nodes", "micros"]
    assert isinstance(result.json["nodes"], int)
    assert result.json["nodes"] > 0
    assert isinstance(result.json["micros"], float)
    assert result.json["nodes"] == run("solve", "--json", *WRITTEN).json["nodes"]


def test_every_way_to_give_a_position(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION))
    for args, stdin in (
        ((LINE,), ""),
        ((LINE.replace(" / ", "/"),), ""),
        ((), json.dumps(POSITION)),
        (("-",), json.dumps({**POSITION, "table": ["b8 b9 b10", "r1 r2 r3"], "rack": ["b11", "k8", "y8"]})),
        ((str(file),), ""),
        (("--ruleset", "sabra"), json.dumps({"table": POSITION["table"], "rack": POSITION["rack"]})),
        (("--ruleset", "club", "--objective", "points"), json.dumps(POSITION)),
    ):
        assert told(run("solve", "--json", *args, stdin=stdin).json) == ANSWER, args


def test_nothing_to_lay() -> None:
    answer = solve({**STUCK, "table": "r3 r2 r1 | b8 b9 j"}).json
    assert told(answer) == {
        **ANSWER,
        "tiles": 0,
        "points": 0,
        "laid": "",
        "after": ["r1 r2 r3", "b8 b9 j=b10"],
        "unchanged": 2,
        "steps": [],
    }
    assert told(solve({"ruleset": "club", "rack": ""}).json)["after"] == []


def test_objectives() -> None:
    """One joker: it makes a run of five low tiles, or a group of three high ones."""
    rack = "r1 r2 r4 r5 r13 b13 j"
    written = ("--ruleset", "sabra", "--rack", rack)
    for goal, laid, points in (("tiles", "r1 r2 r4 r5 j", 15), ("points", "r13 b13 j", 39)):
        answers = [
            solve({"ruleset": "sabra", "rack": rack, "objective": goal}).json,
            run("solve", "--json", *written, "--objective", goal).json,
            run("solve", "--json", f"sabra / - / {rack} / all", "--objective", goal).json,
        ]
        assert [(answer["laid"], answer["points"]) for answer in answers] == [(laid, points)] * 3
    assert run("solve", "--json", *written).json["tiles"] == 5


def test_who_has_opened() -> None:
    rack = ("--ruleset", "club", "--table", "r4 r5 r6", "--rack", "r7 r10 b10 k10")
    assert run("solve", "--json", *rack).json["tiles"] == 4
    assert run("solve", "--json", *rack, "--unopened").json["laid"] == "r10 b10 k10"
    assert run("solve", "--json", "--ruleset", "sabra", *rack[2:], "--unopened").json["tiles"] == 4
    rummy = ("--ruleset", "rummy", "--table", "r4 r5 r6", "--rack", "r7 b1 b2 b3")
    assert run("solve", "--json", *rummy).json["tiles"] == 4
    assert run("solve", "--json", *rummy, "--not-all-opened").json["laid"] == "b1 b2 b3"
    low = {"ruleset": "rummy", "rack": "r9 b9 k9", "opened": False, "all_opened": True}
    assert solve(low).json["tiles"] == 0
    assert run("solve", "--json", "rummy / - / r9 b9 k9 / new").json["tiles"] == 0
    assert solve({**low, "house": {"opening": 27}}).json["tiles"] == 3
    written = ("--ruleset", "rummy", "--rack", "r9 b9 k9", "--unopened")
    assert run("solve", "--json", *written, "--house", "opening=27").json["tiles"] == 3
    assert run("solve", "--json", *written, "--house", "opening=28").json["tiles"] == 0


def test_a_joker_that_goes_to_the_rack() -> None:
    answer = solve({"ruleset": "junior", "table": "r1 r2 r3 r4 r5 r6 r7 r8 r9 j", "rack": "r10 b1"}).json
    assert (answer["laid"], answer["taken"], answer["after"]) == ("r10", "j", ["r1 r2 r3 r4 r5 r6 r7 r8 r9 r10"])
    assert answer["steps"][-1] == "Take the joker from the red run 1-2-3-4-5-6-7-8-9-10 to your rack."


def test_copies_that_are_told_apart() -> None:
    """What is found is legal with the very copies that table and rack have, and names them."""
    answer = solve({"ruleset": "sabra", "table": "r4' r5' r6' | b1 b2 b3", "rack": "r7' r7 b4"}).json
    assert (answer["laid"], answer["after"]) == ("r7 b4", ["r4' r5' r6' r7", "b1 b2 b3 b4"])
    # A swapped joker goes into a new meld, which the run is only with the other blue 6 in it.
    position = {"ruleset": "classic", "table": "b6 b7 j | b6' r6 k6", "rack": "b8 y6"}
    answer = solve(position).json
    assert "b6'" in answer["after"][0]
    assert run("check", "--json", stdin=json.dumps({**position, "after": answer["after"]})).json["legal"]
    same = solve({**position, "table": "b6 b7 j | b6' r6 k6 y6'", "rack": "y5"}).json
    assert same["after"] == ["b6 b7 j=b8", "r6 b6' k6 y6'"]


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play["name"])
def test_the_rulebooks_examples(play: dict[str, Any]) -> None:
    """What a rulebook shows is found, or something better; and `check` accepts what is found."""
    fields = ("table", "rack", "opened", "all_opened")
    position = {key: value for key, value in play.items() if key in fields}
    for id, codes in play["codes"].items():
        if codes is None:
            assert solve({"ruleset": id, **position}).reason
            continue
        answer = solve({"ruleset": id, **position}).json
        before = sum(len(meld.tiles) for meld in read_table(play["table"], RULESETS[id]))
        if not codes and "after_rack" not in play:
            assert answer["tiles"] >= sum(map(len, draft(play["after"]))) - before
        if answer["tiles"]:
            case = {"ruleset": id, **position, "after": answer["after"]}
            verdict = run("check", "--json", stdin=json.dumps(case)).json
            assert (verdict["legal"], verdict["laid"], verdict["points"]) == (True, answer["laid"], answer["points"])
            assert answer["steps"]
        else:
            assert codes


# For people


@pytest.mark.parametrize("lang", LANGUAGES)
def test_for_people(lang: str) -> None:
    result = run("solve", *WRITTEN, "--lang", lang)
    assert (result.code, result.err) == (0, "")
    proven = {"en": "no play lays more tiles", "fr": "aucun coup", "nl": "geen enkele zet", "de": "Kein Zug"}
    first = {
        "en": "Add the blue 11 to the blue run 8-9-10.",
        "fr": "Pose le 11 bleu sur la série 8-9-10 en bleu.",
        "nl": "Leg de blauwe 11 aan bij de serie 8-9-10 in blauw.",
        "de": "Lege die blaue 11 an die Serie 8-9-10 in Blau an.",
    }
    assert proven[lang] in result.out
    assert f"  1. {first[lang]}" in result.out
    assert "b9   b10  b11*" in result.out
    assert result.out.count("*") == 3
    assert solve(POSITION, "--lang", lang).json["steps"][0] == first[lang]
    assert run("solve", *WRITTEN, env={"LC_ALL": f"{lang}_XX.UTF-8"}).out == result.out
    nothing = run("solve", "--lang", lang, stdin=json.dumps(STUCK))
    assert (nothing.code, nothing.err) == (0, "")
    none = {"en": "nothing to lay", "fr": "rien à poser", "nl": "niets neer te leggen", "de": "nichts zu legen"}
    assert none[lang] in nothing.out.splitlines()[-1]
    points = run("solve", *WRITTEN, "--lang", lang, "--objective", "points").out
    assert points.count("point") + points.count("punt") + points.count("Punkt") == 2


def test_programs_are_answered_in_english() -> None:
    foreign = {"LC_ALL": "fr_FR.UTF-8"}
    assert run("solve", "--json", *WRITTEN, env=foreign).json["steps"] == ANSWER["steps"]
    assert run("solve", "--json", *WRITTEN, env={"FORCE_COLOR": "1"}).json["steps"] == ANSWER["steps"]


def test_an_empty_table() -> None:
    result = run("solve", "--ruleset", "club", "--rack", "r10 b10 k10 r1", "--unopened")
    assert "The table is still empty." in result.out
    assert "Lay the red 10, the blue 10 and the black 10 as a new group." in result.out
    assert "\x1b[38;5;" in run("solve", *WRITTEN, env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}).out


# SVG

HREF = "{http://www.w3.org/2000/svg}"


def rings(drawing: str) -> int:
    root = ElementTree.fromstring(drawing)
    return sum(node.get("href") == "#tr-ring" for node in root.iter(f"{HREF}use"))


def test_svg(tmp_path: Path) -> None:
    file = tmp_path / "after.svg"
    result = run("solve", "--json", *WRITTEN, "--svg", str(file))
    assert told(result.json) == ANSWER
    drawing = file.read_text("utf-8")
    assert rings(drawing) == 3
    title = ElementTree.fromstring(drawing).find(f"{HREF}title")
    assert title is not None
    assert title.text == "r1 r2 r3 | b9 b10 b11* | b8 k8* y8*"
    printed = run("solve", *WRITTEN, "--svg", "-")
    assert (printed.code, printed.out, printed.err) == (0, drawing, "")
    shown = run("solve", *WRITTEN, "--svg", str(file))
    assert "How to do it" in shown.out
    assert rings(run("solve", "--svg", "-", stdin=json.dumps(STUCK)).out) == 0


def test_only_laid_tiles_stand_out() -> None:
    """The other copy of a laid tile, on the table or on the rack, is not highlighted."""
    for position in (
        "sabra / r4 r5 r6 r7 r8 / r6 / all",
        "sabra / r4 r5 r6 / r7 r7 k1 / all",
        "sabra/-/r1 r2 r3 r3/all",
    ):
        answer = run("solve", "--json", position).json
        assert rings(run("solve", position, "--svg", "-").out) == answer["tiles"]


def test_svg_refused(tmp_path: Path) -> None:
    assert run("solve", "--json", *WRITTEN, "--svg", "-").reason.startswith("--svg: not - together with --json")
    assert run("solve", *WRITTEN, "--svg", str(tmp_path)).reason.startswith("--svg: ")
    assert run("solve", "--json", *WRITTEN, "--svg", str(tmp_path / "no" / "x.svg")).reason.startswith("--svg: ")
    assert "--svg" in run("solve", *WRITTEN, "--svg", "a\0b").reason
    assert run("solve", "--jsonl", "--svg", str(tmp_path / "x.svg")).reason == "--svg: not with --jsonl"


# Bad input

BAD: list[tuple[dict[str, Any], str]] = [
    ({"rack": "x5"}, "rack: 'x5' has no known colour"),
    ({"rack": "r14"}, "rack: 'r14' has no number"),
    ({"rack": "b8 b8"}, "rack: 3 × b8"),
    ({"rack": "j j j"}, "rack: 3 × j"),
    ({"rack": 5}, "rack: tiles as text or a list, not the number 5"),
    ({"rack": None}, "rack: tiles as text or a list, not null"),
    ({"rack": [["b11"]]}, "rack: a tile, not a list"),
    ({"table": "b8 b9"}, "table: meld 1 ('b8 b9') is no meld under sabra: too-short"),
    ({"table": "r5 j j"}, "table: meld 1 ('r5 j j') is no meld under sabra: joker-unnamed"),
    ({"table": "b8 b9 b10 | b8 b9 b10 | b8 b9 b10"}, "table: 3 × b8"),
    ({"table": {"a": 1}}, "table: melds as text or a list, not an object"),
    ({"table": "|" * 200}, "table: 201 melds, but there are only 106 tiles"),
    ({"opened": 1}, "opened: true or false, not the number 1"),
    ({"all_opened": "no"}, "all_opened: true or false, not 'no'"),
    ({"objective": "fun"}, "objective: tiles or points, not 'fun'"),
    ({"objective": "weights"}, "objective: tiles or points, not 'weights'"),
    ({"objective": None}, "objective: tiles or points, not null"),
    ({"objective": ["tiles"]}, "objective: tiles or points, not a list"),
    ({"ruleset": "poker"}, "ruleset: no ruleset is called 'poker'"),
    ({"ruleset": "junior"}, "rack: junior has no b11"),
    ({"ruleset": None}, "ruleset: one of classic"),
    ({"house": []}, "house: an object of rules, not a list"),
    ({"house": {"opening": 999}}, "house.opening: a whole number from 0 to 200, not 999"),
    ({"after": "b8"}, "after: no such field; there are ruleset, house,"),
    ({"weights": [1]}, "weights: no such field"),
    ({"\x1b[31m": 1}, "'\\x1b[31m': no such field"),
]


@pytest.mark.parametrize(("change", "reason"), BAD, ids=[reason[:40] for _, reason in BAD])
def test_bad_fields(change: dict[str, Any], reason: str) -> None:
    assert solve({**POSITION, **change}).reason.startswith(reason)
    code, (first, bad, last) = solve_lines([POSITION, {**POSITION, **change}, POSITION])
    assert (code, first["tiles"], list(bad), last["tiles"]) == (2, 3, ["error"], 3)
    assert bad["error"].startswith(reason)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "input: empty"),
        ("[]", "input: a JSON object is expected, not a list"),
        ("{} {}", "input: no JSON"),
        ("[" * 100_000, "input: nested too deeply"),
        ("{}", "ruleset: missing"),
        ('{"ruleset": "sabra"}', "rack: missing"),
        ('{"ruleset": "sabra", "rack": "r1", "rack": "r2"}', "rack: written twice"),
        ('{"ruleset": "sabra", "rack": "r1", "opened": NaN}', "opened: true or false, not NaN"),
        ('{"ruleset": "sabra", "rack": 1e999}', "rack: tiles as text or a list, not a number as large"),
        ('{"ruleset": "sabra", "rack": "r1", "objective": -Infinity}', "objective: tiles or points, not -Infinity"),
        (b"\xff\xfe{}", "input: not UTF-8 text (byte 1)"),
        ("x" * 1_000_001, "input: longer than 1000000 bytes"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_bad_text(written: str | bytes, reason: str) -> None:
    assert solve(written).reason.startswith(reason)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--table", "b8 b9 b10", "--rack", "b11"), "ruleset: missing"),
        (("--ruleset", "sabra", "--table", "b8 b9 b10"), "rack: missing"),
        (("--ruleset", "poker", "--rack", "b11"), "ruleset: no ruleset is called 'poker'"),
        (("--ruleset", "sabra", "--rack", "b14"), "rack: 'b14' has no number"),
        (("--ruleset", "sabra", "--rack", "b1", "--house", "opening"), "house: write each rule once"),
        (("--ruleset", "sabra", "--rack", "b1", "--house", "opening=x"), "house.opening: "),
        (("--ruleset", "sabra", "--rack", "b1", "--objective", "fun"), "Invalid value for '--objective'"),
        (("--ruleset", "sabra", "--rack", "b1", "file.json"), "FILE: not together with --table and --rack"),
        ((LINE, "--rack", "r1"), "--rack: not with a position"),
        ((LINE, "--unopened"), "--unopened: not with a position"),
        ((LINE, "--not-all-opened"), "--not-all-opened: not with a position"),
        ((LINE, "--house", "opening=0"), "--house: not with a position"),
        (("sabra / b8 b9 / b11 / all",), "table: meld 1 ('b8 b9') is no meld"),
        (("sabra / - / b11 / perhaps",), "status: new, opened or all, not 'perhaps'"),
        (("sabra / - / r5 r5 r5 / all",), "rack: 3 × r5"),
        (("sabra / - / b11",), "a position is: ruleset / table / rack"),
        (("poker / - / b11 / all",), "ruleset: no ruleset is called 'poker'"),
        (("sabra opening=x / - / b11 / all",), "house.opening: "),
        (("/none/such/file/at all",), "FILE: "),
        (("none.json",), "FILE: "),
        (("x" * 5000,), "FILE: "),
        (("sabra / " + "x" * 5000,), "a position is: "),
        (("--jsonl", "--rack", "r1"), "--rack: not with --jsonl"),
        (("--jsonl", "--table", "r1"), "--table: not with --jsonl"),
        (("--jsonl", "--threads", "0"), "Invalid value for '--threads'"),
        (("--jsonl", "--threads", "9" * 400), "Invalid value for '--threads'"),
        (("--jsonl", "none.jsonl"), "FILE: "),
        (("--lang", "xx"), "Invalid value for '--lang'"),
        (("a", "b"), ""),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, tuple) else "",
)
def test_bad_options(args: tuple[str, ...], reason: str) -> None:
    assert run("solve", *args).reason.startswith(reason)
    if not {"--jsonl", "--svg"} & set(args):
        assert run("solve", "--json", *args).reason.startswith(reason)


# JSON Lines


def test_lines_in_lines_out() -> None:
    positions: list[object] = [
        POSITION,
        STUCK,
        "{",
        "",
        {**POSITION, "rack": "r14"},
        "x" * 1_500_000,
        {**POSITION, "ruleset": "club", "rack": "b7 r4"},
        POSITION,
    ]
    code, answers = solve_lines(positions)
    assert code == 2
    assert [answer.get("laid", answer.get("error")) for answer in answers] == [
        "b11 k8 y8",
        "",
        answers[2]["error"],
        "input: empty; a JSON object is expected",
        "rack: 'r14' has no number from 1 to 13",
        "input: a line longer than 1000000 bytes",
        "r4 b7",
        "b11 k8 y8",
    ]
    assert answers[2]["error"].startswith("input: no JSON")
    assert all("steps" not in answer for answer in answers)
    assert all(answer.keys() >= MEASURED for answer in answers if "error" not in answer)
    assert told(answers[0]) == told(answers[7])
    assert solve_lines(positions[:2])[0] == 0
    assert run("solve", "--jsonl") == Result(0, "", "")


def test_steps_only_when_asked_for() -> None:
    code, answers = solve_lines([POSITION, STUCK], "--steps")
    assert (code, told(answers[0]), answers[1]["steps"]) == (0, ANSWER, [])
    assert solve_lines([POSITION], "--steps", "--lang", "nl")[1][0]["steps"][0].startswith("Leg de blauwe 11 aan")


def test_options_stand_in_for_fields() -> None:
    bare = {"rack": "r9 b9 k9"}
    unopened = ("--unopened", "--house", "opening=28")
    code, answers = solve_lines([bare, {**bare, "ruleset": "club", "opened": True}], "--ruleset", "sabra", *unopened)
    assert (code, [answer["tiles"] for answer in answers]) == (0, [0, 3])


def test_more_than_a_batch_stays_in_order(tmp_path: Path) -> None:
    kinds = [f"{colour}{number}" for colour in "rbky" for number in range(1, 12)]
    racks = [f"{kind} {kind[0]}{int(kind[1:]) + 1} {kind[0]}{int(kind[1:]) + 2}" for kind in kinds]
    positions: list[object] = [{"ruleset": "sabra", "rack": racks[place % len(racks)]} for place in range(700)]
    results = [solve_lines(positions, *args) for args in ((), ("--threads", "1"), ("--threads", "3"))]
    for code, answers in results:
        assert code == 0
        assert [answer["laid"] for answer in answers] == [racks[place % len(racks)] for place in range(700)]
        assert list(map(told, answers)) == list(map(told, results[0][1]))
    file = tmp_path / "positions.jsonl"
    file.write_text("\r\n".join(map(json.dumps, positions)))
    assert run("solve", "--jsonl", str(file)).out.count("\n") == 700


def test_an_answer_does_not_wait_for_more_questions() -> None:
    with subprocess.Popen([*PROGRAM, "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for position in (POSITION, STUCK):
            process.stdin.write(json.dumps(position).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["proven"] is True
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_progress_only_on_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text(f"{json.dumps(POSITION)}\n" * 600)
    quiet = subprocess.run([*PROGRAM, "--jsonl", str(file)], capture_output=True, timeout=60, check=True)
    assert quiet.stderr == b""
    ours, theirs = pty.openpty()
    try:
        for args, stdin in (([str(file)], None), ([], file)):
            with (stdin or file).open("rb") as source:
                shown = subprocess.run(
                    [*PROGRAM, "--jsonl", *args],
                    stdin=source if stdin else subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=theirs,
                    env={**os.environ, "TERM": "xterm"},
                    timeout=60,
                    check=True,
                )
            assert shown.stdout.count(b"\n") == 600
            assert all(json.loads(line)["tiles"] == 3 for line in shown.stdout.splitlines())
            assert b"600" in os.read(ours, 100_000)
    finally:
        os.close(ours)
        os.close(theirs)


def test_nobody_reads_on() -> None:
    line = f"{sys.executable} -m tilerummy solve --jsonl | head -1"
    many = subprocess.run(
        ["bash", "-c", line], input=f"{json.dumps(POSITION)}\n" * 3000, capture_output=True, text=True, timeout=60
    )
    assert (many.stdout.count("\n"), many.stderr) == (1, "")


# Fuzz

NEARLY = st.fixed_dictionaries(
    {"ruleset": st.sampled_from([*RULESETS, "x"]), "rack": MELD | JSON},
    optional={
        "table": st.lists(st.sampled_from(["r4 r5 r6", "b7 b8 j", "k9 y9 r9", "r1 r2"]), max_size=3) | JSON,
        "house": st.dictionaries(st.sampled_from(["opening", "jokers", "copies", "groups", "x"]), JSON, max_size=2)
        | JSON,
        "opened": st.booleans() | JSON,
        "all_opened": st.booleans() | JSON,
        "objective": st.sampled_from(["tiles", "points", "weights"]) | JSON,
    },
)


@settings(max_examples=100)
@given(NEARLY | JSON)
def test_any_json_is_answered_or_refused(value: object) -> None:
    result = solve(json.dumps(value))
    if result.code == 2:
        assert result.reason
    else:
        assert (result.code, result.err) == (0, "")
        assert result.json["proven"] is True
        assert bool(result.json["steps"]) is bool(result.json["tiles"])


@settings(max_examples=60)
@given(
    st.binary(max_size=200) | st.text(alphabet='{}[]",:0123456789.eE+-truefalsn rackft', max_size=80).map(str.encode)
)
def test_any_bytes_are_answered_or_refused(data: bytes) -> None:
    assert solve(data).reason
    lines = run("solve", "--jsonl", stdin=data)
    assert lines.err == ""
    assert lines.code == (2 if data else 0)
    assert len(lines.out.splitlines()) == len(data.removesuffix(b"\n").split(b"\n")) * bool(data)


@settings(max_examples=60)
@given(st.text(alphabet="sabra/ -|rbkyj0123456789='newopedl\0\ud800", max_size=60))
def test_any_argument_is_answered_or_refused(written: str) -> None:
    if written not in ("", "-") and not written.startswith("-"):
        result = run("solve", "--json", written)
        assert result.code == 0 or result.reason


def test_house_rules_of_every_ruleset() -> None:
    for id in RULESETS:
        for house in ({"jokers": 0}, {"copies": 3}, {"opening": 0}):
            rules = ruleset(id, house)
            assert solve({"ruleset": id, "house": house, "rack": "r1 r2 r3"}).json["tiles"] == 3, rules
