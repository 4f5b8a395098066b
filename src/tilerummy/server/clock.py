"""The clock: whatever a room has to do by itself, done in time by whichever node claims it first."""

import asyncio
import contextlib
import heapq
import logging
import random
from collections.abc import Iterator
from typing import Final

from tilerummy.bots.turn import rest
from tilerummy.race import NUMBERS, Call, RaceState, Tap, fitting
from tilerummy.server.drafts import Drafts
from tilerummy.server.errors import Problem
from tilerummy.server.events import Close, Move, Room, RoomCommand
from tilerummy.server.hall import Hall
from tilerummy.server.live import QUIET, Live
from tilerummy.server.room import Task, apply, due, racing_bots
from tilerummy.server.store import Unavailable
from tilerummy.server.tasks import Tasks
from tilerummy.server.thinking import Thinker
from tilerummy.state import NextRound, Refusal, State, Timeout
from tilerummy.tiles import COLOURS, Tile, kind_of, tile_of
from tilerummy.view import view

__all__ = ["Clockwork", "program_call"]

_LEASE: Final = 5.0  # seconds after which another node may do what a node that died was doing
_RENEW: Final = 2.0  # seconds after which the lease of a room begins anew, while its bot thinks or waits for that
_POLL: Final = 0.5  # seconds between two looks at what other nodes left undone
_SOON: Final = 300.0  # seconds
_AFTER_REST: Final = 10.0  # seconds to come back in for those whom no server was there for
_ASIDE: Final = 1.0  # seconds in which others may take what this node leaves to them
_AT_ONCE: Final = 64
_BOTS_AT_ONCE: Final = 64  # beside them, so that no clock waits for a bot

_log = logging.getLogger(__name__)


