"""Whole games, played at random: for records, transcripts, and to see that rounds end."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.kit.moves import legal_play, timeout_draft
from tilerummy.game import apply, begin, fold
from tilerummy.rulesets import Ruleset
from tilerummy.state import (
    HINT_LEVELS,
    Command,
    Draw,
    Event,
    HandOver,
    HintUsed,
    NextRound,
    Pass,
    Phase,
    Play,
    Refusal,
    State,
    Timeout,
)

__all__ = ["Habits", "choose", "play_on", "random_match"]


@dataclass(frozen=True, slots=True)
class Habits:
    """How often a random player does what, from 0 to 1."""

    lays: float = 0.9  # when something to lay is found
    lets_time_run_out: float = 0.0
    asks: float = 0.0  # for a hint
    leaves: float = 0.0  # the seat to a bot, or comes back


STEADY = Habits(lays=1.0)
LIVELY = Habits(lays=0.9, lets_time_run_out=0.06, asks=0.04, leaves=0.04)


def choose(state: State, luck: Random, habits: Habits = STEADY) -> Command:
    """A command that must be accepted in this state, unless the match is over."""
    if state.phase is not Phase.PLAYING:
        return NextRound()
    seat = state.turn
    if luck.random() < habits.asks:
        return HintUsed(seat, luck.choice(HINT_LEVELS))
    if luck.random() < habits.leaves:
        who = luck.randrange(state.players)
        return HandOver(who, None if state.bots[who] else luck.choice(["greedy", "steady-2.0"]))
    if luck.random() < habits.lets_time_run_out:
        return Timeout(seat, timeout_draft(state, luck))
    if luck.random() < habits.lays:
        table = legal_play(state, luck)
        if table is not None:
            return Play(seat, table)
    broke = bool(state.rules.stars) and not state.stars[seat]
    return Draw(seat) if state.pool and not broke else Pass(seat)


def play_on(state: State, luck: Random, habits: Habits = STEADY) -> Iterator[tuple[Command, tuple[Event, ...], State]]:
    """Play to the end of the match: each command, what it made happen, and the state after it."""
    while state.phase is not Phase.MATCH_OVER:
        command = choose(state, luck, habits)
        events = apply(state, command)
        assert not isinstance(events, Refusal), f"{command} is refused: {events}"
        state = fold(events, state)
        yield command, events, state


def random_match(rules: Ruleset, players: int, seed: str, luck: Random, habits: Habits = LIVELY) -> list[Command]:
    """The commands of a whole match of one round."""
    state = fold(begin(rules, players=players, seed=seed))
    return [command for command, _, _ in play_on(state, luck, habits)]
