"""The hall: every room that somebody is in, one queue for each; people, bots and the clock come in by the same door.

A command is judged, stored in one transaction, and only then told to anybody.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final
from weakref import WeakValueDictionary

from tilerummy.protocol import BadField, SendCommand, SitInCommand
from tilerummy.race import RaceBegan
from tilerummy.server.bus import Bus
from tilerummy.server.codec import load_event
from tilerummy.server.errors import Problem
from tilerummy.server.events import (
    Changed,
    Happened,
    HostPassed,
    Move,
    Opened,
    PassHost,
    Removed,
    Room,
    RoomCommand,
    RoomEvent,
    Sat,
    Setup,
    Sit,
    SitIn,
    Stage,
    Stood,
)
from tilerummy.server.identity import Actor
from tilerummy.server.keeping import meta_of, stored_events
from tilerummy.server.live import QUIET, Live, Told
from tilerummy.server.metrics import Metrics
from tilerummy.server.room import actor_seats, apply, due, fold
from tilerummy.server.settings import Settings
from tilerummy.server.store import Answer, Answered, CodeTaken, Conflict, Store, Stored, Unavailable
from tilerummy.server.wire import Json, new_seed, refused, room_command
from tilerummy.state import NextRound, Refusal, Started

__all__ = ["CODE_LETTERS", "Hall", "no_spectators"]

CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""What room codes are made of: nothing that is misread or misheard for something else."""

_log = logging.getLogger(__name__)
_CODE_SIZE: Final = 5
_MANY: Final = 500  # events
_MOVES_SEATS: Final = (Sat, Stood, Removed, HostPassed, Changed)  # so that somebody is somebody else now
_BEGINS: Final = (Started, RaceBegan)


