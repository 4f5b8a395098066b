"""The language files: nothing is missing in any of them, and nothing is left over."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from tilerummy import game, race
from tilerummy.legality import CODES
from tilerummy.rulesets import RULESETS
from tilerummy.server import room
from tilerummy.state import HINT_LEVELS
from tilerummy.texts import EVENTS, LANGUAGES, MELD_REASONS, REFUSALS, STEPS, language
from tilerummy.texts.lines import BOOK_WORDS, DECISIONS, RACE, RACE_DECISIONS, SECTIONS, Line, Shown
from tilerummy.tiles import COLOURS

WORD = re.compile(r"\[([^\]]+)\]")
ARGUMENT = re.compile(r"\{(\w+)[:}]")
OWN = ("words", "books")  # a language has the forms of a word that its grammar needs


def leaves(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(node, str):
        yield path, node
    else:
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield from leaves(value, (*path, str(key)))


def told(lang: str) -> dict[tuple[str, ...], str]:
    return {path: text for path, text in leaves(language(lang)) if path[0] not in OWN}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_same_keys(lang: str) -> None:
    assert list(told(lang)) == list(told("en"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_same_arguments(lang: str) -> None:
    """A count may be said again to choose a plural, which German jokers, for one, do not need."""
    for path, text in told(lang).items():
        assert set(ARGUMENT.findall(text)) == set(ARGUMENT.findall(told("en")[path])), path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_is_empty(lang: str) -> None:
    for path, text in leaves(language(lang)):
        assert text.strip(), path
        assert text == text.strip() or path in {("tiles", "and"), ("tiles", "or")}, path
        assert "  " not in text, path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_key_is_written_twice(lang: str) -> None:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), keys
        return dict(pairs)

    json.loads(files("tilerummy.texts").joinpath(f"{lang}.json").read_text("utf-8"), object_pairs_hook=once)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_sentence(lang: str) -> None:
    texts = language(lang)
    assert tuple(texts["violations"]) == CODES
    assert tuple(texts["refusals"]) == REFUSALS
    assert tuple(texts["events"]) == EVENTS
    assert tuple(texts["steps"]) == STEPS
    assert tuple(texts["violations"]["meld"]) == ("by", *MELD_REASONS)
    assert tuple(texts["short"]) == MELD_REASONS
    assert tuple(texts["events"]["hint"]) == ("by", *HINT_LEVELS)


def test_every_refusal_is_told() -> None:
    assert {*game.REFUSALS, *race.REFUSALS, *room.REFUSALS} <= set(REFUSALS)


def test_no_code_means_two_things() -> None:
    codes = (*CODES, *REFUSALS, *EVENTS, *STEPS)
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_is_known_and_used(lang: str) -> None:
    texts = language(lang)
    used = {word[0].lower() + word[1:] for _, text in leaves(texts) for word in WORD.findall(text)}
    glossary = {key for words in BOOK_WORDS.values() for key in words}
    assert used - texts["words"].keys() == set()
    assert texts["words"].keys() - used - glossary == {"player", "total"}  # of the score sheet


@pytest.mark.parametrize("lang", LANGUAGES)
def test_books_only_change_words(lang: str) -> None:
    texts = language(lang)
    assert texts["books"].keys() <= RULESETS.keys()
    for own in texts["books"].values():
        assert own.keys() <= texts["words"].keys()


@pytest.mark.parametrize("book", RULESETS)
def test_a_word_has_all_its_forms_or_none(book: str) -> None:
    """French articles follow the word: a book that changes a word changes its other forms with it."""
    texts = language("fr")
    own = texts["books"][book]
    for word in ("run", "group", "rack", "opening", "round", "star"):
        forms = {key for key in texts["words"] if key.removesuffix("s").split()[-1] == word}
        assert forms & own.keys() in (set(), forms), word


@pytest.mark.parametrize("lang", LANGUAGES)
def test_colours(lang: str) -> None:
    assert language(lang)["colours"].keys() == {*COLOURS, "yellow", "orange"} - {"y"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_line_has_its_text_and_every_text_its_line(lang: str) -> None:
    rules = language(lang)["rules"]
    items = [item for section in SECTIONS.values() for item in section]
    lines = {item.key for item in items if isinstance(item, Line)}
    shown = {item.key for item in items if isinstance(item, Shown)}
    assert lines | {"house", "score-example", "score-row"} == rules["lines"].keys()
    assert shown == rules["examples"].keys()
    assert {*DECISIONS, "intro", "intro-house"} == rules["decisions"].keys()
    assert {key for item in items for key in item.decisions} == DECISIONS.keys()
    assert {*SECTIONS, "words", "decisions"} == rules["sections"].keys()
    assert {key for keys in RACE.values() for key in keys} | set(RACE_DECISIONS.values()) == rules["race"].keys()
    assert {key for words in BOOK_WORDS.values() for key in words} | {"entry", "entry-book"} == rules["glossary"].keys()
    assert {*RULESETS, "junior-simplified"} == rules["titles"].keys()
    assert RULESETS.keys() == rules["sources"].keys() == BOOK_WORDS.keys()


def test_french_spaces_do_not_break() -> None:
    for path, text in leaves(language("fr")):
        assert not re.search(r" [;:!?»](?! \+)", text), path
        assert not re.search(r"[\w}\]][;!?»]", text), path
        assert not re.search(r"«[^\xa0]", text), path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_apostrophe_is_straight(lang: str) -> None:
    assert [path for path, text in leaves(language(lang)) if "'" in text] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_trade_mark_names_rulebooks_only(lang: str) -> None:
    marked = [path for path, text in leaves(language(lang)) if "rummikub" in text.lower()]
    assert all(path[:2] == ("rules", "sources") for path in marked)
