"""The game as a hypothesis state machine: random commands, legal and not, and what must hold after each of them."""

import pickle
from functools import lru_cache
from random import Random
from typing import ClassVar, cast
from unittest import TestCase

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.kit.build import seed
from tests.kit.cases import CASES, Case
from tests.kit.moves import illegal_commands, legal_play, timeout_draft
from tests.kit.players import LIVELY, STEADY, choose
from tests.kit.sound import assert_ended_well, assert_private, assert_sound
from tilerummy.game import REFUSALS, advise, apply, begin, fold
from tilerummy.melds import Piece
from tilerummy.state import (
    HINT_LEVELS,
    Command,
    Draw,
    Drew,
    Event,
    HandedOver,
    HandOver,
    HintGiven,
    HintUsed,
    NextRound,
    Pass,
    Passed,
    Phase,
    Play,
    Played,
    Refusal,
    RoundBegan,
    State,
    TimedOut,
    Timeout,
)

__all__ = ["QUICK", "SOAK", "GameMachine", "machines"]

QUICK = settings(
    max_examples=10,
    stateful_step_count=18,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SOAK = settings(QUICK, max_examples=100, stateful_step_count=50, derandomize=False)

LUCK = st.integers(0, 2**32 - 1)
GAMES = 4  # different first rounds that a machine may start in


@lru_cache
def first_round(case: Case, game: int) -> tuple[tuple[Event, ...], ...]:
    """A first round of two, played at random: its events, a turn at a time."""
    luck = Random(game)
    turns = [begin(case.rules, players=case.players, seed=seed(game), rounds=2, first=game % case.players)]
    state = fold(turns[0])
    while state.phase is Phase.PLAYING:
        events = apply(state, choose(state, luck, LIVELY if game % 2 else STEADY))
        assert not isinstance(events, Refusal)
        turns.append(events)
        state = fold(events, state)
    return tuple(turns)


class GameMachine(RuleBasedStateMachine):
    """A match of two rounds; `case` says which."""

    case: ClassVar[Case]
    state: State
    events: list[Event]

    @initialize(game=st.integers(0, GAMES - 1), part=st.integers(0, 8))
    def sit_down(self, game: int, part: int) -> None:
        """Begin anywhere between the deal and the end of the first round."""
        turns = first_round(self.case, game)
        self.events = [event for turn in turns[: 1 + len(turns) * part // 8] for event in turn]
        self.state = fold(self.events)

    def give(self, command: Command) -> tuple[Event, ...]:
        """Give a command that must be accepted."""
        before = self.state
        events = apply(before, command)
        assert not isinstance(events, Refusal), f"{command} is refused: {events}"
        assert events
        after = fold(events, before)
        assert after.version == before.version + len(events)
        assert_ended_well(before, events)
        self.events += events
        self.state = after
        return events

    def refuse(self, command: Command, code: str, broken: str | None) -> None:
        """Give a command that must be refused."""
        answer = apply(self.state, command)
        assert isinstance(answer, Refusal), f"{command} is accepted: {answer}"
        assert answer.code in REFUSALS
        assert answer.code == code, f"{command}: {answer}"
        assert bool(answer.violations) is (code == "illegal")
        if broken:
            assert broken in {violation.code for violation in answer.violations}, f"{command}: {answer}"

    @property
    def broke(self) -> bool:
        """Whether the player to move would have to pay a star and has none."""
        return bool(self.state.rules.stars) and not self.state.stars[self.state.turn]

    def playing(self) -> bool:
        return self.state.phase is Phase.PLAYING

    @precondition(playing)
    @rule(luck=LUCK)
    def play(self, luck: int) -> None:
        seat, before = self.state.turn, self.state
        table = legal_play(before, Random(luck))
        if table is None:
            return
        verdict = advise(before, table)
        played, *_ = self.give(Play(seat, table))
        assert isinstance(played, Played)
        assert played.seat == seat
        assert not played.buzzer
        assert played.laid == verdict.laid
        assert set(played.laid) <= set(before.racks[seat])
        assert played.laid
        after = {tile for meld in played.table for tile in meld.tiles}
        lying = {tile for meld in before.table for tile in meld.tiles}
        assert after == (lying | set(played.laid)) - set(played.taken)
        assert all(tile.is_joker for tile in played.taken)
        assert self.state.opened[seat]

    @precondition(playing)
    @rule()
    def draw(self) -> None:
        seat, before = self.state.turn, self.state
        if not before.pool or self.broke:
            self.refuse(Draw(seat), "no-star" if before.pool else "pool-empty", None)
            return
        drew, *_ = self.give(Draw(seat))
        assert isinstance(drew, Drew)
        assert drew.tiles == before.pool[:1]
        assert self.state.racks[seat] == (*before.racks[seat], *drew.tiles)
        assert self.state.pool == before.pool[1:]
        assert self.state.table == before.table
        assert self.state.stars[seat] == before.stars[seat] - bool(before.rules.stars)

    @precondition(playing)
    @rule()
    def pass_(self) -> None:
        seat, before = self.state.turn, self.state
        if before.pool and not self.broke:
            self.refuse(Pass(seat), "must-draw", None)
            return
        passed, *_ = self.give(Pass(seat))
        assert isinstance(passed, Passed)
        assert (self.state.racks, self.state.table, self.state.pool) == (before.racks, before.table, before.pool)
        assert self.playing() is (self.state.passes < self.state.players) or before.rules.id == "club"

    @precondition(playing)
    @rule(luck=LUCK)
    def timeout(self, luck: int) -> None:
        """The clock may find any draft at all, and is never refused."""
        seat, before = self.state.turn, self.state
        draft = timeout_draft(before, Random(luck))
        assert_private(before, draft)
        event, *_ = self.give(Timeout(seat, draft))
        match event:
            case Played():
                assert event.buzzer
                assert draft is not None
                assert advise(before, tuple(filter(None, draft))).legal
            case TimedOut():
                assert event.penalty == before.pool[: len(event.penalty)]
                assert len(event.penalty) in {
                    min(len(before.pool), most) for most in (before.rules.timeout_draws, before.rules.untouched_draws)
                }
                assert not event.restored or (event.table, event.laid, event.taken) == (before.table, (), ())
                assert event.passed is (not before.pool and not event.laid)
                assert not event.opens or (event.laid and not before.opened[seat])
            case Drew() | Passed():
                assert before.rules.stars
            case _:
                raise AssertionError(event)

    @precondition(playing)
    @rule(level=st.sampled_from(HINT_LEVELS))
    def hint(self, level: str) -> None:
        seat, before = self.state.turn, self.state
        assert self.give(HintUsed(seat, level)) == (HintGiven(seat, level),)
        assert self.state.hints[seat] == before.hints[seat] + 1
        assert self.state.turn == seat

    @rule(place=st.integers(0, 5), bot=st.sampled_from(["greedy", "steady-2.0", None]))
    def hand_over(self, place: int, bot: str | None) -> None:
        seat, before = place % self.state.players, self.state
        if before.phase is Phase.MATCH_OVER:
            self.refuse(HandOver(seat, bot), "match-over", None)
        elif before.bots[seat] == bot:
            self.refuse(HandOver(seat, bot), "seat-unchanged", None)
        else:
            assert self.give(HandOver(seat, bot)) == (HandedOver(seat, bot),)
            assert self.state.bots[seat] == bot
            assert (self.state.turn, self.state.racks) == (before.turn, before.racks)

    @precondition(lambda self: self.state.phase is Phase.ROUND_OVER)
    @rule()
    def next_round(self) -> None:
        before = self.state
        (began,) = self.give(NextRound())
        assert isinstance(began, RoundBegan)
        assert began.round == before.round + 1
        assert {len(rack) for rack in began.racks} == {before.rules.deal}
        assert (self.state.table, self.state.passes, self.state.turn) == ((), 0, began.starter)
        assert not any(self.state.opened)
        assert set(self.state.stars) == {before.rules.stars}

    @rule(luck=LUCK)
    def try_forbidden(self, luck: int) -> None:
        before = pickle.dumps(self.state)
        for command, code, broken in illegal_commands(self.state, Random(luck)):
            self.refuse(command, code, broken)
        assert pickle.loads(before) == self.state

    @precondition(playing)
    @rule(luck=LUCK, turns=st.integers(1, 12))
    def play_for_a_while(self, luck: int, turns: int) -> None:
        random = Random(luck)
        for _ in range(turns):
            if self.playing():
                self.give(choose(self.state, random, LIVELY))

    @invariant()
    def tiles_are_conserved(self) -> None:
        assert_sound(self.state)

    @invariant()
    def versions_count_events(self) -> None:
        assert self.state.version == len(self.events)

    @invariant()
    def views_leak_nothing(self) -> None:
        assert_private(self.state)
        if self.playing():
            rack = tuple(Piece(tile) for tile in self.state.racks[self.state.turn])
            assert_private(self.state, (*(meld.pieces for meld in self.state.table), rack[:1], rack[1:]))

    def teardown(self) -> None:
        """The state is the fold of its events."""
        if hasattr(self, "events"):
            assert fold(self.events) == self.state


def machines(profile: settings) -> dict[str, type[TestCase]]:
    """A test case for each ruleset, tile set and number of players, by its name."""
    made: dict[str, type[TestCase]] = {}
    for case in CASES:
        name = "Test" + "".join(word.title() for word in str(case).replace("-", " ").split())
        machine = cast("type[GameMachine]", type(name, (GameMachine,), {"case": case}))
        made[name] = type(name, (machine.TestCase,), {"settings": profile})
    return made
