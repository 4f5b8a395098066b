"""The race as a hypothesis state machine."""

from typing import ClassVar, cast
from unittest import TestCase

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tilerummy.race import (
    FINDS,
    NUMBERS,
    REFUSALS,
    Call,
    Called,
    Found,
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
from tilerummy.tiles import COLOURS, Tile, kind_of, tile, tile_of

__all__ = ["RaceMachine", "race_machines"]

TILES = tuple(tile_of(kind_of(colour, number)) for colour in COLOURS for number in range(1, NUMBERS + 1))
ANY = st.sampled_from([*TILES, tile("j"), tile("r11"), tile("b5'")])
SEATS = st.integers(-1, 4)
LUCK = st.integers(0, 2**16)


class RaceMachine(RuleBasedStateMachine):
    """A race in which anybody does anything at any time."""

    players: ClassVar[int]
    caller: ClassVar[int | None]
    state: RaceState
    events: list[RaceEvent]

    @initialize()
    def set_up(self) -> None:
        self.events = list(begin(self.players, self.caller))
        self.state = fold(self.events)

    def give(self, command: RaceCommand) -> tuple[RaceEvent, ...] | RaceRefusal:
        """Give any command, and check the answer against the rules."""
        before = self.state
        answer = apply(before, command)
        if isinstance(answer, RaceRefusal):
            assert answer.code in REFUSALS
            quicker = {found.tile: found.seat for found in before.finds}
            if answer.code == "too-late":
                assert answer.tile is command.tile
                assert answer.seat == quicker[command.tile]
            else:
                assert answer.seat is None
            return answer
        self.events += answer
        self.state = fold(answer, before)
        self.check(before, command, answer)
        return answer

    def check(self, before: RaceState, command: RaceCommand, events: tuple[RaceEvent, ...]) -> None:
        """An accepted command placed its tile, and nobody but the finder has another star."""
        one = command.tile
        assert not before.winners
        assert self.state.placed == before.placed | {one}
        assert one not in before.placed
        gained = [mine - had for mine, had in zip(self.state.stars, before.stars, strict=True)]
        if isinstance(command, Call):
            assert command.seat == self.caller
            assert not before.open
            assert events[0] == Called(one)
            assert not any(gained)
            assert (self.state.called, self.state.finds) == (one, ())
        else:
            assert before.open
            assert one in fitting(before)
            assert command.seat != self.caller
            assert events[0] == Found(command.seat, one)
            assert gained == [seat == command.seat for seat in range(self.players)]
        assert isinstance(events[-1], RaceEnded) is (len(self.state.placed) == len(TILES))

    @rule(seat=SEATS, one=ANY)
    def call_anything(self, seat: int, one: Tile) -> None:
        self.give(Call(seat if seat >= 0 else None, one))

    @rule(seat=SEATS, one=ANY)
    def tap_anything(self, seat: int, one: Tile) -> None:
        self.give(Tap(seat, one))

    @rule(luck=LUCK)
    def call_well(self, luck: int) -> None:
        left = [one for one in TILES if one not in self.state.placed]
        if left:
            accepted = not isinstance(self.give(Call(self.caller, left[luck % len(left)])), RaceRefusal)
            assert accepted or self.state.open

    @rule(luck=LUCK)
    def tap_well_together(self, luck: int) -> None:
        """Everybody taps the same right tile; the first to arrive gets it, the others are told who that was."""
        if not self.state.open:
            return
        right = fitting(self.state)[luck % len(fitting(self.state))]
        racing = [seat for seat in range(self.players) if seat != self.caller]
        first, *others = racing[luck % len(racing) :] + racing[: luck % len(racing)]
        assert not isinstance(self.give(Tap(first, right)), RaceRefusal)
        for seat in others:
            if not self.state.winners:
                assert self.give(Tap(seat, right)) == RaceRefusal("too-late", right, first)

    @rule(luck=LUCK, turns=st.integers(1, 15))
    def race_for_a_while(self, luck: int, turns: int) -> None:
        for _ in range(turns):
            self.call_well(luck)
            self.tap_well_together(luck // 7)
            self.tap_well_together(luck // 11)

    @invariant()
    def the_race_is_sound(self) -> None:
        state = self.state
        assert state.version == len(self.events)
        assert fold(self.events) == state
        assert state.placed <= set(TILES)
        called = sum(isinstance(event, Called) for event in self.events)
        assert sum(state.stars) == len(state.placed) - called
        assert len(state.finds) <= FINDS
        assert self.caller is None or state.stars[self.caller] == 0
        assert bool(state.winners) is (len(state.placed) == len(TILES))
        for one in fitting(state):
            assert one not in state.placed
            assert state.called is not None
            assert one.colour == state.called.colour


def race_machines(profile: settings) -> dict[str, type[TestCase]]:
    """A test case for each number of players, with a caller at the table and without."""
    made: dict[str, type[TestCase]] = {}
    for players in (2, 3, 4):
        for caller in (None, 0, players - 1):
            name = f"TestRace{players}" + ("Program" if caller is None else f"Caller{caller + 1}")
            machine = cast("type[RaceMachine]", type(name, (RaceMachine,), {"players": players, "caller": caller}))
            made[name] = type(name, (machine.TestCase,), {"settings": profile})
    return made
