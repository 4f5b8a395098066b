"""Builders: positions and states written in the notation."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from tilerummy.game import apply, begin, fold
from tilerummy.melds import Meld, Table, draft, read
from tilerummy.rulesets import Ruleset
from tilerummy.state import Command, Event, Refusal, State
from tilerummy.tiles import tiles

__all__ = ["accepted", "at", "refused", "seed", "table", "then"]


def seed(number: int) -> str:
    """A seed for the shuffle, one for each number."""
    return sha256(str(number).encode()).hexdigest()


def table(written: str, rules: Ruleset) -> Table:
    """Read a table of valid melds."""
    melds = [read(part, rules.numbers, rules.groups) for part in draft(written)]
    assert all(isinstance(meld, Meld) for meld in melds), f"{written}: {melds}"
    return tuple(meld for meld in melds if isinstance(meld, Meld))


def at(
    rules: Ruleset,
    *racks: str,
    table: str = "",
    pool: str | None = None,
    turn: int = 0,
    starter: int = 0,
    opened: Sequence[bool] | bool = True,
    stars: Sequence[int] = (),
    passes: int = 0,
    rounds: int = 1,
    scores: Sequence[tuple[int, ...]] = (),
) -> State:
    """A state with these racks and this table; the pool is what is left of the set, or the tiles written."""
    players = len(racks)
    state = fold(begin(rules, players=players, seed=seed(0), rounds=rounds))
    melds = globals()["table"](table, rules)
    held = tuple(tiles(rack) for rack in racks)
    used = [tile for meld in melds for tile in meld.tiles] + [tile for rack in held for tile in rack]
    assert len(set(used)) == len(used), "a tile is in two places"
    left = tuple(tile for tile in rules.tiles() if tile not in used) if pool is None else tiles(pool)
    return replace(
        state,
        table=melds,
        racks=held,
        pool=left,
        turn=turn,
        starter=starter,
        opened=(opened,) * players if isinstance(opened, bool) else tuple(opened),
        stars=tuple(stars) or (rules.stars,) * players,
        passes=passes,
        round=len(scores) + 1,
        scores=tuple(scores),
    )


def accepted(state: State, command: Command) -> tuple[Event, ...]:
    """The events of a command that must be accepted."""
    events = apply(state, command)
    assert not isinstance(events, Refusal), f"{command} is refused: {events}"
    return events


def then(state: State, *commands: Command) -> State:
    """The state after commands that must be accepted."""
    for command in commands:
        state = fold(accepted(state, command), state)
    return state


def refused(state: State, command: Command) -> Refusal:
    """The refusal of a command that must be refused."""
    refusal = apply(state, command)
    assert isinstance(refusal, Refusal), f"{command} is accepted: {refusal}"
    return refusal
