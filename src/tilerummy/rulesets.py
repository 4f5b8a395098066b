"""Rulesets: each rulebook as one frozen value, and house rules that change it within stated bounds.

>>> ruleset("sabra").joker_value, ruleset("classic").joker_value
(25, 30)
>>> ruleset("sabra", {"tileset": "xp"}).total
160
>>> ruleset("classic", {"opening": 51}).house
{'opening': 51}
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, Final

from tilerummy.tiles import COLOURS, JOKER, Tile, kind_of, shorten, tile_of

__all__ = [
    "BOUNDS",
    "HEAP",
    "MIN_PLAYERS",
    "RULES",
    "RULESETS",
    "TILESETS",
    "BadRuleset",
    "Dealing",
    "Direction",
    "FourthColour",
    "JokerGoes",
    "JokerLeaves",
    "JokerMelds",
    "Rearranging",
    "Ruleset",
    "Stalemate",
    "StalemateScore",
    "Starter",
    "Timeout",
    "Usable",
    "allowed",
    "house_text",
    "ruleset",
]

MIN_PLAYERS: Final = 2
HEAP: Final = 7  # rummy, 2: "en tas de 7 - le dernier tas de 8"; sabra: "en piles de 7 pièces"


class FourthColour(StrEnum):
    """How the colour written `y` is shown."""

    YELLOW = "yellow"
    ORANGE = "orange"


class Dealing(StrEnum):
    """How the tiles lie before they are dealt."""

    PILE = "pile"
    BAG = "bag"
    STACKS = "stacks"
    HEAPS = "heaps"


class Direction(StrEnum):
    """Which way the turn goes round the table."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter-clockwise"


class Starter(StrEnum):
    """Who begins a round."""

    HIGHEST = "highest"
    HOST = "host"


class Usable(StrEnum):
    """When a player may use the melds on the table."""

    OPENING_TURN = "opening-turn"
    NEXT_TURN = "next-turn"
    ALL_OPENED = "all-opened"


class Rearranging(StrEnum):
    """What a player may do with the melds on the table."""

    FREE = "free"
    ADDING = "adding"


class JokerLeaves(StrEnum):
    """What releases a joker on the table from what it stands for."""

    FREE = "free"
    SWAP = "swap"
    RACK_SWAP = "rack-swap"
    SWAP_OR_SPARE = "swap-or-spare"


class JokerGoes(StrEnum):
    """Where a released joker may go."""

    TABLE = "table"
    NEW_MELD = "new-meld"
    RACK = "rack"


class JokerMelds(StrEnum):
    """Whether a meld with a joker in it may be divided."""

    DIVISIBLE = "divisible"
    WHOLE = "whole"


class Timeout(StrEnum):
    """What becomes of an unfinished draft when the time is over."""

    RESTORE = "restore"
    KEEP_VALID = "keep-valid"
    KEEP_OWN = "keep-own"


class Stalemate(StrEnum):
    """When a round ends with an empty pool and no winner."""

    ALL_PASS = "all-pass"
    ONE_STUCK = "one-stuck"


class StalemateScore(StrEnum):
    """How a round without a finisher is scored."""

    DIFFERENCES = "differences"
    OTHERS_LESS_OWN = "others-less-own"


class BadRuleset(ValueError):
    """A house rule, or a combination of them, that makes no sense; `field` is the one to change."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One rulebook's game as data; docs/rulesets tells where each value is printed."""

    id: str
    players: int = 4
    age: int = 0  # 0 where the rulebook prints none
    numbers: int = 13
    copies: int = 2
    jokers: int = 2
    fourth_colour: FourthColour = FourthColour.YELLOW
    deal: int = 14
    dealing: Dealing = Dealing.PILE
    direction: Direction = Direction.CLOCKWISE
    starter: Starter = Starter.HIGHEST
    groups: bool = True
    opening: int = 30
    usable: Usable = Usable.OPENING_TURN
    rearranging: Rearranging = Rearranging.FREE
    joker_leaves: JokerLeaves = JokerLeaves.FREE
    joker_goes: JokerGoes = JokerGoes.TABLE
    joker_melds: JokerMelds = JokerMelds.DIVISIBLE
    timed: bool = True
    turn_seconds: int = 120
    timeout: Timeout = Timeout.KEEP_VALID
    timeout_draws: int = 3
    untouched_draws: int = 1
    joker_value: int = 30
    stalemate: Stalemate = Stalemate.ALL_PASS
    stalemate_score: StalemateScore = StalemateScore.DIFFERENCES
    stars: int = 0  # stars each player starts with; 0 is a game for points

    @property
    def total(self) -> int:
        """How many tiles there are."""
        return self.numbers * len(COLOURS) * self.copies + self.jokers

    @property
    def tileset(self) -> str:
        """The name of the tile set: one of TILESETS, or `own` for any other."""
        mine = {"numbers": self.numbers, "copies": self.copies, "jokers": self.jokers}
        return next((name for name, parts in TILESETS.items() if parts.items() >= mine.items()), "own")

    @property
    def house(self) -> dict[str, Any]:
        """The fields in which this ruleset differs from the rulebook it is named after."""
        base = RULESETS[self.id]
        return {name: getattr(self, name) for name in BOUNDS if getattr(self, name) != getattr(base, name)}

    @property
    def step(self) -> int:
        """+1 when the next seat plays next, -1 when play is counter-clockwise."""
        return 1 if self.direction is Direction.CLOCKWISE else -1

    def tiles(self) -> tuple[Tile, ...]:
        """Every tile of the set, in the order of the notation."""
        numbered = (
            tile_of(kind_of(colour, number), copy)
            for colour in COLOURS
            for number in range(1, self.numbers + 1)
            for copy in range(self.copies)
        )
        return (*numbered, *(tile_of(JOKER, copy) for copy in range(self.jokers)))

    def has(self, tile: Tile) -> bool:
        """Whether the tile is in this set."""
        return tile.copy < (self.jokers if tile.is_joker else self.copies) and tile.number <= self.numbers

    def check_players(self, count: int) -> None:
        """Raise BadRuleset unless this many can play."""
        if not MIN_PLAYERS <= count <= self.players:
            raise BadRuleset("players", _players_reason(self, count))


