"""The rules of a game and the steps of a play, as a page tells and draws them.

>>> rules = told_rules("sabra", ("opening=51",), "en")
>>> rules.title, rules.house
('Sabra: jokers move freely, two to six players', {'opening': 51})
>>> [section.key for section in rules.sections if any(paragraph.house for paragraph in section.paragraphs)]
['aim', 'opening', 'table']
"""

from functools import lru_cache
from typing import Final

from tilerummy.contract import BadInput, rules_written
from tilerummy.melds import Meld, draft, draft_text, read
from tilerummy.protocol import ToldExample, ToldParagraph, ToldRules, ToldSection
from tilerummy.rulesets import RULESETS, Ruleset
from tilerummy.server.wire import Json, step_seen
from tilerummy.solver import Query, Solution, explain
from tilerummy.texts import Example, Paragraph, mark, tell, tell_race, title, told_steps

__all__ = ["GAMES", "told_play", "told_rules"]

_RACE: Final = "junior-simplified"
GAMES: Final = (*RULESETS, _RACE)
"""Whose rules can be told: the rulesets, and the race for the youngest."""

_MARKS: Final = ("decision", "house", "before", "rack", "after", "legal", "illegal")


@lru_cache(maxsize=128)
def told_rules(id: str, house: tuple[str, ...], lang: str) -> ToldRules:
    """The rules of a game with house rules written as `field=value`; raises BadInput where these make no sense."""
    if id == _RACE and house:
        raise BadInput(f"house: {_RACE} has no house rules")
    rules = rules_written("junior" if id == _RACE else id, house)
    sections = tell_race(lang) if id == _RACE else tell(rules, lang)
    return ToldRules(
        ruleset=id,
        house=rules.house,
        lang=lang,
        title=title(id, lang),
        marks={key: mark(key, rules, lang) for key in _MARKS},
        sections=[
            ToldSection(
                key=section.key,
                title=section.title,
                paragraphs=[_paragraph(paragraph, rules) for paragraph in section.paragraphs],
            )
            for section in sections
        ],
    )


def _paragraph(told: Paragraph, rules: Ruleset) -> ToldParagraph:
    return ToldParagraph(
        text=told.text,
        term=told.term,
        decision=told.decision,
        house=told.house,
        example=_example(told.example, rules) if told.example else None,
        sheet=[list(row) for row in told.sheet],
    )


def _example(shown: Example, rules: Ruleset) -> ToldExample:
    return ToldExample(
        before=_melds(shown.before, rules),
        rack=shown.rack,
        after=_melds(shown.after, rules),
        opened=shown.opened,
        legal=shown.legal,
        reasons=list(shown.reasons),
    )


def _melds(written: str, rules: Ruleset) -> list[str]:
    """The melds as they lie, jokers named; what is no meld lies as it is written."""
    found = [(pieces, read(pieces, rules.numbers, rules.groups)) for pieces in draft(written)]
    return [str(meld) if isinstance(meld, Meld) else draft_text([pieces]) for pieces, meld in found]


def told_play(query: Query, solution: Solution, lang: str) -> Json:
    """How to do the best play: sentences, and for each of them the step to draw."""
    done = explain(query.table, solution.after) if solution.tiles else []
    told = told_steps(query.table, done, query.rules, lang)
    return {
        "steps": [said for _, said in told],
        "moves": [{**step_seen(step), "text": said} for step, said in told],
    }
