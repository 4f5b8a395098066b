"""Names: a friendly one for whoever has not chosen any, and what a chosen one may look like.

>>> import random
>>> friendly_name("en", random.Random(7)), friendly_name("fr", random.Random(7))
('Golden Dove', 'Toucan fier')
>>> wanted_language("nl-BE, nl;q=0.9, fr;q=0.8"), wanted_language("")
('nl', 'en')
>>> tidy_name("  Zo\u00eb   <3 ")
'Zoë <3'
>>> tidy_name("Ann\u202e")
Traceback (most recent call last):
tilerummy.server.names.BadName: a name has only signs that can be seen
"""

import json
import random
import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any, Final

from tilerummy.texts import LANGUAGES

__all__ = ["MAX_NAME", "BadName", "friendly_name", "tidy_name", "wanted_language"]

MAX_NAME: Final = 24
_MARKS: Final = 2  # that one letter may carry
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and marks that nobody sees
_LONGEST: Final = 1000  # characters of a header that is read; browsers write a tenth of it
_WISH: Final = re.compile(r"([a-z]+)(?:-[a-z0-9-]+)?(?:\s*;\s*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?", re.ASCII | re.I)


class BadName(ValueError):
    """A name that cannot be used, and why."""


@cache
def _words() -> dict[str, Any]:
    """The manners and animals of each language; every manner agrees with every animal."""
    loaded: dict[str, Any] = json.loads(files("tilerummy.server").joinpath("names.json").read_text("utf-8"))
    return loaded


def friendly_name(lang: str, chance: random.Random | None = None) -> str:
    """A name for somebody who has not chosen one."""
    chance = chance or random.SystemRandom()
    words = _words()[lang]
    name: str = words["name"].format(manner=chance.choice(words["manners"]), animal=chance.choice(words["animals"]))
    return name


def wanted_language(header: str) -> str:
    """The language of ours that an Accept-Language header likes best, the first of equals; English if it likes none."""
    best, most = "en", 0.0
    for item in header.split(",") if len(header) <= _LONGEST else ():
        wish = _WISH.fullmatch(item.strip())
        if wish is None or wish[1].lower() not in LANGUAGES:
            continue
        liking = float(wish[2] or 1)
        if liking > most:
            best, most = wish[1].lower(), liking
    return best


def tidy_name(name: str) -> str:
    """A chosen name as it is kept, or raise BadName; signs that steer a text's direction are none that can be seen."""
    tidy = unicodedata.normalize("NFC", " ".join(name.split()))
    if not tidy:
        raise BadName("a name is not empty")
    if len(tidy) > MAX_NAME:
        raise BadName(f"a name has at most {MAX_NAME} characters")
    if not tidy.isprintable():
        raise BadName("a name has only signs that can be seen")
    if not _BLANK.isdisjoint(tidy):
        raise BadName("a name has only signs that can be seen")
    kinds = [unicodedata.category(sign)[0] for sign in tidy]
    if "M" * (_MARKS + 1) in "".join(kinds):
        raise BadName(f"a letter has at most {_MARKS} marks")
    if not any(kind in "LNPS" for kind in kinds):
        raise BadName("a name has only signs that can be seen")
    return tidy
