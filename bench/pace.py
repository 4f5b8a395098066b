"""People at a table, at a human pace: one arranges tiles and plays, the others watch; what they wait for is measured.

Everybody is a program with the client library and a socket of its own. What to play is worked out in another process,
so that this one has nothing to do but to send, to receive and to look at the clock.
"""

import asyncio
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

import httpx

from bench.games import MIND, Prepared
from tilerummy.bots import bot
from tilerummy.client import Client, Connection
from tilerummy.melds import Piece
from tilerummy.protocol import (
    Advice,
    DraftSeen,
    ErrorMessage,
    MatchView,
    NextRoundCommand,
    Refused,
    Snapshot,
    Update,
    WireCommand,
    match_view,
    table_texts,
    wire_command,
)
from tilerummy.state import Phase, Play
from tilerummy.view import View

__all__ = ["DRAFTS", "TURN", "Measured", "People", "Thought", "lag", "think"]

TURN: Final = 6.0
"""Seconds between two plays at a table."""
DRAFTS: Final = 12
"""Drafts that the player to move sends meanwhile: two a second."""

_GLANCE: Final = 0.02


@dataclass(slots=True)
class Measured:
    """What happened while it was measured; times in seconds."""

    heard: list[float] = field(default_factory=list)  # from a command's sending until another seat has the update
    answered: list[float] = field(default_factory=list)  # until its sender has the answer and the update
    seen: list[float] = field(default_factory=list)  # from a draft's sending until another seat has it
    advised: list[float] = field(default_factory=list)  # until its sender has the advice
    late: list[float] = field(default_factory=list)  # how much later than intended something was sent
    lag: list[float] = field(default_factory=list)  # how much later than intended this process's loop woke up
    plays: int = 0
    drafts: int = 0
    troubles: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Thought:
    """What a player does in a turn: the command, and the drafts before it."""

    command: WireCommand
    drafts: Sequence[list[str] | None]


def think(seen: MatchView, seed: int) -> Thought:
    """Choose a play as a bot does, and a way of arranging it tile by tile."""
    match = match_view(seen)
    if match.phase is not Phase.PLAYING:
        return Thought(NextRoundCommand(), ())
    command = bot(MIND).choose(match, random.Random(seed), budget=1)
    drafts = _laid(match, command) if isinstance(command, Play) else _tried(match)
    return Thought(wire_command(command), drafts)


