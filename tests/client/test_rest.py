"""The client's requests, at the real application: whatever it gives is what the protocol says it is."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.kit.served import served
from tilerummy.client import ApiError, Client
from tilerummy.protocol import (
    Ack,
    CheckRequest,
    CloseCommand,
    CommandBody,
    LeaveCommand,
    NewRoom,
    Refused,
    SitCommand,
    SolveRequest,
    StartCommand,
)

pytestmark = pytest.mark.anyio

LATEST = 2**31 - 1


class People:
    """Clients of one server."""

    def __init__(self, transport: httpx.ASGITransport) -> None:
        self._transport = transport

    def somebody(self, token: str | None = None) -> Client:
        http = httpx.AsyncClient(transport=self._transport, base_url="http://table.example")
        return Client("http://table.example/", token, http=http)


@pytest.fixture
async def people(tmp_path: Path) -> AsyncIterator[People]:
    async with served(tmp_path, rate_limits=False) as server:
        yield People(httpx.ASGITransport(server.app, client=("192.0.2.7", 1234)))


async def test_oneself(people: People) -> None:
    async with people.somebody() as ann, people.somebody() as tablet:
        me = await ann.me()
        assert (me.kind, me.locals) == ("guest", [])
        assert (await ann.rename("  Ann  ")).name == "Ann"
        bea = await ann.add_local("Bea")
        assert (await ann.me()).locals == [bea]
        token = await ann.new_token("Robby")
        assert token.token is not None
        assert await ann.tokens() == [token.model_copy(update={"token": None})]
        # The same person on another device, once.
        link = await ann.link()
        assert (await tablet.use_link(link.token)).id == (await tablet.me()).id == me.id
        with pytest.raises(ApiError) as refused:
            await tablet.use_link(link.token)
        assert (refused.value.status, refused.value.code, refused.value.field) == (404, "link-used", "token")
        kept = await tablet.export()
        assert kept.player.name == "Ann"
        assert {(one.name, one.kind) for one in kept.owned} == {("Bea", "local"), ("Robby", "bot")}
        assert [one.label for one in kept.tokens] == ["Robby"]
        assert len(kept.links) == 1
        # Bots and people on the device go, and then everything.
        async with people.somebody(token.token) as robby:
            assert (await robby.me()).kind == "bot"
            await ann.drop_token(token.id)
            with pytest.raises(ApiError) as refused:
                await robby.me()
        assert (refused.value.status, refused.value.code) == (401, "bad-token")
        await ann.drop_local(bea.id)
        assert (await ann.me()).locals == []
        assert await ann.tokens() == []
        await ann.forget_me()
        assert (await tablet.me()).id != me.id


async def test_a_room(people: People) -> None:
    async with people.somebody() as ann, people.somebody() as bob:
        made = await ann.new_room(NewRoom(players=2, public=True, bots=[None, "novice"]))
        assert made.code is not None
        assert (await bob.room(made.code.lower())).room == made.room
        (listed,) = (await bob.rooms(limit=5, stage="lobby")).rooms
        assert (listed.room, listed.yours, listed.free) == (made.room, [], 0)
        answer = await bob.command(made.room, CommandBody(id="1", on=LATEST, command=SitCommand(seat=0)))
        assert isinstance(answer, Refused)
        assert answer.code == "seat-taken"
        for id, command in (("1", StartCommand()), ("2", LeaveCommand(seat=0))):
            answer = await ann.command(made.room, CommandBody(id=id, on=LATEST, command=command))
            assert isinstance(answer, Ack)
        while (await ann.room(made.room)).stage == "playing":
            await asyncio.sleep(0.02)  # bots play among themselves
        (match,) = await bob.matches(made.room)
        assert sum(match.totals) == 0
        assert await bob.record(made.code) == await bob.record(made.room, match.number)
        (mine,) = (await ann.my_rooms()).rooms
        assert mine.yours == [0]
        assert (await bob.my_rooms()).rooms == []
        await ann.command(made.room, CommandBody(id="3", on=LATEST, command=CloseCommand()))
        with pytest.raises(ApiError) as refused:
            await bob.room(made.code)
        assert (refused.value.status, refused.value.code, refused.value.field) == (404, "no-such-room", "id")


async def test_what_there_is_and_what_is_best(people: People) -> None:
    async with people.somebody() as ann:
        assert {"novice", "expert"} <= {one.name for one in await ann.bots()}
        assert {"classic", "junior"} <= {one.id for one in await ann.rulesets()}
        judged = await ann.check(CheckRequest(ruleset="sabra", rack="r1 r2 r3", after="r1 r2 r3"))
        assert (judged.legal, judged.points) == (True, 6)
        solved = await ann.solve(SolveRequest(ruleset="sabra", rack="r1 r2 r3 b9"))
        assert (solved.tiles, solved.laid, solved.proven) == (3, "r1 r2 r3", True)
        with pytest.raises(ApiError) as refused:
            await ann.new_room(NewRoom(ruleset="poker"))
        assert (refused.value.status, refused.value.code, refused.value.field) == (422, "bad-setup", "ruleset")
