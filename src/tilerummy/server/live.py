"""A room in memory: the room itself, who is connected to it, and what the player to move is arranging."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from tilerummy.melds import Draft
from tilerummy.server.events import Room, RoomEvent, Stage
from tilerummy.server.identity import Actor
from tilerummy.server.room import actor_seats
from tilerummy.server.seen import Scene, you
from tilerummy.server.wire import encode
from tilerummy.state import Phase, State

__all__ = ["QUIET", "Arranging", "Live", "Session", "Told"]

QUIET: Final = 300.0
"""Seconds that a room stays in memory once nobody is connected, and before which it is never closed for that."""

Told = tuple[int, RoomEvent, float]
"""An event with its version and its time."""


class Session(Protocol):
    """A connection, as a room sees it."""

    actor: Actor | None
    chosen: int | None  # the seat whose rack it wants to see, where it has several

    def send(self, text: str) -> None:
        """Send soon; never waits."""

    def end(self, code: str) -> None:
        """Say good-bye and close."""


@dataclass(frozen=True, slots=True)
class Arranging:
    """The draft of a turn: whose, begun with which version, and how it lies."""

    seat: int
    version: int
    table: Draft


@dataclass(slots=True, eq=False, weakref_slot=True)
class Live:
    """A room that this node holds in memory; only the hall changes it, one command at a time."""

    id: str
    code: str | None
    room: Room
    names: dict[str, str]
    bots: frozenset[str] = frozenset()  # those who sit here, and the host, as far as they are programs
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    sessions: set[Session] = field(default_factory=set)
    here: Counter[str] = field(default_factory=Counter)  # connections of this node by player
    elsewhere: frozenset[str] = frozenset()  # who is connected through another node
    shown_present: str = ""  # the last message that told who is connected
    arranging: Arranging | None = None
    unread: float | None = None  # when another node told of a draft that this one has not read
    left: dict[str, float] = field(default_factory=dict)  # when the last connection of a player here ended
    stale: bool = False  # whether the store may know more
    used: float = 0.0
    since: float = 0.0  # when this node took the room into memory

    @property
    def is_used(self) -> bool:
        """Whether somebody is connected, or something is being done; otherwise the room may leave the memory."""
        return bool(self.sessions) or self.lock.locked()

    @property
    def present(self) -> frozenset[str]:
        """The players who are connected, here or elsewhere."""
        return self.elsewhere.union(self.here)

    @property
    def left_at(self) -> float:
        """When the last connection of anybody ended, as far as this node knows."""
        return max(self.left.values(), default=0.0)

    @property
    def used_at(self) -> float:
        """When something was done here, or somebody was connected, for the last time."""
        return max(self.used, self.left_at)

    def is_gone(self, seat: int, now: float, away: float) -> bool:
        """Whether the player of this seat has not been connected for so many seconds, as far as this node knows.

        While turns are slow nobody has to be.
        """
        if self.room.stage is Stage.PLAYING and self.room.setup.is_slow:
            return False
        player = self.room.seats[seat].player if seat < len(self.room.seats) else None
        return player is not None and player not in self.present and now - self.left.get(player, self.since) >= away

    @property
    def draft(self) -> Draft | None:
        """What the player to move is arranging; drafts of turns that are over count no more."""
        now = self.arranging
        return now.table if now and self.fits(now.seat, now.version) else None

    def fits(self, seat: int, version: int) -> bool:
        """Whether a draft of this seat, made at this version, belongs to the running turn."""
        match = self.room.match
        playing = isinstance(match, State) and match.phase is Phase.PLAYING and match.turn == seat
        return playing and version >= self.room.turn_version

    def shown(self, session: Session) -> int | None:
        """The seat whose rack a connection sees: its only one, or the one it chose."""
        seats = actor_seats(self.room, session.actor.players if session.actor else frozenset())
        if len(seats) == 1:
            return seats[0]
        return session.chosen if session.chosen in seats else None

    def scene(self, now: float) -> Scene:
        """The room at this moment, for whoever may see it."""
        return Scene(self.id, self.code, self.room, self.names, self.present, self.draft, now)

    def snapshot(self, session: Session, now: float) -> str:
        """The whole room for one connection."""
        return self._snapshot(self.scene(now), self.shown(session), session.actor)

    def _snapshot(self, scene: Scene, seat: int | None, actor: Actor | None) -> str:
        player, players = (actor.player, actor.players) if actor else (None, frozenset[str]())
        return encode(scene.snapshot(seat, you(self.room, player, players, seat)))

    def tell_all(self, now: float) -> None:
        """Send every connection the whole room; it is written once for all those who only watch."""
        scene, written = self.scene(now), dict[tuple[int | None, Actor | None], str]()
        for session in self.sessions:
            to = self.shown(session), session.actor
            if to not in written:
                written[to] = self._snapshot(scene, *to)
            session.send(written[to])

    def tell(self, events: Sequence[Told], now: float) -> None:
        """Send every connection what it may see of these events, and of the room after them."""
        scene, written = self.scene(now), dict[int | None, str]()
        for session in self.sessions:
            seat = self.shown(session)
            if seat not in written:
                written[seat] = encode(scene.update(events, seat))
            session.send(written[seat])

    def tell_draft(self, now: float, sender: Session | None, *, only_own: bool = False) -> None:
        """Show the draft to everybody but the connection that it came from; or only to its player's devices."""
        scene, written = self.scene(now), dict[bool, str | None]()
        for session in self.sessions:
            if session is sender:
                continue
            seat = self.shown(session)
            own = isinstance(self.room.match, State) and seat == self.room.match.turn
            if only_own and not own:
                continue
            if own not in written:
                seen = scene.draft_seen(self.room.version, seat if own else None)
                written[own] = encode(seen) if seen else None
            text = written[own]
            if text:
                session.send(text)
