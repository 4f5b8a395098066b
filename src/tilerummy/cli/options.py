"""Options that several commands share."""

from enum import StrEnum
from typing import Annotated, Final

import typer

from tilerummy.cli.screen import environment_language
from tilerummy.rulesets import RULESETS

__all__ = ["GAMES", "RACE", "House", "Json", "Lang", "Language", "chosen"]

RACE: Final = "junior-simplified"
GAMES: Final = (*RULESETS, RACE)
"""Everything that can be played: the rulesets, and the simplified race."""


class Language(StrEnum):
    """The languages that there are texts in."""

    EN = "en"
    FR = "fr"
    NL = "nl"
    DE = "de"


Json = Annotated[bool, typer.Option("--json", help="JSON on standard output, and nothing else.")]
Lang = Annotated[
    Language | None,
    typer.Option("--lang", help="The language; otherwise your environment's, or English.", show_default=False),
]
House = Annotated[
    list[str] | None,
    typer.Option("--house", metavar="FIELD=VALUE", help="A house rule, such as opening=51; as many as you like."),
]


def chosen(lang: Language | None) -> str:
    """The language asked for, or the environment's."""
    return str(lang) if lang else environment_language()