class Hall:
    """The rooms of this node."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        settings: Settings,
        metrics: Metrics,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.bus = bus
        self.settings = settings
        self.metrics = metrics
        self.now = now
        self.node = secrets.token_hex(6)
        self.shared = bus.shared or not store.embedded  # whether there may be other nodes; without a bus they only look
        self.live: dict[str, Live] = {}
        self._held: WeakValueDictionary[str, Live] = WeakValueDictionary()  # those let go, too, while anybody has them
        self.on_due: Callable[[float], None] = lambda at: None  # told when something will be due
        self.find_draft: Callable[[Live], Awaitable[None]]  # reads a draft that another node has
        self._opening: dict[str, asyncio.Task[Live]] = {}
        self._submitting: set[asyncio.Task[Json]] = set()

    # Rooms

    async def create(self, setup: Setup, actor: Actor) -> Live:
        """Make a room; whoever makes it is its host and sits on the first seat."""
        at, player = self.now(), actor.player
        room = fold([(Opened(setup, player, new_seed()), at)])
        events = (Opened(setup, player, room.seed), *_must(apply(room, Sit(0, player), actor.players)))
        room = fold((event, at) for event in events)
        stored = stored_events(events, 0, at, None, player)
        room_id = secrets.token_urlsafe(9)
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(_CODE_SIZE))
            try:
                await self.store.create_room(room_id, code, stored, meta_of(None, room, events, self.settings.bot_pace))
                break
            except CodeTaken:
                continue
        return await self.open(room_id)

    async def open(self, name: str) -> Live:
        """The room of this id or code; a Problem when there is none."""
        found = self.live.get(name)
        if found is None:
            row = await self.store.find_room(name)
            if row is None:
                raise Problem(404, "there is no such table", code="no-such-room", field="room")
            found = self.live.get(row.id) or await self._load(row.id, row.code)
        found.used = self.now()
        return found

    async def _load(self, room_id: str, code: str | None) -> Live:
        """Fold a room from its events, once however many want it."""
        task = self._opening.get(room_id)
        if task is None:
            task = self._opening[room_id] = asyncio.create_task(self._fold(room_id, code))
            task.add_done_callback(lambda _: self._opening.pop(room_id, None))
        return await asyncio.shield(task)

    async def _fold(self, room_id: str, code: str | None) -> Live:
        self.make_place()
        live = self._held.get(room_id)
        if live is None:
            stored = await self.store.events_since(room_id)
            # Of a long room nobody else shall wait for the end.
            room = await asyncio.to_thread(_folded, stored) if len(stored) > _MANY else _folded(stored)
            live = Live(room_id, code, room, {}, used=self.now(), since=self.now())
        else:
            live.stale = True  # there are never two of a room; but this one may have missed something
        await self.look_around([live])
        await self.learn_names(live)
        self.make_place()  # others may have come meanwhile
        self.keep(live)
        return live

    def keep(self, live: Live) -> None:
        """Hold a room in memory: one that was just opened, or to which somebody connects while it was being let go."""
        self.live[live.id] = self._held[live.id] = live
        self.metrics.rooms_live.set(len(self.live))

    def make_place(self) -> None:
        """Let the rooms go that were not used for longest, if there are as many as may be; a Problem if all are in use.

        Some at once, because looking for them takes a while.
        """
        most = self.settings.max_rooms
        if len(self.live) < most:
            return
        unused = sorted((live for live in self.live.values() if not live.is_used), key=lambda live: live.used_at)
        for live in unused[: 1 + most // 50]:
            del self.live[live.id]
        if len(self.live) >= most:
            raise Problem(503, "every table is taken; try again later", code="full", headers={"Retry-After": "60"})

    async def learn_names(self, live: Live, room: Room | None = None) -> None:
        """Look up who sits in the room, or will in a moment: their names, and which of them are bots."""
        room = room or live.room
        found = await self.store.players({seat.player for seat in room.seats if seat.player} | {room.host})
        live.names = {player.id: player.name for player in found.values() if not player.deleted}
        live.bots = frozenset(player.id for player in found.values() if player.kind == "bot")

    def tidy(self) -> None:
        """Let rooms go that nobody is connected to."""
        late = self.now() - QUIET
        for room_id, live in list(self.live.items()):
            if live.used_at < late and not live.is_used:
                del self.live[room_id]
        self.metrics.rooms_live.set(len(self.live))

    async def view(self, name: str, actor: Actor | None) -> Json:
        """A room as whoever asks may see it: with their rack where they have one seat, otherwise as a spectator."""
        live = await self.open(name)
        await self.refresh(live)
        self.check_watching(live, actor)
        if live.unread is not None:
            await self.find_draft(live)
        seats = actor_seats(live.room, actor.players if actor else None)
        return live.scene(self.now()).view(seats[0] if len(seats) == 1 else None)

    def check_watching(self, live: Live, actor: Actor | None) -> None:
        """Raise a Problem where somebody without a seat may not look: in mid-game, unless spectators are welcome."""
        room = live.room
        mine = actor_seats(room, actor.players if actor else None)
        hosting = actor is not None and room.host in actor.players
        if actor is not None and not mine and not room.removed.isdisjoint(actor.players):
            raise Problem(403, "the host has sent you away from this table", code="was-removed")
        if not mine and not hosting and not room.setup.spectators and room.stage is not Stage.LOBBY:
            raise no_spectators()

    async def look_around(self, some: Sequence[Live]) -> list[Live]:
        """Read who is connected to these rooms through other nodes; return those where that has changed."""
        if not self.shared:
            return []
        there = await self.store.present([live.id for live in some], self.now(), self.node)
        changed = [live for live in some if live.elsewhere != there[live.id]]
        for live in changed:
            gone = live.elsewhere - there[live.id] - live.here.keys()
            live.elsewhere = there[live.id]
            live.left |= dict.fromkeys(gone, self.now())
        return changed

    def is_gone(self, live: Live, seat: int) -> bool:
        """Whether the player of this seat has not been connected for some time."""
        return live.is_gone(seat, self.now(), self.settings.away_seconds)

    # Commands

    async def command(self, name: str, actor: Actor, sent: SendCommand) -> Json | BadField:
        """Do what a player asks for; the same id from the same player always gets the same answer."""
        live = await self.open(name)
        gone = False
        if isinstance(sent.command, SitInCommand):
            await self.refresh(live)
            await self.look_around([live])
            gone = self.is_gone(live, sent.command.seat)
        command = room_command(sent.command, actor.player, gone=gone)
        if isinstance(command, BadField):
            return command
        return await self.submit(live, actor, sent.id, sent.on, command)

    async def submit(
        self,
        live: Live,
        actor: Actor | None,
        command_id: str,
        on: int,
        command: RoomCommand,
        more: Mapping[str, Any] | None = None,
    ) -> Json:
        """Judge a command, store what it makes happen together with its answer, and tell everybody; None is the server.

        `more` goes into the acknowledgement, and the store remembers it too.
        """
        # Whoever asks may be gone before it is stored; then everybody else still has to be told.
        task = asyncio.create_task(self._queued(live, actor, command_id, on, command, more))
        self._submitting.add(task)
        task.add_done_callback(self._submitting.discard)
        try:
            result = await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_unheard)
            raise
        kind = type(command.command if isinstance(command, Move) else command).__name__
        self.metrics.commands.labels(kind, result["type"]).inc()
        if result["type"] == "refused":
            self.metrics.refusals.labels(result["code"]).inc()
        return result

    async def settle(self) -> None:
        """Wait for whatever is being stored."""
        if self._submitting:
            await asyncio.wait(self._submitting)

    async def _queued(
        self,
        live: Live,
        actor: Actor | None,
        command_id: str,
        on: int,
        command: RoomCommand,
        more: Mapping[str, Any] | None,
    ) -> Json:
        start = time.perf_counter()
        async with live.lock:
            try:
                return await self._submit(live, actor, command_id, on, command, more, start)
            except Unavailable:
                live.stale = True  # it may have been stored, or not
                raise

    async def _submit(
        self,
        live: Live,
        actor: Actor | None,
        command_id: str,
        on: int,
        command: RoomCommand,
        more: Mapping[str, Any] | None,
        start: float,
    ) -> Json:
        if live.stale:
            await self.catch_up(live)
        current = not self.shared
        # Whether it was answered before, the store says when the answer is to be kept: few commands come twice.
        player = actor.player if actor else None
        while True:
            judged = self._judge(live, actor, on, command)
            if isinstance(judged, Refusal) and not current:
                await self.catch_up(live)  # nobody is refused for what another node has changed a moment ago
                current = True
                continue
            if isinstance(judged, Refusal):
                reply = refused(command_id, judged, live.room.version)
                if player is None:
                    return reply
                kept = await self.store.save_answer(live.id, Answer(player, command_id, reply, self.now()))
                if kept.answer["version"] > live.room.version:
                    await self.catch_up(live)  # another node did it: whoever hears the answer sees what it did
                return _told(kept)
            at = max(self.now(), live.room.at)
            room = fold(((event, at) for event in judged), live.room)
            ack: Json = {"type": "ack", "id": command_id, "version": room.version, "hint": None, **(more or {})}
            stored = stored_events(judged, live.room.version, at, command, player)
            saved = Answer(player, command_id, ack, at) if player else None
            try:
                meta = meta_of(live.room, room, judged, self.settings.bot_pace)
                await self.store.append(live.id, live.room.version, stored, saved, meta)
                break
            except Answered as known_by_now:
                await self.catch_up(live)
                return _told(known_by_now.answer)
            except Conflict:
                await self.catch_up(live)
        self.metrics.commit_seconds.observe(time.perf_counter() - start)
        before = live.room.version
        await self._adopt(live, room, [(before + 1 + place, event, at) for place, event in enumerate(judged)])
        self.metrics.broadcast_seconds.observe(time.perf_counter() - start)
        await self.bus.publish(live.id, {"what": "version", "version": room.version, "node": self.node})
        return ack

    def _judge(self, live: Live, actor: Actor | None, on: int, command: RoomCommand) -> tuple[RoomEvent, ...] | Refusal:
        """A move that was meant for an earlier turn does nothing now, however well it fits.

        Nor does what the server does about somebody who is gone, once anything else has happened.
        """
        bots = live.bots | {actor.player} if actor and actor.bot else live.bots
        judged = apply(live.room, command, actor.players if actor else None, bots)
        if isinstance(command, Move):
            timely = isinstance(command.command, NextRound) or on >= live.room.turn_version
        else:
            timely = actor is not None or not isinstance(command, SitIn | PassHost) or on >= live.room.version
        otherwise = isinstance(judged, Refusal) and judged.code != "illegal"
        return judged if timely or otherwise else Refusal("stale")

    async def refresh(self, live: Live) -> None:
        """Let a room be as the store has it, before anything is told of it, or judged by it."""
        if live.stale or self.shared:
            async with live.lock:
                await self.catch_up(live)

    async def catch_up(self, live: Live) -> None:
        """Read what other nodes stored, and tell those who are connected here; the caller holds the room's lock."""
        stored = await self.store.events_since(live.id, live.room.version)
        if stored:
            told = [(one.version, load_event(one.schema, one.kind, one.data), one.at) for one in stored]
            await self._adopt(live, fold(((event, at) for _, event, at in told), live.room), told)
        live.stale = False

    async def _adopt(self, live: Live, room: Room, told: Sequence[Told]) -> None:
        """Let a room be that far, and tell it. What has to be looked up is looked up before: where the store is out of
        reach just then, the room stays behind, and is told of all this by whoever catches up.
        """
        moved = any(isinstance(event, _MOVES_SEATS) for _, event, _ in told)
        if moved:
            await self.learn_names(live, room)
        if room.turn_version > live.room.turn_version:
            live.unread = None
        elif live.unread is not None:
            await self.find_draft(live)
        live.room, live.used = room, self.now()
        if live.arranging and not live.fits(live.arranging.seat, live.arranging.version):
            live.arranging = None
        if moved or any(isinstance(event, Happened) and isinstance(event.event, _BEGINS) for _, event, _ in told):
            self._dismiss(live)
        live.tell(told, self.now())
        if moved:
            live.shown_present = ""  # the seats of who is connected are others now
            live.tell_all(self.now())
        following = due(room, self.settings.bot_pace)
        if following is not None:
            self.on_due(following.at)

    def _dismiss(self, live: Live) -> None:
        """End the connections of those who may not look any more."""
        for session in list(live.sessions):
            try:
                self.check_watching(live, session.actor)
            except Problem as problem:
                live.sessions.discard(session)
                session.end(problem.code)


def no_spectators() -> Problem:
    """The Problem of somebody who wants to look at what only players may see."""
    return Problem(403, "this table has no spectators", code="no-spectators")


def _unheard(task: asyncio.Task[Json]) -> None:
    """Whoever asked is gone: that the store was out of reach is told elsewhere; any other error is a bug of ours."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Unavailable):
        _log.error("a command ended by a bug", exc_info=error)


def _folded(stored: Iterable[Stored]) -> Room:
    return fold((load_event(one.schema, one.kind, one.data), one.at) for one in stored)


def _must(events: tuple[RoomEvent, ...] | Refusal) -> tuple[RoomEvent, ...]:
    if isinstance(events, Refusal):
        raise AssertionError(events.code)
    return events


def _told(kept: Answer) -> Json:
    told: Json = kept.answer
    return told
