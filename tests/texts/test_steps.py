"""The steps of a play in words: every kind of step in every language, and melds named as they lie at that moment."""

import pytest

from tests.solver.test_reference import RULES, random_query
from tilerummy.melds import draft
from tilerummy.record import read_table
from tilerummy.rulesets import RULESETS, Ruleset
from tilerummy.solver import explain, solve
from tilerummy.texts import LANGUAGES, STEPS, language, steps

SABRA = RULESETS["sabra"]


def said(before: str, after: str, rules: Ruleset = SABRA, lang: str = "en") -> list[str]:
    table = read_table(before, rules)
    return steps(table, explain(table, draft(after)), rules, lang)


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "en",
            [
                "Add the blue 11 to the blue run 8-9-10.",
                "Take the blue 8 from the blue run 8-9-10-11 for a new group.",
                "Add the black 8 and the yellow 8 to the blue 8.",
            ],
        ),
        (
            "fr",
            [
                "Pose le 11 bleu sur la série 8-9-10 en bleu.",
                "Prends le 8 bleu de la série 8-9-10-11 en bleu pour commencer une rangée.",
                "Pose le 8 noir et le 8 jaune sur le 8 bleu.",
            ],
        ),
        (
            "nl",
            [
                "Leg de blauwe 11 aan bij de serie 8-9-10 in blauw.",
                "Neem de blauwe 8 uit de serie 8-9-10-11 in blauw voor een nieuw rijtje.",
                "Leg de zwarte 8 en de gele 8 aan bij de blauwe 8.",
            ],
        ),
        (
            "de",
            [
                "Lege die blaue 11 an die Serie 8-9-10 in Blau an.",
                "Nimm die blaue 8 aus der Serie 8-9-10-11 in Blau für eine neue Reihe.",
                "Lege die schwarze 8 und die gelbe 8 an die blaue 8 an.",
            ],
        ),
    ],
)
def test_a_play_in_every_language(lang: str, lines: list[str]) -> None:
    assert said("b8 b9 b10 | r1 r2 r3", "r1 r2 r3 | b9 b10 b11 | b8 k8 y8", lang=lang) == lines


def test_each_rulebooks_words() -> None:
    moved = {
        id: said("b8 b9 b10 b11 | r8 k8 y8", "b9 b10 b11 | r8 b8 k8 y8", RULESETS[id], "fr")
        for id in ("classic", "club", "sabra")
    }
    assert moved["classic"] == ["Déplace le 8 bleu de la séquence 8-9-10-11 en bleu vers la série de 8."]
    assert moved["club"] == ["Déplace le 8 bleu de la suite 8-9-10-11 en bleu vers le groupe de 8."]
    assert moved["sabra"] == ["Déplace le 8 bleu de la série 8-9-10-11 en bleu vers la rangée de 8."]
    assert said("", "r1 b1 y1", RULESETS["classic"]) == ["Lay the red 1, the blue 1 and the orange 1 as a new group."]


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (
            "r1 r2 r3 | r5 r6 r7",
            "r1 r2 r3 r4 r5 r6 r7",
            ["Add the red 4", "Move the red 5-6-7 to the red run 1-2-3-4."],
        ),
        (
            "r4 r5 r6 r7 r8",
            "r4 r5 r6 | r6 r7 r8",
            ["Lay the red 6 for a new run.", "Move the red 7-8 from the red run 4-5-6-7-8 to the red 6."],
        ),
        (
            "r8 b8 k8 y8 | r8 b8 k8 | y9 y10 y11",
            "r8 b8 k8 | r8 b8 k8 | y8 y9 y10 y11",
            ["Move the yellow 8 from the group of 8s (red, blue, black, yellow) to the yellow run 9-10-11."],
        ),
        (
            "b3 b4 j=b5",
            "b3 b4 b5 | r7 y7 j=7",
            [
                "Put the blue 5 in the place of the joker in the blue run 3-4-joker.",
                "Lay the red 7 and the yellow 7 for a new group.",
                "Add the freed joker to the group of 7s.",
            ],
        ),
        (
            "b3 b4 j=b5 | b5 b6 b7 b8",
            "b3 b4 b5 | b6 b7 b8 | j=r1 r2 r3",
            [
                "Put the blue 5 from the blue run 5-6-7-8 in the place of the joker in the blue run 3-4-joker.",
                "Lay the red 2-3 for a new run.",
                "Add the freed joker to the red run 2-3.",
            ],
        ),
        (
            "b6 b7 j=b8",
            "b4 j=b5 b6 b7",
            [
                "Add the blue 4 to the blue run 6-7-joker.",
                "The joker in the meld (blue 4, blue 6-7, joker) now stands for the blue 5.",
            ],
        ),
        ("r5 j=r6 j=r7", "r5 j=5 j=5 | b1 b2 b3", ["The joker in the red run 5-joker-joker now stands for a 5."]),
        ("", "r5 j=r6 j=r7", ["Lay the red 5 and the 2 jokers as a new run."]),
    ],
)
def test_what_a_step_is_called(before: str, after: str, lines: list[str]) -> None:
    found = said(before, after)
    assert [line for line, start in zip(found, lines, strict=False) if not line.startswith(start)] == []
    assert len(found) >= len(lines)


def test_a_joker_goes_to_the_rack() -> None:
    junior = RULESETS["junior"]
    assert said("r3 r4 j=r5", "r3 r4 r5", junior) == [
        "Put the red 5 in the place of the joker in the red run 3-4-joker.",
        "Take the joker from the red run 3-4-5 to your rack.",
    ]
    assert said("r3 r4 j=r5", "r3 r4 r5", junior, "fr")[1] == (
        "Prends le joker de la combinaison 3-4-5 en rouge et garde-le sur ta réglette."
    )


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["classic", "club", "sabra", "rummy", "junior"])
def test_random_plays(name: str) -> None:
    """Each step has its sentence in every language."""
    codes = set()
    for seed in range(7000, 7120):
        query = random_query(seed, RULES[name])
        solution = solve(query, follow=True)
        done = explain(query.table, solution.after) if solution.tiles else []
        assert bool(done) is bool(solution.tiles)
        for lang in LANGUAGES:
            lines = steps(query.table, done, query.rules, lang)
            assert len(lines) >= len(done)
            for line in lines:
                assert not set(line) & set("[]{}|"), line
                assert "  " not in line
                assert line.endswith(".")
        codes |= {step.verb for step in done}
    assert {"lay", "move"} <= codes


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_begins_and_ends_like_one(lang: str) -> None:
    for code in STEPS:
        text = language(lang)["steps"][code]
        forms = [text] if isinstance(text, str) else [text["run"], text["group"]]
        for form in forms:
            assert form[0].isupper()
            assert form.endswith(".")
