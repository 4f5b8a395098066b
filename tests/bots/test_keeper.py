"""What the keeper holds back, and when it does not."""

import random

import pytest

from tests.bots.positions import position, waiting
from tilerummy.bots import Greedy, Keeper, Points
from tilerummy.bots import keeper as module
from tilerummy.bots.keeper import ENOUGH, HARD, Sense, keeping
from tilerummy.bots.turn import Bot
from tilerummy.solver import Query, Solution, solve
from tilerummy.state import Draw, Play
from tilerummy.tiles import Tile, text
from tilerummy.view import View


def laid(bot: Bot, view: View) -> str:
    """The rack tiles that a bot lays, or `draw`."""
    command = bot.choose(view, random.Random(0), 1)
    if isinstance(command, Draw):
        return "draw"
    assert isinstance(command, Play)
    lying: set[Tile] = {piece.tile for meld in command.table for piece in meld}
    return text(tile for tile in sorted(view.rack) if tile in lying)


def test_points_lays_what_is_worth_most() -> None:
    """The joker makes a run of four small tiles, or a group of three dear ones."""
    view = position("sabra", "", "r1 r2 r4 b13 k13 j")
    assert laid(Greedy(), view) == "r1 r2 r4 j"
    assert laid(Points(), view) == "b13 k13 j"


def test_of_equal_plays_it_leaves_the_better_rack() -> None:
    """The run can spare one end; greedy gets rid of the dearer pair, beside which there is an 8."""
    view = position("sabra", "r4 r5 r6 r7", "b4 k4 b7 k7 b8")
    assert laid(Greedy(), view) == "b7 k7"
    assert laid(Keeper(), view) == "b4 k4"


def test_one_tile_more_is_more() -> None:
    view = position("sabra", "b4 b5 b6", "b7 r7 k7 r8 y1")
    assert laid(Keeper(), view) == laid(Greedy(), view) == "r7 b7 k7"


def test_holds_its_joker_with_two_players() -> None:
    view = position("sabra", "r4 r5 r6", "b9 k9 j y2 k5")
    assert laid(Greedy(), view) == "b9 k9 j"
    assert laid(Keeper(), view) == "draw"


def test_goes_out_with_its_joker() -> None:
    view = position("sabra", "r4 r5 r6", "b9 k9 j")
    assert laid(Keeper(), view) == "b9 k9 j"


def test_lays_its_joker_when_another_rack_is_short() -> None:
    view = position("sabra", "r4 r5 r6", "b9 k9 j y2 k5", other="r1 r1'")
    assert laid(Keeper(), view) == "b9 k9 j"


def test_lays_its_joker_when_the_pool_is_empty() -> None:
    view = position("sabra", "r4 r5 r6", "b9 k9 j y2 k5", pool=0)
    assert laid(Keeper(), view) == "b9 k9 j"


LATE = "r10 r11 r12 r13 y1"
"""A rack that opens and has a tile left."""


@pytest.mark.parametrize("rules", ["sabra", "classic"])
def test_with_three_it_does_not_open_before_it_can_go_out(rules: str) -> None:
    opened = (False, True, True)
    assert laid(Keeper(), position(rules, "b4 b5 b6", LATE, players=3, opened=opened)) == "draw"
    assert laid(Keeper(), position(rules, "y2 y3 y4", LATE, players=3, opened=opened)) == LATE


def test_with_two_it_opens_when_it_can() -> None:
    assert laid(Keeper(), position("sabra", "b4 b5 b6", LATE, opened=(False, True))) == "r10 r11 r12 r13"


@pytest.mark.parametrize("rules", ["club", "rummy"])
def test_opens_at_once_where_the_table_is_of_no_use_before(rules: str) -> None:
    view = position(rules, "y2 y3 y4", LATE, players=3, opened=(False, True, True))
    assert laid(Keeper(), view) == "r10 r11 r12 r13"


def test_opens_when_somebody_is_short_or_the_pool_is_empty() -> None:
    opened = (False, True, True)
    for view in (
        position("sabra", "b4 b5 b6", LATE, players=3, opened=opened, other="b1 b1'"),
        position("sabra", "b4 b5 b6", LATE, players=3, opened=opened, pool=0),
    ):
        assert laid(Keeper(), view) == "r10 r11 r12 r13"


def test_waits_for_a_joker_that_only_free_rules_would_give() -> None:
    """With free jokers all could be laid; classic's stays where it is until its tile takes its place."""
    table, rack, opened = "b3 b4 b5 j", "r10 r11 r12 r13 y1 y2", (False, True, True)
    assert laid(Keeper(), position("sabra", table, rack, players=3, opened=opened)) == rack
    assert laid(Keeper(), position("classic", table, rack, players=3, opened=opened)) == "draw"


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Solution]:
    """What the solver answers."""
    given: list[Solution] = []

    def noted(query: Query, *, limit: int) -> Solution:
        given.append(solve(query, limit=limit))
        return given[-1]

    monkeypatch.setattr(module, "solve", noted)
    return given


def test_a_hard_question_is_not_thought_through(answers: list[Solution]) -> None:
    """That all but one of these tiles can be laid is found at once; that no more can be takes a second."""
    seen = waiting(24)
    assert Keeper().choose(seen, random.Random(0), 1) == Draw(0)
    assert not answers[-1].proven
    _, whole = keeping(seen, Sense())
    assert (whole.tiles, whole.proven) == (23, False)
    assert max(one.nodes for one in answers) < 2 * ENOUGH


def test_where_its_own_question_is_hard_it_plays_as_greedy_does(answers: list[Solution]) -> None:
    seen = waiting(23, turn=26)
    query, found = keeping(seen, Sense())
    first, own = answers
    assert first.nodes < HARD < own.nodes < 2 * HARD
    assert first.proven
    assert not own.proven
    assert found == first
    assert query.rack == seen.rack
