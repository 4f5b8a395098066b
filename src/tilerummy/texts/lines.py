"""The telling of the rules as data: which line is said when, which decision is behind it, which example goes with it.

The sentences themselves are in the language files, under `rules`, by the keys that are named here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tilerummy.rulesets import (
    RULESETS,
    Dealing,
    JokerLeaves,
    Rearranging,
    Ruleset,
    Stalemate,
    Starter,
    Timeout,
    Usable,
)

__all__ = [
    "BOOK_LANGUAGES",
    "BOOK_TILESETS",
    "BOOK_WORDS",
    "DECISIONS",
    "PLAYERS_DOWN",
    "RACE",
    "RACE_DECISIONS",
    "SECTIONS",
    "SHEETS",
    "Decision",
    "Line",
    "Shown",
    "clocked",
]

_When = Callable[[Ruleset], bool]

_FOUR: Final = frozenset({"classic", "club", "sabra", "rummy"})


def _always(rules: Ruleset) -> bool:
    return True


def clocked(rules: Ruleset) -> bool:
    """Whether there is a clock, or the rulebook offers one."""
    return rules.timed or rules.turn_seconds > 0


def _stars(rules: Ruleset) -> bool:
    return rules.stars > 0


def _points(rules: Ruleset) -> bool:
    return rules.stars == 0


def _jokers(rules: Ruleset) -> bool:
    return rules.jokers > 0


def _moving(rules: Ruleset) -> bool:
    return rules.rearranging is Rearranging.FREE


def _opens(rules: Ruleset) -> bool:
    return rules.opening > 0 and rules.groups


def _at_once(rules: Ruleset) -> bool:
    return rules.opening == 0 and rules.usable is Usable.OPENING_TURN


def _sets(rules: Ruleset) -> bool:
    """Whether more may play with another set of the rulebook."""
    return rules.id in BOOK_TILESETS and rules.players == RULESETS[rules.id].players


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision (d): the rulebooks for which it was made, and the fields by which a house rule takes it back."""

    books: frozenset[str]
    fields: tuple[str, ...] = ()

    def holds(self, rules: Ruleset) -> bool:
        """Whether this is how the ruleset came to be as it is."""
        return rules.id in self.books and not rules.house.keys() & set(self.fields)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the telling: the fields that it tells, when it is said, and the decisions behind it."""

    key: str
    fields: tuple[str, ...] = ()
    when: _When = _always
    decisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """An example: the table before, the rack and the table after, of the rulebooks that print it or gain by it."""

    key: str
    before: str
    rack: str
    after: str
    books: frozenset[str] = _FOUR
    when: _When = _always
    opened: bool = True
    decisions: tuple[str, ...] = ()


def _books(*ids: str) -> frozenset[str]:
    return frozenset(ids)


_ALL: Final = _FOUR | {"junior"}
_JUNIOR: Final = _books("junior")

DECISIONS: Final[Mapping[str, Decision]] = {
    "players": Decision(_books("club"), ("players",)),
    "tile-count": Decision(_books("classic"), ("numbers", "copies", "jokers")),
    "start-joker": Decision(_books("club", "sabra", "rummy"), ("starter",)),
    "start-tie": Decision(_FOUR, ("starter",)),
    "heaps-pool": Decision(_books("rummy"), ("dealing",)),
    "bank": Decision(_JUNIOR, ("stars",)),
    "direction": Decision(_books("club"), ("direction",)),
    "one-colour": Decision(_JUNIOR),
    "group-size": Decision(_books("sabra")),
    "many-jokers": Decision(_FOUR),
    "one-number": Decision(_ALL),
    "star-last": Decision(_JUNIOR, ("stars",)),
    "opening-further": Decision(_books("classic", "sabra"), ("usable",)),
    "usable": Decision(_books("classic"), ("usable",)),
    "locked-new": Decision(_books("rummy"), ("usable",)),
    "any-meld": Decision(_books("sabra"), ("rearranging",)),
    "exactly": Decision(_books("rummy"), ("joker_leaves",)),
    "fourth-tile": Decision(_books("rummy")),
    "joker-took-place": Decision(_books("classic"), ("joker_leaves",)),
    "steal": Decision(_books("club"), ("joker_leaves", "joker_goes")),
    "any-joker-meld": Decision(_books("rummy"), ("joker_melds",)),
    "timeout-legal": Decision(_FOUR),
    "timeout-restore": Decision(_books("club"), ("timeout",)),
    "timeout-table-tile": Decision(_books("classic"), ("timeout",)),
    "timeout-breaks": Decision(_books("classic", "sabra", "rummy"), ("timeout",)),
    "timeout-one": Decision(_books("club"), ("timeout_draws",)),
    "untouched": Decision(_books("classic", "rummy"), ("untouched_draws",)),
    "stalemate": Decision(_books("sabra", "rummy"), ("stalemate",)),
    "voluntary-pass": Decision(_books("classic", "sabra", "rummy"), ("stalemate",)),
    "full-circle": Decision(_books("club"), ("stalemate",)),
    "stars-circle": Decision(_JUNIOR, ("stars",)),
    "stalemate-score": Decision(_books("sabra", "rummy"), ("stalemate_score",)),
    "tie": Decision(_FOUR, ("stars",)),
    "stars-tie": Decision(_JUNIOR, ("stars",)),
}
"""Every decision of the ruleset pages, the rulebooks' slips included."""

