"""The rules of a ruleset told in our own words, from its fields: a house rule changes what is said.

>>> from tilerummy.rulesets import ruleset
>>> sections = tell(ruleset("sabra", {"opening": 51}), "en")
>>> [section.key for section in sections if any(paragraph.house for paragraph in section.paragraphs)]
['aim', 'opening', 'table']
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tilerummy.legality import check
from tilerummy.melds import Meld, draft, read
from tilerummy.rulesets import HEAP, RULESETS, TILESETS, Ruleset, house_text
from tilerummy.texts.lines import (
    BOOK_LANGUAGES,
    BOOK_TILESETS,
    BOOK_WORDS,
    DECISIONS,
    RACE,
    RACE_DECISIONS,
    SECTIONS,
    SHEETS,
    Line,
    Shown,
    clocked,
)
from tilerummy.texts.saying import fill, language, names, sentence, word
from tilerummy.texts.sheet import score_sheet
from tilerummy.tiles import COLOURS, tiles

__all__ = ["Example", "Paragraph", "Section", "mark", "tell", "tell_race", "title"]

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Example:
    """A play, in notation, and what the rules say about it."""

    before: str
    rack: str
    after: str
    opened: bool
    codes: tuple[str, ...]
    reasons: tuple[str, ...]

    @property
    def legal(self) -> bool:
        """Whether the play is allowed."""
        return not self.codes


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One thing told: whether we decided it, whether a house rule changed it, the play or score sheet that shows it."""

    text: str
    decision: bool = False
    house: bool = False
    example: Example | None = None
    sheet: tuple[tuple[str, ...], ...] = ()
    term: str = ""  # the word of the rulebook that the text explains, and begins with


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the rules under a title."""

    key: str
    title: str
    paragraphs: tuple[Paragraph, ...]


def title(id: str, lang: str) -> str:
    """The name of a ruleset, or of `junior-simplified`, and what it is in one line."""
    return str(language(lang)["rules"]["titles"][id])


def mark(key: str, rules: Ruleset, lang: str) -> str:
    """A label of the printed rules: `decision`, `house`, `before`, `rack`, `after`, `legal`, `illegal`."""
    return fill(language(lang)["rules"]["marks"][key], {}, rules, lang)


def tell(rules: Ruleset, lang: str) -> tuple[Section, ...]:
    """The whole ruleset, section by section."""
    return tuple(_Telling(rules, lang).sections())


def tell_race(lang: str) -> tuple[Section, ...]:
    """The simplified race for the youngest, which has rules of its own; its words are junior's."""
    told = _Telling(RULESETS["junior"], lang)
    sections = [
        told.section(key, [Paragraph(told.say("race", line), line in RACE_DECISIONS) for line in lines])
        for key, lines in RACE.items()
    ]
    decided = [Paragraph(told.say("race", key), decision=True) for key in RACE_DECISIONS.values()]
    return (*sections, told.section("decisions", [Paragraph(told.say("decisions", "intro")), *decided]))


