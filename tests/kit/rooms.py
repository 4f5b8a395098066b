"""Rooms to play in: a room with its events, people who do what they may, and a whole game as it is stored.

`python -m tests.kit.rooms` writes the stored game of today's schema; tests/truth keeps one of each schema that ever
was, so a file there is never written again.
"""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from tests.kit.build import seed
from tests.kit.moves import timeout_draft
from tests.kit.players import STEADY, Habits, choose
from tilerummy.race import NUMBERS, Call, RaceState, Tap, fitting
from tilerummy.record import Record, write_record
from tilerummy.rulesets import ruleset
from tilerummy.server.codec import SCHEMA, dump, dump_event
from tilerummy.server.events import (
    Back,
    Change,
    Close,
    GiveWord,
    Happened,
    Leave,
    Move,
    Opened,
    Rematch,
    Remove,
    Return,
    Room,
    RoomCommand,
    RoomEvent,
    SeatBot,
    SetReady,
    Setup,
    Sit,
    SitIn,
    Stage,
    Stand,
    Start,
)
from tilerummy.server.room import By, apply, fold
from tilerummy.state import Command, HandedOver, HandOver, HintUsed, NextRound, Phase, Refusal, State, Timeout
from tilerummy.tiles import COLOURS, kind_of, tile_of

__all__ = ["RACE_TILES", "Run", "next_move", "people", "started", "stored_game"]

RACE_TILES = tuple(tile_of(kind_of(colour, number)) for colour in COLOURS for number in range(1, NUMBERS + 1))


def people(*names: str) -> frozenset[str]:
    """The players that a sender acts for."""
    return frozenset(names)


class Run:
    """A room and everything that happened in it, a second after the other."""

    def __init__(self, setup: Setup, host: str = "ada", number: int = 1, bots: frozenset[str] = frozenset()) -> None:
        self.bots = bots  # players who are programs
        self.events: list[tuple[RoomEvent, float]] = [(Opened(setup, host, seed(number)), 1000.0)]
        self.causes: list[tuple[RoomCommand, By] | None] = [None]
        self.room: Room = fold(self.events)

    def ask(self, command: RoomCommand, by: By) -> tuple[RoomEvent, ...] | Refusal:
        """Give a command; what it makes happen has happened afterwards."""
        answer = apply(self.room, command, by, self.bots)
        if not isinstance(answer, Refusal):
            now = [(event, self.room.at + 1 + place) for place, event in enumerate(answer)]
            self.events += now
            self.causes += [(command, by), *[None] * (len(now) - 1)]
            self.room = fold(now, self.room)
        return answer

    def do(self, command: RoomCommand, by: By) -> tuple[RoomEvent, ...]:
        """Give a command that must be accepted."""
        answer = self.ask(command, by)
        assert not isinstance(answer, Refusal), f"{command} is refused: {answer}"
        return answer

    def refused(self, command: RoomCommand, by: By) -> str:
        """Give a command that must be refused, and return the code."""
        answer = self.ask(command, by)
        assert isinstance(answer, Refusal), f"{command} is accepted: {answer}"
        return answer.code

    @property
    def match(self) -> State:
        """The match that is played."""
        assert isinstance(self.room.match, State)
        return self.room.match

    @property
    def race(self) -> RaceState:
        """The race that is run."""
        assert isinstance(self.room.match, RaceState)
        return self.room.match

    def play(self, luck: Random, habits: Habits = STEADY, until: Callable[[Room], bool] = lambda _: False) -> None:
        """Play until then, or to the end of the match or race."""
        while self.room.stage is Stage.PLAYING and not until(self.room):
            self.do(*next_move(self.room, luck, habits))


def started(setup: Setup, *names: str) -> Run:
    """A room in which these people sit from seat 0 on, the first of them the host, and the match has begun."""
    run = Run(setup, names[0])
    for seat, name in enumerate(names):
        run.do(Sit(seat, name), people(name))
        run.do(SetReady(seat, True), people(name))
    run.do(Start(), people(names[0]))
    return run


def next_move(room: Room, luck: Random, habits: Habits) -> tuple[RoomCommand, By]:
    """A move that must be accepted while a match or race is on, and who makes it."""
    match = room.match
    if isinstance(match, RaceState):
        return _race_move(room, match, luck)
    assert isinstance(match, State)
    if match.phase is not Phase.PLAYING:
        return Move(NextRound()), None
    seat = match.turn
    if match.bots[seat] is not None:
        return Move(choose(match, luck, Habits(lays=habits.lays))), None
    command: Command = choose(match, luck, habits)
    if isinstance(command, Timeout):
        return Move(command), None
    if isinstance(command, HandOver):
        return Leave(seat), None
    player = room.seats[seat].player
    assert player is not None
    return Move(command), people(player)


