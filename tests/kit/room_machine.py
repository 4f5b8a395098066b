"""The room as a hypothesis state machine: anybody asks anything at any time."""

import json
from collections.abc import Iterable
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.kit.build import seed
from tests.kit.players import LIVELY, STEADY
from tests.kit.rooms import RACE_TILES, Run, next_move, people
from tests.kit.sound import assert_sound
from tilerummy import game, race
from tilerummy.melds import draft
from tilerummy.race import Call, RaceCommand, RaceState, Tap
from tilerummy.server.codec import SCHEMA, dump, dump_event, load, load_event
from tilerummy.server.events import (
    Back,
    Change,
    Close,
    GiveWord,
    Leave,
    Move,
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
from tilerummy.server.room import REFUSALS, By, due, fold
from tilerummy.state import Command, Draw, HandOver, HintUsed, NextRound, Pass, Phase, Play, Refusal, State, Timeout
from tilerummy.tiles import tile

__all__ = ["RoomMachine"]

CODES = {*REFUSALS, *game.REFUSALS, *race.REFUSALS}
NAMES = ("ada", "bob", "cleo", "dan")
ROBOTS = people("cleo", "dan")
SETUPS = (
    Setup(players=2, bots=("novice", "random")),
    Setup(ruleset="classic", players=3, clock=60, sit_in="random", rounds=2),
    Setup(ruleset="junior", players=4, first=2, bots=("random",) * 4, hints=False),
    Setup("race", "junior", players=2),
    Setup("race", "junior", players=3, caller=1),
)
ODD_SETUPS = (Setup(players=7), Setup(house={"deal": "many"}), Setup(game=""), Setup(caller=1))
BOT_NAMES = (None, "novice", "random", "hal", "no name")
WORDS = ("", " luck ", "x" * 41, "a\nb")
DRAFTS = ((), ((),), draft("r5 r6 r7"), draft("r5 b5 j=5 | r5"), draft("j j' y13'"))
TILES = (*RACE_TILES, tile("j"), tile("y13'"))
SENDERS: tuple[By, ...] = (None, people(*NAMES), people("eve"), *map(people, NAMES))
LUCK = st.integers(0, 2**32 - 1)


def any_command(luck: Random) -> RoomCommand:
    """Any command, about a seat that may not exist."""
    seat, player, bot = luck.randint(-1, 4), luck.choice(NAMES), luck.choice(BOT_NAMES)
    one, table = luck.choice(TILES), luck.choice(DRAFTS)
    moves: list[Command | RaceCommand] = [
        Play(seat, table),
        Draw(seat),
        Pass(seat),
        Timeout(seat, luck.choice([None, table])),
        HintUsed(seat, luck.choice(["nudge", "shove"])),
        HandOver(seat, bot),
        NextRound(),
        Call(luck.choice([None, seat]), one),
        Tap(seat, one),
    ]
    commands: list[RoomCommand] = [
        Sit(seat, player),
        Stand(seat),
        Remove(seat),
        SeatBot(seat, bot),
        SetReady(seat, luck.choice([True, False])),
        GiveWord(seat, luck.choice(WORDS)),
        Change(luck.choice([*SETUPS, *ODD_SETUPS])),
        Start(),
        Leave(seat),
        Return(seat),
        SitIn(seat, luck.choice([True, False])),
        Back(seat),
        Rematch(seed(luck.randrange(4))),
        *map(Move, moves),
    ]
    return luck.choice(commands)


class RoomMachine(RuleBasedStateMachine):
    """A room that people of four names, strangers and the server use as they like."""

    run: Run
    stored: list[str]
    copy: Room | None

    @initialize(setup=st.sampled_from(SETUPS))
    def open(self, setup: Setup) -> None:
        self.run, self.stored, self.copy = Run(setup, bots=ROBOTS), [], None

    def ask(self, command: RoomCommand, by: By) -> None:
        """Give any command: it is refused with a code and changes nothing, or something happens."""
        before = self.run.room
        answer = self.run.ask(command, by)
        assert load(RoomCommand, json.loads(json.dumps(dump(command)))) == command
        if isinstance(answer, Refusal):
            assert answer.code in CODES
            assert self.run.room is before
        else:
            assert answer
            assert self.run.room.version == before.version + len(answer)

    @rule(luck=LUCK, count=st.integers(1, 30))
    def ask_anything(self, luck: int, count: int) -> None:
        chance = Random(luck)
        for _ in range(count):
            command = any_command(chance)
            own = people(command.player) if isinstance(command, Sit) else people(self.run.room.host)
            self.ask(command, chance.choice([*SENDERS, own, own]))

    def gathering(self) -> bool:
        return self.run.room.stage is Stage.LOBBY

    @precondition(gathering)
    @rule()
    def fill_and_start(self) -> None:
        """Everybody who may sits down, and the host begins for all of them."""
        room = self.run.room
        free = [seat for seat, held in enumerate(room.seats) if held.player is None]
        seated = {seat.player for seat in room.seats}
        for seat, name in zip(free, [name for name in NAMES if name not in seated], strict=False):
            self.ask(Sit(seat, name), people(name))
        self.ask(Start(), people(*NAMES))

    def playing(self) -> bool:
        return self.run.room.stage is Stage.PLAYING

    @precondition(playing)
    @rule(luck=LUCK, turns=st.integers(1, 12))
    def go_on(self, luck: int, turns: int) -> None:
        chance, habits = Random(luck), LIVELY if self.run.room.setup.hints else STEADY
        for _ in range(turns):
            if self.playing():
                self.run.do(*next_move(self.run.room, chance, habits))

    @precondition(playing)
    @rule(luck=LUCK, again=st.booleans())
    def race_to_the_end(self, luck: int, again: bool) -> None:
        if isinstance(self.run.room.match, RaceState):
            self.run.play(Random(luck))
            if again:
                self.ask(Rematch(seed(luck)), people(NAMES[luck % 4]))

    @rule(by=st.sampled_from(SENDERS), sure=st.integers(0, 7))
    def close(self, by: By, sure: int) -> None:
        if not sure:
            self.ask(Close(), by)

    @invariant()
    def the_room_is_sound(self) -> None:
        room = self.run.room
        seated = [seat.player for seat in room.seats if seat.player is not None]
        assert len(set(seated)) == len(seated)
        assert room.host in seated or not seated or (room.host not in ROBOTS and ROBOTS.issuperset(seated))
        assert room.removed.isdisjoint(seated)
        assert len(room.seats) == room.setup.players
        assert all(room.seats[seat].player is not None for seat in room.away)
        assert (due(room, 1.0) is None) is (room.stage is Stage.CLOSED)
        assert 1 <= room.turn_version <= room.version
        assert room.turn_at <= room.at
        if room.stage is Stage.LOBBY:
            assert room.match is None
            assert not room.away
        if isinstance(room.match, State):
            assert_sound(room.match)
            assert room.stage is not Stage.PLAYING or room.match.phase is not Phase.MATCH_OVER
            assert room.stage is not Stage.OVER or room.match.phase is Phase.MATCH_OVER
            for seat, bot in zip(room.seats, room.match.bots, strict=True):
                assert seat.player is not None or bot is not None
            assert room.stage is not Stage.PLAYING or all(room.match.bots[seat] is not None for seat in room.away)
        elif isinstance(room.match, RaceState) and room.stage is not Stage.CLOSED:
            assert bool(room.match.winners) is (room.stage is Stage.OVER)

    @invariant()
    def what_is_stored_folds_to_the_room(self) -> None:
        events = self.run.events
        assert self.run.room.version == len(events)
        new = [json.dumps([*dump_event(event), at]) for event, at in events[len(self.stored) :]]
        if new:
            self.copy = fold(_read(new), self.copy)
            self.stored += new
        assert self.copy == self.run.room

    def teardown(self) -> None:
        """A node that reads the room from its first event finds the same."""
        if self.stored:
            assert fold(_read(self.stored)) == self.run.room


def _read(rows: Iterable[str]) -> list[tuple[RoomEvent, float]]:
    return [(load_event(SCHEMA, kind, data), at) for kind, data, at in map(json.loads, rows)]
