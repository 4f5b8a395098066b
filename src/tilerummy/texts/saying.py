"""Sentences by code: what a violation, a refusal or an event says, in a language and a rulebook's own words.

>>> from tilerummy.rulesets import RULESETS
>>> print(sentence("lay-one", {}, RULESETS["club"], "fr"))
Pose au moins une tuile de ton chevalet.
>>> print(sentence("lay-one", {}, RULESETS["sabra"], "fr"))
Pose au moins une pièce de ta planchette.
>>> tiles_name("b6 b7 j=b8 r8", RULESETS["sabra"], "de")
'blaue 6-7, Joker, rote 8'

A text holds `[words]`, which each rulebook has its own of, and `{arguments}`, which may be any field of the ruleset;
`{count:one|many}` chooses by number. A text may have forms: one `by` the value of an argument, or a list of sentences,
of which those are said whose arguments are not empty. The page reads the same files by the same rules.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from tilerummy.melds import pieces
from tilerummy.rulesets import Ruleset
from tilerummy.tiles import Colour, Face, Tile, face

__all__ = [
    "EVENTS",
    "LANGUAGES",
    "MELD_REASONS",
    "REFUSALS",
    "STEPS",
    "colour_name",
    "fill",
    "language",
    "meld_name",
    "names",
    "phrase",
    "sentence",
    "short",
    "terminal",
    "tile_name",
    "tiles_name",
    "word",
]

LANGUAGES: Final = ("en", "fr", "nl", "de")

MELD_REASONS: Final = (
    "empty",
    "too-short",
    "no-number",
    "joker-unnamed",
    "joker-name",
    "numbers",
    "beyond",
    "colours",
    "colour-twice",
    "too-long",
    "no-groups",
    "mixed",
)
"""Every reason for which some tiles are no meld."""

REFUSALS: Final = (
    "not-your-turn",
    "no-such-seat",
    "illegal",
    "pool-empty",
    "no-star",
    "must-draw",
    "round-over",
    "round-running",
    "match-over",
    "seat-unchanged",
    "bad-bot",
    "bad-hint",
    "bad-table",
    "not-the-caller",
    "caller-only-calls",
    "no-call",
    "call-first",
    "call-running",
    "no-such-tile",
    "too-late",
    "wrong-tile",
    "already-placed",
    "race-over",
    "not-host",
    "not-seated",
    "seat-taken",
    "already-seated",
    "was-removed",
    "not-ready",
    "seat-empty",
    "wrong-stage",
    "no-such-player",
    "not-a-seat-of-yours",
    "bad-setup",
    "stale",
    "bad-word",
    "bot-plays",
    "no-hints",
    "player-present",
    "server-only",
    "wrong-game",
    "worn-out",
)
"""Every refusal of the game, of the simplified race, and of the rooms of a server."""

EVENTS: Final = (
    "starts",
    "start-draw",
    "played",
    "opened",
    "joker-taken",
    "drew",
    "drew-tile",
    "passed",
    "timed-out",
    "timed-out-back",
    "buzzer",
    "hint",
    "to-bot",
    "to-human",
    "stars",
    "paid",
    "round-won",
    "round-stuck",
    "match-won",
    "shuffle-commit",
    "shuffle-reveal",
    "called",
    "placed",
    "race-won",
)
"""Everything that happens in a game and is told in one line."""

STEPS: Final = (
    "step-lay",
    "step-lay-new",
    "step-lay-start",
    "step-move",
    "step-move-all",
    "step-move-new",
    "step-move-all-new",
    "step-swap",
    "step-swap-from",
    "step-joker",
    "step-joker-new",
    "step-turn",
    "step-take",
)
"""Everything that a step of a play can be."""

_Args = Mapping[str, object]
_Text = Any  # a string, a list of strings, or an object of forms

_TILES: Final = frozenset({"foreign", "laid", "missing", "tile"})  # told as `red 5-6-7, joker`
_MELDS: Final = frozenset({"landing", "meld"})  # told as `red 5-6-joker`
_EITHER: Final = frozenset({"needs"})  # told as `the red 5 or the black 5`
_WORD: Final = re.compile(r"\[([^\]]+)\]")
_PLURAL: Final = re.compile(r"\{(\w+):([^|{}]*)\|([^|{}]*)\}")
_ARGUMENT: Final = re.compile(r"\{(\w+)\}")


@lru_cache(maxsize=len(LANGUAGES))
def language(lang: str) -> dict[str, Any]:
    """All texts of a language, as its file has them."""
    if lang not in LANGUAGES:
        raise KeyError(f"no texts in {lang!r}; there are {', '.join(LANGUAGES)}")
    loaded: dict[str, Any] = json.loads(files("tilerummy.texts").joinpath(f"{lang}.json").read_text("utf-8"))
    return loaded


def sentence(code: str, args: _Args, rules: Ruleset, lang: str) -> str:
    """What a violation, refusal, event or step says."""
    for group in ("violations", "refusals", "events", "steps"):
        if code in language(lang)[group]:
            return fill(language(lang)[group][code], args, rules, lang)
    raise KeyError(f"no sentence for {code!r} in {lang}")


def short(reason: str, rules: Ruleset, lang: str) -> str:
    """Why some tiles are no meld, in the few words that fit under them."""
    return fill(_text(lang, "short", reason), {}, rules, lang)


def phrase(code: str, lang: str) -> str:
    """What a player says with a quick phrase; a reaction, which begins with a colon, says what the player does."""
    return str(_text(lang, "phrases", code))


def terminal(key: str, args: _Args, rules: Ruleset, lang: str) -> str:
    """What the terminal asks or shows."""
    return fill(_text(lang, "terminal", key), args, rules, lang)


def word(key: str, rules: Ruleset, lang: str) -> str:
    """The rulebook's own word: `run` is a séquence, a suite, a série or a combinaison."""
    texts = language(lang)
    own = texts["books"].get(rules.id, {})
    found: str | None = own.get(key, texts["words"].get(key))
    if found is None:
        raise KeyError(f"no word for {key!r} in {lang} for {rules.id}")
    return found


