"""A time limit for what runs in this process: interrupted where that can be done, measured everywhere."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Final, TypeVar

__all__ = ["Overrun", "within"]

_T = TypeVar("_T")

_AGAIN: Final = 0.1  # seconds; where an exception is ignored, as while something is being deleted, the next is not


class Overrun(BaseException):
    """The time is over; no bot catches it by catching every Exception."""


def within(seconds: float, function: Callable[[], _T]) -> _T:
    """Call a function, or raise Overrun after so many seconds; only the main thread of a process can be interrupted."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return function()
    before = signal.signal(signal.SIGALRM, _ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        try:
            return function()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)  # where it rang just before the first
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: FrameType | None) -> None:
    raise Overrun