SECTIONS: Final[Mapping[str, tuple[Line | Shown, ...]]] = {
    "aim": (
        Line("players", ("players",), lambda rules: rules.players > 2 and not _sets(rules), ("players",)),
        Line("players-sets", ("players",), _sets),
        Line("players-two", ("players",), lambda rules: rules.players == 2),
        Line("age", ("age",), lambda rules: rules.age > 0),
        Line("aim", ("stars",)),
        Line("tiles", ("numbers", "copies", "fourth_colour")),
        Line("jokers", ("jokers",), _jokers, ("tile-count",)),
        Line("no-jokers", ("jokers",), lambda rules: rules.jokers == 0),
        Line("tilesets", (), lambda rules: rules.id in BOOK_TILESETS),
        Line("racks"),
    ),
    "start": (
        Line("starter", ("starter",)),
        Line(
            "start-joker",
            ("starter",),
            lambda rules: rules.starter is Starter.HIGHEST and rules.jokers > 0,
            ("start-joker",),
        ),
        Line("start-tie", ("starter",), lambda rules: rules.starter is Starter.HIGHEST, ("start-tie",)),
        Line("dealing", ("dealing", "deal")),
        Line("heaps-pool", ("dealing",), lambda rules: rules.dealing is Dealing.HEAPS, ("heaps-pool",)),
        Line("stars-start", ("stars",), _stars),
        Line("bank", ("stars",), _stars, ("bank",)),
        Line("direction", ("direction",), _always, ("direction",)),
    ),
    "melds": (
        Line("run", (), _always, ("one-colour",)),
        Shown("run", "", "r6 r7 r8 r9", "r6 r7 r8 r9", _ALL),
        Line("run-ends", ("numbers",)),
        Line("group", ("groups",), _always, ("group-size",)),
        Shown("group", "", "r3 b3 k3 y3", "r3 b3 k3 y3", _ALL, lambda rules: rules.groups),
        Shown("no-group", "", "k7 r7 b7", "k7 r7 b7", _ALL, lambda rules: not rules.groups),
        Shown("gap", "", "r1 r2 r4", "r1 r2 r4", _ALL),
        Shown("colours", "", "r1 b2 k3", "r1 b2 k3", _ALL),
        Shown("twice", "", "r1 r1 b1", "r1 r1 b1", _ALL, lambda rules: rules.groups),
        Line("meld-joker", ("jokers",), _jokers),
        Line("group-joker", ("groups", "jokers"), lambda rules: rules.groups and rules.jokers > 0),
        Line("many-jokers", ("jokers",), lambda rules: rules.jokers > 1, ("many-jokers",)),
        Line("one-number", ("jokers",), _jokers, ("one-number",)),
        Line("name-jokers", ("groups", "jokers"), lambda rules: rules.groups and rules.jokers > 1),
        Line("points", ("stars",), _points),
    ),
    "turn": (
        Line("turn", ("stars",)),
        Line("turn-valid"),
        Line("common"),
        Line("pass", ("stars",)),
        Line("star-tile", ("stars",), _stars),
        Line("star-meld", ("stars",), _stars),
        Shown("star-new", "", "r2 r3 r4", "r2 r3 r4", _ALL, _stars),
        Shown("star-add", "r2 r3 r4 | b5 b6 b7", "r1 r5 b8", "r1 r2 r3 r4 r5 | b5 b6 b7 b8", _ALL, _stars),
        Shown("star-both", "r2 r3 r4", "r5 b1 b2 b3", "r2 r3 r4 r5 | b1 b2 b3", _ALL, _stars),
        Line("star-last", ("stars",), _stars, ("star-last",)),
        Line("star-joker", ("stars",), lambda rules: rules.stars > 0 and rules.jokers > 0),
    ),
    "opening": (
        Line("opening", ("opening",), lambda rules: rules.opening > 0),
        Line("opening-joker", ("opening", "jokers"), lambda rules: rules.opening > 0 and rules.jokers > 0),
        Line(
            "opening-further",
            ("opening", "usable"),
            lambda rules: rules.opening > 0 and rules.usable is Usable.OPENING_TURN,
            ("opening-further",),
        ),
        Shown("opens", "", "r10 b10 k10", "r10 b10 k10", _ALL, _opens, opened=False),
        Shown("opens-not", "", "r9 b9 k9", "r9 b9 k9", _ALL, _opens, opened=False),
        Shown("opens-joker", "", "j r13 b13", "j r13 b13", _ALL, _opens, opened=False),
        Line("opening-none", ("opening",), lambda rules: rules.opening == 0),
    ),
    "table": (
        Line("usable", ("opening", "usable"), lambda rules: not _at_once(rules), ("usable",)),
        Line("usable-at-once", ("opening", "usable"), _at_once),
        Line("locked-new", ("usable",), lambda rules: rules.usable is Usable.ALL_OPENED, ("locked-new",)),
        Shown(
            "locked",
            "r3 r4 r5",
            "r6 r10 b10 k10",
            "r3 r4 r5 r6 | r10 b10 k10",
            _ALL,
            lambda rules: rules.usable is not Usable.OPENING_TURN,
            opened=False,
        ),
        Line("rearranging", ("rearranging",), _always, ("any-meld",)),
        Shown("add", "y4 y5 y6 | k8 r8 b8", "y3 y8", "y3 y4 y5 y6 | k8 r8 b8 y8", _books("sabra")),
        Shown("add-end", "b4 b5 b6 | r10 b10 k10", "b7 y10", "b4 b5 b6 b7 | r10 b10 k10 y10", _books("rummy")),
        Shown("combine", "b8 b9 b10", "b11 k8 y8", "b9 b10 b11 | k8 y8 b8", _FOUR - {"club"}),
        Shown("split", "r4 r5 r6 r7 r8", "r6", "r4 r5 r6 | r6 r7 r8", _FOUR - {"club"}),
        Shown(
            "rebuild",
            "y5 y6 y7 | r5 r6 r7 | k5 k6 k7 k8 k9",
            "k10 b5",
            "y5 r5 k5 b5 | y6 r6 k6 | y7 r7 k7 | k8 k9 k10",
            _books("classic", "sabra"),
        ),
        Shown(
            "fourth",
            "y1 y2 y3 y4 | r1 k1 b1 y1",
            "b1",
            "y2 y3 y4 | k1 b1 y1 | y1 r1 b1",
            _books("classic", "rummy"),
            decisions=("fourth-tile",),
        ),
        Shown("improve", "r3 r4 r5", "r2 k5 b5", "r2 r3 r4 | r5 k5 b5", _books("club")),
        Shown("shift", "r3 r4 r5 | k3 y3 b3", "r6", "r4 r5 r6 | k3 y3 b3 r3", _books("club")),
        Shown("break", "y6 y7 y8 y9 y10", "y8", "y6 y7 y8 | y8 y9 y10", _books("club")),
        Shown("replace", "b6 k6 y6 | b3 b4 b5", "r6", "r6 k6 y6 | b3 b4 b5 b6", _books("club")),
        Shown("join", "r1 r2 r3 | r5 r6 r7", "r4", "r1 r2 r3 r4 r5 r6 r7", _JUNIOR),
        Shown("apart", "r1 r2 r3 r4", "r5 r6", "r1 r2 r3 | r4 r5 r6", _JUNIOR),
    ),
    "joker": (
        Line("no-jokers", ("jokers",), lambda rules: rules.jokers == 0),
        Line("joker-leaves", ("joker_leaves",), _jokers, ("exactly",)),
        Line(
            "joker-group",
            ("joker_leaves", "groups"),
            lambda rules: rules.jokers > 0 and rules.groups and rules.joker_leaves is not JokerLeaves.FREE,
        ),
        Line(
            "joker-took-place",
            ("joker_leaves",),
            lambda rules: rules.jokers > 0 and rules.joker_leaves is JokerLeaves.SWAP,
            ("joker-took-place",),
        ),
        Line(
            "joker-stays",
            ("joker_leaves",),
            lambda rules: rules.jokers > 0 and rules.joker_leaves is not JokerLeaves.FREE,
        ),
        Line("joker-goes", ("joker_goes",), _jokers, ("steal",)),
        Line(
            "joker-melds",
            ("joker_melds",),
            lambda rules: rules.jokers > 0 and _moving(rules),
            ("any-joker-meld",),
        ),
        Shown("joker-run", "b3 b4 j", "b5 y7 r7", "b3 b4 b5 | y7 r7 j", _FOUR),
        Shown("joker-group", "b3 r3 j", "y3 k9 k10", "b3 r3 y3 | k9 k10 j", _FOUR - {"club"}),
        Shown("joker-group", "b12 k12 j", "y12 r2 r3", "b12 k12 y12 | r2 r3 j", _books("club")),
        Shown("joker-divide", "r2 r3 j r5 r6", "r7", "r2 r3 j | r5 r6 r7", _FOUR),
        Shown("joker-middle", "r2 r3 j r5 r6", "r1 r7 k9 k10", "r1 r2 r3 | r5 r6 r7 | k9 k10 j", _FOUR),
        Shown("joker-front", "b6 b7 j", "b4", "b4 j b6 b7", _FOUR),
        Shown(
            "joker-emptied",
            "k1 k2 j | b1 y1 r1 | b2 y2 r2",
            "r9 r10",
            "b1 y1 r1 k1 | b2 y2 r2 k2 | r9 r10 j",
            _FOUR,
        ),
        Shown("joker-keep", "r3 r4 j", "r5", "r3 r4 r5", _JUNIOR),
        Shown("joker-spare", "b3 b4 b5 j", "k1 k2", "b3 b4 b5 | k1 k2 j", _JUNIOR),
        Shown("joker-not-kept", "b3 b4 b5 j", "b2", "b2 b3 b4 b5", _JUNIOR),
    ),
    "time": (
        Line("time", ("timed", "turn_seconds"), lambda rules: rules.timed),
        Line("time-choice", ("timed", "turn_seconds"), lambda rules: not rules.timed and clocked(rules)),
        Line("time-none", ("timed", "turn_seconds"), lambda rules: not clocked(rules)),
        Line("timeout-legal", (), clocked, ("timeout-legal",)),
        Line("timeout", ("timeout",), clocked, ("timeout-restore",)),
        Line(
            "timeout-table-tile",
            ("timeout",),
            lambda rules: clocked(rules) and rules.timeout is Timeout.KEEP_OWN,
            ("timeout-table-tile",),
        ),
        Line(
            "timeout-breaks",
            ("timeout",),
            lambda rules: clocked(rules) and rules.timeout is not Timeout.RESTORE,
            ("timeout-breaks",),
        ),
        Line(
            "timeout-draws",
            ("timeout_draws",),
            lambda rules: clocked(rules) and rules.timeout_draws > 0,
            ("timeout-one",),
        ),
        Line("timeout-free", ("timeout_draws",), lambda rules: clocked(rules) and rules.timeout_draws == 0),
        Line(
            "untouched",
            ("untouched_draws",),
            lambda rules: (
                clocked(rules) and (rules.untouched_draws != rules.timeout_draws or "untouched_draws" in rules.house)
            ),
            ("untouched",),
        ),
        Line("timeout-empty", (), clocked),
    ),
    "end": (
        Line("finish", ("stars",)),
        Line("joker-value", ("joker_value", "stars"), lambda rules: _points(rules) and rules.jokers > 0),
        Line("stalemate", ("stalemate", "stars"), _points, ("stalemate",)),
        Line(
            "voluntary-pass",
            ("stalemate", "stars"),
            lambda rules: _points(rules) and rules.stalemate is Stalemate.ALL_PASS,
            ("voluntary-pass",),
        ),
        Line(
            "full-circle",
            ("stalemate", "stars"),
            lambda rules: _points(rules) and rules.stalemate is Stalemate.ONE_STUCK,
            ("full-circle",),
        ),
        Line("stalemate-score", ("stalemate_score", "stars"), _points, ("stalemate-score",)),
        Line("stars-circle", ("stars",), _stars, ("stars-circle",)),
        Line("tie", ("stars",), _always, ("tie", "stars-tie")),
        Line("match"),
    ),
}
"""The sections that are built from the fields, and all that each may say; words and decisions follow them."""

