"""Sentences: every code in every ruleset and language, tiles as people say them, each rulebook's words."""

import pytest

from tilerummy.legality import CODES, check
from tilerummy.melds import Broken, Meld, draft, pieces, read
from tilerummy.rulesets import RULESETS, JokerLeaves, Ruleset, ruleset
from tilerummy.texts import (
    EVENTS,
    LANGUAGES,
    MELD_REASONS,
    REFUSALS,
    STEPS,
    colour_name,
    language,
    meld_name,
    sentence,
    short,
    terminal,
    tile_name,
    tiles_name,
    word,
)
from tilerummy.tiles import Face, tile, tiles

ARGS: dict[str, str | int] = {
    "choices": "r5 j=r6 j=r7 / r5 j=5 j=5",
    "count": 3,
    "deals": 2,
    "detail": "why",
    "face": "b8",
    "fault": "crash",
    "foreign": "r5 b5",
    "games": 4,
    "hash": "abc",
    "high": "20",
    "kind": "group",
    "laid": "r5 r6 r7",
    "landing": "b4 j=b5 b6 b7",
    "level": "nudge",
    "llr": "1.50",
    "low": "0",
    "meld": "b6 b7 j=b8",
    "missing": "j",
    "name": "Ada",
    "needed": 30,
    "needs": "r12 y12",
    "number": 1,
    "objective": "tiles",
    "other": "Ben",
    "place": 0,
    "points": 27,
    "reason": "too-short",
    "seed": "xyz",
    "source": "Y",
    "target": "Z",
    "tile": "k13",
    "tiles": "X",
    "verdict": "H1",
}
EVERY = [(lang, id) for lang in LANGUAGES for id in RULESETS]


def good(text: str) -> bool:
    return bool(text) and not set(text) & set("[]{}|") and "  " not in text


def with_field(id: str, field: str, value: str) -> Ruleset:
    return ruleset(id, {field: value})


@pytest.mark.parametrize(("lang", "id"), EVERY)
def test_every_violation(lang: str, id: str) -> None:
    for code in CODES:
        for until in ("next-turn", "all-opened"):
            for leaves in set(JokerLeaves) - {JokerLeaves.FREE}:
                rules = with_field(id, "joker_leaves", leaves)
                assert good(sentence(code, ARGS | {"until": until}, rules, lang))
    for reason in MELD_REASONS:
        assert good(sentence("meld", ARGS | {"reason": reason}, RULESETS[id], lang))
        label = short(reason, RULESETS[id], lang)
        assert good(label)
        assert len(label) <= 24


@pytest.mark.parametrize(("lang", "id"), EVERY)
def test_every_refusal_event_and_prompt(lang: str, id: str) -> None:
    for code in (*REFUSALS, *EVENTS, *STEPS):
        assert good(sentence(code, ARGS, RULESETS[id], lang))
    for code in STEPS:
        assert good(sentence(code, ARGS | {"kind": "run"}, RULESETS[id], lang))
    for key in language(lang)["terminal"]:
        text = terminal(key, ARGS, RULESETS[id], lang)
        assert good(text.replace("|", "/"))


def test_reasons_are_those_of_melds() -> None:
    """Each reason is one that `read` gives."""
    cases = {
        "empty": "",
        "too-short": "r5 r6",
        "no-number": "j j j",
        "joker-unnamed": "r5 j j",
        "joker-name": "r5 j=b6 r7",
        "numbers": "r1 r2 r4",
        "beyond": "r12 r13 j",
        "colour-twice": "r1 r1 b1",
        "too-long": "r1 b1 k1 y1 j",
        "mixed": "r1 b2 k3",
    }
    for reason, written in cases.items():
        found = read(pieces(written))
        assert isinstance(found, Broken)
        assert found.reason == reason
    for reason, written in {"colours": "r1 b2 k3", "no-groups": "r1 b1 k1"}.items():
        found = read(pieces(written), 10, groups=False)
        assert isinstance(found, Broken)
        assert found.reason == reason
    assert {*cases, "colours", "no-groups"} == set(MELD_REASONS)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Neither on the table before nor on your rack: red 5, blue 5."),
        ("fr", "Ni sur la table avant, ni sur ton support\u00a0: 5 rouge, 5 bleu."),
        ("nl", "Dit lag niet op tafel en stond niet op je plankje: rode 5, blauwe 5."),
        ("de", "Das lag nicht auf dem Tisch und stand nicht auf deinem Brett: rote 5, blaue 5."),
    ],
)
def test_what_is_empty_is_not_said(lang: str, said: str) -> None:
    args = {"missing": "", "foreign": "r5 b5"}
    assert sentence("conserve", args, RULESETS["classic"], lang) == said
    both = sentence("conserve", {"missing": "j", "foreign": "r5 b5"}, RULESETS["classic"], lang)
    assert both.endswith(said)
    assert both != said


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "the joker only comes free when you put the red 12 or the orange 12 in its place."),
        ("fr", "le joker n’est libre que si tu mets le 12 rouge ou le 12 orange à sa place."),
        ("nl", "de joker komt pas vrij als je de rode 12 of de oranje 12 op zijn plaats legt."),
        ("de", "Der Joker wird nur frei, wenn du die rote 12 oder die orange 12 an seinen Platz legst."),
    ],
)
def test_the_sentence_of_a_real_violation(lang: str, said: str) -> None:
    before = tuple(meld for meld in map(read, draft("b12 k12 j")) if isinstance(meld, Meld))
    after = draft("b12 k12 k12 | r2 r3 j")
    verdict = check(before, tiles("k12 r2 r3"), after, RULESETS["classic"])
    (broken,) = (one for one in verdict.violations if one.code == "joker-swap")
    whole = sentence(broken.code, broken.args, RULESETS["classic"], lang)
    assert whole.endswith(said)
    assert whole.lower().startswith(meld_name("b12 k12 j", RULESETS["classic"], lang).lower())


