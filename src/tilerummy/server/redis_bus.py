"""The bus of many nodes: Redis's publish and subscribe."""

import asyncio
import json
import logging
import re
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from redis.asyncio import Redis
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tilerummy.server.bus import Listeners

__all__ = ["RedisBus", "check_url"]

_log = logging.getLogger(__name__)

# Seconds of silence after which Redis is asked whether it is there, and within which it has to answer.
_PATIENCE = 2.0
# Seconds that a start waits for the connection before it goes on without.
_FIRST = 2.0
# Seconds between attempts to connect.
_PAUSES = (0.1, 0.2, 0.5, 1.0)
# Messages that may wait to be sent; the oldest are dropped.
_BACKLOG = 10_000

# What a URL's query may say; others are not known to a connection, or are decided here.
_QUERY: Final = ("client_name", "db", "password", "username")
_TLS: Final = ("ssl_ca_certs", "ssl_cert_reqs", "ssl_certfile", "ssl_check_hostname", "ssl_keyfile")


def check_url(url: str) -> None:
    """Raise ValueError for what is not the address of a Redis server; the reason shows nothing of it."""
    known = (*_QUERY, *_TLS) if url.startswith("rediss:") else _QUERY
    try:
        parts, options = urlsplit(url), parse_url(url)
        said = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise ValueError(_expected(known)) from None
    # A password that is not encoded ends too early: the rest of it would be taken for something else.
    if parts.scheme == "unix":
        whole = parts.path != "" and parts.netloc.rpartition("@")[2] == ""
    else:
        whole = re.fullmatch(r"/?\d*", parts.path) is not None
    fits = options.get("db", 0) >= 0 and said.get("ssl_cert_reqs", "none") in ("none", "optional", "required")
    if "#" in url or not whole or not fits or not said.keys() <= set(known):
        raise ValueError(_expected(known))


def _expected(known: tuple[str, ...]) -> str:
    encoded = "a password's @ : / ? # as %40 and so on"
    return f"redis://USER:PASSWORD@HOST:PORT/NUMBER is expected, {encoded}; after a ? only {', '.join(known)}"


class RedisBus(Listeners):
    """A channel a room; without a connection, messages are lost."""

    shared = True

    def __init__(self, url: str) -> None:
        """For the server at this URL; raises ValueError if it is none."""
        super().__init__()
        check_url(url)
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
        self.listeners.clear()
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
                # What it says may have the messages in it.
                _log.warning("redis did not take %d messages: %s", len(batch), type(error).__name__)
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
                        self.tell(room_id, partial(_payload, message["data"]))
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
