"""The rules told: whole in every language, true to the fields, examples judged by the rules themselves."""

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

import pytest

from tilerummy.legality import check
from tilerummy.melds import Meld, draft, read
from tilerummy.rulesets import BOUNDS, RULESETS, BadRuleset, Ruleset, ruleset
from tilerummy.texts import LANGUAGES, Paragraph, Section, language, mark, tell, tell_race, title
from tilerummy.tiles import tiles

GAMES: list[tuple[str, dict[str, object]]] = [
    *((id, {}) for id in RULESETS),
    ("sabra", {"tileset": "xp"}),
    ("sabra", {"tileset": "xp-quick"}),
    ("junior", {"groups": True, "opening": 20, "timed": True, "turn_seconds": 45, "stars": 0}),
    ("classic", {"jokers": 0, "players": 2, "age": 0, "timeout_draws": 0, "opening": 0}),
]
SECTIONS = ["aim", "start", "melds", "turn", "opening", "table", "joker", "time", "end", "words", "decisions"]


def paragraphs(sections: tuple[Section, ...], *keys: str) -> list[Paragraph]:
    return [paragraph for one in sections if not keys or one.key in keys for paragraph in one.paragraphs]


def whole(sections: tuple[Section, ...]) -> str:
    return "\n".join(paragraph.text for paragraph in paragraphs(sections))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("id", "house"), GAMES)
def test_everything_is_told(id: str, house: dict[str, object], lang: str) -> None:
    rules = ruleset(id, house)
    sections = tell(rules, lang)
    assert [one.key for one in sections] == SECTIONS
    for one in sections:
        assert one.title
        assert one.paragraphs
    for paragraph in paragraphs(sections):
        assert paragraph.text
        assert not set(paragraph.text) & set("[]{}|"), paragraph.text
        for reason in paragraph.example.reasons if paragraph.example else ():
            assert not set(reason) & set("[]{}|"), reason
    assert title(id, lang)


