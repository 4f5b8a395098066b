"""`tilerummy rules`: every ruleset in every language, the list, house rules."""

import pytest

from tests.cli.runner import run
from tilerummy.cli.options import GAMES, Language
from tilerummy.rulesets import RULESETS
from tilerummy.texts import LANGUAGES, tell, title


def test_the_languages_are_those_with_texts() -> None:
    assert tuple(Language) == LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", GAMES)
def test_every_ruleset_in_every_language(id: str, lang: str) -> None:
    result = run("rules", id, "--lang", lang)
    assert (result.code, result.err) == (0, "")
    assert title(id, lang).split()[0] in result.out
    assert all(len(line) <= 80 and line == line.rstrip() for line in result.out.splitlines())
    assert "\x1b" not in result.out
    assert {"en": "[decision]", "fr": "[notre choix]", "nl": "[onze keuze]", "de": "["}[lang] in result.out
    told = run("rules", id, "--lang", lang, "--json").json
    assert (told["ruleset"], told["lang"], told["title"]) == (id, lang, title(id, lang))
    words = " ".join(result.out.split())
    for section in told["sections"]:
        assert section["title"] in result.out
        for paragraph in section["paragraphs"]:
            assert " ".join(paragraph["text"].split()) in words


def test_examples_are_drawn_and_judged() -> None:
    out = run("rules", "sabra").out
    assert "b9   b10  b11* |    k8*  y8*  b8" in out
    assert "✓" in out
    assert "✗" in out
    assert "+18" in out or "18" in out


def test_in_colour() -> None:
    assert "\x1b[" in run("rules", "sabra", env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}).out


def test_house_rules_are_told_and_marked() -> None:
    out = run("rules", "classic", "--house", "opening=51", "--house", "joker_value=5 jokers=4").out
    assert "51 points" in out
    assert "[house rule]" in out
    assert "[house rule]" not in run("rules", "classic").out
    told = run("rules", "classic", "--house", "opening=51", "--json").json
    assert told["house"] == "opening=51"


def test_the_list() -> None:
    out = run("rules").out
    assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == list(GAMES)
    assert [one["id"] for one in run("rules", "--json").json["rulesets"]] == list(GAMES)


def test_the_environment_chooses_the_language() -> None:
    assert run("rules", env={"LC_ALL": "nl_BE.UTF-8"}).out == run("rules", "--lang", "nl").out
    assert run("rules", env={"LC_ALL": "eo"}).out == run("rules", "--lang", "en").out
    assert run("rules", env={"LC_ALL": "", "LC_MESSAGES": "", "LANG": ""}).out == run("rules", "--lang", "en").out


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("poker",), "ruleset: no ruleset is called 'poker'; there are classic"),
        (("sabra", "--house", "opening"), "house: write each rule once"),
        (("sabra", "--house", "opening=x"), "house.opening: a whole number from 0 to 200, not 'x'"),
        (("sabra", "--house", "opening=51", "--house", "opening=52"), "house: write each rule once"),
        (("sabra", "--house", "players=6"), "house.players: 6 players need"),
        (("junior-simplified", "--house", "opening=51"), "house: junior-simplified has no house rules"),
        (("--house", "opening=51"), "ruleset: missing"),
        (("sabra", "--lang", "xx"), "Invalid value for '--lang'"),
    ],
)
def test_bad_input(args: tuple[str, ...], reason: str) -> None:
    assert run("rules", *args).reason.startswith(reason)


def test_json_has_the_examples() -> None:
    told = run("rules", "sabra", "--json").json
    examples = [one["example"] for section in told["sections"] for one in section["paragraphs"] if one["example"]]
    told_here = tell(RULESETS["sabra"], "en")
    assert len(examples) == sum(bool(one.example) for section in told_here for one in section.paragraphs)
    assert {"before", "rack", "after", "opened", "codes", "reasons"} == examples[0].keys()


def test_the_score_sheet_lies_as_its_book_prints_it() -> None:
    def sheet(id: str, lang: str, lines: int) -> list[str]:
        told = run("rules", id, "--lang", lang).out.splitlines()
        rule = next(place for place, line in enumerate(told) if line.strip("─ ") == "" and "─" in line)
        shown = (told[rule - 1], *told[rule + 1 : rule + lines])
        return [" ".join(line.split()) for line in shown if "─" not in line]

    assert sheet("sabra", "nl", 5) == [
        "1e spel 2e spel Totaal",
        "Speler A +24 −6 +18",
        "Speler B −5 −11 −16",
        "Speler C −16 +22 +6",
        "Speler D −3 −5 −8",
    ]
    assert sheet("classic", "fr", 6) == [
        "Joueur A Joueur B Joueur C Joueur D",
        "Partie 1 +24 −5 −16 −3",
        "Partie 2 −6 −11 +22 −5",
        "Partie 3 −32 −13 −2 +47",
        "Total −14 −29 +4 +39",
    ]
