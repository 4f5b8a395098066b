"""A connection to a server that drops it, repeats itself, leaves things out, or ends it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from tests.kit.wires import room_view
from tilerummy.client import BadCommand, Connection, Lost
from tilerummy.protocol import Ack, DrawCommand, PhraseSaid, Refused, Snapshot, Update

pytestmark = pytest.mark.anyio

Json = dict[str, Any]
Script = Callable[["Door"], Awaitable[None]]
YOU = {"player": "p", "seats": [0], "shown": 0, "host": True}


class Door:
    """One connection, as the server's script sees it."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        assert socket.request is not None
        self.path = socket.request.path
        self.headers = socket.request.headers

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def snapshot(self, version: int) -> None:
        await self.send(type="snapshot", version=version, view=room_view(version), you=YOU)

    async def update(self, *versions: int) -> None:
        events = [{"version": version, "at": 1.0, "event": None} for version in versions]
        await self.send(type="update", version=versions[-1], events=events, view=room_view(versions[-1]))

    async def ack(self, id: str, version: int) -> None:
        await self.send(type="ack", id=id, version=version, hint=None)

    async def get(self) -> Json:
        message: Json = json.loads(await self.socket.recv())
        return message

    async def cut(self) -> None:
        self.socket.transport.abort()
        await self.socket.wait_closed()


