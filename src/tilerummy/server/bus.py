"""The bus: nodes tell each other that something happened in a room; a message that is lost costs time, not moves."""

import asyncio
import json
import logging
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any, Protocol

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

__all__ = ["Bus", "Listener", "LocalBus", "RedisBus", "make_bus"]

_log = logging.getLogger(__name__)

# Seconds of silence after which Redis is asked whether it is there, and within which it has to answer.
_PATIENCE = 2.0
# Seconds that a start waits for the connection before it goes on without.
_FIRST = 2.0
# Seconds between attempts to connect.
_PAUSES = (0.1, 0.2, 0.5, 1.0)
# Messages that may wait to be sent; the oldest are dropped.
_BACKLOG = 10_000

Listener = Callable[[str, dict[str, Any]], None]
"""Called on the event loop with the room's id and the payload; it must not block, and its errors are logged."""


class Bus(Protocol):
    """Whatever is published reaches every listener of every node, the sender's own too, at most once, in order."""

    @property
    def shared(self) -> bool:
        """Whether other nodes hear it: where they do, somebody has to look for what was lost."""
        ...

    @property
    def healthy(self) -> bool:
        """Whether what others publish arrives now."""
        ...

    async def start(self) -> None:
        """Begin to listen; where the service is out of reach this returns, and the bus goes on trying."""
        ...

    async def close(self) -> None:
        """Stop listening and let the connections go."""
        ...

    async def publish(self, room_id: str, payload: Mapping[str, Any]) -> None:
        """Send to everybody; never raises for want of a connection, and does not wait for one."""
        ...

    def subscribe(self, listener: Listener, wants: Callable[[str], bool] | None = None) -> Callable[[], None]:
        """Hear what is published, of every room or of those that `wants` says; what is returned ends it."""
        ...


class _Listeners:
    """Who hears what is published."""

    def __init__(self) -> None:
        self._listeners: dict[int, tuple[Listener, Callable[[str], bool] | None]] = {}
        self._numbers = count()

    def subscribe(self, listener: Listener, wants: Callable[[str], bool] | None = None) -> Callable[[], None]:
        """Hear what is published, of every room or of those that `wants` says; what is returned ends it."""
        number = next(self._numbers)
        self._listeners[number] = (listener, wants)
        return lambda: self._listeners.pop(number, None) and None

    def _tell(self, room_id: str, read: Callable[[], dict[str, Any]]) -> None:
        """Read the payload, for each listener anew, if anybody wants it."""
        for listener, wants in list(self._listeners.values()):
            try:
                if wants is None or wants(room_id):
                    listener(room_id, read())
            except Exception:
                _log.exception("a message of the bus was of no use")


class LocalBus(_Listeners):
    """The bus of a server that is alone: from here to here, at the loop's next turn."""

    shared = False
    healthy = True

    async def start(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Whoever listened hears nothing any more."""
        self._listeners.clear()

    async def publish(self, room_id: str, payload: Mapping[str, Any]) -> None:
        """Tell the listeners once the caller has let go of the loop, so that none of them runs within its locks."""
        asyncio.get_running_loop().call_soon(self._tell, room_id, lambda: dict(payload))


class RedisBus(_Listeners):
    """Redis's publish and subscribe, with a channel a room; without a connection, messages are lost."""

    shared = True

    def __init__(self, url: str) -> None:
        """For the server at this URL; raises ValueError if it is none."""
        super().__init__()
        self._client: Redis = Redis.from_url(
            url,
            health_check_interval=0,
            retry=Retry(NoBackoff(), 0),  # we try again by ourselves, where nobody waits for it
            socket_connect_timeout=_PATIENCE,
            socket_timeout=_PATIENCE,
            socket_keepalive=True,
        )
        # Redis's databases share their channels.
        self._prefix = f"tilerummy:{self._client.connection_pool.connection_kwargs.get('db') or 0}:"
        self._waiting: deque[tuple[str, str]] = deque(maxlen=_BACKLOG)
        self._anything = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._listening = asyncio.Event()

    @property
    def healthy(self) -> bool:
        """Whether what others publish arrives now."""
        return self._listening.is_set()

    async def start(self) -> None:
        """Begin to listen; where Redis is out of reach this returns after a moment, and the bus goes on trying."""
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._send())]
        try:
            async with asyncio.timeout(_FIRST):
                await self._listening.wait()
        except TimeoutError:
            _log.warning("redis is out of reach; going on without it")

    async def close(self) -> None:
        """Stop listening and let the connections go."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        self._listening.clear()
        self._listeners.clear()
        await self._client.aclose()

    async def publish(self, room_id: str, payload: Mapping[str, Any]) -> None:
        """Send to everybody soon; never raises for want of a connection, and does not wait for one."""
        if self.healthy:
            self._waiting.append((self._prefix + room_id, json.dumps(payload, separators=(",", ":"))))
            self._anything.set()

    async def _send(self) -> None:
        while True:
            await self._anything.wait()
            self._anything.clear()
            batch = list(self._waiting)
            self._waiting.clear()
            try:
                async with self._client.pipeline(transaction=False) as pipeline:
                    for channel, message in batch:
                        pipeline.publish(channel, message)
                    await pipeline.execute()
            except Exception as error:  # whatever it is, the next messages go on
                _log.warning("redis did not take %d messages: %s", len(batch), error)
                await asyncio.sleep(_PAUSES[0])

    async def _listen(self) -> None:
        failures = 0
        while True:
            pubsub = self._client.pubsub()
            try:
                await pubsub.psubscribe(f"{self._prefix}*")
                silent = False
                while True:
                    message = await pubsub.get_message(timeout=_PATIENCE)
                    if message is None:
                        # A connection on which nothing comes may be dead: one more silence after this is an answer.
                        if silent:
                            raise TimeoutError("redis does not answer")
                        silent = True
                        await pubsub.ping()
                        continue
                    silent = False
                    if message["type"] == "psubscribe":
                        failures = 0
                        self._listening.set()
                    elif message["type"] == "pmessage":
                        room_id = message["channel"].decode(errors="replace").removeprefix(self._prefix)
                        self._tell(room_id, partial(_payload, message["data"]))
            except Exception as error:  # whatever it is, the bus goes on trying
                if failures == 0:
                    _log.warning("the bus lost redis: %s", error)
            finally:
                self._listening.clear()
                with suppress(RedisError, OSError):
                    await pubsub.aclose()  # type: ignore[no-untyped-call]
            # What the sender has is lost as well, and would only tell so when the next message goes into it.
            with suppress(RedisError, OSError):
                await self._client.connection_pool.disconnect(inuse_connections=False)
            await asyncio.sleep(_PAUSES[min(failures, len(_PAUSES) - 1)])
            failures += 1


def _payload(data: bytes) -> dict[str, Any]:
    payload = json.loads(data)
    if not isinstance(payload, dict):
        raise ValueError("a payload is an object")
    return payload


def make_bus(url: str | None) -> Bus:
    """The bus at this URL, or one within this process; raises ValueError for what is neither."""
    if url is None:
        return LocalBus()
    if not url.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("a bus is redis://host:port, or none")
    return RedisBus(url)
