"""The doors, on a real port: whoever is gone leaves nothing behind that only the collector would find."""

import asyncio
import gc
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.server import ServerProtocol

from tests.kit.fuzz import socket_of
from tests.kit.rude import PATIENCE, closed_with, told
from tests.kit.served import at_a_port, served
from tilerummy.server.doors import HttpDoor, SocketDoor
from tilerummy.server.socket import Connection

pytestmark = pytest.mark.anyio

Leaving = Callable[[ClientConnection], Awaitable[None]]
HELD = (HttpDoor, SocketDoor, ServerProtocol, Connection)


@pytest.fixture
def no_collector() -> Iterator[None]:
    """A full collection is rare in a server that has to answer at once; here there is none."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def closes(line: ClientConnection) -> None:
    """Somebody who says good-bye."""
    await line.send('{"type": "ping"}')
    await told(line, "heartbeat")


async def vanishes(line: ClientConnection) -> None:
    """Somebody whose network is gone."""
    line.transport.abort()


async def talks_nonsense(line: ClientConnection) -> None:
    """Somebody who is sent away."""
    for _ in range(3):
        await line.send("?")
    assert await closed_with(line) == 1008


async def sends_no_text(line: ClientConnection) -> None:
    """Somebody who does not keep to the protocol of WebSockets."""
    await line.send(b"\xff", text=True)
    assert await closed_with(line) == 1007


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("leaves", [closes, vanishes, talks_nonsense, sends_no_text])
async def test_whoever_leaves_is_forgotten(tmp_path: Path, leaves: Leaving) -> None:
    async with served(tmp_path) as here, at_a_port(here) as url:
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as host:
            room = (await host.post("/api/rooms", json={"players": 2})).json()["room"]
            try:
                async with socket_of(url, room, host) as line:
                    await told(line, "snapshot")
                    assert held() == {"HttpDoor": 1, "SocketDoor": 1, "ServerProtocol": 1, "Connection": 1}
                    await leaves(line)
            except ConnectionClosed:
                pass
        await nothing_held()


@pytest.mark.usefixtures("no_collector")
async def test_whoever_is_refused_is_forgotten(tmp_path: Path) -> None:
    async with served(tmp_path) as here, at_a_port(here) as url:
        with pytest.raises(InvalidStatus):
            async with socket_of(url, "nowhere"):
                pass
        await nothing_held()


def held() -> dict[str, int]:
    """What there is of everybody who is connected."""
    return dict(Counter(kind.__name__ for one in gc.get_objects() for kind in HELD if issubclass(type(one), kind)))


async def nothing_held() -> None:
    """Wait until the server has noticed that everybody is gone."""
    async with asyncio.timeout(PATIENCE):
        while left := held():
            await asyncio.sleep(0.02)
    assert not left