SHEETS: Final[Mapping[str, tuple[tuple[int, ...], ...]]] = {
    "classic": ((0, 5, 16, 3), (6, 11, 0, 5), (32, 13, 2, 0)),
    "sabra": ((0, 5, 16, 3), (6, 11, 0, 5)),
    "club": ((0, 5, 10, 3),),
}
"""The score sheets that the rulebooks print: what was left on each rack, round by round."""

PLAYERS_DOWN: Final = frozenset({"sabra"})
"""The rulebooks whose score sheet has a row for each player; the others' have one for each round."""

BOOK_TILESETS: Final[Mapping[str, tuple[str, ...]]] = {"sabra": ("xp", "xp-quick")}
"""The tile sets that a rulebook prints beside its usual one, so that they are no house rule."""

BOOK_LANGUAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "classic": ("fr",),
    "club": ("fr",),
    "sabra": ("fr", "nl", "de"),
    "rummy": ("fr",),
    "junior": ("fr",),
}
"""The languages in which each rulebook is printed."""

_USUAL: Final = ("run", "group", "tile", "rack", "pool", "opening", "round")
BOOK_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "classic": (*_USUAL, "penalty tiles", "combine", "split"),
    "club": (*_USUAL, "add", "combine", "split"),
    "sabra": (*_USUAL, "penalty tiles", "add", "combine", "split", "hourglass", "score pad"),
    "rummy": (*_USUAL, "penalty tiles", "add", "split"),
    "junior": ("run", "tile", "rack", "pool", "round", "star", "bank"),
}
"""The words that each rulebook has its own of."""

RACE: Final[Mapping[str, tuple[str, ...]]] = {
    "aim": ("aim",),
    "start": ("start",),
    "turn": ("call", "find", "third", "wrong", "caller", "together"),
    "end": ("end",),
}
"""The lines of the simplified race."""

RACE_DECISIONS: Final[Mapping[str, str]] = {"wrong": "decision-wrong", "caller": "decision-caller"}
"""The decisions behind lines of the simplified race."""
