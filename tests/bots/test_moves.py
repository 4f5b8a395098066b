"""Simple moves: each keeps every tile, and every meld it makes is one."""

import pytest

from tests.bots.positions import melds, play_round
from tilerummy.bots import BOTS
from tilerummy.bots.moves import Step, additions, lay, lay_out, loans, rack_melds, rack_shapes, splits, swaps
from tilerummy.melds import best_value, read, table_text
from tilerummy.rulesets import ruleset
from tilerummy.state import State
from tilerummy.tiles import Tile, text, tiles


def held(step: Step) -> list[Tile]:
    return sorted([*step.rack, *(tile for meld in step.table for tile in meld.tiles)])


@pytest.mark.parametrize("id", ["classic", "sabra", "junior"])
def test_moves_keep_every_tile_and_make_melds(id: str) -> None:
    rules = ruleset(id, {"tileset": "xp-quick"})
    seen = {moves.__name__: 0 for moves in (rack_melds, additions, splits, loans, swaps)}

    def watch(state: State) -> None:
        step = Step(state.table, state.racks[state.turn])
        for moves in (rack_melds, additions, splits, loans, swaps) if state.version % 3 == 0 else ():
            for moved in moves(step, rules):
                seen[moves.__name__] += 1
                assert held(moved) == held(step)
                assert all(read(meld.pieces, rules.numbers, rules.groups) == meld for meld in moved.table)
                assert any(tile not in moved.rack for tile in step.rack)

    play_round(rules, [BOTS["random"], BOTS["novice"]] * 2, seed=2, watch=watch)
    assert all(seen.values())


@pytest.mark.parametrize(
    "rack",
    ["r10 b10 k10", "r1 r2 r3 r3' b3 k3", "r5 r6 r7 r8 r8' b8 k8 y8", "j r13 b13 k4", "r5 r5' r6 r6' r7 r7'", "r1 b2"],
)
def test_lay_out_finds_the_best_of_small_racks(rack: str) -> None:
    rules, held = ruleset("sabra"), tiles(rack)
    chosen = lay_out(held, rack_shapes(held, rules))
    assert sum(shape.points for shape in chosen) == best_value(held)
    assert sum(meld.points for meld in lay(Step((), held), chosen).table) == best_value(held)


def test_lay_takes_the_tiles_from_the_rack() -> None:
    held = tiles("r5 r5' r6 r6' r7 r7' j b1")
    laid = lay(Step(melds("k1 k2 k3"), held), lay_out(held, rack_shapes(held, ruleset("sabra"), jokers=0)))
    assert table_text(laid.table) == "k1 k2 k3 | r5 r6 r7 | r5' r6' r7'"
    assert text(laid.rack) == "j b1"


def test_additions_stop_at_the_ends() -> None:
    step = Step(melds("r11 r12 r13 | b1 b2 b3 | r5 b5 k5 y5"), tiles("j r10"))
    found = [table_text(moved.table) for moved in additions(step, ruleset("sabra"))]
    assert found == [
        "j=r10 r11 r12 r13 | b1 b2 b3 | r5 b5 k5 y5",
        "r11 r12 r13 | b1 b2 b3 j=b4 | r5 b5 k5 y5",
        "r10 r11 r12 r13 | b1 b2 b3 | r5 b5 k5 y5",
    ]
