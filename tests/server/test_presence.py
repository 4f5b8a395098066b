"""Who is there and who is not: a race goes on without its caller, and a table has a host who can be one."""

import asyncio

import pytest

from tests.kit.cluster import Cluster
from tests.kit.lines import Guest, Line
from tests.kit.playing import seated
from tests.kit.servers import ServerProcess
from tilerummy.race import Found, RaceState, fitting
from tilerummy.tiles import tile

pytestmark = pytest.mark.anyio

AnyServer = ServerProcess | Cluster
RACE = {"game": "race", "ruleset": "junior"}


def position(line: Line) -> RaceState:
    """The race as this line sees it."""
    seen = line.view["race"]
    return RaceState(
        seen["players"],
        seen["caller"],
        placed=frozenset(map(tile, seen["placed"].split())),
        called=tile(seen["called"]) if seen["called"] else None,
        finds=tuple(Found(one["seat"], tile(one["tile"])) for one in seen["finds"]),
    )


def around(line: Line) -> str:
    """A tile that is not in its row yet."""
    placed = line.view["race"]["placed"].split()
    return next(one for number in range(1, 11) for colour in "rbky" if (one := f"{colour}{number}") not in placed)


async def find(line: Line, seat: int) -> None:
    """Find whatever is looked for, once it is called, until something else is to be called."""
    await line.until(lambda: line.view["race"]["open"])
    while line.view["race"]["open"]:
        await line.do("tap", seat=seat, tile=str(fitting(position(line))[0]))


# The caller of a race


async def test_a_race_goes_on_without_a_caller_whose_connection_is_gone(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, **RACE, caller=0) as table:
        caller, racer = table.lines[0], table.lines[1]
        await table.begin()
        await caller.cut()
        for _ in range(2):
            await find(racer, 1)
        assert not racer.view["seats"][0]["away"]
        assert (await racer.post("sit-in", seat=0))["code"] == "wrong-game", "there is nothing to ask for"
        await caller.open()
        await racer.until(lambda: racer.told("presence")[-1:] == [{"type": "presence", "present": [True, True]}])
        while (await caller.post("call", seat=0, tile=around(caller)))["type"] == "refused":
            await find(racer, 1)  # it was called for them until now
            await caller.reach(racer.version)


async def test_a_caller_who_was_gone_before_the_start_is_called_for(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, **RACE, caller=1) as table:
        host, caller = table.lines[0], table.lines[1]
        await caller.do("ready", seat=1, ready=True)
        await caller.cut()
        await host.do("start")
        await find(host, 0)


async def test_a_caller_who_leaves_is_called_for_until_they_return(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, **RACE, caller=0) as table:
        caller, racer = table.lines[0], table.lines[1]
        await table.begin()
        await caller.do("leave", seat=0)
        assert (await racer.happened("went-away"))["seat"] == 0
        await find(racer, 1)
        await caller.cut()
        await caller.open()
        assert caller.view["seats"][0]["away"], "whoever left is not back because they look"
        await caller.do("return", seat=0)
        await racer.reach(caller.version)
        assert not racer.view["seats"][0]["away"]


async def test_nobody_loses_the_seat_of_a_race_by_losing_the_connection(shared_server: ServerProcess) -> None:
    async with seated(shared_server.url, 2, **RACE) as table:
        host, racer = table.lines[0], table.lines[1]
        await table.begin()
        await racer.cut()
        await find(host, 0)
        await racer.open()
        while racer.view["stage"] == "playing":
            await find(racer, 1)
            await racer.until(lambda: racer.view["race"]["open"] or racer.view["stage"] == "over")
        await racer.cut()
        await host.reach(racer.version)
        await host.do("rematch")
        assert [seat["kind"] for seat in host.view["seats"]] == ["person", "person"]
        await racer.open()
        assert racer.you["seats"] == [1]


# The host


async def test_a_host_who_blinks_does_not_lose_the_table_to_a_bot(any_server: AnyServer) -> None:
    async with seated(any_server.url, 1, players=3) as table:
        host, guest = table.host, table.guests[0]
        token = (await guest.ask("POST", "/api/me/tokens", {"label": "Robby"}))["token"]
        async with Guest(any_server.url, token) as robot, Guest(any_server.url) as friend:
            bot = await robot.line(table.room)
            await bot.do("sit", seat=1)
            await bot.do("ready", seat=1, ready=True)
            await host.cut()
            await bot.until(
                lambda: bot.told("presence")[-1:] == [{"type": "presence", "present": [False, True, False]}]
            )
            await asyncio.sleep(0.5)  # longer than the server waits for somebody
            await host.open()
            assert host.you["host"]
            # Nor by standing up for a moment.
            await host.do("stand", seat=0)
            assert host.you["host"]
            await host.do("sit", seat=0)
            await host.until(lambda: host.you["seats"] == [0])
            assert host.view["seats"][0]["host"]
            # But to a person, before the bot.
            await friend.me()
            line = await friend.line(table.room)
            await line.do("sit", seat=2)
            await host.cut()
            await line.until(lambda: line.you["host"])


# Bots that go with their owner


async def test_whoever_is_forgotten_takes_their_bots_away(any_server: AnyServer) -> None:
    async with seated(any_server.url, 1, players=2) as table, Guest(any_server.url) as owner:
        host = table.host
        tokens = [(await owner.ask("POST", "/api/me/tokens", {"label": name}))["token"] for name in ("Robby", "Hal")]
        async with Guest(any_server.url, tokens[0]) as robby, Guest(any_server.url, tokens[1]) as hal:
            sitting, watching = await robby.line(table.room), await hal.line(table.room)
            await sitting.do("sit", seat=1)
            await sitting.do("ready", seat=1, ready=True)
            playing = await owner.new_room(players=2)
            await hal.do(playing, "sit", seat=1)
            await hal.do(playing, "ready", seat=1, ready=True)
            await owner.do(playing, "start")
            assert (await owner.request("DELETE", "/api/me")).status == 204
            for line in (sitting, watching):
                await line.until(lambda line=line: line.closed is not None)  # type: ignore[misc]
                assert line.bye == "forgotten"
            await host.until(lambda: host.view["seats"][1]["kind"] == "open")
            assert (await robby.request("GET", "/api/me")).code == "bad-token"
            seats = (await table.guests[0].get(f"/api/rooms/{playing}"))["seats"]
            assert [(seat["away"], seat["name"]) for seat in seats] == [(True, ""), (True, "")]
