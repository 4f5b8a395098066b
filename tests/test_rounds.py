"""Empty pools, stalemates, starts, rounds and matches of each rulebook, by example."""

from dataclasses import replace

import pytest

from tests.kit.build import accepted, at, refused, seed, then
from tests.kit.cases import CASES, Case
from tests.kit.turns import (
    CLASSIC,
    CLUB,
    JUNIOR,
    NAMES,
    POINTS,
    RUMMY,
    SABRA,
    ended,
    label,
)
from tilerummy.deal import BadSeed, shuffle
from tilerummy.game import MAX_ROUNDS, begin, fold
from tilerummy.melds import draft
from tilerummy.rulesets import HEAP, BadRuleset, Ruleset, ruleset
from tilerummy.scoring import finished, match_totals, match_winners
from tilerummy.state import (
    Draw,
    Drew,
    Event,
    MatchEnded,
    NextRound,
    Pass,
    Passed,
    Phase,
    Play,
    RoundBegan,
    RoundEnded,
)
from tilerummy.tiles import tiles

# The pool


@pytest.mark.parametrize("rules", POINTS, ids=NAMES)
def test_a_draw_takes_the_next_tile_and_ends_the_turn(rules: Ruleset) -> None:
    state = at(rules, "r1", "r2", pool="k1 k2")
    assert accepted(state, Draw(0)) == (Drew(0, tiles("k1"), 0),)
    after = then(state, Draw(0))
    assert (after.racks[0], after.pool, after.turn) == (tiles("r1 k1"), tiles("k2"), 1)


def test_a_player_who_could_play_may_draw() -> None:
    assert then(at(SABRA, "b11 k1", "r2", table="b8 b9 b10"), Draw(0)).turn == 1


@pytest.mark.parametrize("rules", [*POINTS, JUNIOR], ids=[*NAMES, "junior"])
def test_nobody_passes_while_there_is_a_pool_and_nobody_draws_without(rules: Ruleset) -> None:
    state = at(rules, "b10 k1", "b6 b1", table="b7 b8 b9")
    assert refused(state, Pass(0)).code == "must-draw"
    empty = replace(state, pool=())
    assert refused(empty, Draw(0)).code == "pool-empty"
    assert accepted(empty, Pass(0)) == (Passed(0),)


@pytest.mark.parametrize("rules", [CLASSIC, SABRA, RUMMY], ids=["classic", "sabra", "rummy"])
def test_a_full_circle_of_passes_ends_the_round(rules: Ruleset) -> None:
    """Also of players who could lay: a voluntary pass counts."""
    state = at(rules, "b11 k1", "b11' k9", "b7 r2", table="b8 b9 b10", pool="")
    step = rules.step
    order = [0, step % 3, 2 * step % 3]
    state = then(state, Pass(order[0]), Pass(order[1]))
    assert state.phase is Phase.PLAYING
    end = ended(state, Pass(order[2]))
    assert (end.finisher, end.winner) == (None, 2)
    assert end.scores == (-(12 - 9), -(20 - 9), 14)


@pytest.mark.parametrize("rules", [CLASSIC, SABRA, RUMMY], ids=["classic", "sabra", "rummy"])
def test_a_play_begins_the_circle_anew(rules: Ruleset) -> None:
    state = at(rules, "k1 k9", "b11 y5", table="b8 b9 b10", pool="")
    state = then(state, Pass(0), Play(1, draft("b8 b9 b10 b11")), Pass(0))
    assert (state.passes, state.phase) == (1, Phase.PLAYING)
    assert ended(state, Pass(1)).scores == (-5, 5)


def test_the_last_tile_of_the_pool_is_drawn_before_anybody_passes() -> None:
    state = at(CLASSIC, "k1", "y5", table="b8 b9 b10", pool="y9")
    state = then(state, Draw(0), Pass(1))
    assert ended(state, Pass(0)).winner == 1


# Stalemates


def test_club_ends_when_the_player_to_move_is_stuck() -> None:
    state = at(CLUB, "r5 r6 r7 b1", "k13 y2", table="b8 b9 b10", pool="")
    end = ended(state, Play(0, draft("b8 b9 b10 | r5 r6 r7")))
    assert (end.finisher, end.winner) == (None, 0)
    assert end.scores == (15 - 1, -15)


def test_club_ends_when_the_last_tile_is_drawn_and_the_next_is_stuck() -> None:
    state = at(CLUB, "r5 r6", "k13 y2", table="b8 b9 b10", pool="y12")
    assert ended(state, Draw(0)).scores == (-23, 23 - 15)


