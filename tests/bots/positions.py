"""Positions and rounds to try a bot on."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from tilerummy.bots import Bot
from tilerummy.game import apply, begin, fold
from tilerummy.melds import Meld, Table, draft, read
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.state import Event, Phase, Refusal, State
from tilerummy.tiles import tiles
from tilerummy.view import View, view

# Three turns of somebody who lies in wait by classic's rules, by the tiles on the rack. Both jokers stand for k9, and
# the rack has one k9. With 22 tiles the best play is found at once, but those of some parts of the rack take seconds.
# With 24 it takes a second to prove that one has to stay. With 26 all can be laid, which is found at once; at
# that table three tiles less make only the question hard which of equal plays is best for the rack.
_WAITING = "b13 b12 y6' b7 k9' y12' y13 y1' b7' k12 y9 y2 b5 y8' k4' r11 r11' r3' r10' b4 b8' b11 k13' r6' b1 r9'"
_ALWAYS = "k8 j'=k9 k10' k11' | r6 b6 k6 | r7 r8' r9 | b8 b9 b10 b11' b12' b13' | r5 k5 y5 | r13' k13 y13' | "
_TABLES = {
    22: "k5' k6' k7 k8' j=k9 k10 k11 | r1 r2 r3 r4' | b4' k4 y4",
    24: "k5' k6' k7 k8' j=k9 k10 k11 | r1 r2 r3 | r4' k4 y4 | b2 b3' b4' b5' b6'",
    26: "r1 r2 r3 | r4' k4 y4 | b3' b4' b5' b6' | r2' b2 k2 | k6' k7 k8' j=k9 k10 k11 | r5' k5' y5'",
}


def waiting(tiles: int, turn: int | None = None) -> View:
    """What somebody sees who lies in wait with so many tiles, at the table of that turn or of another one."""
    rack = " ".join(_WAITING.split()[:tiles])
    return position("classic", _ALWAYS + _TABLES[turn or tiles], rack, players=4, opened=(False, True, True, True))


def melds(written: str) -> Table:
    """Read a table that is valid."""
    found = tuple(read(meld) for meld in draft(written))
    assert all(isinstance(meld, Meld) for meld in found)
    return tuple(meld for meld in found if isinstance(meld, Meld))


def position(
    id: str,
    table: str,
    rack: str,
    *,
    players: int = 2,
    opened: Sequence[bool] = (True, True),
    other: str = "r1 r1' b1 b1' k1",
    pool: int = 9,
    rules: Ruleset | None = None,
) -> View:
    """What seat 0 sees when it is to move; all others hold as many tiles as are written for one of them."""
    dealt = fold(begin(rules or ruleset(id), players=players, seed="00" * 32))
    racks = (tiles(rack), *[tiles(other)] * (players - 1))
    state = replace(dealt, turn=0, table=melds(table), racks=racks, opened=tuple(opened), pool=dealt.pool[:pool])
    return view(state, 0)


def hidden_otherwise(state: State) -> State:
    """The same to whoever's turn it is: the tiles of the other racks and the pool are dealt anew."""
    others = [seat for seat in range(len(state.racks)) if seat != state.turn]
    hidden = [*state.pool, *(tile for seat in others for tile in state.racks[seat])]
    random.Random(state.version).shuffle(hidden)
    racks = list(state.racks)
    for seat in others:
        racks[seat] = tuple(hidden.pop() for _ in racks[seat])
    return replace(state, racks=tuple(racks), pool=tuple(hidden))


def play_round(
    rules: Ruleset,
    bots: Sequence[Bot],
    seed: int,
    watch: Callable[[State], None] = lambda state: None,
    *,
    budget: int = 1,
) -> tuple[State, list[Event]]:
    """Play a whole round, a bot to a seat; no command may be refused."""
    rng = random.Random(seed)
    events = list(begin(rules, players=len(bots), seed=f"{seed:064x}"))
    state = fold(events)
    while state.phase is Phase.PLAYING:
        watch(state)
        one = bots[state.turn]
        command = one.choose(view(state, state.turn), rng, budget)
        happened = apply(state, command)
        assert not isinstance(happened, Refusal), (one.name, command, happened)
        events.extend(happened)
        state = fold(happened, state)
    return state, events
