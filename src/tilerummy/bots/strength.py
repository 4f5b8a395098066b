"""How strong each bot is, in Elo: what `python -m bench.strength` measured, two players under sabra's rules.

A difference of 100 is 64 wins of 100 rounds, one of 200 is 76. Whoever has not been measured has no figure.
"""

import json
from functools import cache
from importlib.resources import files

__all__ = ["elo"]


def elo(name: str) -> int | None:
    """The strength of the bot of this name, or None."""
    return _measured().get(name)


@cache
def _measured() -> dict[str, int]:
    kept = json.loads(files("tilerummy.bots").joinpath("strength.json").read_text(encoding="utf-8"))
    return {str(name): int(figure) for name, figure in kept["elo"].items()}
