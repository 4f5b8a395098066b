"""The bus: nodes tell each other that something happened in a room; a message that is lost costs time, not moves."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Protocol

__all__ = ["Bus", "Listener", "Listeners", "LocalBus", "make_bus"]

_log = logging.getLogger(__name__)

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


class Listeners:
    """Who hears what is published."""

    def __init__(self) -> None:
        self.listeners: dict[int, tuple[Listener, Callable[[str], bool] | None]] = {}
        self._numbers = count()

    def subscribe(self, listener: Listener, wants: Callable[[str], bool] | None = None) -> Callable[[], None]:
        """Hear what is published, of every room or of those that `wants` says; what is returned ends it."""
        number = next(self._numbers)
        self.listeners[number] = (listener, wants)
        return lambda: self.listeners.pop(number, None) and None

    def tell(self, room_id: str, read: Callable[[], dict[str, Any]]) -> None:
        """Read the payload, for each listener anew, if anybody wants it."""
        for listener, wants in list(self.listeners.values()):
            try:
                if wants is None or wants(room_id):
                    listener(room_id, read())
            except Exception:
                _log.exception("a message of the bus was of no use")


class LocalBus(Listeners):
    """The bus of a server that is alone: from here to here, at the loop's next turn."""

    shared = False
    healthy = True

    async def start(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Whoever listened hears nothing any more."""
        self.listeners.clear()

    async def publish(self, room_id: str, payload: Mapping[str, Any]) -> None:
        """Tell the listeners once the caller has let go of the loop, so that none of them runs within its locks."""
        asyncio.get_running_loop().call_soon(self.tell, room_id, lambda: dict(payload))


def make_bus(url: str | None) -> Bus:
    """The bus at this URL, or one within this process; raises ValueError for what is neither."""
    if url is None:
        return LocalBus()
    from tilerummy.server.redis_bus import RedisBus  # what it needs takes a while to load

    return RedisBus(url)