def _players_reason(rules: Ruleset, count: int) -> str:
    small = rules.copies < 3 and RULESETS[rules.id].tileset == "standard"
    if 4 < count <= _MOST_PLAYERS and small:
        # sabra, *Rummikub XP*: "Pour 5 ou 6 joueurs: utilisez les 160 pièces"
        return f"{count} players need the 160 tiles of the xp set; here there are {rules.total}"
    most = rules.players if rules.copies > 2 else min(rules.players, 4)
    return f"{rules.id} is for {MIN_PLAYERS} to {most} players, not {count}"


_MOST_PLAYERS: Final = 6

# Every field that a house rule may change, with its bounds: (least, most), bool, or the words to choose from.
BOUNDS: Final[dict[str, tuple[int, int] | type[bool] | type[StrEnum]]] = {
    "players": (MIN_PLAYERS, _MOST_PLAYERS),
    "age": (0, 99),
    "numbers": (7, 13),
    "copies": (1, 3),
    "jokers": (0, 4),
    "fourth_colour": FourthColour,
    "deal": (3, 21),
    "dealing": Dealing,
    "direction": Direction,
    "starter": Starter,
    "groups": bool,
    "opening": (0, 200),
    "usable": Usable,
    "rearranging": Rearranging,
    "joker_leaves": JokerLeaves,
    "joker_goes": JokerGoes,
    "joker_melds": JokerMelds,
    "timed": bool,
    "turn_seconds": (0, 3600),
    "timeout": Timeout,
    "timeout_draws": (0, 10),
    "untouched_draws": (0, 10),
    "joker_value": (0, 100),
    "stalemate": Stalemate,
    "stalemate_score": StalemateScore,
    "stars": (0, 20),
}

# sabra, *Rummikub XP*; a `tileset` in the house rules stands for its fields.
TILESETS: Final[dict[str, dict[str, int]]] = {
    "standard": {"numbers": 13, "copies": 2, "jokers": 2, "players": 4},
    "xp": {"numbers": 13, "copies": 3, "jokers": 4, "players": 6},
    "xp-quick": {"numbers": 13, "copies": 2, "jokers": 4, "players": 4},
    "junior": {"numbers": 10, "copies": 1, "jokers": 4, "players": 4},
}

RULESETS: Final[dict[str, Ruleset]] = {
    rules.id: rules
    for rules in (
        Ruleset(
            id="classic",
            age=8,
            fourth_colour=FourthColour.ORANGE,
            joker_leaves=JokerLeaves.SWAP,
            joker_goes=JokerGoes.NEW_MELD,
            turn_seconds=60,
            timeout=Timeout.KEEP_OWN,
        ),
        Ruleset(
            id="club",
            dealing=Dealing.BAG,
            usable=Usable.NEXT_TURN,
            joker_goes=JokerGoes.NEW_MELD,
            timeout=Timeout.RESTORE,
            timeout_draws=1,
            stalemate=Stalemate.ONE_STUCK,
            stalemate_score=StalemateScore.OTHERS_LESS_OWN,
        ),
        Ruleset(
            id="sabra",
            dealing=Dealing.STACKS,
            timed=False,
            untouched_draws=3,
            joker_value=25,
        ),
        Ruleset(
            id="rummy",
            dealing=Dealing.HEAPS,
            direction=Direction.COUNTER_CLOCKWISE,
            usable=Usable.ALL_OPENED,
            joker_leaves=JokerLeaves.RACK_SWAP,
            joker_goes=JokerGoes.NEW_MELD,
            joker_melds=JokerMelds.WHOLE,
        ),
        Ruleset(
            id="junior",
            age=4,
            numbers=10,
            copies=1,
            jokers=4,
            deal=6,
            starter=Starter.HOST,
            groups=False,
            opening=0,
            rearranging=Rearranging.ADDING,
            joker_leaves=JokerLeaves.SWAP_OR_SPARE,
            joker_goes=JokerGoes.RACK,
            timed=False,
            turn_seconds=0,
            timeout=Timeout.RESTORE,
            timeout_draws=1,
            joker_value=1,
            stars=6,
        ),
    )
}