def _race_move(room: Room, match: RaceState, luck: Random) -> tuple[RoomCommand, By]:
    if not match.open:
        one = luck.choice([one for one in RACE_TILES if one not in match.placed])
        caller = None if match.caller is None else room.seats[match.caller].player
        return Move(Call(match.caller, one)), None if caller is None or match.caller in room.away else people(caller)
    seat = luck.choice([seat for seat in range(match.players) if seat != match.caller])
    player = room.seats[seat].player
    return Move(Tap(seat, luck.choice(fitting(match)))), None if player is None else people(player)


# A stored game

_LIVELY = Habits(lays=0.9, lets_time_run_out=0.08, asks=0.05)


def stored_game() -> dict[str, Any]:
    """A room in which everything happened that can be stored: a match of two rounds, and a race after it."""
    luck = Random(4)
    house = {"numbers": 8, "deal": 10, "opening": 20}
    run = Run(Setup(ruleset="classic", house=house, players=4, clock=60))
    ada, bob, cleo, dan = (people(name) for name in ("ada", "bob", "cleo", "dan"))
    for seat, name in enumerate(("ada", "bob", "cleo", "dan")):
        run.do(Sit(seat, name), people(name))
    run.do(Remove(3), ada)
    run.do(Stand(0), ada)
    run.do(Sit(0, "ada"), ada)
    run.do(SeatBot(3, "novice"), bob)
    run.do(Change(Setup("match", "classic", house, 3, 2, 60, sit_in="random")), bob)
    run.do(GiveWord(1, "  tea — et café  "), bob)
    for seat, player in enumerate((ada, bob, cleo)):
        run.do(SetReady(seat, True), player)
    run.do(Start(), bob)
    run.play(luck, _LIVELY, lambda room: room.version > 30)
    run.do(SitIn(2, gone=True), ada)
    run.do(Back(2), None)
    run.do(Move(Timeout(run.match.turn, timeout_draft(run.match, luck))), None)
    run.do(Leave(1), bob)
    run.play(luck, _LIVELY, lambda room: isinstance(room.match, State) and room.match.phase is Phase.ROUND_OVER)
    run.do(Move(NextRound()), cleo)
    run.do(Return(1), bob)
    run.do(Move(HintUsed(run.match.turn, "point")), None)
    run.do(Leave(0), ada)
    run.play(luck, _LIVELY)
    record = _record(run)
    run.do(Rematch(seed(2)), bob)
    assert run.refused(Sit(0, "dan"), dan) == "was-removed"
    run.do(Sit(0, "ada"), ada)
    run.do(Change(Setup("race", "junior", players=2, caller=1)), bob)
    run.do(SetReady(0, True), ada)
    run.do(Start(), bob)
    run.play(luck)
    run.do(Close(), bob)
    return {"schema": SCHEMA, "record": record, "events": _rows(run)}


def _record(run: Run) -> list[str]:
    commands: list[Command] = []
    for (event, _), cause in zip(run.events, run.causes, strict=True):
        if cause is not None and isinstance(cause[0], Move) and not isinstance(cause[0].command, Call | Tap):
            commands.append(cause[0].command)
        elif isinstance(event, Happened) and isinstance(event.event, HandedOver):
            commands.append(HandOver(event.event.seat, event.event.bot))
    setup = run.room.setup
    return write_record(
        Record(
            ruleset(setup.ruleset, setup.house),
            run.room.seed,
            ("Ada", "Bob", "Cleo"),
            tuple(commands),
            words=run.match.words,
            rounds=setup.rounds,
        )
    ).splitlines()


def _rows(run: Run) -> list[dict[str, Any]]:
    rows = []
    for version, ((event, at), cause) in enumerate(zip(run.events, run.causes, strict=True), 1):
        kind, data = dump_event(event)
        said = None if cause is None else dump(cause[0])
        rows.append({"version": version, "at": at, "kind": kind, "data": data, "cause": said})
    return rows


if __name__ == "__main__":
    game = stored_game()
    head = f'"schema": {game["schema"]}, "record": {json.dumps(game["record"], ensure_ascii=False)}, "events": '
    print("{" + head + "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in game["events"]) + "\n]}")
