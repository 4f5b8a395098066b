"""What players were told, held against what the server has kept: all of it, once, and the same for everybody."""

import asyncio
from collections import Counter
from dataclasses import dataclass

from tests.kit.crowd import Crowd, Table
from tilerummy.protocol import Ack, CommandBody
from tilerummy.record import read_record
from tilerummy.server.codec import load, load_event
from tilerummy.server.events import Happened, Move, Room, RoomCommand
from tilerummy.server.room import Task, due, evolve
from tilerummy.server.store import Store, Stored
from tilerummy.state import MatchEnded, State, TimedOut
from tilerummy.view import view

__all__ = ["Figures", "assert_nothing_lost"]


@dataclass(slots=True)
class Figures:
    """What a trial came to."""

    acknowledged: int = 0
    refused: int = 0
    events: int = 0
    matches: int = 0
    bots: int = 0
    """Moves of the server's bots."""
    timeouts: int = 0
    bot_late: float = 0.0
    """Seconds by which a bot's move came late, at most."""
    clock_late: float = 0.0
    """The same of the end of somebody's time; who could not reach the server gets some to come back in."""

    def __add__(self, other: "Figures") -> "Figures":
        """Of both trials together."""
        return Figures(
            acknowledged=self.acknowledged + other.acknowledged,
            refused=self.refused + other.refused,
            events=self.events + other.events,
            matches=self.matches + other.matches,
            bots=self.bots + other.bots,
            timeouts=self.timeouts + other.timeouts,
            bot_late=max(self.bot_late, other.bot_late),
            clock_late=max(self.clock_late, other.clock_late),
        )


async def assert_nothing_lost(crowd: Crowd, store_url: str) -> Figures:
    """Look at every table of a crowd that has stopped, through the server and behind its back."""
    figures = Figures()
    async with Store(store_url) as store, asyncio.TaskGroup() as group:
        for table in crowd.tables:
            group.create_task(_look(table, store, figures))
    return figures


async def _look(table: Table, store: Store, figures: Figures) -> None:
    stored = await store.events_since(table.room)
    kept = await store.find_room(table.room)
    assert kept is not None
    assert [one.version for one in stored] == list(range(1, kept.version + 1))
    _assert_each_once(table, stored)
    for note in table.notes:
        known = await store.answer(table.room, note.player, note.id)
        assert known is not None
        assert type(note.answer).model_validate(known.answer) == note.answer
    room, ended = _follow(stored, figures)
    await _assert_all_see(table, room)
    await _assert_answers_again(table)
    await _assert_records(table, ended)
    after = await store.find_room(table.room)
    assert after is not None
    assert after.version == kept.version
    figures.acknowledged += len(table.acknowledged)
    figures.refused += len(table.notes) - len(table.acknowledged)
    figures.events += len(stored)
    figures.matches += len(ended)


def _assert_each_once(table: Table, stored: list[Stored]) -> None:
    """Each player's commands in the store are those that they were told about, one by one, and no others."""
    done: dict[str, list[int]] = {}
    for one in stored:
        if one.cause is not None and one.player is not None:
            done.setdefault(one.player, []).append(one.version)
        elif one.player is not None and one.version > 2:
            done[one.player][-1] = one.version  # the version that an answer tells is that of the last event
    for robot in table.robots:
        told = [note.answer.version for note in robot.notes if isinstance(note.answer, Ack)]
        kept = done.get(robot.player, [])
        assert not Counter(told) - Counter(kept), "a command that was acknowledged is lost"
        assert not Counter(kept) - Counter(told), "a command was done twice, or one that nobody was told about"


def _follow(stored: list[Stored], figures: Figures) -> tuple[Room, list[State]]:
    """The room and the matches that ended in it; what the server did by itself, and how late, goes to the figures."""
    room: Room | None = None
    ended: list[State] = []
    for one in stored:
        cause = None if one.cause is None else load(RoomCommand, one.cause)
        if room is not None and one.player is None and isinstance(cause, Move):
            wanted = due(room, 0.0)
            late = 0.0 if wanted is None else one.at - max(wanted.at, room.at)
            if wanted is not None and wanted.task is Task.BOT:
                figures.bots += 1
                figures.bot_late = max(figures.bot_late, late)
            elif wanted is not None and wanted.task is Task.CLOCK:
                figures.clock_late = max(figures.clock_late, late)
        event = load_event(one.schema, one.kind, one.data)
        room = evolve(room, event, one.at)
        if isinstance(event, Happened):
            figures.timeouts += isinstance(event.event, TimedOut)
            if isinstance(event.event, MatchEnded):
                assert isinstance(room.match, State)
                ended.append(room.match)
    assert room is not None
    return room, ended


async def _assert_all_see(table: Table, room: Room) -> None:
    """Every seat is its player's still, and sees the room as it is."""
    for robot in table.robots:
        assert room.seats[robot.seat].player == robot.player
        while robot.connection.version < room.version:
            await asyncio.sleep(0.02)
        assert robot.connection.version == room.version
        assert robot.connection.view.stage == room.stage.value
        assert isinstance(room.match, State)
        assert robot.connection.match() == view(room.match, robot.seat)


async def _assert_answers_again(table: Table) -> None:
    """The same command id gets the same answer; by the other door too, of which a few have to do."""
    for robot in table.robots:
        for place, note in enumerate(robot.notes):
            if place % 20:
                again = await robot.connection.do(note.command, on=note.on, id=note.id)
            else:
                body = CommandBody(id=note.id, on=note.on, command=note.command)
                again = await robot.client.command(table.room, body)
            assert again == note.answer


async def _assert_records(table: Table, ended: list[State]) -> None:
    """The record of each match replays to the same end."""
    assert ended, "no match has ended"
    for number, state in enumerate(ended, 1):
        record = read_record(await table.host.client.record(table.room, number))
        *_, last = record.replay()
        assert last.state == state
