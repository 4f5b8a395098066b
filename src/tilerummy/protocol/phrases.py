"""Quick phrases and reactions: all that players can say to each other, so that every language understands it.

The sentences are in `texts`, under `phrases`, by these codes.
"""

from typing import Final, Literal, get_args

__all__ = ["PHRASES", "REACTIONS", "Phrase"]

Phrase = Literal[
    "hello",
    "thanks",
    "well-played",
    "good-luck",
    "oops",
    "hurry",
    "wait",
    "bravo",
    "again",
    "goodbye",
    ":smile",
    ":wow",
    ":think",
    ":sad",
    ":clap",
]
"""The code of a phrase; a colon begins a reaction."""

PHRASES: Final[tuple[Phrase, ...]] = get_args(Phrase)
"""Every phrase, reactions included."""

REACTIONS: Final[tuple[Phrase, ...]] = tuple(code for code in PHRASES if code.startswith(":"))
"""What a face or two hands can say."""
