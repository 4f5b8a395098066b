"""What is played in a run of the arena: who takes part, who sits where, the rules, the seed.

>>> [one.name for one in read_seats("greedy,expert:2000,mine=cmd:python bot.py")]
['greedy', 'expert:2000', 'mine']
>>> rotations((0, 1, 0, 1)), rotations((0, 1))
(((0, 1, 0, 1), (1, 0, 1, 0)), ((0, 1), (1, 0)))
"""

import csv
import hashlib
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import combinations
from typing import Final

from tilerummy.bots import BOTS, BUDGET
from tilerummy.rulesets import RULESETS, BadRuleset, Ruleset, Stalemate
from tilerummy.solver.search import is_rare
from tilerummy.tiles import shorten

__all__ = [
    "MAX_BUDGET",
    "MAX_GAMES",
    "MAX_MOVE_TIME",
    "MAX_SEED",
    "MOVE_TIME",
    "BadSettings",
    "Entrant",
    "Settings",
    "deal_seed",
    "luck_seed",
    "read_seats",
    "rotations",
    "round_robin",
    "searches",
    "seated",
]

MOVE_TIME: Final = 60.0
"""Seconds for a move, unless somebody says otherwise."""
MAX_BUDGET: Final = 10_000_000
MAX_GAMES: Final = 1_000_000
MAX_MOVE_TIME: Final = 86_400.0
MAX_SEED: Final = 2**63 - 1
_MOST_ENTRANTS: Final = 40
_COMMAND: Final = "cmd:"
_LABEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


class BadSettings(ValueError):
    """A run that cannot be; `field` is what to change."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part: one of ours by its name, or a command that speaks JSON Lines."""

    name: str
    bot: str | None
    command: tuple[str, ...] = ()
    budget: int = BUDGET


@dataclass(frozen=True, slots=True)
class Settings:
    """A run: every line-up plays every deal, once for each rotation of the seats."""

    entrants: tuple[Entrant, ...]
    lineups: tuple[tuple[int, ...], ...]
    """Who sits at a table, in the order of the seats, as places among the entrants."""
    games: int = 100
    """Of each line-up, at least: deals are played whole."""
    seed: int = 0
    rules: Ruleset = field(default_factory=lambda: RULESETS["sabra"])
    move_time: float = MOVE_TIME

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        _bounded("games", self.games, 1, MAX_GAMES)
        _bounded("seed", self.seed, 0, MAX_SEED)
        if not 0 < self.move_time <= MAX_MOVE_TIME:
            raise BadSettings(
                "move-time", f"seconds, more than 0 and at most {MAX_MOVE_TIME:.0f}, not {self.move_time}"
            )
        for one in self.entrants:
            _bounded("budget", one.budget, 1, MAX_BUDGET)
        try:
            self.rules.check_players(self.players)
        except BadRuleset as error:
            raise BadSettings("seats", error.reason) from None
        if self.rules.stalemate is Stalemate.ONE_STUCK and self.rules.jokers and is_rare(self.rules):
            raise BadSettings(
                "house.stalemate",
                f"with these joker rules nobody can tell in time who is stuck; {Stalemate.ALL_PASS} can be played",
            )

    @property
    def players(self) -> int:
        """How many sit at a table."""
        return len(self.lineups[0])

    @property
    def deals(self) -> int:
        """How many deals there are, so that each line-up has its games."""
        return -(-self.games // len(rotations(self.lineups[0])))


def read_seats(written: str, budget: int = BUDGET) -> tuple[Entrant, ...]:
    """Read bots with commas between them, as a row of CSV; each may have a budget, or a label of its own."""
    try:
        (row,) = csv.reader([written], strict=True)
    except (csv.Error, ValueError):
        raise BadSettings("seats", f"no list of bots: {shorten(written)}") from None
    if len(row) > _MOST_ENTRANTS:
        raise BadSettings("seats", f"at most {_MOST_ENTRANTS} bots, not {len(row)}")
    entrants = tuple(_entrant(one.strip(), budget) for one in row)
    known: dict[str, Entrant] = {}
    for one in entrants:
        if known.setdefault(one.name, one) != one:
            raise BadSettings("seats", f"{shorten(one.name)} is the name of two different bots")
    return entrants


def _entrant(written: str, budget: int) -> Entrant:
    label, separator, rest = written.partition("=")
    if not separator or written.startswith(_COMMAND):
        label, rest = "", written
    elif not _LABEL.fullmatch(label):
        raise BadSettings("seats", f"a label has up to 40 letters, digits, dots and dashes, not {shorten(label)}")
    if rest.startswith(_COMMAND):
        try:
            command = tuple(shlex.split(rest.removeprefix(_COMMAND)))
        except ValueError as error:
            raise BadSettings("seats", f"{shorten(rest)} is no command: {error}") from None
        if not rest.isprintable():
            raise BadSettings("seats", f"{shorten(rest)} has signs that cannot be shown")
        if find_spec("pydantic") is None:
            raise BadSettings("seats", "what is said to a program needs pydantic; pip install 'tilerummy[client]'")
        if not command:
            raise BadSettings("seats", "a command is missing after cmd:")
        return Entrant(label or " ".join(rest.split()), None, command, budget)
    name, separator, own = rest.partition(":")
    if name not in BOTS:
        raise BadSettings("seats", f"no bot is called {shorten(name)}; there are {', '.join(BOTS)}, and cmd:…")
    if separator:
        if not searches(name):
            some = " and ".join(one for one in BOTS if searches(one))
            raise BadSettings("seats", f"{name} does not search and has no budget; only {some} and programs have one")
        if not (own.isascii() and own.isdigit() and len(own) < 10):
            raise BadSettings("seats", f"{name}:{own[:20]} has no budget; write {name}:2000")
        budget = int(own)
    return Entrant(label or rest, name, (), budget)


def searches(name: str) -> bool:
    """Whether a bot of ours does more with a larger budget."""
    return bool(getattr(BOTS[name], "searches", False))


def seated(entrants: Sequence[Entrant]) -> tuple[tuple[Entrant, ...], tuple[tuple[int, ...], ...]]:
    """One table with a seat for each of these; who is named twice takes part once, on two seats."""
    once = tuple(dict.fromkeys(entrants))
    return once, (tuple(once.index(one) for one in entrants),)


def round_robin(
    entrants: Sequence[Entrant], players: int = 2
) -> tuple[tuple[Entrant, ...], tuple[tuple[int, ...], ...]]:
    """A table for every choice of so many of these."""
    once = tuple(dict.fromkeys(entrants))
    if players < 2 or len(once) < players:
        raise BadSettings(
            "players", f"tables of {players} need at least {max(2, players)} different bots, not {len(once)}"
        )
    return once, tuple(combinations(range(len(once)), players))


def rotations(lineup: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The line-up on every seat once; rotations that look the same would be the same game, and are played once."""
    turned = [lineup[by:] + lineup[:by] for by in range(len(lineup))]
    return tuple(dict.fromkeys(turned))


def deal_seed(seed: int, deal: int) -> str:
    """The seed of a deal's shuffle."""
    return hashlib.sha256(f"tilerummy arena\n{seed}\n{deal}".encode()).hexdigest()


def luck_seed(seed: int, deal: int, seat: int) -> str:
    """The seed of the chance that whoever sits on this seat has, in every rotation of the deal."""
    return hashlib.sha256(f"tilerummy arena luck\n{seed}\n{deal}\n{seat}".encode()).hexdigest()


def _bounded(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadSettings(name, f"a whole number from {least} to {most}, not {value}")
