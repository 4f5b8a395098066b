"""A bad network: a WebSocket proxy that delays, repeats and swaps what clients send, and cuts connections at will."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

__all__ = ["GOOD", "Faults", "Proxy"]

# What is passed on, so that the server knows who it is.
HEADERS: Final = ("Cookie", "Authorization")
MAX_FRAME: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Faults:
    """How likely each trouble is, message by message."""

    repeats: float = 0.0
    """A client's message arrives twice."""
    swaps: float = 0.0
    """A client's message arrives after the next one, if one comes soon."""
    lags: float = 0.0
    """A message takes its time, either way."""
    cuts: float = 0.0
    """The connection is gone instead of the message, either way."""
    lag: float = 0.1
    """In seconds, at most."""


GOOD: Final = Faults()


class Proxy:
    """Between clients and a server; use it with `async with`, and say where the server is before anybody comes."""

    def __init__(self, luck: Random, faults: Faults = GOOD) -> None:
        """With these faults, which may be changed at any time."""
        self.faults = faults
        self.target = ""
        self.url = ""
        self.cuts = self.repeats = self.swaps = 0
        self._luck = luck
        self._open: set[ServerConnection] = set()
        self._server: Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await serve(self._pass, "127.0.0.1", 0, compression=None, max_size=MAX_FRAME, ping_interval=None)
        port = next(iter(self._server.sockets)).getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def cut(self) -> None:
        """Cut every connection off, as when somebody pulls the plug."""
        for client in list(self._open):
            client.transport.abort()

    async def _pass(self, client: ServerConnection) -> None:
        assert client.request is not None
        headers = client.request.headers
        known = {name: headers[name] for name in HEADERS if name in headers}
        try:
            async with self._dial(client.request.path, headers.get("Origin"), known) as server:
                self._open.add(client)
                tasks = [asyncio.create_task(self._up(client, server)), asyncio.create_task(self._down(client, server))]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                # Neither side is told that it was on purpose.
                client.transport.abort()
                server.transport.abort()
        except (OSError, TimeoutError, InvalidHandshake):
            client.transport.abort()
        finally:
            self._open.discard(client)

    def _dial(self, path: str, origin: str | None, headers: Mapping[str, str]) -> connect:
        return connect(
            f"{self.target.replace('http', 'ws', 1)}{path}",
            origin=None if origin is None else Origin(origin),
            additional_headers=headers,
            compression=None,
            max_size=MAX_FRAME,
            ping_interval=None,
        )

    async def _up(self, client: ServerConnection, server: ClientConnection) -> None:
        """What the client says, more or less."""
        with suppress(ConnectionClosed):
            while True:
                messages = [await client.recv()]
                if self._happens(self.faults.swaps):
                    with suppress(TimeoutError):
                        async with asyncio.timeout(self.faults.lag):
                            messages.insert(0, await client.recv())
                            self.swaps += 1
                for message in messages:
                    if not await self._trouble():
                        return
                    await server.send(message)
                    if self._happens(self.faults.repeats):
                        self.repeats += 1
                        await server.send(message)

    async def _down(self, client: ServerConnection, server: ClientConnection) -> None:
        """What the server says, as long as the connection lasts."""
        with suppress(ConnectionClosed):
            while True:
                message = await server.recv()
                if not await self._trouble():
                    return
                await client.send(message)

    async def _trouble(self) -> bool:
        """Wait as long as the network takes; whether it still works afterwards."""
        if self._happens(self.faults.lags):
            await asyncio.sleep(self._luck.uniform(0, self.faults.lag))
        cut = self._happens(self.faults.cuts)
        self.cuts += cut
        return not cut

    def _happens(self, likely: float) -> bool:
        return self._luck.random() < likely
