"""Tasks that run beside everything else; what goes wrong in one is logged and stops nothing."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from tilerummy.server.store import Unavailable

__all__ = ["Tasks"]

_PAUSE: Final = 1.0  # seconds

_log = logging.getLogger(__name__)


class Tasks:
    """Keeps hold of what was started until it is done."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Begin something that nobody waits for."""
        task = asyncio.get_running_loop().create_task(_guarded(work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def keep_up(self, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Begin something that lasts as long as the server: where it fails it is begun again, a moment later."""
        self.start(_again(work))

    async def close(self) -> None:
        """Stop everything."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


async def _guarded(work: Coroutine[Any, Any, object]) -> None:
    try:
        await work
    except Unavailable as error:
        _log.warning("the store is out of reach: %s", error)
    except Exception:
        _log.exception("a task failed")


async def _again(work: Callable[[], Coroutine[Any, Any, object]]) -> None:
    while True:
        await _guarded(work())
        await asyncio.sleep(_PAUSE)
