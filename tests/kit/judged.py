"""Melds as the engine judges them, for the page to judge alike.

`python -m tests.kit.judged` writes tests/truth/melds.json; a test says whether each line of it is still true.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tilerummy.melds import MIN_MELD, Broken, best_value, pieces, read
from tilerummy.rulesets import RULESETS
from tilerummy.tiles import COLOURS, text, tiles

__all__ = ["FILE", "judge", "worth"]

FILE = Path(__file__).parent.parent / "truth" / "melds.json"

_RULESETS = ("sabra", "junior")
_PLAIN = (
    *("", "r1", "r1 r2", "r5 j", "j j j", "j=r1 j=r2 j=r3", "r5 j j", "j r5 j", "j j r5", "r5 j j j", "r13 j j"),
    *("j j r2", "j j r1", "r12 r13 j", "j r1 r2", "r1 r2 r4", "r1 r1' r2", "r5 j r3", "r1 b2 k3", "r5 b5 k6"),
    *("r1 r1' b1", "r5 b5 j=r5", "r5 b5 k5 y5 j", "r5 b5 k5 y5", "y5 k5 b5 r5", "r5 b5 j=6", "r5 b5 j=k5"),
    *("r5 j=b6 r7", "r5 j j=r9", "r5 j=r9 r7", "r5 j=r6 j=r7", "j=r7 r5 j=r6", "r5 j=5 j'=5", "r5 j j=5", "r4 j=5 r6"),
    *("r5 j j=r7", "r5 j=r5 j", "r8 r9 r10", "b10 b8 b9", "y13 r13 b13", "j r13 b13", "b6 b7 j", "j b6 b7"),
    *("r9 r10 j", "r9 r10 r11", "j r9 r10", "r5 b5 k5", "r5 r5' b5", "r5 b6 k7", "j b5 r5 j'", "r2 r3 j r5 r6"),
    *("r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13", "r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 j", "j j' r3 r4 j''"),
)


def judge(meld: str, ruleset: str) -> dict[str, Any]:
    """A meld as written, and what the engine says of it."""
    rules = RULESETS[ruleset]
    row: dict[str, Any] = {"meld": meld, "ruleset": ruleset}
    found = read(pieces(meld), rules.numbers, rules.groups)
    if isinstance(found, Broken):
        return row | {"reason": found.reason, "choices": " / ".join(found.choices)}
    kind = "run" if found.is_run else "group"
    faces = [str(found.face(place)) for place in range(len(found.tiles))]
    return row | {"reason": None, "kind": kind, "text": str(found), "faces": faces, "points": found.points}


def worth(some: str, ruleset: str) -> dict[str, Any]:
    """Some tiles, and the most points that melds within them are worth."""
    rules = RULESETS[ruleset]
    return {"tiles": some, "ruleset": ruleset, "value": best_value(tiles(some), rules.numbers, rules.groups)}


def _file() -> str:
    luck = Random("melds")
    melds = [*_PLAIN, *(_some_meld(luck) for _ in range(360))]
    racks = [(id, luck.sample(RULESETS[id].tiles(), luck.randint(3, 16))) for id in _RULESETS for _ in range(60)]
    parts = {
        "melds": [judge(meld, id) for meld in melds for id in _RULESETS],
        "values": [worth(text(rack), id) for id, rack in racks],
    }
    lines = {part: ",\n".join(map(json.dumps, rows)) for part, rows in parts.items()}
    return "{\n" + ",\n".join(f'"{part}": [\n{rows}\n]' for part, rows in lines.items()) + "\n}\n"


def _some_meld(luck: Random) -> str:
    """A meld, or nearly one: some of its tiles are jokers, named or not, and now and then one is another tile."""
    words = list(_run(luck) if luck.random() < 0.5 else _group(luck))
    jokers = iter(("j", "j'", "j''"))
    for place in luck.sample(range(len(words)), luck.choice((0, 0, 1, 1, 2, 3)) % len(words)):
        name = luck.choice(("", f"={words[place]}", f"={words[place][1:]}"))
        words[place] = next(jokers) + name
    if luck.random() < 0.35:
        words[luck.randrange(len(words))] = f"{luck.choice(COLOURS)}{luck.randint(1, 13)}"
    if luck.random() < 0.3:
        luck.shuffle(words)
    return " ".join(words)


def _run(luck: Random) -> Iterator[str]:
    colour, size = luck.choice(COLOURS), luck.randint(MIN_MELD - 1, 6)
    first = luck.randint(1, 13 - size + 1)
    return (f"{colour}{number}" for number in range(first, first + size))


def _group(luck: Random) -> Iterator[str]:
    number = luck.randint(1, 13)
    return (f"{colour}{number}" for colour in luck.sample(COLOURS, luck.randint(2, 4)))


if __name__ == "__main__":
    FILE.write_text(_file(), "utf-8")
