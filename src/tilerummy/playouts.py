"""Play-outs: whole rounds played to their end inside the kernel, every seat by a simple policy.

A play-out sees tiles as counts by kind. In it jokers are free and melds may be rearranged, whatever the ruleset says;
all else is the ruleset's: tiles, groups, opening, when the table may be used, turn order, stalemates, scores, stars.
There is no chance in it: the same question has the same answer.

>>> from tilerummy.rulesets import ruleset
>>> from tilerummy.tiles import counts, tiles
>>> hold = lambda written: bytes(counts(tiles(written)))
>>> situation = Situation(ruleset("sabra"), hold("b8 b9 b10"), opened=(True, True), turn=0)
>>> world = World((hold("b11 k8 y8"), hold("r1 r2")), pool=b"")
>>> finish(situation, [world], [Policy.TILES, Policy.TILES])[0]
Result(winner=0, scores=(3, -3), turns=1)
>>> passed, laid = compare(situation, [world], [None, hold("b11")], [Policy.TILES, Policy.TILES])
>>> laid[0], passed.wins(0), passed.scores(0)
(Result(winner=0, scores=(3, -3), turns=3), [0], [-24])
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import overload

from tilerummy import _kernel
from tilerummy.melds import Draft, Piece
from tilerummy.rulesets import Ruleset, Stalemate, StalemateScore, Usable
from tilerummy.solver.kernel import REAL, WILD, Places, tile_set

__all__ = ["Policy", "Result", "Results", "Situation", "Turn", "World", "compare", "finish", "transcript"]


class Policy(IntEnum):
    """How a seat plays in a play-out."""

    TILES = 0  # most tiles, then most points, then fewest jokers: what the bot greedy plays where jokers are free
    POINTS = 1  # most points, then most tiles, then fewest jokers
    HOLD = 2  # as TILES, but jokers stay on the rack unless laying them empties it
    WAIT = 3  # draws until all can be laid at once; as TILES where it cannot draw


@dataclass(frozen=True, slots=True)
class Situation:
    """What everybody knows at the moment a seat is to move; the table as counts by kind."""

    rules: Ruleset
    table: bytes
    opened: tuple[bool, ...]
    turn: int
    passes: int = 0
    stars: tuple[int, ...] = ()
    starter: int = 0  # turn order from the starter decides the last ties


@dataclass(frozen=True, slots=True)
class World:
    """One way in which the hidden tiles may lie: racks as counts by kind, the pool's kinds in the order of drawing."""

    racks: tuple[bytes, ...]
    pool: bytes


@dataclass(frozen=True, slots=True)
class Result:
    """How a round ended: who won, what each seat scores, and after how many turns."""

    winner: int
    scores: tuple[int, ...]
    turns: int


class Results(Sequence[Result]):
    """A result for each world, made when it is looked at; the figures of one seat cost little."""

    __slots__ = ("_scores", "_seats", "_turns", "_winners")

    def __init__(self, winners: bytes, scores: memoryview, turns: memoryview, seats: int) -> None:
        self._winners, self._scores, self._turns, self._seats = winners, scores, turns, seats

    @property
    def winners(self) -> list[int]:
        """Who wins in each world."""
        return list(self._winners)

    @property
    def turns(self) -> list[int]:
        """After how many turns each world ends."""
        return self._turns.tolist()

    def wins(self, seat: int) -> list[int]:
        """1 for each world in which this seat wins, otherwise 0."""
        return [int(winner == seat) for winner in self._winners]

    def scores(self, seat: int) -> list[int]:
        """What this seat scores in each world."""
        return self._scores[seat :: self._seats].tolist()

    def __len__(self) -> int:
        """The number of worlds."""
        return len(self._winners)

    @overload
    def __getitem__(self, place: int) -> Result: ...
    @overload
    def __getitem__(self, place: slice) -> list[Result]: ...
    def __getitem__(self, place: int | slice) -> Result | list[Result]:
        """The result in a world, or in some of them."""
        if isinstance(place, slice):
            return [self[at] for at in range(len(self))[place]]
        at = range(len(self))[place]
        scores = self._scores[at * self._seats : (at + 1) * self._seats]
        return Result(self._winners[at], tuple(scores.tolist()), self._turns[at])

    def __repr__(self) -> str:
        """Return the results as a list would be written."""
        return repr(list(self))


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a play-out: the tiles laid as counts, or the kind drawn, or neither for a pass.

    `melds` is the new table as the kernel arranged it, copies not told apart; where the table may not be used, `beside`
    is set, and these are the melds that were laid beside it.
    """

    seat: int
    laid: bytes | None
    drawn: int | None
    melds: Draft
    beside: bool


def finish(situation: Situation, worlds: Sequence[World], policies: Sequence[Policy]) -> Results:
    """Play each world to its end, one policy a seat."""
    (results,) = _play_out(situation, worlds, None, policies)
    return results


def compare(
    situation: Situation, worlds: Sequence[World], firsts: Sequence[bytes | None], policies: Sequence[Policy]
) -> list[Results]:
    """Play on from each first action of the seat to move: counts laid, or None to draw or pass."""
    return _play_out(situation, worlds, firsts, policies)


def transcript(situation: Situation, world: World, policies: Sequence[Policy]) -> list[Turn]:
    """Play one world to its end and tell every turn."""
    told = _kernel.tell(_for_kernel(situation), (world.racks, world.pool), policies)
    return [
        Turn(
            seat=seat,
            laid=laid if act == _LAY else None,
            drawn=drawn if act == _DRAW else None,
            melds=tuple(_written(run, places) for run, places in melds),
            beside=beside,
        )
        for seat, act, drawn, laid, beside, melds in told
    ]


def _written(run: bool, places: Sequence[tuple[int, bool]]) -> tuple[Piece, ...]:
    return Places.of(((kind, WILD if joker else REAL) for kind, joker in places), run).pieces


_LAY, _DRAW = 0, 1  # as the kernel numbers them
_USABLE = {Usable.OPENING_TURN: 0, Usable.NEXT_TURN: 1, Usable.ALL_OPENED: 2}


def _play_out(
    situation: Situation, worlds: Sequence[World], firsts: Sequence[bytes | None] | None, policies: Sequence[Policy]
) -> list[Results]:
    hidden = [(world.racks, world.pool) for world in worlds]
    winners, scores, turns = _kernel.play_out(_for_kernel(situation), hidden, firsts, policies)
    each, all_turns = memoryview(scores).cast("i"), memoryview(turns).cast("i")
    seats, size = len(situation.opened), len(worlds)
    parts = [slice(at * size, (at + 1) * size) for at in range(1 if firsts is None else len(firsts))]
    return [
        Results(winners[part], each[part.start * seats : part.stop * seats], all_turns[part], seats) for part in parts
    ]


def _for_kernel(situation: Situation) -> _kernel.Situation:
    return _kernel.Situation(
        _round_rules(situation.rules),
        situation.table,
        situation.opened,
        situation.turn,
        situation.passes,
        situation.stars,
        situation.starter,
    )


@lru_cache(maxsize=64)
def _round_rules(rules: Ruleset) -> _kernel.RoundRules:
    return _kernel.RoundRules(
        tile_set(rules),
        groups=rules.groups,
        opening=rules.opening,
        usable=_USABLE[rules.usable],
        step=rules.step,
        one_stuck=rules.stalemate is Stalemate.ONE_STUCK,
        others_less_own=rules.stalemate_score is StalemateScore.OTHERS_LESS_OWN,
        joker_value=rules.joker_value,
        stars=rules.stars > 0,
    )