def test_french_has_each_rulebooks_words() -> None:
    args = {"points": 27, "needed": 30}
    said = {id: sentence("opening", args, rules, "fr") for id, rules in RULESETS.items()}
    assert "la combinaison de démarrage" in said["classic"]
    assert "l’exposition initiale" in said["club"]
    assert "la série de démarrage" in said["sabra"]
    assert "les 30 points" in said["rummy"]
    assert "les 51 points" in sentence("opening", args, ruleset("rummy", {"opening": 51}), "fr")
    assert word("pool", RULESETS["sabra"], "fr") == "cagnotte"
    assert word("pool", RULESETS["classic"], "fr") == "pioche"
    assert [word("run", rules, "fr") for rules in RULESETS.values()] == [
        "séquence",
        "suite",
        "série",
        "séquence",
        "combinaison",
    ]
    assert [word("rack", rules, "fr") for rules in RULESETS.values()] == [
        "support",
        "chevalet",
        "planchette",
        "support",
        "réglette",
    ]


@pytest.mark.parametrize(("lang", "words"), [("nl", ("serie", "rijtje", "pot")), ("de", ("Serie", "Reihe", "Pot"))])
def test_dutch_and_german_words_serve_every_ruleset(lang: str, words: tuple[str, ...]) -> None:
    for rules in RULESETS.values():
        assert tuple(word(key, rules, lang) for key in ("run", "group", "pool")) == words


@pytest.mark.parametrize(
    ("lang", "count", "said"),
    [
        ("en", 0, "Ada draws 0 tiles."),
        ("en", 1, "Ada draws 1 tile."),
        ("fr", 0, "Ada pioche 0 pièce."),
        ("fr", 2, "Ada pioche 2 pièces."),
        ("nl", 1, "Ada pakt 1 steen."),
        ("de", 3, "Ada zieht 3 Steine."),
    ],
)
def test_plurals(lang: str, count: int, said: str) -> None:
    assert sentence("drew", {"name": "Ada", "count": count}, RULESETS["sabra"], lang) == said


def test_a_name_is_only_a_name() -> None:
    for name in ("{points}", "[run]", "{count:a|b}", "\\1"):
        assert sentence("passed", {"name": name}, RULESETS["club"], "en") == f"{name} passes."


def test_tiles_as_people_say_them() -> None:
    classic, sabra = RULESETS["classic"], RULESETS["sabra"]
    assert tile_name("r5'", sabra, "en") == tile_name(tile("r5"), sabra, "en") == "red 5"
    assert tile_name("y5", classic, "fr") == "5 orange"
    assert tile_name("y5", sabra, "fr") == "5 jaune"
    assert (colour_name("y", classic, "nl"), colour_name("y", sabra, "de")) == ("oranje", "Gelb")
    assert tile_name(Face("k", 13), sabra, "de") == "schwarze 13"
    assert tile_name("5", sabra, "de") == "5"
    assert tile_name("j=r5", sabra, "de") == tile_name("j''", sabra, "de") == "Joker"
    assert tiles_name("", sabra, "en") == ""
    assert tiles_name("r5 r6 b7 b7 j k1", sabra, "nl") == "rode 5-6, blauwe 7, blauwe 7, joker, zwarte 1"
    assert meld_name("b6 b7 j=b8", sabra, "fr") == "6-7-joker bleu"
    assert meld_name("b6 r6 j", sabra, "fr") == "6 bleu, 6 rouge, joker"
    assert meld_name("j j", sabra, "en") == "joker, joker"
    assert meld_name("r5", sabra, "en") == "red 5"


def test_what_is_not_there_is_an_error() -> None:
    rules = RULESETS["club"]
    with pytest.raises(KeyError, match="no texts in 'xx'; there are en, fr, nl, de"):
        sentence("passed", {"name": "Ada"}, rules, "xx")
    with pytest.raises(KeyError, match="no sentence for 'nonsense' in nl"):
        sentence("nonsense", {}, rules, "nl")
    with pytest.raises(KeyError, match="nonsense"):
        terminal("nonsense", {}, rules, "en")
    with pytest.raises(KeyError, match="nonsense"):
        short("nonsense", rules, "en")
    with pytest.raises(KeyError, match="no word for 'nonsense' in fr for club"):
        word("nonsense", rules, "fr")
    with pytest.raises(KeyError, match="name"):
        sentence("passed", {}, rules, "en")
