"""The simplified Junior game by example, and whole races to their end."""

from dataclasses import replace
from random import Random

import pytest

from tilerummy.race import (
    FINDS,
    NUMBERS,
    REFUSALS,
    Call,
    Called,
    Found,
    RaceBegan,
    RaceCommand,
    RaceEnded,
    RaceEvent,
    RaceRefusal,
    RaceState,
    Tap,
    apply,
    begin,
    fitting,
    fold,
)
from tilerummy.rulesets import BadRuleset, ruleset
from tilerummy.tiles import text, tile, tiles

ALL = frozenset(one for one in ruleset("junior").tiles() if not one.is_joker)


def then(state: RaceState, *commands: RaceCommand) -> RaceState:
    """The race after commands that must be accepted."""
    for command in commands:
        events = apply(state, command)
        assert not isinstance(events, RaceRefusal), f"{command}: {events}"
        state = fold(events, state)
    return state


def refused(state: RaceState, command: RaceCommand) -> RaceRefusal:
    refusal = apply(state, command)
    assert isinstance(refusal, RaceRefusal), f"{command} is accepted: {refusal}"
    assert refusal.code in REFUSALS
    return refusal


def race(players: int = 3, caller: int | None = 0) -> RaceState:
    return fold(begin(players, caller))


def call(name: str, seat: int | None = 0) -> Call:
    return Call(seat, tile(name))


def tap(seat: int, name: str) -> Tap:
    return Tap(seat, tile(name))


def test_a_called_tile_goes_to_its_place_for_no_star() -> None:
    assert apply(race(), call("r5")) == (Called(tile("r5")),)
    state = then(race(), call("r5"))
    assert (state.placed, state.stars) == (frozenset(tiles("r5")), (0, 0, 0))
    assert (state.called, state.open) == (tile("r5"), True)
    assert text(fitting(state)) == "r4 r6"


def test_two_tiles_are_looked_for_after_each_call() -> None:
    state = then(race(), call("r5"), tap(1, "r6"))
    assert (state.stars, text(fitting(state)), state.open) == ((0, 1, 0), "r4 r7", True)
    assert refused(state, call("b1")).code == "call-running"
    state = then(state, tap(2, "r7"))
    assert (state.stars, state.open, len(state.finds)) == ((0, 1, 1), False, FINDS)
    assert refused(state, tap(1, "r4")).code == "no-call"
    assert then(state, call("b1")).called is tile("b1")


def test_of_two_taps_that_arrive_together_the_first_wins_and_the_other_is_told() -> None:
    state = then(race(4), call("r5"), tap(2, "r6"))
    assert refused(state, tap(1, "r6")) == RaceRefusal("too-late", tile("r6"), 2)
    assert refused(state, tap(3, "r6")) == RaceRefusal("too-late", tile("r6"), 2)
    assert refused(state, tap(2, "r6")) == RaceRefusal("too-late", tile("r6"), 2)
    state = then(state, tap(1, "r4"))
    assert refused(state, tap(3, "r4")) == RaceRefusal("too-late", tile("r4"), 1)
    assert refused(state, tap(3, "r6")) == RaceRefusal("too-late", tile("r6"), 2)
    assert state.stars == (0, 1, 1, 0)
    state = then(state, call("b1"))
    assert refused(state, tap(3, "r4")) == RaceRefusal("already-placed", tile("r4"))


def test_the_last_tap_of_all_may_be_too_late() -> None:
    missing = tile("r10")
    state = replace(race(), placed=ALL - {missing, tile("r9")}, stars=(0, 3, 4))
    state = then(state, call("r9"))
    last = apply(state, Tap(1, missing))
    assert last == (Found(1, missing), RaceEnded((1, 2)))
    over = fold(last, state)
    assert (over.winners, over.stars, over.placed) == ((1, 2), (0, 4, 4), ALL)
    assert refused(over, Tap(2, missing)) == RaceRefusal("too-late", missing, 1)
    assert refused(over, tap(2, "r1")).code == "race-over"


def test_a_wrong_tap_costs_nothing() -> None:
    state = then(race(), call("r5"), tap(1, "r6"))
    for name in ("r8", "b5", "b6", "r3"):
        assert refused(state, tap(1, name)) == RaceRefusal("wrong-tile", tile(name))
    assert refused(state, tap(1, "r5")) == RaceRefusal("already-placed", tile("r5"))
    assert then(state, tap(1, "r4")).stars == (0, 2, 0)


