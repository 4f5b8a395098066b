"""Thinking: bots, hints and solutions are worked out in other processes, so that no message waits for them."""

import asyncio
import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.util import Finalize
from types import FrameType
from typing import Final, ParamSpec, TypeVar

from tilerummy.bots import BUDGET, Bot, bot
from tilerummy.bots.expert import Expert
from tilerummy.bots.turn import Turn
from tilerummy.melds import Draft
from tilerummy.rulesets import Ruleset
from tilerummy.solver import Query, can_lay, explain, solve, with_copies
from tilerummy.solver.explain import Step
from tilerummy.solver.search import is_rare
from tilerummy.tiles import Tile
from tilerummy.view import View

__all__ = ["BUDGET", "PATIENCE", "Busy", "Hint", "Thinker", "TooHard", "choose", "hint", "within"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

PATIENCE: Final = 2.0
"""Seconds after which whatever is thought about is given up: house rules may be mixed so that nobody can answer."""
_RARE: Final = 0.25  # seconds for joker rules that are mixed as in no rulebook, which is where this happens
_AGAIN: Final = 0.1  # seconds; where an exception is ignored, as while something is being deleted, the next is not
_SEARCHING: Final = 0.4  # of the patience; a bot that searches answers with what it has found by then
_INSTEAD: Final = "novice"  # moves where another bot gives up
_ASIDE: Final = 16  # questions that may wait for an answer besides the game


class TooHard(Exception):
    """It was given up."""


class Busy(Exception):
    """So many wait already that whoever comes now is sent away."""


class Thinker:
    """A pool of processes; one that dies is replaced, and what it was working on is begun once more."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._aside = 0
        self._turn = asyncio.Lock()

    async def run(self, function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Call a function in another process; everything that goes there and comes back is pickled."""
        for last in (False, True):
            pool = self._started()
            try:
                return await asyncio.wrap_future(pool.submit(function, *args, **kwargs))
            except BrokenProcessPool:
                self._discard(pool)
                if last:
                    raise
        raise AssertionError("unreachable")

    async def run_aside(self, function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """The same for whatever anybody may ask besides the game: one at a time, so that no bot and no hint ever waits
        for more than one of them; raises Busy where too many wait.
        """
        if self._aside >= _ASIDE:
            raise Busy
        self._aside += 1
        try:
            async with self._turn:
                return await self.run(function, *args, **kwargs)
        finally:
            self._aside -= 1

    async def warm(self) -> None:
        """Start the processes, so that the first bot of the day does not wait for them."""
        await asyncio.gather(*(self.run(os.getpid) for _ in range(self._workers)))

    def close(self) -> None:
        """End the processes; what they are working on is dropped."""
        if self._pool is not None:
            self._discard(self._pool)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._workers, mp_context=context, initializer=_begin)
        return self._pool

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool:
            self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the server, and end when the server is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nothing is left to tidy when it is told to end; Python's own way would count what the kernel still holds.
    Finalize(None, os._exit, (0,), exitpriority=-100)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.join,), daemon=True).start()


def _end_after(wait: Callable[[], object]) -> None:
    wait()
    os._exit(0)


def within(seconds: float, function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """Call a function in a process that thinks, or raise TooHard after so many seconds."""
    if not hasattr(signal, "setitimer"):  # Windows
        return function(*args, **kwargs)
    signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        try:
            return function(*args, **kwargs)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)  # where it rang just before the first


def _patience(rules: Ruleset) -> float:
    return _RARE if is_rare(rules) else PATIENCE


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TooHard


def choose(name: str, view: View, seed: str) -> Turn:
    """What the bot of this name does; the same seed gives the same choice, unless the time was too short."""
    patience = _patience(view.rules)
    try:
        return within(patience, _live(name, patience).choose, view, random.Random(seed), BUDGET)
    except TooHard:
        return bot(_INSTEAD).choose(view, random.Random(seed), BUDGET)


def _live(name: str, patience: float) -> Bot:
    """The bot of this name; where it searches, one that looks at the clock."""
    return Expert(seconds=_SEARCHING * patience) if name == Expert.name else bot(name)


@dataclass(frozen=True, slots=True)
class Hint:
    """The best play, in more detail the higher the level; what a level does not tell is empty."""

    can_play: bool
    laid: tuple[Tile, ...] = ()  # from `point` on
    after: Draft = ()  # from `reveal` on
    steps: tuple[Step, ...] = ()


def hint(query: Query, level: str) -> Hint:
    """What a hint of this level tells about the position, or TooHard."""
    return within(_patience(query.rules), _hint, query, level)


def _hint(query: Query, level: str) -> Hint:
    if level == "nudge":
        return Hint(can_lay(query))
    solution = solve(query, follow=True)
    after, laid = with_copies(query, solution)
    if not solution.tiles or level == "point":
        return Hint(solution.tiles > 0, laid)
    return Hint(True, laid, after, tuple(explain(query.table, after)))
