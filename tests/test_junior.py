"""Junior's stars, jokers and payments, by example."""

import pytest

from tests.kit.build import accepted, at, refused, then
from tests.kit.turns import JUNIOR, ended, played
from tilerummy.game import fold
from tilerummy.melds import draft
from tilerummy.state import (
    Draw,
    Drew,
    Pass,
    Phase,
    Play,
    RoundEnded,
)
from tilerummy.tiles import tiles

# Junior


def test_the_printed_stars() -> None:
    """Examples 1 to 3 of the rulebook: +4, +3, +5."""
    state = at(JUNIOR, "r1 r2 r3 b9", "k1")
    assert played(state, "r1 r2 r3").stars == 4
    state = at(JUNIOR, "r4 r5 b6 y9", "k1", table="r1 r2 r3 | b7 b8 b9")
    assert played(state, "r1 r2 r3 r4 r5 | b6 b7 b8 b9").stars == 3
    state = at(JUNIOR, "r4 y1 y2 y3 k9", "k1", table="r1 r2 r3 | b7 b8 b9")
    event = played(state, "r1 r2 r3 r4 | b7 b8 b9 | y1 y2 y3")
    assert event.stars == 5
    assert fold([event], state).stars == (6 + 5, 6)


def test_two_runs_that_a_tile_joins_are_no_new_meld() -> None:
    state = at(JUNIOR, "r4 y1", "k1", table="r1 r2 r3 | r5 r6 r7")
    assert played(state, "r1 r2 r3 r4 r5 r6 r7").stars == 1


def test_the_last_tile_earns_a_star() -> None:
    state = at(JUNIOR, "r4", "k1 k2", table="r1 r2 r3")
    assert played(state, "r1 r2 r3 r4").stars == 2
    assert ended(state, Play(0, draft("r1 r2 r3 r4"))) == RoundEnded(1, 0, 0, (6 + 2, 6 - 2))


def test_a_swapped_joker_is_kept() -> None:
    state = at(JUNIOR, "r3 b9", "k1", table="r1 r2 j=r3")
    event = played(state, "r1 r2 r3")
    assert (event.laid, event.taken, event.stars) == (tiles("r3"), tiles("j"), 1)
    assert fold([event], state).racks[0] == tiles("b9 j")


def test_a_kept_joker_is_a_tile_left() -> None:
    state = at(JUNIOR, "r3", "k1", table="r1 r2 j=r3")
    event = played(state, "r1 r2 r3")
    assert event.stars == 1
    after = then(state, Play(0, draft("r1 r2 r3")))
    assert (after.phase, after.racks[0]) == (Phase.PLAYING, tiles("j"))


def test_a_joker_laid_again_earns_nothing_and_one_laid_later_does() -> None:
    state = at(JUNIOR, "r3 b5 b6 k9", "k1", table="r1 r2 j=r3")
    assert played(state, "r1 r2 r3 | b5 b6 j").stars == 3 + 1
    later = at(JUNIOR, "j b5 b6 k9", "k1", table="r1 r2 r3")
    assert played(later, "r1 r2 r3 | b5 b6 j").stars == 3 + 1
    spare = at(JUNIOR, "b5 b6 k9", "k1", table="r1 r2 r3 j=r4")
    assert played(spare, "r1 r2 r3 | b5 b6 j").stars == 2 + 1


def test_a_spare_joker_is_not_kept() -> None:
    state = at(JUNIOR, "b5 b6 b7 k9", "k1", table="r1 r2 r3 j=r4")
    refusal = refused(state, Play(0, draft("r1 r2 r3 | b5 b6 b7")))
    assert [violation.code for violation in refusal.violations] == ["joker-keep"]


def test_a_draw_costs_a_star() -> None:
    state = at(JUNIOR, "r1", "k1", stars=(3, 6))
    assert accepted(state, Draw(0)) == (Drew(0, state.pool[:1], 1),)
    assert then(state, Draw(0)).stars == (2, 6)


def test_without_a_star_there_is_only_a_pass() -> None:
    state = at(JUNIOR, "r1", "k1", stars=(0, 1))
    assert refused(state, Draw(0)).code == "no-star"
    state = then(state, Pass(0))
    assert (state.stars, state.racks[0]) == ((0, 1), tiles("r1"))
    assert refused(state, Pass(1)).code == "must-draw"
    state = then(state, Draw(1), Pass(0))
    end = ended(state, Pass(1))  # both are broke: a full circle of passes, with tiles still in the pool
    assert state.pool
    assert (end.finisher, end.scores, end.winner) == (None, (0, 0), 0)


def test_a_full_circle_of_passes_has_no_finishing_star() -> None:
    state = at(JUNIOR, "r1", "k1 k9", "y5 y8", pool="", stars=(1, 9, 9))
    end = ended(then(state, Pass(0), Pass(1)), Pass(2))
    assert (end.finisher, end.scores, end.winner) == (None, (0, 7, 7), 1)


@pytest.mark.parametrize(
    ("racks", "stars", "scores", "winner"),
    [
        (("r4", "k1 k2", "y1"), (6, 9, 7), (8, 7, 6), 0),
        (("r4", "k1 k2", "y1"), (6, 1, 0), (8, 0, 0), 0),  # as far as they have any
        (("r4", "k1 k2", "y1"), (6, 10, 9), (8, 8, 8), 0),  # a tie: who finished
        (("r4", "k1 k2", "y1"), (1, 12, 5), (3, 10, 4), 1),  # the finisher need not win
        (("r4", "k1 k2", "y1"), (1, 8, 7), (3, 6, 6), 2),  # a tie of others: fewer tiles
        (("r4", "k1", "y1"), (1, 7, 7), (3, 6, 6), 1),  # then turn order
    ],
    ids=str,
)
def test_what_the_others_pay(
    racks: tuple[str, ...], stars: tuple[int, ...], scores: tuple[int, ...], winner: int
) -> None:
    state = at(JUNIOR, *racks, table="r1 r2 r3", stars=stars)
    end = ended(state, Play(0, draft("r1 r2 r3 r4")))
    assert (end.finisher, end.scores, end.winner) == (0, scores, winner)
    assert then(state, Play(0, draft("r1 r2 r3 r4"))).stars == scores
