"""`tilerummy check`: the contract, and everything that can be wrong with the input."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.runner import Result, run
from tilerummy.rulesets import RULESETS
from tilerummy.texts import LANGUAGES

CASE: dict[str, Any] = {
    "ruleset": "sabra",
    "house": {},
    "opened": True,
    "all_opened": True,
    "table": ["b8 b9 b10"],
    "rack": "b11 k8 y8",
    "after": ["b9 b10 b11", "k8 y8 b8"],
    "after_rack": "",
}
FIELDS = ("table", "rack", "after", "after_rack", "opened", "all_opened")
PLAYS = json.loads((Path(__file__).parents[1] / "truth" / "plays.json").read_text("utf-8"))


def check(case: object, *args: str) -> Result:
    return run("check", "--json", *args, stdin=case if isinstance(case, bytes | str) else json.dumps(case))


def test_the_contract() -> None:
    result = check(CASE)
    assert result == Result(0, '{"legal": true, "violations": [], "laid": "b11 k8 y8", "points": 27}\n', "")


def test_an_illegal_play() -> None:
    result = check({"ruleset": "classic", "table": "b6 b7 j", "rack": "b4 k5", "after": "b4 j b6 b7"})
    assert (result.code, result.err) == (1, "")
    answer = result.json
    assert (answer["legal"], answer["laid"], answer["points"]) == (False, "b4", 4)
    assert [broken["code"] for broken in answer["violations"]] == ["joker-swap", "joker-new-meld"]
    assert answer["violations"][0]["tiles"] == "j"
    assert "blue 8" in answer["violations"][0]["message"]
    assert answer["violations"][0]["args"]["needs"] == "b8"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_come_in_every_language(lang: str) -> None:
    answer = check({"ruleset": "club", "rack": "r1 r2 r3", "opened": False, "after": "r1 r2 r3"}, "--lang", lang).json
    told = {"en": "6 of 30", "fr": "6 points sur 30", "nl": "6 van de 30", "de": "6 von 30"}
    assert told[lang] in answer["violations"][0]["message"]


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play["name"])
def test_the_rulebooks_examples(play: dict[str, Any]) -> None:
    for id, codes in play["codes"].items():
        case = {"ruleset": id, **{key: value for key, value in play.items() if key in FIELDS}}
        result = check(case)
        if codes is None:
            assert result.reason
        else:
            assert list(dict.fromkeys(one["code"] for one in result.json["violations"])) == codes
            assert result.code == (1 if codes else 0)


def test_a_file_and_a_list_of_tiles(tmp_path: Path) -> None:
    file = tmp_path / "case.json"
    file.write_text(json.dumps({**CASE, "rack": ["b11", "k8", "y8"], "after": "b9 b10 b11 | k8 y8 b8"}))
    assert run("check", "--json", str(file)).json["legal"]
    assert run("check", "--json", "-", stdin=file.read_bytes()).json["legal"]


def test_after_rack() -> None:
    kept = {"ruleset": "junior", "table": "r3 r4 j", "rack": "r5 b1", "after": "r3 r4 r5", "after_rack": "b1 j"}
    assert check(kept).json == {"legal": True, "violations": [], "laid": "r5", "points": 5}
    assert check({**kept, "after_rack": "b1"}).reason.startswith("after_rack: does not balance")
    assert check({**kept, "after_rack": "b1 j k2"}).reason.startswith("after_rack: does not balance")
    assert check({**kept, "ruleset": "sabra"}).json["violations"][0]["code"] == "conserve"


def test_tiles_from_nowhere_are_illegal_not_bad() -> None:
    result = check({"ruleset": "sabra", "rack": "r1", "after": "r1 r2 r3"})
    assert result.code == 1
    assert [one["code"] for one in result.json["violations"]] == ["conserve"]


def test_for_people() -> None:
    result = run("check", stdin=json.dumps(CASE))
    assert (result.code, result.err) == (0, "")
    assert "b9   b10  b11*" in result.out
    assert "27 points" in result.out
    illegal = run("check", "--lang", "fr", stdin=json.dumps({**CASE, "after": ["b8 b9", ""], "after_rack": "b10"}))
    assert illegal.code == 2
    illegal = run("check", "--lang", "fr", stdin=json.dumps({"ruleset": "sabra", "rack": "", "after": ["", "b8 b9"]}))
    assert illegal.code == 1
    assert illegal.out.count("✗") == 4
    split = run(
        "check", stdin='{"ruleset": "sabra", "table": "r4 r5 r6 r7 r8", "rack": "r6", "after": "r4 r5 r6|r6 r7 r8"}'
    )
    assert split.out.count("*") == 1


# Bad input

GOOD = {"ruleset": "sabra", "table": "b8 b9 b10", "rack": "b11", "after": "b8 b9 b10 b11"}

BAD: list[tuple[dict[str, Any], str]] = [
    ({"rack": "x5"}, "rack: 'x5' has no known colour"),
    ({"rack": "r14"}, "rack: 'r14' has no number"),
    ({"rack": "r" + "9" * 6000}, "rack: 'r999"),
    ({"rack": "r5 \ud800"}, "rack: "),
    ({"rack": "r5 \x1b[31m\n"}, "rack: "),
    ({"rack": "b8 b8"}, "rack: 3 × b8"),
    ({"rack": "j j j"}, "rack: 3 × j"),
    ({"rack": "b11=r5"}, "rack: "),
    ({"rack": 5}, "rack: tiles as text or a list, not the number 5"),
    ({"rack": None}, "rack: tiles as text or a list, not null"),
    ({"rack": ["b11 b12"]}, "rack: 'b11 b12' is no tile"),
    ({"rack": [["b11"]]}, "rack: a tile, not a list"),
    ({"after": "b11 b11 b11"}, "after: 3 × b11"),
    ({"after": "b14 b8 b9"}, "after: 'b14' has no number"),
    ({"after": {"a": 1}}, "after: melds as text or a list, not an object"),
    ({"after": [["b8", "b9"]]}, "after: a meld as text, not a list"),
    ({"after": [None]}, "after: a meld as text, not null"),
    ({"after": "|" * 200}, "after: 201 melds, but there are only 106 tiles"),
    ({"after_rack": "b11"}, "after_rack: does not balance"),
    ({"after_rack": "b0"}, "after_rack: 'b0' has no number"),
    ({"after_rack": 1}, "after_rack: tiles as text"),
    ({"table": "b8 b9"}, "table: meld 1 ('b8 b9') is no meld under sabra: too-short"),
    ({"table": ["b8 b9 b10", ""]}, "table: meld 2 is no meld under sabra: empty"),
    ({"table": "b8 b9 b10 |"}, "table: meld 2 is no meld under sabra: empty"),
    ({"table": "r5 j j"}, "table: meld 1 ('r5 j j') is no meld under sabra: joker-unnamed"),
    ({"table": "b8 b9 b10 | b8 b9 b10 | b8 b9 b10"}, "table: 3 × b8"),
    ({"table": True}, "table: melds as text or a list, not true"),
    ({"opened": 1}, "opened: true or false, not the number 1"),
    ({"opened": "yes"}, "opened: true or false, not 'yes'"),
    ({"all_opened": None}, "all_opened: true or false, not null"),
    ({"ruleset": "poker"}, "ruleset: no ruleset is called 'poker'"),
    ({"ruleset": ["sabra"]}, "ruleset: one of classic"),
    ({"ruleset": "junior"}, "rack: junior has no b11"),
    ({"house": []}, "house: an object of rules, not a list"),
    ({"house": {"opening": 999}}, "house.opening: a whole number from 0 to 200, not 999"),
    ({"house": {"opening": [1]}}, "house.opening: a number, a word, true or false, not a list"),
    ({"house": {"opening": 1e308}}, "house.opening: a whole number"),
    ({"house": {"opening": True}}, "house.opening: a whole number"),
    ({"house": {"colour\nblind": 1}}, "house.colour blind: no such rule"),
    ({"colour": 1}, "colour: no such field"),
    ({"\ud800": 1}, "'\\ud800': no such field"),
    ({"x" * 9000: 1}, "'xxxxxxxxxxxxxxxxxxxxxxxx…': no such field"),
]


@pytest.mark.parametrize(("change", "reason"), BAD, ids=[reason[:40] for _, reason in BAD])
def test_bad_fields(change: dict[str, Any], reason: str) -> None:
    assert check({**GOOD, **change}).reason.startswith(reason)


@pytest.mark.parametrize("field", ["ruleset", "rack", "after"])
def test_missing_fields(field: str) -> None:
    assert check({key: value for key, value in GOOD.items() if key != field}).reason.startswith(f"{field}: missing")


def with_value(field: str, raw: str) -> str:
    """The good case with a value that no JSON writer would write."""
    return json.dumps({**GOOD, field: "@"}).replace('"@"', raw)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "input: empty"),
        ("   \n", "input: empty"),
        ("nonsense", "input: no JSON"),
        ('{"rack": "r1"', "input: no JSON"),
        ("[]", "input: a JSON object is expected, not a list"),
        ("5", "input: a JSON object is expected, not the number 5"),
        ("null", "input: a JSON object is expected, not null"),
        ('"sabra"', "input: a JSON object is expected, not 'sabra'"),
        ("NaN", "input: a JSON object is expected, not NaN"),
        ("{} {}", "input: no JSON"),
        ("[" * 100_000, "input: nested too deeply"),
        ('{"a":' * 100_000, "input: nested too deeply"),
        ('{"rack": "r1", "rack": "r2"}', "rack: written twice"),
        (with_value("opened", "NaN"), "opened: true or false, not NaN"),
        (with_value("opened", "-Infinity"), "opened: true or false, not -Infinity"),
        (with_value("opened", "1e999"), "opened: true or false, not a number as large as 1e999"),
        (with_value("rack", "9" * 6000), "rack: tiles as text or a list, not a number of 6000 digits"),
        (with_value("house", '{"opening": NaN}'), "house.opening: a number, a word, true or false, not NaN"),
        (with_value("house", '{"opening": ' + "9" * 6000 + "}"), "house.opening: a number, a word, true or false"),
        (with_value("house", '{"opening": 1, "opening": 2}'), "opening: written twice"),
        (with_value("house", '{"opening": ' + "[" * 900 + "]" * 900 + "}"), "house.opening: a number"),
        (b"\xff\xfe{}", "input: not UTF-8 text (byte 1)"),
        (b'{"rack": "\xc3"}', "input: not UTF-8 text (byte 11)"),
        ("x" * 10_000_000, "input: longer than 1000000 bytes"),
        (json.dumps({**GOOD, "rack": "r1 " * 300_000}), "rack: 3 × r1"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_bad_text(written: str | bytes, reason: str) -> None:
    assert check(written).reason.startswith(reason)


def test_a_byte_order_mark_is_no_harm() -> None:
    assert check(b"\xef\xbb\xbf" + json.dumps(CASE).encode()).code == 0


def test_bad_files(tmp_path: Path) -> None:
    assert run("check", "--json", str(tmp_path / "none.json")).reason.startswith("FILE: ")
    assert run("check", "--json", str(tmp_path)).reason.startswith("FILE: ")


@pytest.mark.parametrize(
    "args", [("check", "--lang", "xx"), ("check", "--jsno"), ("check", "a", "b"), ("chekc",), ("--nonsense",)]
)
def test_bad_options(args: tuple[str, ...]) -> None:
    assert run(*args).reason


# JSON Lines


def test_lines_in_lines_out() -> None:
    lines = [
        json.dumps(CASE),
        json.dumps({**GOOD, "after": "b8 b9 b11"}),
        "{",
        "",
        json.dumps({**GOOD, "rack": "r14"}),
        "x" * 1_500_000,
        json.dumps(GOOD),
    ]
    result = run("check", "--jsonl", stdin="\n".join(lines))
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert (result.code, result.err) == (2, "")
    assert [answer.get("legal", answer.get("error")) for answer in answers] == [
        True,
        False,
        answers[2]["error"],
        "input: empty; a JSON object is expected",
        "rack: 'r14' has no number from 1 to 13",
        "input: a line longer than 1000000 bytes",
        True,
    ]
    assert answers[2]["error"].startswith("input: no JSON")
    assert run("check", "--json", "--jsonl", stdin="\n".join(lines[:2])).code == 1
    assert run("check", "--jsonl", stdin=lines[0] + "\n").code == 0
    assert run("check", "--jsonl") == Result(0, "", "")


# Fuzz

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
TILE = st.builds("{}{}".format, st.sampled_from("rbky"), st.integers(0, 14)) | st.sampled_from(
    ["j", "j=r5", "j=5", "r5'"]
)
MELD = st.lists(TILE, max_size=5).map(" ".join)
NEARLY = st.fixed_dictionaries(
    {"ruleset": st.sampled_from([*RULESETS, "x"]), "rack": MELD | JSON, "after": st.lists(MELD, max_size=4) | JSON},
    optional={
        "table": st.lists(st.sampled_from(["r4 r5 r6", "b7 b8 j", "k9 y9 r9", "r1 r2"]), max_size=3) | JSON,
        "house": st.dictionaries(st.sampled_from(["opening", "jokers", "copies", "groups", "x"]), JSON, max_size=2)
        | JSON,
        "opened": st.booleans() | JSON,
        "all_opened": st.booleans() | JSON,
        "after_rack": MELD | JSON,
    },
)


@settings(max_examples=100)
@given(NEARLY | JSON)
def test_any_json_is_answered_or_refused(value: object) -> None:
    result = check(json.dumps(value))
    if result.code == 2:
        assert result.reason
    else:
        assert result.json["legal"] is (result.code == 0)
        assert result.err == ""


@settings(max_examples=60)
@given(
    st.binary(max_size=200) | st.text(alphabet='{}[]",:0123456789.eE+-truefalsn rackft', max_size=80).map(str.encode)
)
def test_any_bytes_are_answered_or_refused(data: bytes) -> None:
    assert check(data).code in (1, 2) or data.strip()
    lines = run("check", "--jsonl", stdin=data)
    assert lines.err == ""
    assert len(lines.out.splitlines()) == len(data.removesuffix(b"\n").split(b"\n")) * bool(data)
