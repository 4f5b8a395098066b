"""Phrases: a fixed list, said in every language."""

import pytest

from tilerummy.protocol import PHRASES, REACTIONS
from tilerummy.texts import LANGUAGES, language, phrase


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_phrase_is_said(lang: str) -> None:
    assert tuple(language(lang)["phrases"]) == PHRASES
    assert all(phrase(code, lang) for code in PHRASES)


def test_reactions_are_phrases() -> None:
    assert len(REACTIONS) == 5
    assert set(REACTIONS) < set(PHRASES)


def test_there_are_no_others() -> None:
    with pytest.raises(KeyError, match="insult"):
        phrase("insult", "en")
