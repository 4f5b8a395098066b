"""History by the typed client: what was played in a room, when, by whom, and how it ended; races too."""

import asyncio
from itertools import count

import pytest

from tests.kit.servers import ServerProcess
from tilerummy.client import ApiError, Client
from tilerummy.protocol import (
    ChangeCommand,
    CommandBody,
    LeaveCommand,
    MatchResult,
    NewRoom,
    RematchCommand,
    RoomView,
    Setup,
    StartCommand,
    WireCommand,
)
from tilerummy.record import read_record

pytestmark = pytest.mark.anyio

BOTS: list[str | None] = [None, "novice"]


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


def _as_the_record_says(text: str, told: MatchResult) -> bool:
    *_, last = read_record(text).replay()
    totals = [sum(scores) for scores in zip(*last.state.scores, strict=True)]
    return totals == told.totals and told.winners == [seat for seat, own in enumerate(totals) if own == max(totals)]