def _laid(match: View, play: Play) -> list[list[str] | None]:
    """The play's table with more and more of the rack on it."""
    there = {tile for meld in match.table for tile in meld.tiles}
    new = [piece.tile for meld in play.table for piece in meld if piece.tile not in there]
    drafts: list[list[str] | None] = []
    for step in range(DRAFTS):
        held = set(new[len(new) * (step + 1) // DRAFTS :])
        melds = (tuple(piece for piece in meld if piece.tile not in held) for meld in play.table)
        drafts.append(table_texts(tuple(meld for meld in melds if meld)))
    return drafts


def _tried(match: View) -> list[list[str] | None]:
    """Rack tiles laid side by side and taken back: nothing fits."""
    table = tuple(meld.pieces for meld in match.table)
    tried = [tuple(map(Piece, match.rack[start : start + 3])) for start in range(DRAFTS - 1)]
    return [*(table_texts((*table, meld) if meld else table) for meld in tried), None]


class People:
    """Four people at one table, from their connections to the end of the measurement."""

    def __init__(self, prepared: Prepared, url: str, http: httpx.AsyncBaseTransport, mind: Executor, seed: int) -> None:
        """At this table of the server at this address; `http` is shared by many."""
        clients = (
            Client(url, token, http=httpx.AsyncClient(base_url=url, transport=http)) for token in prepared.tokens
        )
        self._connections: list[Connection] = [client.connect(prepared.room) for client in clients]
        self._mind = mind
        self._luck = random.Random(seed)
        self._stack = AsyncExitStack()
        self._mover = 0
        self._sent: tuple[int, float] | None = None  # the running command: on which version, and when
        self._drafts: list[deque[float]] = [deque() for _ in prepared.tokens]  # on their way to each seat
        self.measured: Measured | None = None  # None: nothing is noted

    @property
    def tiles(self) -> int:
        """How many tiles lie on the table."""
        match = self._connections[0].view.match
        return 0 if match is None else sum(len(meld.split()) for meld in match.table)

    async def connect(self) -> None:
        """Connect everybody."""
        for connection in self._connections:
            await self._stack.enter_async_context(connection)

    async def close(self) -> None:
        """Disconnect everybody."""
        await self._stack.aclose()

    async def play(self, begin: float) -> None:
        """Play a turn every few seconds from this time on, and watch, until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for seat, connection in enumerate(self._connections):
                group.create_task(self._watch(seat, connection))
            start = begin
            while True:
                await _until(start)
                await self._turn(start)
                start += TURN
                if time.perf_counter() - start > TURN / 2:
                    start = time.perf_counter()  # too late to catch up: it is counted, and the pace begins anew
                    if self.measured:
                        self.measured.troubles["fell behind"] += 1

    async def _turn(self, start: float) -> None:
        newest = max(self._connections, key=lambda connection: connection.version)
        assert newest.view.match is not None
        self._mover = newest.view.match.turn
        mover = self._connections[self._mover]
        while mover.version < newest.version:
            await asyncio.sleep(_GLANCE)
        assert mover.view.match is not None
        loop = asyncio.get_running_loop()
        thought = await loop.run_in_executor(self._mind, think, mover.view.match, self._luck.getrandbits(32))
        for waiting in self._drafts:
            waiting.clear()
        for step, draft in enumerate(thought.drafts):
            await self._wait(start + (step + 0.5) * TURN / DRAFTS)
            now = time.perf_counter()
            for waiting in self._drafts:
                waiting.append(now)
            await mover.draft(self._mover, draft)
            if self.measured:
                self.measured.drafts += 1
        await self._wait(start + TURN)
        await self._command(mover, thought.command)

    async def _command(self, mover: Connection, command: WireCommand) -> None:
        now = time.perf_counter()
        self._sent = (mover.version, now)
        answer = await mover.do(command)
        if self.measured:
            self.measured.plays += 1
            self.measured.answered.append(time.perf_counter() - now)
            if isinstance(answer, Refused):
                self.measured.troubles[f"refused: {answer.code}"] += 1

    async def _wait(self, until: float) -> None:
        await _until(until)
        if self.measured:
            self.measured.late.append(time.perf_counter() - until)

    async def _watch(self, seat: int, connection: Connection) -> None:
        """Note what a seat hears, and when."""
        async for news in connection:
            now, measured = time.perf_counter(), self.measured
            if measured is None:
                if isinstance(news, DraftSeen | Advice) and self._drafts[seat]:
                    self._drafts[seat].popleft()
                continue
            match news:
                case Update():
                    if self._sent is not None and seat != self._mover and news.version > self._sent[0]:
                        measured.heard.append(now - self._sent[1])
                case DraftSeen() | Advice():
                    if self._drafts[seat]:
                        waited = now - self._drafts[seat].popleft()
                        (measured.advised if isinstance(news, Advice) else measured.seen).append(waited)
                case ErrorMessage():
                    measured.troubles[f"error: {news.code}"] += 1
                case Snapshot():
                    measured.troubles["connected again"] += 1


async def lag(noted: Callable[[float], None], every: float = 0.02) -> None:
    """Tell, again and again, how late this process's loop wakes up."""
    while True:
        before = time.perf_counter()
        await asyncio.sleep(every)
        noted(time.perf_counter() - before - every)


async def _until(moment: float) -> None:
    wait = moment - time.perf_counter()
    if wait > 0:
        await asyncio.sleep(wait)
