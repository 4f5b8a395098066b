"""Candidates: legal plays, each once, what the keeper would lay first, and drawing among them."""

from collections.abc import Sequence

import pytest

from tests.bots.positions import play_round, position, waiting
from tilerummy.bots import bot
from tilerummy.bots import candidates as module
from tilerummy.bots.candidates import candidates
from tilerummy.bots.keeper import HARD, Sense, keeping
from tilerummy.bots.turn import played
from tilerummy.game import apply
from tilerummy.legality import check
from tilerummy.rulesets import RULESETS, ruleset
from tilerummy.solver import Query, Solution, solve_many
from tilerummy.state import Drew, Play, Played, Refusal, State
from tilerummy.tiles import counts, text, tile_of
from tilerummy.view import View, view


def written(seen: View, most: int = 99) -> list[str]:
    """What the candidates lay; drawing is empty."""
    found = candidates(seen, most, Sense())
    return [text(tile_of(kind) for kind, number in enumerate(one.laid or b"") for _ in range(number)) for one in found]


@pytest.mark.parametrize("id", RULESETS)
def test_all_are_legal_and_lay_what_they_say(id: str) -> None:
    tried = 0

    def watch(state: State) -> None:
        nonlocal tried
        seen = view(state, state.turn)
        found = candidates(seen, 10, Sense())
        assert len({one.laid for one in found}) == len(found) <= 10
        assert found[0].turn(seen) == played(seen, *keeping(seen, Sense()))
        assert None in [one.laid for one in found]
        for one in found:
            events = apply(state, one.turn(seen))
            assert not isinstance(events, Refusal)
            tried += 1
            if one.laid is None:
                assert not isinstance(events[0], Played)
            else:
                assert isinstance(events[0], Played)
                assert bytes(counts(events[0].laid)) == one.laid
            if isinstance(events[0], Drew):
                assert one.laid is None

    play_round(ruleset(id), [bot("greedy")] * 3, seed=8, watch=watch)
    assert tried > 30


def test_without_a_play_there_is_only_drawing() -> None:
    assert written(position("sabra", "r4 r5 r6", "b1 k9 y12")) == [""]


def test_parts_of_a_play_are_candidates() -> None:
    """Both tiles, none, and either of them."""
    assert written(position("sabra", "r4 r5 r6 | b9 k9 y9", "r7 r9 b1")) == ["r7 r9", "", "r9", "r7"]


def test_the_joker_may_be_laid_or_kept() -> None:
    found = written(position("sabra", "r4 r5 r6", "r7 b9 k9 j y2"))
    assert found[:2] == ["r7", ""]
    assert {"r7 b9 k9 j", "b9 k9 j", "r7 j", "j"} <= set(found)


def test_an_opening_may_be_small_or_large() -> None:
    seen = position("sabra", "", "r10 b10 k10 y1 y2 y3 b5", opened=(False, False))
    found = written(seen)
    assert {"r10 b10 k10 y1 y2 y3", "r10 b10 k10", ""} <= set(found)
    assert "y1 y2 y3" not in found


def test_there_are_no_more_than_asked_for() -> None:
    seen = position("sabra", "r4 r5 r6 | b9 k9 y9", "r7 r9 b1")
    assert written(seen, 2) == ["r7 r9", ""]
    assert written(seen, 1) == ["r7 r9"]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Solution]:
    """What the solver answers beyond the first question."""
    given: list[Solution] = []

    def noted(queries: Sequence[Query], *, limit: int) -> list[Solution]:
        some = solve_many(queries, limit=limit)
        given.extend(some)
        return some

    monkeypatch.setattr(module, "solve_many", noted)
    return given


def test_where_the_first_answer_wins_nothing_else_is_asked(answers: list[Solution]) -> None:
    """By classic's rules the questions after it may take seconds."""
    seen = waiting(26)
    first, second = candidates(seen, 12, Sense())
    assert sum(first.laid or b"") == len(seen.rack)
    assert second.laid is None
    assert answers == []


def test_where_stars_count_it_looks_for_more_than_the_end(answers: list[Solution]) -> None:
    seen = position("junior", "r4 r5 r6", "r3 r7")
    assert written(seen)[0] == "r3 r7"
    assert answers


def test_a_hard_question_after_an_easy_one_is_cut_short(answers: list[Solution]) -> None:
    """All of them together take seconds; cut short they are legal plays all the same."""
    seen = waiting(22)
    found = candidates(seen, 12, Sense())
    assert len(found) == 12
    assert any(not one.proven for one in answers)
    assert max(one.nodes for one in answers) < 2 * HARD
    for one in found:
        turn = one.turn(seen)
        if isinstance(turn, Play):
            assert check(seen.table, seen.rack, turn.table, seen.rules, opened=False, all_opened=False).legal


def test_all_questions_together_have_an_end(answers: list[Solution], monkeypatch: pytest.MonkeyPatch) -> None:
    seen = waiting(22)
    candidates(seen, 12, Sense())
    whole = len(answers)
    answers.clear()
    monkeypatch.setattr(module, "_MOST", 100_000)
    assert candidates(seen, 12, Sense())
    assert 0 < len(answers) < whole
    assert 100_000 < sum(one.nodes for one in answers) < 100_000 + 4 * 2 * HARD