class _Telling:
    """A ruleset and a language, and all that a line about them may need."""

    def __init__(self, rules: Ruleset, lang: str) -> None:
        self.rules = rules
        self.lang = lang
        self.texts: dict[str, Any] = language(lang)["rules"]
        printed = TILESETS[rules.tileset] if rules.tileset in BOOK_TILESETS.get(rules.id, ()) else {}
        self.house = {name for name, value in rules.house.items() if printed.get(name) != value}
        self.decided: dict[str, None] = {}
        changed = [field for field in house_text(rules).split() if field.partition("=")[0] in self.house]
        self.args: dict[str, object] = {
            "colours": self._colours(),
            "game": "stars" if rules.stars else "points",
            "heap": HEAP,
            "heaps": rules.deal // HEAP,
            "house": ", ".join(changed),
            "last_heap": HEAP + rules.total % HEAP,
            "numbered": rules.total - rules.jokers,
            "time": self._time(),
            "total": rules.total,
        }

    def sections(self) -> Iterator[Section]:
        for key, items in SECTIONS.items():
            paragraphs = list(self._paragraphs(items))
            if key == "aim" and self.house:
                paragraphs.insert(0, Paragraph(self.say("lines", "house"), house=True))
            if key == "end":
                paragraphs.extend(self._sheet())
            yield self.section(key, paragraphs)
        yield self.section("words", list(self._words()))
        decided = [Paragraph(self.say("decisions", key), decision=True) for key in self.decided]
        yield self.section("decisions", [Paragraph(self.say("decisions", "intro-house")), *decided])

    def section(self, key: str, paragraphs: Sequence[Paragraph]) -> Section:
        return Section(key, self.say("sections", key), tuple(paragraphs))

    def say(self, group: str, key: str, **more: object) -> str:
        return fill(self.texts[group][key], self.args | more, self.rules, self.lang)

    def _paragraphs(self, items: Sequence[Line | Shown]) -> Iterator[Paragraph]:
        for item in items:
            if not item.when(self.rules):
                continue
            if isinstance(item, Shown):
                paragraph = self._example(item)
                if paragraph is None:
                    continue
            else:
                paragraph = Paragraph(
                    self.say("lines", item.key), self._decision(item.decisions), not self.house.isdisjoint(item.fields)
                )
            self.decided.update({key: None for key in item.decisions if DECISIONS[key].holds(self.rules)})
            yield paragraph

    def _decision(self, keys: Sequence[str]) -> bool:
        return any(DECISIONS[key].holds(self.rules) for key in keys)

    def _example(self, shown: Shown) -> Paragraph | None:
        """The example judged by these very rules; none where the rulebook has no use for it, or not the tiles."""
        rules = self.rules
        pieces = Counter(tiles(shown.before.replace("|", " ") + " " + shown.rack))
        most = Counter(tile.kind for tile in rules.tiles())
        before = tuple(read(written, rules.numbers, rules.groups) for written in draft(shown.before))
        table = tuple(meld for meld in before if isinstance(meld, Meld))
        if rules.id not in shown.books or len(table) < len(before):
            return None
        if any(count > most[tile.kind] for tile, count in pieces.items()):
            return None
        after = draft(shown.after)
        verdict = check(table, tiles(shown.rack), after, rules, opened=shown.opened, all_opened=shown.opened)
        reasons = tuple(sentence(one.code, one.args, rules, self.lang) for one in verdict.violations)
        codes = tuple(dict.fromkeys(one.code for one in verdict.violations))
        gain = len(verdict.laid) + len(after) - len(table)
        return Paragraph(
            self.say("examples", shown.key, gain=gain),
            self._decision(shown.decisions),
            example=Example(shown.before, shown.rack, shown.after, shown.opened, codes, reasons),
        )

    def _sheet(self) -> Iterator[Paragraph]:
        """The rulebook's own score sheet, computed: the one with an empty rack gets what the others lose."""
        racks = SHEETS.get(self.rules.id, ())
        if self.rules.stars or not racks:
            return
        scores = [[sum(round) if own == 0 else -own for own in round] for round in racks]
        names = [f"{self._word('player')} {letter}" for letter in "ABCD"]
        yield Paragraph(self.say("lines", "score-example"), sheet=score_sheet(scores, names, self.rules, self.lang))

    def _words(self) -> Iterator[Paragraph]:
        rules = self.rules
        unused = {
            "group": not rules.groups,
            "opening": not rules.opening,
            "penalty tiles": not clocked(rules),
            "hourglass": not clocked(rules),
        }
        yield Paragraph(fill(self.texts["sources"][rules.id], {}, rules, self.lang))
        yield Paragraph(fill(self.texts["not-affiliated"], {}, rules, self.lang))
        for key in BOOK_WORDS[rules.id]:
            if not unused.get(key):
                meaning = self.say("glossary", key)
                original = fill(word(key, rules, "fr"), {}, rules, "fr")
                entry = "entry" if self.lang in BOOK_LANGUAGES[rules.id] else "entry-book"
                term = self._word(key)
                yield Paragraph(self.say("glossary", entry, word=term, meaning=meaning, original=original), term=term)

    def _word(self, key: str) -> str:
        return fill(word(key, self.rules, self.lang), {}, self.rules, self.lang)

    def _colours(self) -> str:
        shown = language(self.lang)["colours"]
        keys = [str(self.rules.fourth_colour) if colour == "y" else colour for colour in COLOURS]
        return names([shown[key]["name"] for key in keys], self.lang)

    def _time(self) -> str:
        seconds = self.rules.turn_seconds
        whole = seconds % _MINUTE == 0
        unit, count = ("minutes", seconds // _MINUTE) if whole else ("seconds", seconds)
        return fill(language(self.lang)["tiles"][unit], {"count": count}, self.rules, self.lang)
