"""The examples, as anybody would run them, against a real server."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.kit.servers import ServerProcess
from tilerummy.client import Client, Connection
from tilerummy.protocol import (
    ChangeCommand,
    CloseCommand,
    LeaveCommand,
    NewRoom,
    RematchCommand,
    RemoveCommand,
    RoomView,
    Setup,
    SitCommand,
    StartCommand,
    WireCommand,
)

pytestmark = pytest.mark.anyio

BOT = Path(__file__).parents[2] / "examples" / "bot.py"
PATIENCE = 60.0


@asynccontextmanager
async def room_with_bot(url: str, seat: int = 1) -> AsyncIterator[tuple[Connection, asyncio.subprocess.Process]]:
    """A room of three seats and its host, and the example, which takes the first free seat; a bot sits on the last."""
    async with Client(url) as host:
        token = (await host.new_token("Example")).token
        made = await host.new_room(NewRoom(players=3, bots=[None, None, "novice"]))
        assert token is not None
        assert made.code is not None
        async with host.join(made.room) as room:
            if seat == 2:
                await do(room, SitCommand(seat=1, player=(await host.add_local("Bea")).id))
            process = await asyncio.create_subprocess_exec(
                sys.executable, str(BOT), url, token, made.code, stdout=asyncio.subprocess.PIPE
            )
            try:
                await reached(room, "lobby", ready=seat)
                yield room, process
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()


async def reached(room: Connection, stage: str, *, ready: int | None = None) -> RoomView:
    """The room once it is there, and whoever sits on a seat has said that they are ready."""
    async with asyncio.timeout(PATIENCE):
        while room.view.stage != stage or (ready is not None and not room.view.seats[ready].ready):
            await anext(room)
    return room.view


async def do(room: Connection, command: WireCommand) -> None:
    assert (await room.do(command)).type == "ack"


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """How the example ended, and what it said."""
    output, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode, output.decode().strip()


async def test_the_bot_plays_until_its_room_is_closed(shared_server: ServerProcess) -> None:
    async with room_with_bot(shared_server.url) as (room, process):
        for match in (1, 2):
            assert (await reached(room, "lobby", ready=1)).seats[1].name == "Example"
            await do(room, StartCommand())
            await do(room, LeaveCommand(seat=0))  # a bot of the server's plays for the host
            over = (await reached(room, "over")).match
            assert over is not None
            assert over.bots == ["novice", None, "novice"], "the example has played by itself"
            assert (room.view.matches, process.returncode) == (match, None)
            await do(room, RematchCommand())
        await do(room, CloseCommand())
        assert await ended(process) == (0, "")


async def test_the_bot_ends_when_its_seat_is_gone(shared_server: ServerProcess) -> None:
    async with room_with_bot(shared_server.url, 2) as (room, process):
        await do(room, ChangeCommand(setup=Setup(players=2)))
        assert await ended(process) == (0, "")


async def test_the_bot_ends_when_it_is_sent_away(shared_server: ServerProcess) -> None:
    async with room_with_bot(shared_server.url) as (room, process):
        await do(room, RemoveCommand(seat=1))
        assert await ended(process) == (0, "the connection is closed: was-removed")
