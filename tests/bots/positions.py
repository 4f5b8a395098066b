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