def test_club_goes_on_while_the_player_to_move_can_lay() -> None:
    """The leader cannot end a round by passing."""
    state = at(CLUB, "k1", "b11 y13 r1", "r2 y9 k7", table="b8 b9 b10", pool="")
    state = then(state, Pass(0))
    assert (state.phase, state.turn) == (Phase.PLAYING, 1)
    end = ended(state, Play(1, draft("b8 b9 b10 b11")))  # now seat 2 is stuck, not by its own word
    assert (end.winner, end.scores) == (0, (14 + 18 - 1, -14, -18))


def test_club_takes_a_pass_of_somebody_who_could_lay() -> None:
    state = at(CLUB, "b11 k1", "b7 y9", table="b8 b9 b10", pool="")
    state = then(state, Pass(0))
    assert state.phase is Phase.PLAYING
    assert ended(state, Pass(1)).scores == (16 - 12, -16)  # a full circle


def test_club_is_stuck_before_the_opening_with_too_few_points() -> None:
    state = at(CLUB, "b11 b12 b1", "r9 k9 b9", table="b8 b9' b10", pool="", opened=(True, False))
    assert ended(state, Play(0, draft("b8 b9' b10 b11"))).winner == 0
    enough = at(CLUB, "b11 b12 b1", "r10 k10 b10", table="b8 b9' b10'", pool="", opened=(True, False))
    assert then(enough, Play(0, draft("b8 b9' b10' b11"))).phase is Phase.PLAYING


def test_classic_waits_for_those_who_are_stuck_to_pass() -> None:
    state = at(CLASSIC, "r5 r6 r7 b1", "k13 y2", table="b8 b9 b10", pool="")
    assert then(state, Play(0, draft("b8 b9 b10 | r5 r6 r7"))).phase is Phase.PLAYING


@pytest.mark.parametrize(
    ("rules", "racks", "starter", "winner"),
    [
        (CLASSIC, ("k5", "y2 y3", "r9"), 0, 0),  # fewer tiles
        (CLASSIC, ("y2 y3", "k5", "r9"), 0, 1),
        (CLASSIC, ("k5", "y5", "r5"), 1, 1),  # first in turn order from the starter
        (CLASSIC, ("k9", "y5", "r5"), 0, 1),
        (CLASSIC, ("k9", "y5", "r5"), 2, 2),
        (CLASSIC, ("k5", "y9", "r5"), 1, 2),
        (RUMMY, ("k9", "y5", "r5"), 0, 2),  # counter-clockwise
        (RUMMY, ("k5", "y9", "r5"), 1, 0),
        (SABRA, ("k5", "y5", "r9"), 1, 1),
        (CLUB, ("k5", "y5", "r9"), 1, 1),
    ],
    ids=label,
)
def test_ties_of_a_stalemate(rules: Ruleset, racks: tuple[str, ...], starter: int, winner: int) -> None:
    state = at(rules, *racks, table="b8 b9 b10", pool="", passes=2, starter=starter)
    assert ended(state, Pass(0)).winner == winner


def test_a_tie_costs_the_other_nothing_under_differences() -> None:
    assert ended(at(CLASSIC, "k5", "y5", pool="", passes=1), Pass(0)).scores == (0, 0)
    assert ended(at(CLUB, "k5", "y5", pool="", passes=1), Pass(0)).scores == (0, -5)


@pytest.mark.parametrize(("rules", "joker"), [(CLASSIC, 30), (CLUB, 30), (SABRA, 25), (RUMMY, 30)], ids=label)
def test_what_a_joker_on_the_rack_costs(rules: Ruleset, joker: int) -> None:
    state = at(rules, "b11", "j r2", table="b8 b9 b10")
    assert ended(state, Play(0, draft("b8 b9 b10 b11"))).scores == (joker + 2, -joker - 2)


# The start


def test_drawing_for_the_start() -> None:
    """Jokers are drawn again, ties among the tied; both happen within these seeds."""
    jokers = ties = 0
    for number in range(150):
        state = fold(begin(CLASSIC, players=4, seed=seed(number)))
        left = [0, 1, 2, 3]
        for drawing in state.draws:
            number_of: dict[int, int] = {}
            waiting = list(left)
            drawn = list(drawing)
            while waiting:  # everybody in turn, then those again who drew a joker
                turn, drawn = drawn[: len(waiting)], drawn[len(waiting) :]
                assert [draw.seat for draw in turn] == waiting
                number_of |= {draw.seat: draw.tile.number for draw in turn if not draw.tile.is_joker}
                waiting = [draw.seat for draw in turn if draw.tile.is_joker]
                jokers += len(waiting)
            assert not drawn
            left = [seat for seat in left if number_of[seat] == max(number_of.values())]
        ties += len(state.draws) - 1
        assert left == [state.starter] == [state.turn]
        all_drawn = [draw.tile for drawing in state.draws for draw in drawing]
        assert len(set(all_drawn)) == len(all_drawn)
    assert jokers > 0
    assert ties > 0


