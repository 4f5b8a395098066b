"""Thinking: bots, hints and solutions are worked out in other processes, so that no message waits for them."""

import asyncio
import heapq
import itertools
import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from enum import IntEnum
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
_THINK: Final = 4.0  # seconds from its beginning after which nobody waits for a bot; it should be done long before
_ALL_SERVED: Final = 2.0  # seconds in which the bots that wait should all have had their turn
_LEAST: Final = 0.05  # seconds for a bot that searches, however many wait
_ASIDE: Final = 16  # questions that may wait for an answer besides the game


class TooHard(Exception):
    """It was given up."""


class Busy(Exception):
    """So many wait already that whoever comes now is sent away."""


class _Rank(IntEnum):
    """Who waits for whom: nobody for a bot that has not begun."""

    PEOPLE = 0
    BOTS = 1


class Thinker:
    """A pool of processes; one that dies is replaced, and what it was working on is begun once more."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._warmed: asyncio.Future[list[int]]
        self._free = workers
        self._waiting: list[tuple[_Rank, int, asyncio.Future[None]]] = []
        self._count = itertools.count()
        self._aside = 0
        self._turn = asyncio.Lock()

    async def run(self, function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Call a function in another process for somebody; everything that goes there and comes back is pickled."""

        async def attempt() -> _R:
            pool = await self._place(_Rank.PEOPLE)
            return await self._begin(pool, function, *args, **kwargs)

        return await _twice(attempt)

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

    async def choose(self, name: str, view: View, seed: str) -> Turn:
        """What a bot does, once no person waits; raises TimeoutError where it goes on and on after it has begun."""

        async def attempt() -> Turn:
            pool = await self._place(_Rank.BOTS)
            async with asyncio.timeout(_THINK):
                return await self._begin(pool, choose, name, view, seed, self._share())

        return await _twice(attempt)

    async def warm(self) -> None:
        """Start the processes, so that the first bot of the day does not wait for them."""
        await self._started()

    def close(self) -> None:
        """End the processes; what they are working on is dropped."""
        if self._pool is not None:
            self._discard(self._pool)

    def _share(self) -> float:
        """Seconds for which a bot may search, so that those who wait are all served soon, however many there are."""
        bots = sum(rank is _Rank.BOTS and not place.done() for rank, _, place in self._waiting)
        return max(_LEAST, _ALL_SERVED * self._workers / (1 + bots))

    async def _place(self, rank: _Rank) -> ProcessPoolExecutor:
        """Wait until a process has nothing to do; people come first, and then who has waited for longest."""
        if self._free:
            self._free -= 1
        else:
            place = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (rank, next(self._count), place))
            try:
                await place
            except asyncio.CancelledError:
                if not place.cancelled():
                    self._leave()  # it had just been given
                raise
        try:
            return await self._started()
        except BaseException:
            self._leave()
            raise

    def _leave(self) -> None:
        while self._waiting:
            *_, place = heapq.heappop(self._waiting)
            if not place.done():  # otherwise whoever waited has given up
                place.set_result(None)
                return
        self._free += 1

    def _begin(
        self, pool: ProcessPoolExecutor, function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs
    ) -> asyncio.Future[_R]:
        """Begin at once; the place is taken until the process is done with it, also where nobody waits any more."""
        try:
            working = asyncio.wrap_future(pool.submit(function, *args, **kwargs))
        except BrokenProcessPool:
            self._discard(pool)
            self._leave()
            raise

        def done(result: asyncio.Future[_R]) -> None:
            if not result.cancelled() and isinstance(result.exception(), BrokenProcessPool):
                self._discard(pool)
            self._leave()

        working.add_done_callback(done)
        return asyncio.shield(working)

    async def _started(self) -> ProcessPoolExecutor:
        """The pool, once its processes are there: what they take to start is no time of a bot's."""
        pool = self._pool
        if pool is None:
            context = multiprocessing.get_context("spawn")
            pool = self._pool = ProcessPoolExecutor(self._workers, mp_context=context, initializer=_prepare)
            answers = [asyncio.wrap_future(pool.submit(os.getpid)) for _ in range(self._workers)]
            self._warmed = asyncio.gather(*answers)
        try:
            await asyncio.shield(self._warmed)
        except BrokenProcessPool:
            self._discard(pool)
            raise
        return pool

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool:
            self._pool = None
        pool.shutdown(wait=False, cancel_futures=True)


async def _twice(attempt: Callable[[], Awaitable[_R]]) -> _R:
    """Try once more where the process died."""
    try:
        return await attempt()
    except BrokenProcessPool:
        return await attempt()


def _prepare() -> None:
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


def choose(name: str, view: View, seed: str, seconds: float = PATIENCE) -> Turn:
    """What the bot of this name does, which searches for so many seconds at most; the same seed gives the same choice,
    unless the time was too short.
    """
    patience = _patience(view.rules)
    try:
        searching = min(seconds, _SEARCHING * patience)
        return within(patience, _live(name, searching).choose, view, random.Random(seed), BUDGET)
    except TooHard:
        return bot(_INSTEAD).choose(view, random.Random(seed), BUDGET)


def _live(name: str, seconds: float) -> Bot:
    """The bot of this name; where it searches, one that looks at the clock."""
    return Expert(seconds=seconds) if name == Expert.name else bot(name)


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
