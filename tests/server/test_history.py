"""History by the typed client: what was played in a room, when, by whom, and how it ended; races too."""

import asyncio
import threading
from collections.abc import Awaitable, Sequence
from itertools import count
from pathlib import Path

import pytest

from tests.kit.lines import Guest
from tests.kit.served import Guest as Player
from tests.kit.served import served
from tests.kit.servers import ServerProcess
from tilerummy.client import ApiError, Client
from tilerummy.protocol import (
    ChangeCommand,
    CommandBody,
    LeaveCommand,
    MatchResult,
    NewRoom,
    ReadyCommand,
    RematchCommand,
    RemoveCommand,
    RoomView,
    Setup,
    SitCommand,
    StartCommand,
    WireCommand,
)
from tilerummy.record import read_record
from tilerummy.server.history import Histories, History, Played, read_history, record_text
from tilerummy.server.store import Stored

pytestmark = pytest.mark.anyio

BOTS: list[str | None] = [None, "novice"]
MATCH = ("started", "round-began", "played", "drew", "passed", "handed-over", "round-ended", "match-ended")


class Table:
    """A room of a guest who only lets bots play."""

    def __init__(self, client: Client, view: RoomView) -> None:
        self.client, self.id = client, view.room
        self._ids = count(1)

    async def do(self, *commands: WireCommand) -> None:
        for command in commands:
            body = CommandBody(id=f"c{next(self._ids)}", on=2**31 - 1, command=command)
            assert (await self.client.command(self.id, body)).type == "ack"

    async def over(self) -> RoomView:
        async with asyncio.timeout(60):
            while (view := await self.client.room(self.id)).stage != "over":
                await asyncio.sleep(0.02)
        return view


async def test_every_match_and_race_that_is_over_is_told(shared_server: ServerProcess) -> None:
    async with Client(shared_server.url) as ada, Client(shared_server.url) as eve:
        await ada.rename("Ada")
        table = Table(ada, await ada.new_room(NewRoom(players=2, bots=BOTS)))
        await table.do(StartCommand())
        assert await eve.matches(table.id) == [], "nothing is told of a match before it is over"
        await table.do(LeaveCommand(seat=0))
        first = (await table.over()).match
        assert first is not None
        await table.do(RematchCommand(), ChangeCommand(setup=Setup(ruleset="junior", players=2, bots=BOTS)))
        await table.do(StartCommand(), LeaveCommand(seat=0))
        await table.over()
        race = Setup(game="race", ruleset="junior", players=2, bots=BOTS)
        await table.do(RematchCommand(), ChangeCommand(setup=race), StartCommand())
        third = (await table.over()).race
        assert third is not None

        told = await eve.matches(table.id)
        assert [(one.number, one.game, one.ruleset, one.counts) for one in told] == [
            (1, "match", "sabra", "points"),
            (2, "match", "junior", "stars"),
            (3, "race", "junior", "stars"),
        ]
        assert [one.names for one in told] == [["Ada", "novice"]] * 3
        assert told[0].totals == [sum(points) for points in zip(*first.scores, strict=True)]
        assert (told[2].totals, told[2].winners) == (third.stars, third.winners)
        for one in told[:2]:
            assert _as_the_record_says(await eve.record(table.id, one.number), one)
        times = [at for one in told for at in (one.began_at, one.ended_at)]
        assert times == sorted(times)
        with pytest.raises(ApiError) as refused:
            await eve.record(table.id, 3)
        assert refused.value.code == "race-has-no-record"

        await ada.forget_me()
        assert {one.names[0] for one in await eve.matches(table.id)} == {"Guest"}


async def _refused(asked: Awaitable[object]) -> str:
    with pytest.raises(ApiError) as refused:
        await asked
    return str(refused.value.code)


async def test_a_table_without_spectators_stays_shut_when_its_players_gather_again(
    shared_server: ServerProcess,
) -> None:
    async with Client(shared_server.url) as ada, Client(shared_server.url) as eve, Client(shared_server.url) as nobody:
        table = Table(ada, await ada.new_room(NewRoom(players=2, bots=BOTS, spectators=False)))
        seat = Table(eve, await eve.room(table.id))
        await table.do(StartCommand(), LeaveCommand(seat=0))
        await table.over()
        last = (await ada.room(table.id)).version
        assert await _refused(eve.record(table.id)) == "no-spectators"
        await table.do(RematchCommand())
        for stranger in (eve, nobody):
            assert await _refused(stranger.record(table.id)) == "no-spectators"
            assert await _refused(stranger.record(table.id, 1)) == "no-spectators"
            assert await _refused(stranger.matches(table.id)) == "no-spectators"
        await seat.do(SitCommand(seat=1))
        assert await _refused(eve.record(table.id)) == "no-spectators", "who sits down afterwards did not play"
        assert _as_the_record_says(await ada.record(table.id), (await ada.matches(table.id))[0])
        # Nor do its events tell what was played.
        async with Guest(shared_server.url) as watcher:
            line = await watcher.line(table.id, max(1, last - 100))
            await line.until(lambda: line.told("update"))
            assert line.events()[-1] == {"kind": "sat", "seat": 1, "name": (await eve.me()).name}
            assert not line.events("played", "drew", "passed", "round-ended", "match-ended")
        # What is played with spectators from now on may be looked at.
        await table.do(ChangeCommand(setup=Setup(players=2, bots=BOTS)), RemoveCommand(seat=1))
        await table.do(StartCommand(), LeaveCommand(seat=0))
        await table.over()
        assert [one.number for one in await nobody.matches(table.id)] == [2]
        assert await _refused(nobody.record(table.id, 1)) == "no-spectators"
        assert [one.number for one in await ada.matches(table.id)] == [1, 2]


