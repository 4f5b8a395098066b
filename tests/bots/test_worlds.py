"""Worlds that a view leaves: every tile once, and racks from which nothing would have been laid."""

import random
from collections.abc import Iterator

import pytest

from tests.bots.positions import play_round, position
from tilerummy.bots import bot
from tilerummy.bots.worlds import Belief, Worlds
from tilerummy.melds import best_value
from tilerummy.rulesets import RULESETS, Ruleset, ruleset
from tilerummy.solver import Query, can_lay
from tilerummy.state import State
from tilerummy.tiles import JOKER, KINDS, Tile, counts, tile, tile_of
from tilerummy.view import View, view

SURE = Belief(fresh=0.0, joker=0.0)


def views(rules: Ruleset, players: int, seed: int) -> list[View]:
    """What the players of a round see."""
    seen: list[View] = []

    def watch(state: State) -> None:
        seen.append(view(state, state.turn))

    play_round(rules, [bot("greedy")] * players, seed, watch)
    return seen


def tiles_in(rack: bytes) -> tuple[Tile, ...]:
    return tuple(tile_of(kind) for kind in range(KINDS) for _ in range(rack[kind]))


def others(seen: View) -> Iterator[int]:
    return (seat for seat in range(seen.players) if seat != seen.seat)


@pytest.mark.parametrize("id", RULESETS)
def test_every_tile_is_somewhere_once(id: str) -> None:
    rules = ruleset(id)
    whole = counts(rules.tiles())
    for seen in views(rules, 3, seed=2)[::5]:
        for world in Worlds(seen, random.Random(1), Belief()).draw(3):
            total = counts(one for meld in seen.table for one in meld.tiles)
            for rack in world.racks:
                total = [here + there for here, there in zip(total, rack, strict=True)]
            for kind in world.pool:
                total[kind] += 1
            assert total == whole
            assert tuple(map(sum, world.racks)) == seen.rack_sizes
            assert len(world.pool) == seen.pool_size
            assert world.racks[seen.seat or 0] == bytes(counts(seen.rack))


def test_who_has_not_opened_could_not_before_the_last_draw() -> None:
    """The deal of this seed is one in which nobody opens for some turns."""
    rules, tried = ruleset("sabra"), 0
    for seen in views(rules, 2, seed=4):
        for seat in others(seen):
            if seen.opened[seat] or seen.rack_sizes[seat] == rules.deal:
                continue
            for world in Worlds(seen, random.Random(1), Belief()).draw(20):
                tried += 1
                rack = tiles_in(world.racks[seat])
                before = [rack[:at] + rack[at + 1 :] for at in range(len(rack))]
                assert min(best_value(some, rules.numbers, rules.groups) for some in before) < rules.opening
    assert tried


def test_of_who_has_not_had_a_turn_nothing_is_known() -> None:
    rules = ruleset("sabra")
    first = views(rules, 2, seed=4)[0]
    seat = next(others(first))
    racks = [tiles_in(world.racks[seat]) for world in Worlds(first, random.Random(1), SURE).draw(200)]
    assert any(best_value(rack, rules.numbers, rules.groups) >= rules.opening for rack in racks)


@pytest.mark.parametrize("id", ["sabra", "club"])
def test_who_has_opened_found_nothing_to_lay(id: str) -> None:
    rules = ruleset(id)
    tried = fitting = 0
    for seen in views(rules, 2, seed=4)[::3]:
        for seat in others(seen):
            if not seen.opened[seat] or not seen.pool_size:
                continue
            for belief in (SURE, Belief(opened=False)):
                for world in Worlds(seen, random.Random(1), belief).draw(5):
                    rack = tiles_in(world.racks[seat])
                    could = can_lay(Query(rules, seen.table, rack, True, all(seen.opened)))
                    tried += belief is SURE
                    fitting += could
                    assert belief is not SURE or not could
    assert tried
    assert fitting, "without the belief there are racks from which something could be laid"


def test_a_joker_is_held_as_often_as_is_believed() -> None:
    seen = position("sabra", "r4 r5 r6 | b9 k9 y9", "b1 k3 y12", other="r1 r1' b1' b13 k1 k7 y3", pool=80)
    held = []
    for share in (0.0, 0.5, 1.0):
        worlds = Worlds(seen, random.Random(1), Belief(fresh=0.0, joker=share)).draw(400)
        held.append(sum(world.racks[1][JOKER] for world in worlds))
    assert held[0] == 0 < held[1] < held[2]


def test_the_same_seed_draws_the_same_worlds() -> None:
    seen = position("sabra", "r4 r5 r6", "b1 k3 y12")
    assert Worlds(seen, random.Random(5), Belief()).draw(4) == Worlds(seen, random.Random(5), Belief()).draw(4)


def test_tiles_that_nobody_can_hold_are_dealt_all_the_same() -> None:
    """With an empty pool the other rack has what is left, whatever could have been done with it."""
    rules = ruleset("sabra", {"numbers": 7, "copies": 1, "jokers": 0, "groups": False, "deal": 3, "opening": 0})
    table = "r1 r2 r3 r4 | b1 b2 b3 b4 b5 b6 b7 | k1 k2 k3 k4 k5 k6 k7 | y1 y2 y3 y4 y5"
    seen = position("sabra", table, "r5 y7", other="r6 r7 y6", pool=0, rules=rules)
    (world,) = Worlds(seen, random.Random(1), SURE).draw(1)
    assert world.racks[1] == bytes(counts((tile("r6"), tile("r7"), tile("y6"))))
    assert world.pool == b""
