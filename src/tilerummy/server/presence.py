"""Who is connected: people come, go and come back, and a bot, or the program, may play for them meanwhile."""

import asyncio
import contextlib
from collections.abc import Collection
from typing import Final

from tilerummy.race import RaceState
from tilerummy.server.clock import program_call
from tilerummy.server.events import Back, PassHost, Room, SitIn, Stage
from tilerummy.server.hall import Hall
from tilerummy.server.live import Live, Session
from tilerummy.server.room import heirs
from tilerummy.server.store import Seen, Unavailable
from tilerummy.server.tasks import Tasks
from tilerummy.server.wire import encode
from tilerummy.state import State

__all__ = ["Presence"]

_LEASE: Final = 9.0  # seconds that a connection counts for other nodes without news of it
_RENEW: Final = 3.0
_LATER: Final = 0.05  # the wall clock and the event loop's are not the same


class Presence:
    """Keeps, for this node and for the others, who is connected to which room."""

    def __init__(self, hall: Hall, tasks: Tasks) -> None:
        self._hall = hall
        self._tasks = tasks

    async def enter(self, live: Live, session: Session) -> None:
        """A connection begins; whoever was away for want of one gets the seat back."""
        actor = session.actor
        live.sessions.add(session)
        if actor is None:
            return
        new = actor.players - live.here.keys()
        live.here.update(actor.players)
        for player in actor.players:
            live.left.pop(player, None)
        if new:
            await self.changed(live, new, here=True)
        await self._give_back(live, actor.players)

    async def leave(self, live: Live, session: Session) -> None:
        """A connection has ended."""
        actor = session.actor
        live.sessions.discard(session)
        if actor is None:
            return
        live.here.subtract(actor.players)
        gone = frozenset(player for player in actor.players if live.here[player] <= 0)
        for player in gone:
            del live.here[player]
            live.left[player] = self._hall.now()
        if gone:
            await self.changed(live, gone, here=False)

    async def changed(self, live: Live, players: frozenset[str], *, here: bool) -> None:
        """Somebody came or went: whoever sees it is told, and other nodes, where they may sit down yet."""
        self._noticed(live, players)
        payload = {"what": "presence", "players": sorted(players), "here": here, "node": self._hall.node}
        await self._hall.bus.publish(live.id, payload)
        if self._hall.shared:
            until = self._hall.now() + (_LEASE if here else -1.0)
            with contextlib.suppress(Unavailable):  # who is here is told again soon, and who is gone is forgotten soon
                await self._hall.store.see(self._hall.node, [Seen(live.id, player, until) for player in players])

    def tell(self, live: Live) -> None:
        """Show everybody here who is connected, where that has changed."""
        text = encode(live.scene(self._hall.now()).presence())
        if text == live.shown_present:
            return
        live.shown_present = text
        for session in live.sessions:
            session.send(text)

    def heard(self, live: Live, players: frozenset[str], *, here: bool) -> None:
        """Another node says who came or went there."""
        live.elsewhere = live.elsewhere | players if here else live.elsewhere - players
        if not here:
            live.left |= dict.fromkeys(players, self._hall.now())
        self._noticed(live, players)

    def _noticed(self, live: Live, players: frozenset[str]) -> None:
        """Show it where one of them sits; and look in a while whether they are gone for good."""
        sitting = players & {seat.player for seat in live.room.seats}
        if sitting:
            self.tell(live)
        if sitting - live.present:
            self._tasks.start(self._later(live.id))

    async def _later(self, room_id: str) -> None:
        await asyncio.sleep(self._hall.settings.away_seconds + _LATER)
        live = self._hall.live.get(room_id)
        if live is not None:
            await self.sit_in(live)

    async def sit_in(self, live: Live) -> None:
        """Let a bot play for everybody who is gone, where the room wants that; nobody waits for a host or caller."""
        hall = self._hall
        if live.room.stage is Stage.LOBBY:
            await self._pass_host(live)
        if not _awaited(live.room):
            return
        await hall.look_around([live])
        for seat in _awaited(live.room):
            room = live.room
            command = program_call(room) or SitIn(seat, gone=True)
            if hall.is_gone(live, seat):
                await hall.submit(live, None, "", room.version, command)

    async def _give_back(self, live: Live, players: Collection[str]) -> None:
        """Let them play themselves where a bot sits in for them."""
        for seat in _sat_in_for(live.room, players):
            await self._hall.submit(live, None, "", live.room.version, Back(seat))

    async def _pass_host(self, live: Live) -> None:
        seats = [seat.player for seat in live.room.seats]
        host = seats.index(live.room.host) if live.room.host in seats else None
        if host is not None and self._hall.is_gone(live, host):
            there = [place for place, player in enumerate(seats) if player in live.present]
            for player in heirs(live.room, there, live.bots)[:1]:
                await self._hall.submit(live, None, "", live.room.version, PassHost(seats.index(player)))

    async def renew(self) -> None:
        """Go on telling the other nodes who is connected here, and hearing it from them: one may have died."""
        hall = self._hall
        while True:
            await asyncio.sleep(_RENEW)
            hall.tidy()
            with contextlib.suppress(Unavailable):  # they will be told the next time
                await self._exchange()
            await self._look_after()

    async def _exchange(self) -> None:
        hall = self._hall
        if not hall.shared:
            return
        until = hall.now() + _LEASE
        await hall.store.see(
            hall.node, [Seen(live.id, player, until) for live in hall.live.values() for player in live.here]
        )
        for live in await hall.look_around(list(hall.live.values())):
            self.tell(live)

    async def _look_after(self) -> None:
        """Find those who were gone before the match began, or before they were host, or before this node knew; and
        those who came back at the very moment at which a bot sat down for them.
        """
        hall = self._hall
        for live in list(hall.live.values()):
            room, awaited = live.room, list[int]()
            if room.stage is Stage.LOBBY:
                awaited = [seat for seat, held in enumerate(room.seats) if held.player == room.host]
            else:
                awaited = _awaited(room)
            if any(hall.is_gone(live, seat) for seat in awaited):
                self._tasks.start(self.sit_in(live))
            if _sat_in_for(room, live.here):
                self._tasks.start(self._give_back(live, live.here))


def _sat_in_for(room: Room, players: Collection[str]) -> list[int]:
    """The seats of these players on which a bot sits in."""
    if room.stage is not Stage.PLAYING or not isinstance(room.match, State):
        return []
    bots = [seat for seat, bot in enumerate(room.match.bots) if bot is not None and seat not in room.away]
    return [seat for seat in bots if room.seats[seat].player in players]


def _awaited(room: Room) -> list[int]:
    """The seats for which somebody else plays, or calls, as soon as their players are gone."""
    match room.match:
        case _ if room.stage is not Stage.PLAYING:
            return []
        case RaceState(caller=int(caller), open=False) if caller not in room.away:
            return [caller]
        case State(bots=bots) if room.setup.sit_in is not None:
            return [seat for seat, bot in enumerate(bots) if bot is None]
    return []
