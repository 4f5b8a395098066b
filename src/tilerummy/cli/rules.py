"""`tilerummy rules`: a ruleset told in our own words, with drawn examples and every decision marked."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from tilerummy.cli.options import GAMES, RACE, House, Json, Lang, chosen
from tilerummy.cli.screen import Screen, print_json
from tilerummy.contract import BadInput, rules_written
from tilerummy.melds import draft
from tilerummy.rulesets import Ruleset, house_text
from tilerummy.texts import PLAYERS_DOWN, Example, Paragraph, Section, mark, tell, tell_race, title
from tilerummy.tiles import shorten, tiles

__all__ = ["rules"]


def rules(
    ruleset: Annotated[
        str | None, typer.Argument(metavar="ID", help=f"Which rules: {', '.join(GAMES)}; without it, a list of them.")
    ] = None,
    house: House = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Read the rules of a game, in our own words; what we decided where a rulebook is silent is marked.

    House rules change what is told, and the lines that they change are marked too.
    """
    speech = chosen(lang)
    if ruleset is None:
        if house:
            raise BadInput("ruleset: missing; say which rules the house rules change")
        _list(speech, json)
        return
    if ruleset not in GAMES:
        raise BadInput(f"ruleset: no ruleset is called {shorten(ruleset)}; there are {', '.join(GAMES)}")
    if ruleset == RACE and house:
        raise BadInput(f"house: {RACE} has no house rules")
    played = rules_written("junior" if ruleset == RACE else ruleset, house or [])
    sections = tell_race(speech) if ruleset == RACE else tell(played, speech)
    if json:
        print_json(
            {
                "ruleset": ruleset,
                "lang": speech,
                "title": title(ruleset, speech),
                "house": house_text(played),
                "sections": [asdict(section) for section in sections],
            }
        )
        return
    _Page(played, speech, Screen()).show(title(ruleset, speech), sections)


def _list(lang: str, json: bool) -> None:
    if json:
        print_json({"rulesets": [{"id": id, "title": title(id, lang)} for id in GAMES]})
        return
    screen = Screen()
    wide = max(map(len, GAMES)) + 2
    for id in GAMES:
        screen.say(title(id, lang), mark=f"{id:<{wide}}")


class _Page:
    """The rules on a screen."""

    def __init__(self, rules: Ruleset, lang: str, screen: Screen) -> None:
        self.rules = rules
        self.lang = lang
        self.screen = screen

    def show(self, name: str, sections: Sequence[Section]) -> None:
        """Print every section."""
        self.screen.say(name, "bold underline")
        for section in sections:
            self.screen.gap()
            self.screen.title(section.title)
            for paragraph in section.paragraphs:
                self._paragraph(paragraph, marked=section.key != "decisions")

    def _paragraph(self, paragraph: Paragraph, *, marked: bool) -> None:
        marks = [
            f"[{mark(key, self.rules, self.lang)}]"
            for key, wanted in (("decision", paragraph.decision and marked), ("house", paragraph.house))
            if wanted
        ]
        self.screen.say(" ".join([paragraph.text, *marks]), mark="• ")
        if paragraph.example:
            self._example(paragraph.example)
        if paragraph.sheet:
            self.screen.sheet(paragraph.sheet, players_down=self.rules.id in PLAYERS_DOWN)

    def _example(self, example: Example) -> None:
        """Draw a play: the table and the rack before it, the table after it, and what the rules say."""
        rack = tiles(example.rack)
        if example.before:
            self.screen.say(self._mark("before"), "dim", indent=4)
            self.screen.table(draft(example.before), self.rules, indent=6)
            self.screen.say(self._mark("rack"), "dim", indent=4)
            self.screen.rack(rack, self.rules, indent=6)
            self.screen.say(self._mark("after"), "dim", indent=4)
        self.screen.table(draft(example.after), self.rules, new=rack if example.before else (), indent=6)
        if example.legal:
            self.screen.say(self._mark("legal"), "green", indent=6, mark="✓ ")
        for reason in example.reasons:
            self.screen.say(reason, "red", indent=6, mark="✗ ")

    def _mark(self, key: str) -> str:
        return mark(key, self.rules, self.lang)