def test_rows_that_meet_are_one() -> None:
    state = then(race(), call("r2"), tap(1, "r3"), tap(1, "r4"), call("r6"), tap(2, "r7"))
    assert text(fitting(state)) == "r5 r8"
    state = then(state, tap(2, "r5"))  # now the row goes from 2 to 7
    state = then(state, call("r9"))
    assert text(fitting(state)) == "r8 r10"
    state = then(state, tap(1, "r8"))
    assert text(fitting(state)) == "r1 r10"


def test_a_row_has_ends() -> None:
    assert text(fitting(then(race(), call("k1")))) == "k2"
    assert text(fitting(then(race(), call("k10")))) == "k9"
    assert fitting(race()) == ()


def test_the_caller_calls_again_earlier_when_no_tile_fits() -> None:
    row = frozenset(tiles("r1 r2 r3 r4 r5 r6 r7 r8 r9"))
    state = replace(race(), placed=row)
    state = then(state, call("r10"))
    assert (state.open, fitting(state)) == (False, ())
    state = then(replace(race(), placed=row - {tile("r9")}), call("r10"), tap(1, "r9"))
    assert (state.open, len(state.finds)) == (False, 1)
    assert then(state, call("b5")).open


def test_only_the_caller_calls_and_does_nothing_else() -> None:
    state = race()
    assert refused(state, call("r5", 1)).code == "not-the-caller"
    assert refused(state, call("r5", None)).code == "not-the-caller"
    assert refused(then(state, call("r5")), tap(0, "r6")).code == "caller-only-calls"


def test_the_program_may_call() -> None:
    state = race(2, None)
    assert refused(state, call("r5", 0)).code == "not-the-caller"
    state = then(state, call("r5", None), tap(0, "r6"), tap(1, "r7"))
    assert state.stars == (1, 1)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (tap(1, "r5"), "no-call"),
        (tap(3, "r5"), "no-such-seat"),
        (tap(-1, "r5"), "no-such-seat"),
        (tap(1, "j"), "no-such-tile"),
        (tap(1, "r11"), "no-such-tile"),
        (tap(1, "r5'"), "no-such-tile"),
        (call("j"), "no-such-tile"),
        (call("b13"), "no-such-tile"),
        (call("r5", 7), "not-the-caller"),
    ],
    ids=str,
)
def test_refusals(command: RaceCommand, code: str) -> None:
    assert refused(race(), command).code == code


def test_a_placed_tile_is_not_called_again() -> None:
    state = then(race(), call("r5"), tap(1, "r6"), tap(1, "r7"))
    for name in ("r5", "r6", "r7"):
        assert refused(state, call(name)) == RaceRefusal("already-placed", tile(name))


@pytest.mark.parametrize(("players", "caller"), [(1, 0), (5, 0), (0, None), (3, 3), (3, -1)])
def test_a_race_that_cannot_be_set_up(players: int, caller: int | None) -> None:
    with pytest.raises(BadRuleset):
        begin(players, caller)


def test_a_race_begins_with_its_start() -> None:
    assert begin(3) == (RaceBegan(3, None),)
    with pytest.raises(ValueError, match="begins with an event"):
        fold([])
    with pytest.raises(ValueError, match="begins with its start"):
        fold([Called(tile("r5"))])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("caller", [None, 0, 1])
def test_whole_races_end(players: int, caller: int | None) -> None:
    for number in range(5):
        luck = Random(number)
        events: list[RaceEvent] = list(begin(players, caller))
        state = fold(events)
        while not state.winners:
            if state.open:
                seat = luck.choice([seat for seat in range(players) if seat != caller])
                new = apply(state, Tap(seat, luck.choice(fitting(state))))
            else:
                new = apply(state, Call(caller, luck.choice(sorted(ALL - state.placed))))
            assert not isinstance(new, RaceRefusal)
            events += new
            state = fold(new, state)
            assert len(events) <= 1 + 4 * NUMBERS + 1
        called = sum(isinstance(event, Called) for event in events)
        assert state.placed == ALL
        assert sum(state.stars) == 4 * NUMBERS - called
        assert caller is None or state.stars[caller] == 0
        assert state.winners == tuple(
            seat for seat in range(players) if seat != caller and state.stars[seat] == max(state.stars)
        )
        assert fold(events) == state
        assert state.version == len(events)
        assert refused(state, Call(caller, tile("r1"))).code == "race-over"
