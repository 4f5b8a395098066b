"""Texts: every sentence that a person reads, in four languages and each rulebook's own words, by code.

>>> from tilerummy.rulesets import RULESETS
>>> word("pool", RULESETS["sabra"], "fr"), word("pool", RULESETS["classic"], "fr")
('cagnotte', 'pioche')
>>> tile_name("y5", RULESETS["classic"], "nl")
'oranje 5'
"""

from tilerummy.texts.lines import PLAYERS_DOWN
from tilerummy.texts.saying import (
    EVENTS,
    LANGUAGES,
    MELD_REASONS,
    REFUSALS,
    STEPS,
    colour_name,
    language,
    meld_name,
    phrase,
    sentence,
    short,
    terminal,
    tile_name,
    tiles_name,
    word,
)
from tilerummy.texts.sheet import score_sheet
from tilerummy.texts.steps import steps, told_steps
from tilerummy.texts.telling import Example, Paragraph, Section, mark, tell, tell_race, title

__all__ = [
    "EVENTS",
    "LANGUAGES",
    "MELD_REASONS",
    "PLAYERS_DOWN",
    "REFUSALS",
    "STEPS",
    "Example",
    "Paragraph",
    "Section",
    "colour_name",
    "language",
    "mark",
    "meld_name",
    "phrase",
    "score_sheet",
    "sentence",
    "short",
    "steps",
    "tell",
    "tell_race",
    "terminal",
    "tile_name",
    "tiles_name",
    "title",
    "told_steps",
    "word",
]