@asynccontextmanager
async def server(*scripts: Script, status: int | None = None) -> AsyncIterator[str]:
    """A server whose first connection follows the first script, and so on; after its script a connection stays open."""
    left = list(scripts)
    failed: list[BaseException] = []

    async def follow(socket: ServerConnection) -> None:
        try:
            await left.pop(0)(Door(socket))
            await socket.wait_closed()
        except ConnectionClosed:
            pass
        except BaseException as error:
            failed.append(error)
            raise

    def refuse(socket: ServerConnection, request: Request) -> Response | None:
        return None if status is None else socket.respond(status, "no")

    async with serve(follow, "127.0.0.1", 0, process_request=refuse) as running:
        port = next(iter(running.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/ws/rooms/r1"
    assert not failed
    assert not left, "a connection was not made"


async def test_commands_and_their_answers() -> None:
    async def script(door: Door) -> None:
        await door.snapshot(3)
        command = await door.get()
        assert (command["type"], command["on"]) == ("command", 3)
        assert command["command"] == {"kind": "draw", "seat": 0}
        await door.ack(command["id"], 4)
        await door.update(4)
        command = await door.get()
        await door.send(type="refused", id=command["id"], code="not-your-turn", violations=[], version=4)
        command = await door.get()
        await door.send(type="error", code="bad-command", field="command.seat", message="no", id=command["id"])

    async with server(script) as url, Connection(url) as room:
        assert room.version == 3
        answer = await room.do(DrawCommand(seat=0))
        assert isinstance(answer, Ack)
        assert room.version == 4  # the ack came first, and the view has caught up with it
        refused = await room.do(DrawCommand(seat=0))
        assert isinstance(refused, Refused)
        assert refused.code == "not-your-turn"
        with pytest.raises(BadCommand, match="no"):
            await room.do(DrawCommand(seat=0))


async def test_a_command_is_sent_again_after_a_break_with_the_same_id() -> None:
    seen: list[str] = []

    async def breaks(door: Door) -> None:
        await door.snapshot(3)
        seen.append((await door.get())["id"])
        await door.cut()

    async def comes_back(door: Door) -> None:
        assert door.path.endswith("?version=3")
        await door.snapshot(5)
        seen.append((await door.get())["id"])
        await door.ack(seen[-1], 5)

    async with server(breaks, comes_back) as url, Connection(url) as room:
        answer = await room.do(DrawCommand(seat=0))
        assert isinstance(answer, Ack)
        assert seen[0] == seen[1] == answer.id
        assert room.version == 5


async def test_what_the_server_could_not_store_is_sent_again() -> None:
    async def script(door: Door) -> None:
        await door.snapshot(3)
        first = await door.get()
        await door.send(type="error", code="unavailable", field=None, message="later", id=first["id"])
        assert await door.get() == first
        await door.ack(first["id"], 3)

    async with server(script) as url, Connection(url) as room:
        assert isinstance(await room.do(DrawCommand(seat=0)), Ack)


async def test_a_gap_is_asked_for() -> None:
    async def script(door: Door) -> None:
        await door.snapshot(3)
        await door.update(5)
        assert await door.get() == {"type": "resume", "version": 3}
        await door.update(4, 5)
        await door.send(type="heartbeat", version=6, now=1.0)
        assert await door.get() == {"type": "resume", "version": 5}
        await door.snapshot(6)

    async with server(script) as url, Connection(url) as room:
        versions: list[int] = []
        async for news in room:
            assert isinstance(news, Snapshot | Update)
            versions.append(news.version)
            if news.version == 6:
                break
        assert versions == [3, 5, 6]


async def test_what_others_say_is_news_and_what_is_new_is_passed_over() -> None:
    async def script(door: Door) -> None:
        await door.snapshot(3)
        assert await door.get() == {"type": "draft", "on": 3, "seat": 0, "table": ["r1 r2 r3"]}
        await door.send(type="weather", rain=True)
        await door.send(type="phrase", seat=1, phrase="hurry")

    async with server(script) as url, Connection(url) as room:
        await room.draft(0, ["r1 r2 r3"])
        news = [await anext(room), await anext(room)]
        assert isinstance(news[0], Snapshot)
        assert news[1] == PhraseSaid(seat=1, phrase="hurry")


async def test_what_was_shown_is_shown_again() -> None:
    async def breaks(door: Door) -> None:
        await door.snapshot(3)
        assert await door.get() == {"type": "show", "seat": 2}
        await door.cut()

    async def comes_back(door: Door) -> None:
        await door.snapshot(3)
        assert await door.get() == {"type": "show", "seat": 2}
        await door.snapshot(4)

    async with server(breaks, comes_back) as url, Connection(url) as room:
        await room.show(2)
        async for _ in room:
            if room.version == 4:
                break


async def test_who_one_is_goes_with_every_connection() -> None:
    async def script(door: Door) -> None:
        assert door.headers["Authorization"] == "Bearer secret"
        assert door.headers["Origin"] == "http://example.org"
        await door.snapshot(1)

    async with server(script) as url:
        headers = {"Authorization": "Bearer secret"}
        async with Connection(url, headers=lambda: headers, origin="http://example.org") as room:
            assert room.connected


async def test_the_server_ends_it() -> None:
    async def script(door: Door) -> None:
        await door.snapshot(1)
        await door.get()
        await door.send(type="bye", code="bad-messages")
        await door.socket.close(1008)

    async with server(script) as url, Connection(url) as room:
        with pytest.raises(Lost, match="bad-messages"):
            await room.do(DrawCommand(seat=0))
        with pytest.raises(Lost):
            async for _ in room:
                pass
        with pytest.raises(Lost):
            await room.do(DrawCommand(seat=0))


async def test_a_restart_is_no_end() -> None:
    async def stops(door: Door) -> None:
        await door.snapshot(1)
        await door.send(type="bye", code="restart")
        await door.socket.close(1001)

    async def starts(door: Door) -> None:
        await door.snapshot(2)

    async with server(stops, starts) as url, Connection(url) as room:
        async for _ in room:
            if room.version == 2:
                break


async def test_who_may_not_come_in_is_told() -> None:
    async with server(status=403) as url:
        with pytest.raises(Lost, match="http-403"):
            async with Connection(url):
                pass


async def test_what_is_no_tilerummy_is_told() -> None:
    async def script(door: Door) -> None:
        await door.send(type="snapshot", hello="world")

    async with server(script) as url:
        with pytest.raises(Lost, match="bad-message"):
            async with Connection(url):
                pass


async def test_closing_ends_every_wait() -> None:
    async def script(door: Door) -> None:
        await door.snapshot(1)
        await door.get()

    async with server(script) as url:
        async with Connection(url) as room:
            waiting = asyncio.create_task(room.do(DrawCommand(seat=0)))
            await asyncio.sleep(0)
        with pytest.raises(Lost, match="closed"):
            await waiting
        assert [news.type async for news in room] == ["snapshot"]