@pytest.mark.parametrize(("id", "house"), GAMES)
def test_every_language_tells_the_same(id: str, house: dict[str, object]) -> None:
    def shape(lang: str) -> list[tuple[bool, bool, object, bool]]:
        told = paragraphs(tell(ruleset(id, house), lang))
        return [(one.decision, one.house, one.example and one.example.codes, bool(one.sheet)) for one in told]

    assert all(shape(lang) == shape("en") for lang in LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_race_is_told(lang: str) -> None:
    sections = tell_race(lang)
    assert [one.key for one in sections] == ["aim", "start", "turn", "end", "decisions"]
    assert sum(one.decision for one in paragraphs(sections, "turn")) == 2
    assert sum(one.decision for one in paragraphs(sections, "decisions")) == 2
    assert not set(whole(sections)) & set("[]{}|")
    assert title("junior-simplified", lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_has_its_telling(lang: str) -> None:
    lines = language(lang)["rules"]["lines"].values()
    forms = {line["by"]: set(line) - {"by"} for line in lines if isinstance(line, dict)}
    for field, bounds in BOUNDS.items():
        if isinstance(bounds, type) and issubclass(bounds, StrEnum) and field != "fourth_colour":
            assert forms[field] == set(bounds), field
    assert forms["groups"] == {"true", "false"}
    assert forms["copies"] == {"1", "2", "3"}


def others(rules: Ruleset, field: str) -> Iterator[Ruleset]:
    """The ruleset with another value of one field, where that makes sense."""
    bounds = BOUNDS[field]
    values: list[object] = [True, False]
    if isinstance(bounds, tuple):
        values = [getattr(rules, field) + 1, getattr(rules, field) - 1]
    elif issubclass(bounds, StrEnum):
        values = list(bounds)
    for value in values:
        if value != getattr(rules, field):
            try:
                yield ruleset(rules.id, {field: value})
            except BadRuleset:
                continue


UNTOLD = {("junior", "joker_value"), ("junior", "joker_melds"), ("junior", "stalemate"), ("junior", "stalemate_score")}
UNTOLD |= {("junior", field) for field in ("timeout", "timeout_draws", "untouched_draws")}  # there is no clock


@pytest.mark.parametrize("id", RULESETS)
@pytest.mark.parametrize("field", BOUNDS)
def test_a_house_rule_changes_the_telling(id: str, field: str) -> None:
    told = [one.text for one in paragraphs(tell(RULESETS[id], "en"))]
    for rules in others(RULESETS[id], field):
        changed = paragraphs(tell(rules, "en"))
        assert changed[0].house
        assert f"{field}=" in changed[0].text
        if (id, field) not in UNTOLD:
            assert any(one.house and one.text not in told for one in changed[1:])


def test_a_house_rule_is_no_decision() -> None:
    rules = ruleset("club", {"direction": "counter-clockwise"})
    assert "Which way the turn goes round" in whole(tell(RULESETS["club"], "en"))
    assert "Which way the turn goes round" not in whole(tell(rules, "en"))


def test_tile_sets_of_the_book_are_no_house_rule() -> None:
    told = tell(ruleset("sabra", {"tileset": "xp"}), "en")
    assert not any(one.house for one in paragraphs(told))
    assert "160 tiles in all" in whole(told)
    assert "2 to 6 players" in whole(told)
    assert any(one.house for one in paragraphs(tell(ruleset("classic", {"tileset": "xp"}), "en")))


@pytest.mark.parametrize(
    ("id", "decisions"), [("classic", 13), ("club", 12), ("sabra", 13), ("rummy", 16), ("junior", 6)]
)
def test_every_decision_is_marked(id: str, decisions: int) -> None:
    told = tell(RULESETS[id], "en")
    listed = [one for one in paragraphs(told, "decisions") if one.decision]
    marked = [one for one in paragraphs(told, *SECTIONS[:-2]) if one.decision]
    assert len(listed) == decisions
    assert 0 < len(marked) <= len(listed)


@pytest.mark.parametrize(("id", "house"), GAMES)
def test_examples_are_judged_by_the_rules(id: str, house: dict[str, object]) -> None:
    rules = ruleset(id, house)
    shown = [one.example for one in paragraphs(tell(rules, "en")) if one.example]
    assert any(one.legal for one in shown)
    assert any(not one.legal for one in shown)
    for one in shown:
        before = [read(meld, rules.numbers, rules.groups) for meld in draft(one.before)]
        table = tuple(meld for meld in before if isinstance(meld, Meld))
        assert len(table) == len(before)
        verdict = check(table, tiles(one.rack), draft(one.after), rules, opened=one.opened, all_opened=one.opened)
        assert verdict.legal == one.legal
        assert {violation.code for violation in verdict.violations} == set(one.codes)
        assert len(one.reasons) == len(verdict.violations)


def codes_of(id: str) -> dict[str, tuple[str, ...]]:
    """The codes of the joker examples, by the table before and after."""
    shown = [one.example for one in paragraphs(tell(RULESETS[id], "en"), "joker") if one.example]
    return {f"{one.before} > {one.after}": one.codes for one in shown}


@pytest.mark.parametrize(
    ("id", "divide", "middle", "front", "emptied"),
    [
        ("classic", "", "joker-swap", "joker-swap joker-new-meld", "joker-swap"),
        ("club", "", "", "joker-new-meld", ""),
        ("sabra", "", "", "", ""),
        (
            "rummy",
            "joker-meld-split",
            "joker-swap joker-meld-split",
            "joker-swap joker-new-meld",
            "joker-swap joker-meld-split",
        ),
    ],
)
def test_joker_examples(id: str, divide: str, middle: str, front: str, emptied: str) -> None:
    codes = codes_of(id)
    assert codes["r2 r3 j r5 r6 > r2 r3 j | r5 r6 r7"] == tuple(divide.split())
    assert codes["r2 r3 j r5 r6 > r1 r2 r3 | r5 r6 r7 | k9 k10 j"] == tuple(middle.split())
    assert codes["b6 b7 j > b4 j b6 b7"] == tuple(front.split())
    assert codes["k1 k2 j | b1 y1 r1 | b2 y2 r2 > b1 y1 r1 k1 | b2 y2 r2 k2 | r9 r10 j"] == tuple(emptied.split())


@pytest.mark.parametrize(
    ("id", "total"),
    [
        ("classic", "−14 −29 +4 +39"),
        ("sabra", "+18 −16 +6 −8"),
        ("club", "+18 −5 −10 −3"),
        ("rummy", ""),
        ("junior", ""),
    ],
)
def test_the_printed_score_sheets(id: str, total: str) -> None:
    sheets = [one.sheet for one in paragraphs(tell(RULESETS[id], "en")) if one.sheet]
    assert [" ".join(sheet[-1][1:]) for sheet in sheets] == ([total] if total else [])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_house_rule_is_told_to_change_decisions_only_where_there_are_house_rules(lang: str) -> None:
    says = [section.paragraphs[0].text for section in (tell(RULESETS["junior"], lang)[-1], tell_race(lang)[-1])]
    assert says[0].startswith(says[1] + " ")


def test_stars_of_the_examples() -> None:
    text = whole(tell(RULESETS["junior"], "en"))
    assert "A new meld of three: 4 stars." in text
    assert "Three tiles added to two melds: 3 stars." in text
    assert "A new meld of three and one tile added: 5 stars." in text


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("classic", "séquence série plaque support pioche partie"),
        ("club", "suite groupe tuile chevalet pioche sac manche casser"),
        ("sabra", "série rangée pièce planchette cagnotte jeu construire sablier"),
        ("rummy", "séquence série plaque support pioche partie ajouter"),
        ("junior", "combinaison plaque réglette pioche Banque Étoile"),
    ],
)
def test_the_rulebooks_words(id: str, words: str) -> None:
    text = whole(tell(RULESETS[id], "fr"))
    assert [word for word in words.split() if word not in text] == []
    english = whole(tell(RULESETS[id], "en"))
    assert f"run (in the book: {words.split()[0]})" in english


def test_where_the_rulebook_speaks_the_language_its_words_need_no_explanation() -> None:
    assert "in het boekje:" not in whole(tell(RULESETS["sabra"], "nl"))
    assert "in het boekje: séquence" in whole(tell(RULESETS["classic"], "nl"))


def test_times() -> None:
    assert "You have 1 minute for a turn." in whole(tell(RULESETS["classic"], "en"))
    assert "Tu as 90 secondes par tour." in whole(tell(ruleset("classic", {"turn_seconds": 90}), "fr"))
    assert "sind es 2 Minuten pro Zug" in whole(tell(RULESETS["sabra"], "de"))


def test_marks_and_unknown_languages() -> None:
    assert mark("rack", RULESETS["club"], "fr") == "Chevalet"
    assert mark("decision", RULESETS["club"], "de") == "Entscheidung"
    with pytest.raises(KeyError, match="no texts in 'xx'"):
        tell(replace(RULESETS["club"]), "xx")
