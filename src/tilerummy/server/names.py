"""Names: a friendly one for whoever has not chosen any, and what a chosen one may look like.

>>> import random
>>> friendly_name(random.Random(7))
'Patient Ferret'
>>> tidy_name("  Zo\u00eb   <3 ")
'Zoë <3'
>>> tidy_name("Ann\u202e")
Traceback (most recent call last):
tilerummy.server.names.BadName: a name has only signs that can be seen
"""

import random
import unicodedata
from typing import Final

__all__ = ["MAX_NAME", "BadName", "friendly_name", "tidy_name"]

MAX_NAME: Final = 24
_MARKS: Final = 2  # that one letter may carry
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and marks that nobody sees


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_MANNERS: Final = _words(
    """
    Amber Azure Breezy Bright Brisk Calm Clever Copper Coral Cosy Crimson Curious Daring Dapper Eager Early Emerald
    Fair Gentle Glad Golden Happy Hazel Honest Indigo Ivory Jade Jolly Keen Kind Lilac Lively Lucky Lunar Maroon
    Mellow Merry Mossy Noble Olive Opal Patient Pearl Plucky Quick Quiet Rosy Ruby Rustic Sage Scarlet Silver Smart
    Snowy Sunny Swift Tidy Topaz Velvet Violet Warm Wise Witty Zesty
    """
)
_ANIMALS: Final = _words(
    """
    Badger Bear Beaver Bee Bison Bunny Camel Cat Cricket Crane Crow Deer Dolphin Donkey Dove Dragonfly Duck Eagle
    Falcon Ferret Finch Firefly Fox Frog Gecko Goat Goose Hamster Hare Hawk Hedgehog Heron Horse Ibis Jay Koala
    Ladybird Lark Lemur Lion Llama Lynx Magpie Marmot Marten Mole Moose Mouse Newt Otter Owl Panda Parrot Penguin
    Pony Puffin Rabbit Raven Robin Salmon Seal Sparrow Squirrel Stork Swan Tiger Toad Turtle Walrus Whale Wren
    """
)


class BadName(ValueError):
    """A name that cannot be used, and why."""


def friendly_name(chance: random.Random | None = None) -> str:
    """A name for somebody who has not chosen one."""
    chance = chance or random.SystemRandom()
    return f"{chance.choice(_MANNERS)} {chance.choice(_ANIMALS)}"


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