RULES: Final = ("tileset", *BOUNDS)
"""Every house rule."""


def ruleset(id: str, house: Mapping[str, object] | None = None) -> Ruleset:
    """Return the ruleset of this id with these house rules, or raise BadRuleset with the field and the reason."""
    if id not in RULESETS:
        raise BadRuleset("ruleset", f"no ruleset is called {shorten(str(id))}; there are {', '.join(RULESETS)}")
    changes: dict[str, Any] = {}
    given = dict(house or {})
    if "tileset" in given:
        name = given.pop("tileset")
        if not isinstance(name, str) or name not in TILESETS:
            raise BadRuleset("house.tileset", f"{allowed('tileset')}, not {_said(name)}")
        changes.update(TILESETS[name])
    for name, value in given.items():
        changes[name] = _read_field(name, value)
    made = replace(RULESETS[id], **changes) if changes else RULESETS[id]
    _refuse_nonsense(made)
    return made


def house_text(rules: Ruleset) -> str:
    """Write the house rules as `field=value` words, readable by the command line and by records."""
    return " ".join(f"{name}={_plain(value)}" for name, value in rules.house.items())


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _said(value: object) -> str:
    return shorten(value) if isinstance(value, str) else shorten(str(value)).strip("'")


def allowed(name: str) -> str:
    """What a house rule may be, in words.

    >>> allowed("opening"), allowed("groups"), allowed("starter")
    ('a whole number from 0 to 200', 'true or false', 'one of highest, host')
    """
    if name == "tileset":
        return f"one of {', '.join(TILESETS)}"
    bounds = BOUNDS[name]
    if isinstance(bounds, tuple):
        return f"a whole number from {bounds[0]} to {bounds[1]}"
    return f"one of {', '.join(bounds)}" if issubclass(bounds, StrEnum) else "true or false"


def _read_field(name: str, value: object) -> int | bool | StrEnum:
    field = f"house.{name}" if len(name) <= 24 else f"house.{name[:24]}…"
    if name not in BOUNDS:
        raise BadRuleset(field if name else "house", f"no such rule; the rules are {', '.join(RULES)}")
    bounds = BOUNDS[name]
    if bounds is bool:
        if value is True or value is False:
            return value
        if value in ("true", "false"):
            return value == "true"
    elif isinstance(bounds, tuple):
        least, most = bounds
        number = _whole(value)
        if number is not None and least <= number <= most:
            return number
    else:
        assert issubclass(bounds, StrEnum)
        if isinstance(value, str) and value in [str(word) for word in bounds]:
            return bounds(value)
    raise BadRuleset(field, f"{allowed(name)}, not {_said(value)}")


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and value == int(value) else None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return None


def _refuse_nonsense(rules: Ruleset) -> None:
    if rules.players > 4 and rules.copies < 3:
        raise BadRuleset("house.players", _players_reason(rules, rules.players))
    dealt = rules.players * rules.deal
    if dealt > rules.total:
        raise BadRuleset(
            "house.deal", f"{rules.players} players with {rules.deal} tiles need {dealt}; there are {rules.total}"
        )
    if rules.dealing is Dealing.HEAPS:
        if rules.deal % HEAP:
            raise BadRuleset("house.deal", f"a rack of {rules.deal} cannot be taken in heaps of {HEAP}")
        if dealt > rules.total - HEAP - rules.total % HEAP and rules.total % HEAP:
            raise BadRuleset("house.deal", f"{rules.players} players would need the last heap, which is larger")
    if rules.opening > _most_points(rules):
        raise BadRuleset(
            "house.opening", f"{rules.deal} tiles hold at most {_most_points(rules)} points, not {rules.opening}"
        )
    if rules.timed and not rules.turn_seconds:
        raise BadRuleset("house.turn_seconds", "a timed game needs more than 0 seconds a turn")


def _most_points(rules: Ruleset) -> int:
    """No rack holds more than its highest tiles, with every joker counting as the highest number."""
    highest = [rules.numbers] * rules.jokers + [
        number for number in range(rules.numbers, 0, -1) for _ in range(len(COLOURS) * rules.copies)
    ]
    return sum(highest[: rules.deal])


assert set(BOUNDS) | {"id"} == {field.name for field in fields(Ruleset)}