class Clockwork:
    """Wakes rooms when they are due."""

    def __init__(self, hall: Hall, drafts: Drafts, thinker: Thinker, tasks: Tasks) -> None:
        self._hall = hall
        self._drafts = drafts
        self._thinker = thinker
        self._tasks = tasks
        self._times: list[float] = []
        self._sooner = asyncio.Event()
        self._doing: set[str] = set()
        self._bots: set[str] = set()  # rooms in which a bot thinks, or waits for that
        self._renewed = 0.0
        self._began = hall.now()  # since then this node has been able to do anything
        self._leaves_clocks = 0.0  # until then others may take them

    def will_be_due(self, at: float) -> None:
        """Something here will be due at this time; what is far away is not kept, because a look finds it in time."""
        if at > self._hall.now() + _SOON:
            return
        heapq.heappush(self._times, at)
        if self._times[0] == at:
            self._sooner.set()

    async def run(self) -> None:
        """Claim what is due, again and again."""
        while True:
            try:
                await self._claim()
            except Unavailable:
                await asyncio.sleep(_POLL)
                self._began = self._hall.now()  # nobody could do anything, just as if no server had been there
            await self._wait()

    async def _wait(self) -> None:
        now = self._hall.now()
        while self._times and self._times[0] <= now:
            heapq.heappop(self._times)
        wait = min(_POLL, self._times[0] - now) if self._times else _POLL
        self._sooner.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):  # asyncio.wait_for may swallow the cancellation that ends it all
                await self._sooner.wait()

    async def _claim(self) -> None:
        await self._renew()
        await self._claim_some(self._doing, _AT_ONCE, {Task.BOT, *self._left()})
        await self._claim_some(self._bots, _BOTS_AT_ONCE, set(Task) - {Task.BOT})

    def _left(self) -> Iterator[Task]:
        """What this node leaves to others for a while, because they were there when it was not."""
        now = self._hall.now()
        if now < self._began + QUIET:
            yield Task.EXPIRE
        if now < self._leaves_clocks:
            yield Task.CLOCK

    async def _claim_some(self, doing: set[str], most: int, without: set[Task]) -> None:
        if len(doing) >= most:
            return
        hall = self._hall
        for room_id in await hall.store.claim_due(hall.now(), hall.node, _LEASE, most - len(doing), without):
            if room_id not in self._doing | self._bots:
                doing.add(room_id)
                self._tasks.start(self._wake(room_id, doing))

    async def _renew(self) -> None:
        """No other node shall begin what a bot here is thinking about."""
        now = self._hall.now()
        if self._bots and now - self._renewed >= _RENEW:
            self._renewed = now
            await self._hall.store.hold(self._hall.node, self._bots, now + _LEASE)

    async def _wake(self, room_id: str, doing: set[str]) -> None:
        try:
            live = await self._hall.open(room_id)
            async with live.lock:
                await self._hall.catch_up(live)
            command = await self._command(live)
            if command is not None:  # otherwise the lease runs out, and somebody looks again
                on, what = command
                await self._hall.submit(live, None, "", on, what)
        except Problem as problem:  # no place for the room: its lease runs out too
            _log.warning("a room that is due has to wait: %s", problem.message)
        finally:
            doing.discard(room_id)

    async def _command(self, live: Live) -> tuple[int, RoomCommand] | None:
        """What is due in the room, and at which version it was."""
        room, hall = live.room, self._hall
        following = due(room, hall.settings.bot_pace)
        if following is None or following.at > hall.now():
            return None
        match following.task:
            case Task.EXPIRE:
                return await self._expire(live)
            case Task.ROUND:
                return room.version, Move(NextRound())
            case Task.CALL:
                call = program_call(room)
                return None if call is None else (room.version, call)
            case Task.BOT:
                return await self._bot(live)
            case Task.CLOCK:
                return await self._time_out(live)

    async def _bot(self, live: Live) -> tuple[int, RoomCommand] | None:
        hall, room, state = self._hall, live.room, live.room.match
        if isinstance(state, RaceState):
            return self._tap(live, state)
        name = state.bots[state.turn] if isinstance(state, State) else None
        if not isinstance(state, State) or name is None:
            return None
        seen = view(state, state.turn)
        try:
            with hall.metrics.thinking("bot"):
                turn = await self._thinker.choose(name, seen, f"{room.seed}/{state.version}")
        except TimeoutError:
            _log.warning("the bot %s thought for too long", name)
            turn = rest(seen)  # nobody waits for a bot that is lost
        except Exception:
            _log.exception("the bot %s broke", name)
            turn = rest(seen)
        lost = isinstance(apply(room, Move(turn), None), Refusal)
        return room.version, Move(rest(seen) if lost else turn)

    async def _expire(self, live: Live) -> tuple[int, RoomCommand] | None:
        """Nobody is there, and nobody was a moment ago: whoever has lost the connection is back by then."""
        hall = self._hall
        await hall.look_around([live])
        left = await hall.store.last_seen(live.id) if hall.shared else live.left_at
        if live.present:
            left = hall.now()
        if left + QUIET > hall.now():
            await hall.store.hold(hall.node, [live.id], left + QUIET)
            return None
        return live.room.version, Close("expired")

    async def _time_out(self, live: Live) -> tuple[int, RoomCommand] | None:
        """The draft of this moment decides; but if nobody could reach the server, they get some time to come back.

        Whether somebody could, a node that was there meanwhile knows: it takes what this one gives back.
        """
        room, state, hall = live.room, live.room.match, self._hall
        now, rested = hall.now(), self._began + _AFTER_REST
        if room.turn_at < self._began and now < rested:
            self._leaves_clocks = now + _ASIDE if hall.shared else now
            await hall.store.hold(hall.node, [live.id], now if hall.shared else rested)
            self.will_be_due(rested)
            return None
        if not isinstance(state, State):
            return None
        await self._drafts.write()
        draft = await self._drafts.last(live)
        return room.version, Move(Timeout(state.turn, draft.table if draft else None))

    def _tap(self, live: Live, race: RaceState) -> tuple[int, RoomCommand] | None:
        """One of the race's bots finds a tile."""
        chance = random.Random(f"{live.room.seed}/{race.version}")
        bots = racing_bots(live.room)
        tiles = fitting(race)
        return (live.room.version, Move(Tap(chance.choice(bots), chance.choice(tiles)))) if bots and tiles else None


def program_call(room: Room) -> Move | None:
    """Name a tile that lies around the rows; a caller who left, or is gone, is called for."""
    race = room.match
    if not isinstance(race, RaceState) or race.open:
        return None
    around = [one for one in _race_tiles() if one not in race.placed]
    return Move(Call(race.caller, random.Random(f"{room.seed}/{race.version}").choice(around)))


def _race_tiles() -> list[Tile]:
    return [tile_of(kind_of(colour, number)) for colour in COLOURS for number in range(1, NUMBERS + 1)]
