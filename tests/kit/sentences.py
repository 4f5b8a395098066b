"""Sentences of every kind as the program says them; the page, which has a reader of its own, has to say the same.

`python -m tests.kit.sentences` writes them anew.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import count
from pathlib import Path
from typing import Any, Final

from tilerummy.rulesets import RULESETS, Ruleset, ruleset
from tilerummy.texts import LANGUAGES, language, meld_name, tile_name, tiles_name, word
from tilerummy.texts.saying import fill

__all__ = ["FILE", "generate", "written"]

FILE: Final = Path(__file__).parent.parent / "truth" / "sentences.json"

GROUPS: Final = ("violations", "short", "refusals", "events", "steps", "phrases")
TABLES: Final[dict[str, Ruleset]] = {
    **RULESETS,
    "rummy for 51": ruleset("rummy", {"opening": 51}),
    "xp": ruleset("sabra", {"tileset": "xp"}),
}
VALUES: Final[dict[str, tuple[object, ...]]] = {
    "name": ("Amber Fox", "Zoë", "<b>Bo</b> $& `x` ${y}"),
    "count": (0, 1, 2, 14),
    "choices": ("r5 r6 j=r7 / j=r4 r5 r6", "j=r5 j=r6 r7"),
    "foreign": ("", "r5 r6 r7", "j j' k1"),
    "laid": ("b11 k8 y8'", "r1 r2 r3 y13", "j=r5 j'=r6", "y5 y6 j y8"),
    "landing": ("r5 r6 j=r7", "b5 k5 j"),
    "meld": ("r5 r6 j=r7", "y5 b5 k5", "j j'", "k8 k8'", "y1"),
    "missing": ("", "r5", "y1 y2 y3 b3"),
    "needs": ("r5", "r5 y5", "r5 b5 y5"),
    "tile": ("y13", "r1'", "j'"),
    "tiles": ("red 5", "red 5-6"),
}
NUMBERS: Final = (1, 0, -1, 2, 30)
TILES: Final = (
    "r5",
    "r5 r6 r7",
    "b6 b7 j=b8 r8",
    "y1 y3 y4 k4",
    "j j'",
    "r5 r5'",
    "y9 y10 j=y11",
    "k13 k12",
    "r5 b5 j=5",
)

_ARGUMENT: Final = re.compile(r"\{(\w+)[:}]")
_COUNTED: Final = re.compile(r"\{(\w+):")


def generate() -> dict[str, Any]:
    """Every code of every group, with several arguments, at tables that take turns, in every language."""
    turn = count()
    said = []
    for group in GROUPS:
        for code in language("en")[group]:
            tables = _tables(language("en")[group][code])
            for args in _arguments(group, code):
                table = tables[next(turn) % len(tables)]
                said.append(
                    {
                        "group": group,
                        "code": code,
                        "args": args,
                        "table": table,
                        "said": {
                            lang: fill(language(lang)[group][code], args, TABLES[table], lang) for lang in LANGUAGES
                        },
                    }
                )
    return {
        "tables": {name: _told(rules) for name, rules in TABLES.items()},
        "sentences": said,
        "words": {
            lang: {
                name: {key: _word(key, rules, lang) for key in language(lang)["words"]}
                for name, rules in TABLES.items()
            }
            for lang in LANGUAGES
        },
        "names": [
            {
                "table": table,
                "tiles": tiles,
                "said": {lang: _names(tiles, TABLES[table], lang) for lang in LANGUAGES},
            }
            for tiles in TILES
            for table in ("classic", "sabra")
        ],
    }


def written() -> str:
    """The file as it has to be."""
    return json.dumps(generate(), ensure_ascii=False, indent=1) + "\n"


def _told(rules: Ruleset) -> dict[str, object]:
    known = {field.name: getattr(rules, field.name) for field in fields(rules)}
    own = known.pop("id")
    return {"id": own, "fields": {name: value for name, value in known.items() if isinstance(value, bool | int | str)}}


def _word(key: str, rules: Ruleset, lang: str) -> str:
    return fill(word(key, rules, lang), {}, rules, lang)


def _names(tiles: str, rules: Ruleset, lang: str) -> list[str]:
    return [tiles_name(tiles, rules, lang), meld_name(tiles, rules, lang), tile_name(tiles.split()[0], rules, lang)]


def _tables(text: Any) -> list[str]:
    """The tables at which a text can be said: where the ruleset chooses the form, those for which there is one."""
    by = text["by"] if isinstance(text, dict) else ""
    return [name for name, rules in TABLES.items() if not hasattr(rules, by) or str(getattr(rules, by)) in text]


def _arguments(group: str, code: str) -> Iterator[dict[str, object]]:
    """Arguments for every form of a text, and for every one of its arguments each of its values at least once."""
    own = {field.name for field in fields(Ruleset)} | {"fourth"}
    texts = {lang: language(lang)[group][code] for lang in LANGUAGES}
    forms = " ".join(json.dumps(text) for text in texts.values())
    names = sorted(set(_ARGUMENT.findall(forms)) - own)
    counted = set(_COUNTED.findall(forms))
    values = {name: VALUES.get(name, NUMBERS if name in counted else ("7", "red 5")) for name in names}
    several = max((len(some) for some in values.values()), default=1)
    chosen: list[dict[str, object]] = [{}]
    text = texts["en"]
    if isinstance(text, dict) and text["by"] not in own:  # a field of the ruleset chooses by itself
        chosen = [{text["by"]: name} for name in text if name != "by"]
    for form in chosen:
        for index in range(several):
            yield form | {name: values[name][(index + place) % len(values[name])] for place, name in enumerate(names)}


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
