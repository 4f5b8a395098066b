"""The clock: whatever a room has to do by itself, done in time by whichever node claims it first."""

import asyncio
import contextlib
import heapq
import logging
import random
from typing import Final

from tilerummy.bots.turn import Turn, rest
from tilerummy.race import NUMBERS, Call, RaceState, Tap, fitting
from tilerummy.server.drafts import Drafts
from tilerummy.server.errors import Problem
from tilerummy.server.events import Close, Move, Room, RoomCommand
from tilerummy.server.hall import Hall
from tilerummy.server.live import Live
from tilerummy.server.room import GRACE, Task, apply, due, racing_bots
from tilerummy.server.store import Unavailable
from tilerummy.server.tasks import Tasks
from tilerummy.server.thinking import Thinker, choose
from tilerummy.state import NextRound, Refusal, State, Timeout
from tilerummy.tiles import COLOURS, Tile, kind_of, tile_of
from tilerummy.view import View, view

__all__ = ["Clockwork", "program_call"]

_LEASE: Final = 5.0  # seconds after which another node may do what a node that died was doing
_POLL: Final = 0.5  # seconds between two looks at what other nodes left undone
_SOON: Final = 300.0  # seconds
_AFTER_REST: Final = 10.0  # seconds to come back in when a clock ran out while no server was there
_THINK: Final = 4.0  # seconds for a bot's move; less than a lease, so that no other node begins it too
_AT_ONCE: Final = 64

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
        self._began = hall.now()

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
        room = _AT_ONCE - len(self._doing)
        if room <= 0:
            return
        for room_id in await self._hall.store.claim_due(self._hall.now(), self._hall.node, _LEASE, room):
            if room_id not in self._doing:
                self._doing.add(room_id)
                self._tasks.start(self._wake(room_id))

    async def _wake(self, room_id: str) -> None:
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
            self._doing.discard(room_id)

    async def _command(self, live: Live) -> tuple[int, RoomCommand] | None:
        """What is due in the room, and at which version it was."""
        room, hall = live.room, self._hall
        following = due(room, hall.settings.bot_pace)
        if following is None or following.at > hall.now():
            return None
        match following.task:
            case Task.EXPIRE:
                return None if live.present else (room.version, Close("expired"))
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
        room, state = live.room, live.room.match
        if isinstance(state, RaceState):
            return self._tap(live, state)
        name = state.bots[state.turn] if isinstance(state, State) else None
        if not isinstance(state, State) or name is None:
            return None
        turn = await self._think(name, view(state, state.turn), f"{room.seed}/{state.version}")
        if turn is None or isinstance(apply(room, Move(turn), None), Refusal):
            turn = rest(view(state, state.turn))  # nobody waits for a bot that is lost
        return room.version, Move(turn)

    async def _think(self, name: str, seen: View, seed: str) -> Turn | None:
        """What a bot does; None when it takes too long, or breaks."""
        try:
            with self._hall.metrics.thinking("bot"):
                async with asyncio.timeout(_THINK):
                    return await self._thinker.run(choose, name, seen, seed)
        except TimeoutError:
            _log.warning("the bot %s thought for too long", name)
        except Exception:
            _log.exception("the bot %s broke", name)
        return None

    async def _time_out(self, live: Live) -> tuple[int, RoomCommand] | None:
        """The draft of this moment decides; but if nobody could reach the server, they get some time to come back."""
        room, state, hall = live.room, live.room.match, self._hall
        ended = room.turn_at + (room.setup.clock or 0) + GRACE
        if ended < self._began and hall.now() < self._began + _AFTER_REST:
            self.will_be_due(self._began + _AFTER_REST)
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