def test_a_jokers_worth_of_redraws() -> None:
    """A set with few tiles: the pile runs out and is shuffled again, and still somebody starts."""
    rules = ruleset("classic", {"numbers": 7, "copies": 1, "jokers": 4, "deal": 5, "players": 4})
    for number in range(60):
        state = fold(begin(rules, players=4, seed=seed(number)))
        assert 0 <= state.starter < 4


def test_the_host_says_who_starts_junior() -> None:
    for first in range(3):
        state = fold(begin(JUNIOR, players=3, seed=seed(0), first=first, rounds=2))
        assert (state.draws, state.starter, state.turn) == ((), first, first)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_deal(case: Case) -> None:
    rules = case.rules
    state = fold(begin(rules, players=case.players, seed=seed(5)))
    order = shuffle(state.seed, state.words, "round 1 deal", rules.tiles())
    for place, seat in enumerate(state.order):
        assert state.racks[seat] == tuple(order[place * rules.deal : (place + 1) * rules.deal])
    assert state.pool == tuple(order[case.players * rules.deal :])
    assert (state.table, state.passes, state.version) == ((), 0, 2)
    assert set(state.stars) == {rules.stars}


def test_rummys_heaps() -> None:
    """Heaps of 7, the last of 8, two for each player in turn order; the pool is the rest in heap order."""
    for players in (2, 3, 4):
        state = fold(begin(RUMMY, players=players, seed=seed(3)))
        order = shuffle(state.seed, state.words, "round 1 deal", RUMMY.tiles())
        heaps = [tuple(order[place * HEAP : (place + 1) * HEAP]) for place in range(14)] + [tuple(order[14 * HEAP :])]
        assert [len(heap) for heap in heaps] == [7] * 14 + [8]
        for place, seat in enumerate(state.order):
            assert state.racks[seat] == heaps[2 * place] + heaps[2 * place + 1]
        assert state.pool == sum(heaps[2 * players :], ())


@pytest.mark.parametrize(("rules", "step"), [(CLASSIC, 1), (CLUB, 1), (SABRA, 1), (RUMMY, -1), (JUNIOR, 1)], ids=label)
def test_the_direction_of_play(rules: Ruleset, step: int) -> None:
    state = fold(begin(rules, players=3, seed=seed(1)))
    seats = [state.turn]
    for _ in range(5):
        state = then(state, Draw(state.turn))
        seats.append(state.turn)
    assert seats == [(seats[0] + step * place) % 3 for place in range(6)]
    assert state.order == tuple(seats[:3])


def test_seeds_and_words_decide_the_deal() -> None:
    plain = fold(begin(SABRA, players=2, seed=seed(1)))
    assert plain == fold(begin(SABRA, players=2, seed=seed(1), words=["", ""], bots=[None, None]))
    assert plain.racks != fold(begin(SABRA, players=2, seed=seed(2))).racks
    worded = fold(begin(SABRA, players=2, seed=seed(1), words=["luck"]))
    assert (plain.racks != worded.racks, worded.words) == (True, ("luck", ""))
    assert worded == fold(begin(SABRA, players=2, seed=seed(1), words=[" luck  "]))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"players": 1}, "players"),
        ({"players": 5}, "players"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": MAX_ROUNDS + 1}, "rounds"),
        ({"first": 2}, "first"),
        ({"first": -1}, "first"),
        ({"words": ["a", "b", "c"]}, "words"),
        ({"bots": ["a", None, None]}, "bots"),
        ({"bots": ["two words"]}, "bots"),
    ],
    ids=str,
)
def test_a_match_that_cannot_be_set_up(given: dict[str, object], field: str) -> None:
    setup = {"players": 2, "seed": seed(0), **given}
    with pytest.raises(BadRuleset) as error:
        begin(CLASSIC, **setup)  # type: ignore[arg-type]
    assert error.value.field == field


