"""A node: the hall and everything around it that runs by itself."""

import asyncio
import contextlib
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from tilerummy.protocol import AskHint, SayPhrase
from tilerummy.server.bus import Bus
from tilerummy.server.clock import Clockwork
from tilerummy.server.drafts import Drafts
from tilerummy.server.events import Move
from tilerummy.server.hall import Hall
from tilerummy.server.identity import Actor
from tilerummy.server.live import Live, Session
from tilerummy.server.metrics import Metrics
from tilerummy.server.presence import Presence
from tilerummy.server.room import actor_seats, apply
from tilerummy.server.settings import Settings
from tilerummy.server.store import Store, Unavailable
from tilerummy.server.tasks import Tasks
from tilerummy.server.thinking import Thinker, TooHard, hint
from tilerummy.server.wire import Json, encode, error, hint_seen
from tilerummy.solver import Query
from tilerummy.state import HintUsed, Refusal, State

__all__ = ["TOO_HARD", "Node"]

TOO_HARD: Final = "too-hard"
"""The code of an error about a hint that takes too long."""

_PEOPLE: Final = "@people"  # where the bus tells of people, not of a room
_FIRST_SWEEP: Final = 60.0  # seconds; some servers run for an evening, and not for an hour
_SWEEP: Final = 3600.0
_LAST: Final = 5.0  # seconds for what is written before the end
_LOOK: Final = 1.0  # seconds between two looks at what the bus may have lost
_LOOK_AT_PLAYERS: Final = 5.0


