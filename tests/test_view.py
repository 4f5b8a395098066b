"""What a seat may know, by example; that nothing more leaks is tried after every step of the state machines."""

from dataclasses import replace
from random import Random

import pytest

from tests.kit.build import at, seed, then
from tests.kit.cases import CASES, Case
from tests.kit.moves import timeout_draft
from tests.kit.players import LIVELY, play_on
from tests.kit.sound import assert_private, parts
from tilerummy.deal import commitment
from tilerummy.game import begin, fold
from tilerummy.melds import Piece, draft
from tilerummy.rulesets import ruleset
from tilerummy.state import Phase, Play
from tilerummy.tiles import Tile, tile, tiles
from tilerummy.view import view

SABRA = ruleset("sabra")
STATE = at(SABRA, "b11 k8 j", "y8 r1", table="b8 b9 b10 | r5 j'=r6 r7")
DRAFT = draft("b9 b10 b11 | b8 k8 j=8 | r5 j'=r6 r7")


def test_a_player_sees_the_own_rack_and_how_many_the_others_hold() -> None:
    seen = view(STATE, 1)
    assert (seen.seat, seen.rack, seen.racks) == (1, tiles("y8 r1"), ())
    assert (seen.rack_sizes, seen.pool_size) == ((3, 2), len(STATE.pool))
    assert (seen.table, seen.turn, seen.version) == (STATE.table, 0, STATE.version)


def test_a_spectator_sees_no_rack() -> None:
    seen = view(STATE, None)
    assert (seen.seat, seen.rack, seen.racks, seen.draft) == (None, (), (), None)
    assert {part for part in parts(replace(seen, draws=())) if isinstance(part, Tile)} == {
        one for meld in STATE.table for one in meld.tiles
    }


def test_a_draft_is_face_up_for_its_owner_only() -> None:
    assert view(STATE, 0, DRAFT).draft == DRAFT
    for other in (1, None):
        b9, b10, b8 = (Piece(tile(name)) for name in ("b9", "b10", "b8"))
        assert view(STATE, other, DRAFT).draft == ((b9, b10, None), (b8, None, None), draft("r5 j'=r6 r7")[0])


def test_a_draft_shows_its_owner_nothing_that_is_hidden() -> None:
    """A draft that names other people's tiles does not tell whether they have them."""
    hidden = str(STATE.pool[0])
    seen = view(STATE, 0, draft(f"y8 r1 {hidden} b11"))
    assert seen.draft == ((None, None, None, Piece(tile("b11"))),)
    assert_private(STATE, draft(f"y8 r1 {hidden} b11"))


def test_racks_are_shown_after_the_round_and_the_seed_after_the_match() -> None:
    state = at(SABRA, "b11", "y8 r1", table="b8 b9 b10", rounds=2)
    over = then(state, Play(0, draft("b8 b9 b10 b11")))
    assert over.phase is Phase.ROUND_OVER
    for seat in (0, 1, None):
        seen = view(over, seat, draft("b8 b9 b10"))
        assert (seen.racks, seen.seed, seen.draft) == (((), tiles("y8 r1")), None, None)
        assert not any(isinstance(part, Tile) and part in over.pool for part in parts(replace(seen, draws=())))
    ended = replace(over, phase=Phase.MATCH_OVER)
    assert view(ended, None).seed == ended.seed


def test_the_commitment_is_there_from_the_start() -> None:
    state = fold(begin(SABRA, players=2, seed=seed(1), words=["luck"]))
    seen = view(state, None)
    assert (seen.commitment, seen.words, seen.seed) == (commitment(seed(1)), ("luck", ""), None)
    assert seen.draws == state.draws


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_nobody_sits_on_a_seat_that_does_not_exist(seat: int) -> None:
    with pytest.raises((IndexError, ValueError)):
        view(STATE, seat)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_whole_game_leaks_nothing(case: Case) -> None:
    luck = Random(3)
    state = fold(begin(case.rules, players=case.players, seed=seed(3)))
    for turn, (_, _, after) in enumerate(play_on(state, luck, LIVELY)):
        if turn % 5 == 0 or after.phase is not Phase.PLAYING:
            assert_private(after, timeout_draft(after, luck) if after.phase is Phase.PLAYING else None)
