"""Worlds: how the hidden tiles may lie, as far as what a seat sees tells.

What nobody has seen is dealt at random, with two things in mind. Who has not opened could not open before the last
draw; and who has opened found nothing to lay on this table, or on one much like it: most tiles that fit are not on
anybody's rack. So a tile that would open, or could be laid, is passed over while a rack is filled. Of the last tiles
nothing is known: one may just have been drawn, and the more turns were played since, the more the table has changed.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from tilerummy import _kernel
from tilerummy.bots.sense import unseen
from tilerummy.legality import table_open
from tilerummy.playouts import World
from tilerummy.rulesets import Rearranging
from tilerummy.solver.kernel import tile_set
from tilerummy.tiles import JOKER, KINDS, counts
from tilerummy.view import View

__all__ = ["Belief", "Worlds"]

_Fits = Callable[[bytearray, int], bool]
"""Whether a rack of these counts would have been laid from once it has one more tile of a kind."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed of other racks."""

    unopened: bool = True  # who has not opened could not
    opened: bool = True  # who has opened could lay nothing
    fresh: float = 0.4  # how often somebody who has opened and just moved drew, a tile of which nothing is known
    later: float = 0.3  # so many tiles more, of which nothing is known, for every turn of others since
    joker: float = 0.5  # how often a joker stays on a rack from which it could be laid
    holders: int = 2  # with more players none stays


class Worlds:
    """The worlds that one view leaves, drawn one after the other."""

    def __init__(self, view: View, rng: random.Random, belief: Belief) -> None:
        if view.seat is None:
            raise ValueError("a spectator has no turn")
        self._view = view
        self._seat = view.seat
        self._rng = rng
        self._belief = belief
        self._rack = bytes(counts(view.rack))
        hidden = unseen(view.rules, view.table, view.rack)
        self._hidden = [kind for kind in range(KINDS) for _ in range(hidden[kind])]
        self._table = bytes(counts(tile for meld in view.table for tile in meld.tiles))
        self._alone: list[bool | None] = [None] * KINDS  # whether a tile can be laid by itself

    def draw(self, number: int) -> list[World]:
        """Draw so many more worlds."""
        return [self._one() for _ in range(number)]

    def _one(self) -> World:
        order = self._hidden.copy()
        self._shuffle(order)
        racks = []
        for seat, size in enumerate(self._view.rack_sizes):
            racks.append(self._rack if seat == self._seat else self._filled(seat, size, order))
        return World(tuple(racks), bytes(order[: self._view.pool_size]))

    def _filled(self, seat: int, size: int, order: list[int]) -> bytes:
        """Fill a rack from the end of the shuffled tiles, passing over what would not be there; they are taken out."""
        fits, known = self._judge(seat, size)
        rack = bytearray(KINDS)
        jokers = 0  # are tried when all else is there: with a full rack they open most easily
        passed: list[int] = []
        while known and (order or jokers):
            if order and known > jokers:
                kind = order.pop()
                if kind == JOKER:
                    jokers += 1
                    continue
            else:
                kind, jokers = JOKER, jokers - 1
            if fits(rack, kind):
                passed.append(kind)
            else:
                rack[kind] += 1
                known -= 1
                size -= 1
        if passed:
            order.extend(passed)
            self._shuffle(order)
        for _ in range(min(size, len(order))):
            rack[order.pop()] += 1
        return bytes(rack)

    def _shuffle(self, kinds: list[int]) -> None:
        chance = self._rng.random  # which is several times as fast as the shuffle of `random`
        kinds.sort(key=lambda _: chance())

    def _judge(self, seat: int, size: int) -> tuple[_Fits, int]:
        """What would have been laid from this seat's rack, and of how many of its tiles that is known."""
        view, rules, belief = self._view, self._view.rules, self._belief
        if rules.rearranging is not Rearranging.FREE:  # the kernel's yes or no is about free rearranging
            return self._opens, 0
        if rules.opening and not view.opened[seat]:
            return self._opens, size - 1 if belief.unopened and size > rules.deal else 0  # else it had no turn yet
        locked = not table_open(rules, opened=True, all_opened=all(view.opened))
        since = (rules.step * (view.turn - seat)) % view.players - 1  # turns of others
        drew = size > 1 and since >= view.passes
        fresh = int(belief.fresh * drew + belief.later * since + self._rng.random())
        return (self._melds if locked else self._lays), max(0, size - fresh) if belief.opened else 0

    def _opens(self, rack: bytearray, kind: int) -> bool:
        return self._value(rack, kind) >= self._view.rules.opening

    def _melds(self, rack: bytearray, kind: int) -> bool:
        return self._value(rack, kind) > 0

    def _value(self, rack: bytearray, kind: int) -> int:
        rules = self._view.rules
        return _kernel.best_value(_with(rack, kind), rules.numbers, rules.groups)

    def _lays(self, rack: bytearray, kind: int) -> bool:
        if kind == JOKER:
            held = self._belief.joker if self._view.players <= self._belief.holders else 0.0
            return self._rng.random() >= held
        alone = self._alone[kind]
        if alone is None:
            alone = self._alone[kind] = self._exists(_with(bytearray(KINDS), kind))
        if alone:
            return True
        together = _with(rack, kind)
        return self._exists(together[:JOKER] + b"\0")

    def _exists(self, rack: bytes) -> bool:
        query = _kernel.Query(self._table, rack, groups=self._view.rules.groups)
        return _kernel.exists(tile_set(self._view.rules), query)


def _with(rack: bytearray, kind: int) -> bytes:
    more = rack.copy()
    more[kind] += 1
    return bytes(more)