def colour_name(colour: Colour, rules: Ruleset, lang: str) -> str:
    """A colour as people say it; the rulebook decides what the fourth one is called."""
    return str(_colour(colour, rules, lang)["name"])


def tile_name(which: Tile | Face | str, rules: Ruleset, lang: str) -> str:
    """A tile as people say it, `red 5`; a copy's mark and what a joker stands for are left out."""
    written = str(which).partition("=")[0].rstrip("'")
    if written == "j":
        return str(language(lang)["tiles"]["joker"])
    one = face(written)
    return str(one.number) if one.colour is None else _coloured(one.colour, str(one.number), rules, lang)


def tiles_name(written: str, rules: Ruleset, lang: str) -> str:
    """Some tiles as people say them: `red 5-6-7, black 3, joker`."""
    said: list[str] = []
    run: list[Tile] = []
    for one in (*(piece.tile for piece in pieces(written)), None):
        if run and (one is None or one.is_joker or (one.colour, one.number - 1) != (run[-1].colour, run[-1].number)):
            colour = run[0].colour
            assert colour is not None
            said.append(_coloured(colour, "-".join(str(tile.number) for tile in run), rules, lang))
            run = []
        if one is not None and one.is_joker:
            said.append(tile_name(one, rules, lang))
        elif one is not None:
            run.append(one)
    return ", ".join(said)


def meld_name(written: str, rules: Ruleset, lang: str) -> str:
    """A meld as people say it, also one that is none: `red 5-6-joker`, or `red 5, black 5, joker`."""
    some = [piece.tile for piece in pieces(written)]
    colours = {tile.colour for tile in some if tile.colour}
    if len(colours) != 1 or len(some) < 2:
        return tiles_name(written, rules, lang)
    said = "-".join(tile_name(tile, rules, lang) if tile.is_joker else str(tile.number) for tile in some)
    return _coloured(colours.pop(), said, rules, lang)


def names(some: list[str], lang: str, *, last: str = "and") -> str:
    """A list as people say it: `red, blue and black`."""
    return str(language(lang)["tiles"][last]).join([", ".join(some[:-1]), some[-1]] if some[1:] else some)


def fill(text: _Text, args: _Args, rules: Ruleset, lang: str) -> str:
    """Put the rulebook's words, the arguments and the ruleset's fields into a text of this language."""
    known = {field.name: getattr(rules, field.name) for field in fields(rules)} | dict(args)
    known["fourth"] = language(lang)["colours"][rules.fourth_colour]["name"]
    return " ".join(_fill(form, known, rules, lang) for form in _forms(text, known))


def _text(lang: str, group: str, key: str) -> _Text:
    found = language(lang)[group].get(key)
    if found is None:
        raise KeyError(f"no text for {key!r} among the {group} in {lang}")
    return found


def _forms(text: _Text, known: _Args) -> Iterator[str]:
    if isinstance(text, str):
        yield text
    elif isinstance(text, list):
        yield from (form for form in text if all(known.get(name) != "" for name in _ARGUMENT.findall(form)))
    else:
        value = known[text["by"]]
        yield text[str(value).lower() if isinstance(value, bool) else str(value)]


def _fill(text: str, known: _Args, rules: Ruleset, lang: str) -> str:
    def worded(match: re.Match[str]) -> str:
        key = match[1]
        found = word(key[0].lower() + key[1:], rules, lang)
        return found if key[0].islower() else _capital(found)

    def counted(match: re.Match[str]) -> str:
        count = known[match[1]]
        assert isinstance(count, int)
        one = abs(count) < 2 if lang == "fr" else abs(count) == 1
        return match[2] if one else match[3]

    def said(match: re.Match[str]) -> str:
        name = match[1]
        value = str(known[name])
        if name in _TILES | _MELDS:
            value = (meld_name if name in _MELDS else tiles_name)(value, rules, lang)
            return value if match.start() else _capital(value)
        if name in _EITHER:
            the = str(language(lang)["tiles"]["the"])
            some = [the.replace("{tile}", tile_name(one, rules, lang)) for one in value.split()]
            return names(some, lang, last="or")
        return value.replace(" / ", str(language(lang)["tiles"]["or"])) if name == "choices" else value

    return _ARGUMENT.sub(said, _PLURAL.sub(counted, _WORD.sub(worded, text)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _coloured(colour: Colour, number: str, rules: Ruleset, lang: str) -> str:
    told: str = language(lang)["tiles"]["name"]
    return told.replace("{colour}", _colour(colour, rules, lang)["of a tile"]).replace("{number}", number)


def _colour(colour: Colour, rules: Ruleset, lang: str) -> dict[str, str]:
    found: dict[str, str] = language(lang)["colours"][rules.fourth_colour if colour == "y" else colour]
    return found