class Node:
    """One process of the server: its rooms, its clock, its connections."""

    def __init__(self, store: Store, bus: Bus, thinker: Thinker, settings: Settings, metrics: Metrics) -> None:
        self.thinker = thinker
        self.metrics = metrics
        self.tasks = Tasks()
        self.hall = Hall(store, bus, settings, metrics)
        self.drafts = Drafts(self.hall)
        self.presence = Presence(self.hall, self.tasks)
        self.clockwork = Clockwork(self.hall, self.drafts, thinker, self.tasks)
        self.hall.on_due = self.clockwork.will_be_due
        self.hall.find_draft = self.drafts.find

    async def start(self) -> None:
        """Begin to listen to the other nodes and to wake rooms."""
        if not self.hall.shared:
            await self.hall.store.release()  # nobody else is there: who had claimed a room is dead
        self.hall.bus.subscribe(self._heard, lambda room_id: room_id in self.hall.live)
        self.hall.bus.subscribe(self._heard_of, lambda room_id: room_id == _PEOPLE)
        for work in (self.clockwork.run, self.drafts.keep, self.presence.renew, self._sweep):
            self.tasks.keep_up(work)
        if self.hall.shared:
            self.tasks.keep_up(self._look)
            self.tasks.keep_up(self._look_at_players)

    async def close(self) -> None:
        """Say good-bye to everybody, write what is still to be written, and stop."""
        for live in self.hall.live.values():
            for session in list(live.sessions):
                session.end("restart")
        await self.tasks.close()
        await self.hall.settle()
        with contextlib.suppress(Unavailable, TimeoutError):
            async with asyncio.timeout(_LAST):  # a database that hangs does not keep it
                await self.drafts.write()
                await self.hall.store.release(self.hall.node)  # another node need not wait for what was under way here

    async def hint(self, live: Live, actor: Actor, sent: AskHint) -> Json:
        """Give a hint, which the record keeps; it is worked out elsewhere while the game goes on."""
        await self.hall.refresh(live)  # otherwise one for a turn that only another node knows would be given empty
        room, used = live.room, Move(HintUsed(sent.seat, sent.level))
        state, more = room.match, None
        allowed = not isinstance(apply(room, used, actor.players), Refusal) and sent.on >= room.turn_version
        if allowed and isinstance(state, State):
            rack, opened = state.racks[state.turn], state.opened[state.turn]
            query = Query(state.rules, state.table, rack, opened, all(state.opened))
            try:
                with self.metrics.thinking("hint"):
                    found = await self.thinker.run(hint, query, sent.level)
            except TooHard:
                return error(TOO_HARD, "nobody can tell in time, with these rules", "level", sent.id)
            if live.room.turn_version == room.turn_version:
                more = {"hint": hint_seen(sent.level, found)}
        return await self.hall.submit(live, actor, sent.id, sent.on, used, more)

    async def phrase(self, live: Live, actor: Actor | None, sent: SayPhrase) -> Json | None:
        """Say something to everybody in the room."""
        if actor is None or sent.seat not in actor_seats(live.room, actor.players):
            return error("not-a-seat-of-yours", "that is not a seat of yours", "seat")
        said = {"type": "phrase", "seat": sent.seat, "phrase": sent.phrase}
        _tell(live, said)
        await self.hall.bus.publish(live.id, {"what": "phrase", "said": said, "node": self.hall.node})
        return None

    async def renamed(self, player: str) -> None:
        """A player has another name, or none any more: everybody at their tables sees it."""
        hall = self.hall
        for row in await hall.store.rooms_of(player, stages=("lobby", "playing", "over")):
            if row.id in hall.live:
                await self._names(hall.live[row.id])
            await hall.bus.publish(row.id, {"what": "names", "node": hall.node})

    async def dismiss(self, player: str) -> None:
        """A player is gone for good: their connections end, to whichever node they are."""
        self._end(player)
        await self.hall.bus.publish(_PEOPLE, {"what": "gone", "player": player, "node": self.hall.node})

    async def act_for(self, actor: Actor) -> None:
        """Let a player's connections act for these people from now on, to whichever node they are."""
        await self._act_for(actor)
        told = {"what": "acts-for", "player": actor.player, "players": sorted(actor.players), "node": self.hall.node}
        await self.hall.bus.publish(_PEOPLE, told)

    async def learn_locals(self, actor: Actor) -> Actor:
        """The same player with everybody who is on the device by now; the bus may have lost word of somebody."""
        owned = await self.hall.store.owned_by(actor.player)
        actor = replace(actor, players=frozenset({actor.player, *(one.id for one in owned if one.kind == "local")}))
        await self._act_for(actor)
        return actor

    async def check_players(self, sessions: Collection[Session]) -> None:
        """End the connections of players who are deleted; the others act no more for people who are."""
        players = {player for session in sessions if session.actor for player in session.actor.players}
        found = await self.hall.store.players(players)
        gone = players - {player.id for player in found.values() if not player.deleted}
        for session in sessions:
            actor = session.actor
            if actor is None or gone.isdisjoint(actor.players):
                continue
            if actor.player in gone:
                session.end("forgotten")
            else:
                await self._act_for(replace(actor, players=actor.players - gone))

    async def _act_for(self, actor: Actor) -> None:
        for live in list(self.hall.live.values()):
            mine = [one for one in live.sessions if one.actor is not None and one.actor.player == actor.player]
            before = frozenset(live.here)
            for session in mine:
                assert session.actor is not None
                live.here.update(actor.players - session.actor.players)
                live.here.subtract(session.actor.players - actor.players)
                session.actor = actor
            live.here = +live.here  # only those who are here
            if live.here.keys() - before:
                await self.presence.changed(live, frozenset(live.here.keys() - before), here=True)

    def _end(self, player: str) -> None:
        for live in self.hall.live.values():
            for session in list(live.sessions):
                if session.actor is not None and session.actor.player == player:
                    session.end("forgotten")

    async def _names(self, live: Live) -> None:
        await self.hall.learn_names(live)
        live.tell_all(self.hall.now())

    # Other nodes

    def _heard(self, room_id: str, payload: dict[str, Any]) -> None:
        live = self.hall.live.get(room_id)
        if live is None or payload.get("node") == self.hall.node:
            return
        match payload:
            case {"what": "version", "version": int(version)} if version > live.room.version:
                self.tasks.start(self._catch_up(live))
            case {"what": "draft", "seen": dict(seen)}:
                if self.drafts.heard(live, seen):
                    self.tasks.start(self.drafts.show_own(live))
            case {"what": "phrase", "said": dict(said)}:
                _tell(live, said)
            case {"what": "presence", "players": list(players), "here": bool(here)}:
                self.presence.heard(live, frozenset(players), here=here)
            case {"what": "names"}:
                self.tasks.start(self._names(live))

    def _heard_of(self, _: str, payload: dict[str, Any]) -> None:
        match payload:
            case {"what": "gone", "player": str(player)}:
                self._end(player)
            case {"what": "acts-for", "player": str(player), "players": list(players)}:
                self.tasks.start(self._act_for(Actor(player, frozenset(players))))

    async def _catch_up(self, live: Live) -> None:
        async with live.lock:
            await self.hall.catch_up(live)

    async def _sweep(self) -> None:
        """Forget, now and then, what is of no use any more: old answers, links, connections."""
        await asyncio.sleep(_FIRST_SWEEP)
        while True:
            with contextlib.suppress(Unavailable):
                await self.hall.store.sweep(self.hall.now())
            await asyncio.sleep(_SWEEP)

    async def _look(self) -> None:
        """What the bus has lost is found in the store."""
        while True:
            await asyncio.sleep(_LOOK)
            watched = [room_id for room_id, live in self.hall.live.items() if live.sessions]
            try:
                versions = await self.hall.store.versions(watched)
            except Unavailable:
                continue
            for room_id, version in versions.items():
                live = self.hall.live.get(room_id)
                if live is not None and version > live.room.version:
                    self.tasks.start(self._catch_up(live))

    async def _look_at_players(self) -> None:
        """Whoever was deleted is found in the store, too."""
        while True:
            await asyncio.sleep(_LOOK_AT_PLAYERS)
            with contextlib.suppress(Unavailable):
                await self.check_players([one for live in self.hall.live.values() for one in live.sessions])


def _tell(live: Live, message: Json) -> None:
    text = encode(message)
    for session in live.sessions:
        session.send(text)