async def test_what_had_no_spectators_is_not_told_when_there_are_some(shared_server: ServerProcess) -> None:
    async with (
        Client(shared_server.url) as ada,
        Guest(shared_server.url) as early,
        Guest(shared_server.url) as late,
    ):
        table = Table(ada, await ada.new_room(NewRoom(players=2, bots=BOTS, spectators=False)))
        await table.do(StartCommand(), LeaveCommand(seat=0))
        await table.over()
        await table.do(RematchCommand(), ChangeCommand(setup=Setup(ruleset="junior", players=2, bots=BOTS)))
        last = (await ada.room(table.id)).version
        line = await early.line(table.id, max(1, last - 100))
        await line.until(lambda: line.told("update"))
        assert line.events("changed")
        assert not line.events(*MATCH)
        # The match that begins now has spectators.
        await table.do(StartCommand())
        line = await late.line(table.id, max(1, last - 100))
        await line.until(lambda: line.told("update"))
        assert [event["kind"] for event in line.events(*MATCH)] == ["started", "round-began"]


async def test_what_is_over_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[int]()

    def counted(stored: Sequence[Stored]) -> History:
        read.append(len(stored))
        return read_history(stored)

    monkeypatch.setattr("tilerummy.server.history.read_history", counted)
    async with served(tmp_path) as here:
        guest = here.guest()
        rooms = [(await guest.new_room(players=2, bots=BOTS, ruleset="junior"))["room"] for _ in range(2)]
        for room in rooms:
            assert await guest.get(f"/api/rooms/{room}/matches") == []
            await _play_out(guest, room)
        assert not read, "nothing is read where nothing is over"
        room, other = rooms
        paths = [f"/api/rooms/{room}/{what}" for what in ("matches", "record", "record?match=1")]
        await asyncio.gather(*(guest.get(path) for path in paths * 3))
        assert len(read) == 1
        await guest.get(f"/api/rooms/{other}/matches")
        await guest.get(f"/api/rooms/{room}/matches")
        assert len(read) == 2
        await guest.do(room, "rematch")
        await guest.do(room, "sit", seat=0)
        await guest.get(f"/api/rooms/{room}/matches")
        assert len(read) == 2
        await _play_out(guest, room)
        assert [one["number"] for one in await guest.get(f"/api/rooms/{room}/matches")] == [1, 2]
        assert len(read) == 3
        # Of too many, those that were asked for last are kept.
        few = Histories(here.parts.store, most=0)
        for name in (room, room, other, room):
            await few.over(name, (await here.parts.hall.open(name)).room)
        assert len(read) == 6


async def test_a_record_is_written_once_and_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writers = list[threading.Thread]()

    def watched(played: Played, names: Sequence[str]) -> str | None:
        writers.append(threading.current_thread())
        return record_text(played, names)

    monkeypatch.setattr("tilerummy.server.history.record_text", watched)
    async with served(tmp_path) as here:
        guest = here.guest()
        room = (await guest.new_room(players=2, bots=BOTS, ruleset="junior"))["room"]
        await _play_out(guest, room)
        paths = [f"/api/rooms/{room}/{what}" for what in ("record", "record?match=1")] * 3
        assert len(set(await asyncio.gather(*map(guest.get, paths)))) == 1
        assert len(writers) == 1
        assert writers[0] is not threading.current_thread(), "a long match takes a while"
        await guest.ask("PATCH", "/api/me", {"name": "Ada"})
        for _ in range(2):
            assert '"Ada"' in await guest.get(f"/api/rooms/{room}/record")
        assert len(writers) == 2


async def _play_out(guest: Player, room: str) -> None:
    for kind, what in (("start", {}), ("leave", {"seat": 0})):
        assert (await guest.do(room, kind, **what))["type"] == "ack"
    async with asyncio.timeout(60):
        while (await guest.get(f"/api/rooms/{room}"))["stage"] != "over":
            await asyncio.sleep(0.02)


async def test_whoever_was_sent_away_may_look_at_what_they_played(shared_server: ServerProcess) -> None:
    async with Client(shared_server.url) as ada, Client(shared_server.url) as bob, Client(shared_server.url) as eve:
        table = Table(ada, await ada.new_room(NewRoom(players=3, bots=[None, None, "novice"])))
        seat, other = Table(bob, await bob.room(table.id)), Table(eve, await eve.room(table.id))
        await other.do(SitCommand(seat=2))
        await table.do(RemoveCommand(seat=2))
        await seat.do(SitCommand(seat=1), ReadyCommand(seat=1, ready=True))
        await table.do(StartCommand(), LeaveCommand(seat=0))
        await seat.do(LeaveCommand(seat=1))
        await table.over()
        assert await _refused(eve.record(table.id)) == "was-removed"
        await table.do(RematchCommand())
        await seat.do(SitCommand(seat=1))
        await table.do(RemoveCommand(seat=1))
        assert await _refused(bob.room(table.id)) == "was-removed"
        assert _as_the_record_says(await bob.record(table.id), (await bob.matches(table.id))[0])
        await table.do(ChangeCommand(setup=Setup(players=2, bots=BOTS)), StartCommand(), LeaveCommand(seat=0))
        await table.over()
        assert [one.number for one in await bob.matches(table.id)] == [1], "but not at what came after"
        assert await _refused(bob.record(table.id, 2)) == "was-removed"
        assert await _refused(eve.matches(table.id)) == "was-removed"


def _as_the_record_says(text: str, told: MatchResult) -> bool:
    *_, last = read_record(text).replay()
    totals = [sum(scores) for scores in zip(*last.state.scores, strict=True)]
    return totals == told.totals and told.winners == [seat for seat, own in enumerate(totals) if own == max(totals)]
