"""What a rack may become."""

from tests.bots.positions import melds
from tilerummy.bots.sense import outs, unseen
from tilerummy.rulesets import ruleset
from tilerummy.tiles import JOKER, counts, tile, tiles

SABRA = ruleset("sabra")


def outs_of(rack: str, table: str = "", id: str = "sabra") -> dict[str, int]:
    rules, held = ruleset(id), tiles(rack)
    found = outs(counts(held), unseen(rules, melds(table), held), rules)
    return {str(one): found[one.kind] for one in held}


def test_unseen_is_what_is_neither_on_the_table_nor_on_the_rack() -> None:
    hidden = unseen(SABRA, melds("r4 r5 r6 | b9 k9 j"), tiles("r4' b1 j'"))
    assert sum(hidden) == 106 - 6 - 3
    assert hidden[tile("r4").kind] == 0
    assert hidden[tile("b1").kind] == 1
    assert hidden[JOKER] == 0


def test_a_pair_waits_for_the_tiles_that_complete_it() -> None:
    assert outs_of("r5 r6") == {"r5": 4, "r6": 4}  # r4 and r7
    assert outs_of("r5 r7") == {"r5": 2, "r7": 2}  # r6
    assert outs_of("r1 r2") == {"r1": 2, "r2": 2}  # r3 alone
    assert outs_of("r5 b5") == {"r5": 4, "b5": 4}  # k5 and y5
    assert outs_of("r5 b6 k12 y1") == {"r5": 0, "b6": 0, "k12": 0, "y1": 0}


def test_what_lies_on_the_table_will_not_come() -> None:
    assert outs_of("r5 r7", "r6 b6 k6") == {"r5": 1, "r7": 1}
    assert outs_of("r5 r7", "r6 b6 k6 | r6' b6' k6'") == {"r5": 0, "r7": 0}


def test_a_meld_that_is_there_waits_for_nothing_but_more_of_it() -> None:
    assert outs_of("r5 r6 r7")["r6"] == 4  # r4 with r5 and r6, r8 with r6 and r7


def test_without_groups_only_runs_are_waited_for() -> None:
    assert outs_of("r5 b5", id="junior") == {"r5": 0, "b5": 0}
    assert outs_of("r9 r10", id="junior") == {"r9": 1, "r10": 1}
