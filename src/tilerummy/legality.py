"""Legality: every rule that a play breaks, at once, as codes with tiles and arguments.

>>> from tilerummy.melds import draft, read
>>> from tilerummy.rulesets import ruleset
>>> from tilerummy.tiles import tiles
>>> before = tuple(read(meld) for meld in draft("b6 b7 j"))
>>> verdict = check(before, tiles("b4"), draft("b4 j b6 b7"), ruleset("classic"))
>>> [violation.code for violation in verdict.violations]
['joker-swap', 'joker-new-meld']
>>> check(before, tiles("b4"), draft("b4 j b6 b7"), ruleset("sabra")).legal
True

Tables and racks are multisets of tiles. Copies that the caller tells apart (`r5`, `r5'`) are different tiles; equal
ones are interchangeable, and then the play is judged by the assignment that breaks the fewest rules.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tilerummy.melds import Broken, Draft, Meld, Table, best_value, draft_text, read
from tilerummy.origins import Args, Origins
from tilerummy.rulesets import Ruleset, Usable
from tilerummy.tiles import Tile, text

__all__ = ["CODES", "Verdict", "Violation", "check", "is_legal", "settle", "table_open"]

CODES = (
    "conserve",
    "lay-one",
    "meld",
    "opening",
    "table-locked",
    "no-rearranging",
    "joker-swap",
    "joker-meld-split",
    "joker-keep",
    "joker-new-meld",
)
"""Every code that a violation may carry, in the order in which they are reported."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: its code, the tiles it is about, and what a sentence about it needs."""

    code: str
    tiles: tuple[Tile, ...] = ()
    args: Args = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `check` found out about a play."""

    violations: tuple[Violation, ...]
    melds: tuple[Meld | Broken, ...]  # the new table, meld by meld as written
    laid: tuple[Tile, ...]  # rack tiles on the new table
    taken: tuple[Tile, ...]  # jokers that went from the table to the rack (junior)
    foreign: tuple[Tile, ...]  # tiles on the new table that were neither on the table nor on the rack
    points: int  # of the laid tiles, a joker counting as what it stands for
    towards: int | None  # points towards the opening, for a player who has not opened

    @property
    def legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.violations


def check(
    before: Table,
    rack: Sequence[Tile],
    after: Draft,
    rules: Ruleset,
    *,
    opened: bool = True,
    all_opened: bool = True,
) -> Verdict:
    """Judge a play by the table before, the player's rack and the proposed table; report every broken rule."""
    melds = tuple([read(written, rules.numbers, rules.groups) for written in after])
    return _verdict(Origins(before, rack, after, melds, rules), opened=opened, all_opened=all_opened)


def is_legal(
    before: Table,
    rack: Sequence[Tile],
    after: Draft,
    rules: Ruleset,
    *,
    opened: bool = True,
    all_opened: bool = True,
) -> bool:
    """Whether a play breaks no rule; where equal tiles are not told apart this is much faster than `check`."""
    melds = tuple([read(written, rules.numbers, rules.groups) for written in after])
    if any(isinstance(meld, Broken) for meld in melds):
        return False
    origins = Origins(before, rack, after, melds, rules, only_sound=True)
    return origins.sound and _verdict(origins, opened=opened, all_opened=all_opened).legal


def _verdict(origins: Origins, *, opened: bool, all_opened: bool) -> Verdict:
    before, after, melds, rules = origins.before, origins.after, origins.melds, origins.rules
    laid, missing, foreign = tuple(origins.laid), origins.missing, origins.foreign
    found: list[Violation] = []

    if missing or foreign:
        args: Args = {"missing": text(missing), "foreign": text(foreign)}
        found.append(Violation("conserve", (*missing, *foreign), args))
    if not laid:
        found.append(Violation("lay-one"))
    for place, meld in enumerate(melds):
        if isinstance(meld, Broken):
            written = after[place]
            choices = " / ".join(meld.choices)
            args = {"reason": meld.reason, "choices": choices, "meld": draft_text([written]), "place": place}
            found.append(Violation("meld", tuple(piece.tile for piece in written), args))
    towards = None
    if not opened and rules.opening:
        towards = best_value(laid, rules.numbers, rules.groups)
        if towards < rules.opening:
            found.append(Violation("opening", laid, {"points": towards, "needed": rules.opening}))
    if not table_open(rules, opened=opened, all_opened=all_opened):
        changed = Counter(before) - Counter(meld for meld in melds if isinstance(meld, Meld))
        for meld in changed.elements():
            found.append(Violation("table-locked", meld.tiles, {"meld": str(meld), "until": str(rules.usable)}))
    found.extend(Violation(*broken) for broken in origins.broken)
    found.sort(key=lambda violation: CODES.index(violation.code))
    points = _points(laid, before, melds)
    return Verdict(tuple(found), tuple(melds), laid, tuple(origins.taken), tuple(foreign), points, towards)


def table_open(rules: Ruleset, *, opened: bool, all_opened: bool) -> bool:
    """Whether the melds on the table may be used in this turn."""
    if rules.usable is Usable.NEXT_TURN:  # club, *Le début du jeu*: "Par la suite, quand son tour revient"
        return opened
    if rules.usable is Usable.ALL_OPENED:  # rummy, *Début du jeu*: "Quand tous les joueurs ont déposé leurs 30 points"
        return opened and all_opened
    return True  # sabra, *Règles du jeu*: "directement ou plus tard"; the opening itself is a rule of its own


def settle(before: Table, melds: Sequence[Meld | Broken]) -> Table:
    """Put the valid melds of a new table into canonical order: unchanged ones first, as they came."""
    new = [meld for meld in melds if isinstance(meld, Meld)]
    kept = []
    for meld in before:
        if meld in new:
            new.remove(meld)
            kept.append(meld)
    return (*kept, *new)


def _points(laid: Sequence[Tile], before: Table, melds: Sequence[Meld | Broken]) -> int:
    """The points of the laid tiles. Of jokers that are not told apart, those that stayed are not the laid ones."""
    total = sum(tile.number for tile in laid)
    jokers = Counter(tile for tile in laid if tile.is_joker)
    if jokers:
        stayed = Counter(joker for meld in before for joker in meld.jokers)
        for meld in melds:
            for joker in meld.jokers if isinstance(meld, Meld) else ():
                if stayed[joker]:
                    stayed[joker] -= 1
                elif jokers[joker[0]]:
                    jokers[joker[0]] -= 1
                    total += joker[1].number
    return total
