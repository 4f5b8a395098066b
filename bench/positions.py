"""Positions, the same for the same seed: from games of greedy players, and tables crowded at random."""

import random
from collections.abc import Iterator

from tilerummy.game import apply, begin
from tilerummy.melds import Meld
from tilerummy.rulesets import Ruleset
from tilerummy.solver import Query, solve, with_copies
from tilerummy.state import Draw, Pass, Phase, Play, Refusal, State, fold
from tilerummy.tiles import COLOURS, JOKER, counts, kind_of, tile_of

__all__ = ["crowded", "position", "self_play"]


def position(state: State) -> Query:
    """The position of the player to move."""
    return Query(state.rules, state.table, state.racks[state.turn], state.opened[state.turn], all(state.opened))


def self_play(seed: int, rules: Ruleset, players: int) -> Iterator[Query]:
    """Each position of a round in which everybody lays as many tiles as possible."""
    state = fold(begin(rules, players=players, seed=f"{seed:064x}"))
    while state.phase is Phase.PLAYING:
        query = position(state)
        yield query
        solution = solve(query)
        seat = state.turn
        after, _ = with_copies(query, solution)
        events = apply(state, Play(seat, after) if solution.tiles else Draw(seat))
        if isinstance(events, Refusal):
            events = apply(state, Pass(seat))
        if isinstance(events, Refusal):
            raise AssertionError(events)
        state = fold(events, state)


def crowded(seed: int, rules: Ruleset, size: int, rack: int, *, all_jokers: bool = False) -> Query:
    """A table of about this many tiles in random melds, and a random rack of what is left, jokers on both sides.

    With `all_jokers`, those that are not on the table are all on the rack.
    """
    chance = random.Random(seed)
    supply = counts(rules.tiles())
    table: list[Meld] = []
    tries = 0
    while sum(len(meld.tiles) for meld in table) < size and tries < 5000:
        tries += 1
        meld = _random_meld(chance, rules)
        taken = counts(meld.tiles)
        if all(have >= need for have, need in zip(supply, taken, strict=True)):
            supply = [have - need for have, need in zip(supply, taken, strict=True)]
            table.append(meld)
    held = [JOKER] * supply[JOKER] if all_jokers else []
    bag = [kind for kind in range(JOKER if all_jokers else JOKER + 1) for _ in range(supply[kind])]
    held += chance.sample(bag, min(rack - len(held), len(bag)))
    return Query(rules, tuple(table), tuple(tile_of(kind) for kind in held))


def _random_meld(chance: random.Random, rules: Ruleset) -> Meld:
    """A run or a group, now and then with jokers in it."""
    if rules.groups and chance.random() < 0.4:
        colour, number = None, chance.randint(1, rules.numbers)
        kinds = [kind_of(one, number) for one in chance.sample(COLOURS, chance.choice([3, 3, 4]))]
    else:
        colour, size = chance.choice(COLOURS), chance.choice([3, 3, 4, 5])
        number = chance.randint(1, rules.numbers - size + 1)
        kinds = [kind_of(colour, number + place) for place in range(size)]
    wild = [chance.random() < 0.04 for _ in kinds[1:]]  # at least one numbered tile
    tiles = [tile_of(JOKER if joker else kind) for kind, joker in zip(kinds, [*wild, False], strict=True)]
    return Meld(tuple(tiles if colour else sorted(tiles)), colour, number)
