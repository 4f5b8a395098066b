"""Scores: the printed tables, stalemates, ties, stars and matches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.rulesets import RULESETS, ruleset
from tilerummy.scoring import Outcome, finished, match_totals, match_winners, rack_value, star_outcome, stuck
from tilerummy.tiles import Tile, tile_of, tiles

RACKS = st.lists(st.lists(st.integers(0, 52).map(tile_of), max_size=8), min_size=2, max_size=6)


@pytest.mark.parametrize(("id", "joker"), [("classic", 30), ("club", 30), ("sabra", 25), ("rummy", 30)])
def test_a_joker_on_the_rack(id: str, joker: int) -> None:
    assert rack_value(tiles("j r13 b2"), ruleset(id)) == joker + 15


def test_classic_score_table() -> None:
    """classic, *Exemple de scores*."""
    rules = ruleset("classic")
    first = finished([(), tiles("r5"), tiles("b13 k3"), tiles("k3")], 0, rules)
    second = finished([tiles("r6"), tiles("k11"), (), tiles("y5")], 2, rules)
    third = finished([tiles("j r2"), tiles("b13"), tiles("k2"), ()], 3, rules)
    assert [first, second, third] == [(24, -5, -16, -3), (-6, -11, 22, -5), (-32, -13, -2, 47)]
    assert match_totals([first, second, third], 4) == (-14, -29, 4, 39)
    assert match_winners((-14, -29, 4, 39)) == (3,)


def test_sabra_score_table() -> None:
    """sabra, *Décompte des points*."""
    assert match_totals([(24, -5, -16, -3), (-6, -11, 22, -5)], 4) == (18, -16, 6, -8)
    assert match_winners((18, -16, 6, -8)) == (0,)


def test_club_score_table() -> None:
    """club, *Marque*: Alfred, Bérénice, Claude and Daniel."""
    assert finished([(), tiles("r5"), tiles("b10"), tiles("k3")], 0, ruleset("club")) == (18, -5, -10, -3)


def test_stalemates() -> None:
    racks = [tiles("r5"), tiles("b10"), tiles("k3")]
    assert stuck(racks, [0, 1, 2], ruleset("classic")) == Outcome(2, (-2, -7, 9))
    assert stuck(racks, [0, 1, 2], ruleset("club")) == Outcome(2, (-5, -10, 12))


def test_ties_for_the_lowest_rack() -> None:
    rules = ruleset("classic")
    assert stuck([tiles("r2 b3"), tiles("k5"), tiles("r6")], [0, 1, 2], rules).winner == 1  # fewer tiles
    assert stuck([tiles("b5"), tiles("k5"), tiles("r5")], [2, 1, 0], rules).winner == 2  # turn order from the starter


@given(RACKS)
def test_scores_sum_to_zero(racks: list[list[Tile]]) -> None:
    order = list(range(len(racks)))
    for rules in RULESETS.values():
        assert sum(finished([[], *racks[1:]], 0, rules)) == 0
    winner, scores = stuck(racks, order, ruleset("classic"))
    assert sum(scores) == 0
    assert scores[winner] == max(scores)
    assert stuck(racks, order, ruleset("club")).winner == winner


def test_stars() -> None:
    """junior, *La fin de la partie* and *Le vainqueur*."""
    racks = [(), tiles("r1 r2"), tiles("b1 b2 b3 b4"), tiles("j")]
    assert star_outcome([9, 8, 3, 4], racks, 0, [0, 1, 2, 3]) == Outcome(0, (9, 6, 0, 3))
    assert star_outcome([5, 7, 0, 0], racks, 0, [0, 1, 2, 3]).winner == 0  # a tie goes to the finisher
    tied = [tiles("r1"), tiles("r1 r2"), tiles("b1"), tiles("k1")]
    assert star_outcome([5, 6, 5, 5], tied, None, [2, 3, 0, 1]) == Outcome(2, (4, 4, 4, 4))  # fewer tiles, then order


def test_a_match_can_be_drawn() -> None:
    assert match_winners((3, -6, 3)) == (0, 2)