@pytest.mark.parametrize("given", [{"seed": "00"}, {"seed": "G" * 64}, {"words": ["x" * 41]}, {"words": ["a\nb"]}])
def test_a_bad_seed_or_word(given: dict[str, object]) -> None:
    with pytest.raises(BadSeed):
        begin(CLASSIC, **{"players": 2, "seed": seed(0), **given})  # type: ignore[arg-type]


# Rounds and matches


def last_tile(racks: tuple[str, ...], winner: int, **more: object) -> tuple[Event, ...]:
    """The events when the winner lays the last tile, `b11`, and the others hold these racks."""
    held = [*racks[:winner], "b11", *racks[winner:]]
    state = at(CLASSIC, *held, table="b8 b9 b10", turn=winner, **more)  # type: ignore[arg-type]
    return accepted(state, Play(winner, draft("b8 b9 b10 b11")))


def test_classics_printed_score_table() -> None:
    rounds = [
        (("k5", "k13 k3", "y3"), 0, (24, -5, -16, -3)),
        (("k6", "k11", "y5"), 2, (-6, -11, 22, -5)),
        (("k13 y13 r6", "k12 r1", "y2"), 3, (-32, -13, -2, 47)),
    ]
    scores: list[tuple[int, ...]] = []
    events: tuple[Event, ...] = ()
    for racks, winner, printed in rounds:
        events = last_tile(racks, winner, rounds=3, scores=scores)
        end = events[1]
        assert isinstance(end, RoundEnded)
        assert (end.round, end.winner, end.scores) == (len(scores) + 1, winner, printed)
        scores.append(end.scores)
        assert len(events) == (3 if len(scores) == 3 else 2)
    assert events[-1] == MatchEnded((-14, -29, 4, 39), (3,))


def test_sabras_printed_score_table() -> None:
    rounds = [
        finished([(), tiles("k5"), tiles("k13 k3"), tiles("y3")], 0, SABRA),
        finished([tiles("k6"), tiles("k11"), (), tiles("y5")], 2, SABRA),
    ]
    assert rounds == [(24, -5, -16, -3), (-6, -11, 22, -5)]
    assert match_totals(rounds, 4) == (18, -16, 6, -8)
    assert match_winners((18, -16, 6, -8)) == (0,)


def test_clubs_printed_scores() -> None:
    state = at(CLUB, "b11", "k5", "y10", "r3", table="b8 b9 b10")
    assert ended(state, Play(0, draft("b8 b9 b10 b11"))).scores == (18, -5, -10, -3)


def test_a_match_of_several_rounds() -> None:
    state = fold(begin(CLASSIC, players=2, seed=seed(4), rounds=3))
    deals = []
    events: tuple[Event, ...] = ()
    for number in (1, 2, 3):
        deals.append(state.racks)
        assert (state.round, state.phase) == (number, Phase.PLAYING)
        assert refused(state, NextRound()).code == "round-running"
        winner = state.turn
        racks = [tiles("k5"), tiles("k5")]
        racks[winner] = tiles("b11")
        # Put the players near the end, then let the player to move lay the last tile.
        near = at(CLASSIC, "k5", "y5", table="b8 b9 b10")
        state = replace(near, **{name: getattr(state, name) for name in ("rounds", "round", "scores", "seed", "turn")})
        state = replace(state, racks=tuple(racks), version=10 * number)
        events = accepted(state, Play(winner, draft("b8 b9 b10 b11")))
        state = fold(events, state)
        assert state.winner == winner
        if number < 3:
            assert state.phase is Phase.ROUND_OVER
            (began,) = accepted(state, NextRound())
            assert isinstance(began, RoundBegan)
            assert began.round == number + 1
            state = fold([began], state)
            assert (state.table, state.opened, state.hints, state.winner) == ((), (False,) * 2, (0, 0), None)
    assert state.phase is Phase.MATCH_OVER
    assert len(set(deals)) == 3
    assert isinstance(events[-1], MatchEnded)
    assert events[-1].totals == match_totals(state.scores, 2)
    assert refused(state, NextRound()).code == "match-over"


def test_a_drawn_match_has_two_winners() -> None:
    events = last_tile(("k5",), 0, rounds=2, scores=[(-5, 5)])
    assert events[-1] == MatchEnded((0, 0), (0, 1))


def test_stars_of_a_match_add_up() -> None:
    state = at(JUNIOR, "r4", "k1", table="r1 r2 r3", rounds=2, scores=[(3, 9)])
    assert accepted(state, Play(0, draft("r1 r2 r3 r4")))[-1] == MatchEnded((3 + 8, 9 + 5), (1,))
