"""Drafts: judged at once for their player, shown to the others, and kept so that the buzzer and a restart find them."""

import asyncio
from typing import Final

from tilerummy.game import advise, is_proper
from tilerummy.protocol import BadField, SendDraft, read_table
from tilerummy.server.hall import Hall
from tilerummy.server.identity import Actor
from tilerummy.server.live import Arranging, Live, Session
from tilerummy.server.room import actor_seats
from tilerummy.server.store import Draft, Unavailable
from tilerummy.server.wire import Json, advice, encode, error
from tilerummy.state import Phase, State

__all__ = ["Drafts"]

_EVERY: Final = 0.1  # seconds between two writes of all that changed


class Drafts:
    """The drafts of all running turns of this node."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._changed: dict[str, Draft] = {}
        self._writing: dict[str, Draft] = {}
        self._lock = asyncio.Lock()

    async def receive(self, live: Live, actor: Actor | None, sent: SendDraft, sender: Session) -> Json:
        """Take a draft of the player to move, show it to the others and say what would become of it."""
        hall, match = self._hall, live.room.match
        hall.metrics.drafts.inc()
        if actor is None or sent.seat not in actor_seats(live.room, actor.players):
            return error("not-a-seat-of-yours", "that is not a seat of yours", "seat")
        if not isinstance(match, State) or not live.fits(sent.seat, sent.on):
            return error("not-your-turn", "a draft belongs to a turn that is running, and to its player", "on")
        table = () if sent.table is None else read_table(sent.table)
        if isinstance(table, BadField):
            return error("bad-table", table.message, table.field)
        if not is_proper(table, match.rules):
            reason = "table: each tile of the ruleset at most once; the second of a kind has a '"
            return error("bad-table", reason, "table")
        live.arranging = None if sent.table is None else Arranging(sent.seat, live.room.version, table)
        live.used = hall.now()
        self._changed[live.id] = Draft(live.id, live.room.version, sent.seat, sent.table, hall.now())
        live.tell_draft(hall.now(), sender)
        await self._publish(live)
        verdict = advise(match, tuple(meld.pieces for meld in match.table) if sent.table is None else table)
        return advice(sent.on, verdict)

    async def _publish(self, live: Live) -> None:
        """Only what everybody may see leaves this process."""
        if self._hall.bus.shared:
            seen = live.scene(self._hall.now()).draft_seen(live.room.version, None)
            if seen is not None:
                payload = {"what": "draft", "seen": seen, "node": self._hall.node}
                await self._hall.bus.publish(live.id, payload)

    def heard(self, live: Live, seen: Json) -> bool:
        """Another node shows a draft; return whether a device of its player here is to see it whole."""
        text, own = encode(seen), False
        for session in live.sessions:
            if live.shown(session) != seen["seat"]:
                session.send(text)
            else:
                own = True
        first, live.unread = live.unread is None, self._hall.now()
        return own and first

    async def show_own(self, live: Live) -> None:
        """Show the player's devices here the draft that another node has."""
        await self.find(live)
        live.tell_draft(self._hall.now(), None, only_own=True)

    async def last(self, live: Live) -> Arranging | None:
        """The newest draft of the running turn, here or in the store."""
        newer = self._is_newer(live)
        kept = await self._hall.store.draft(live.id)
        newer, known = newer or self._is_newer(live), live.arranging
        if kept is not None and live.fits(kept.seat, kept.version) and not newer:
            table = None if kept.data is None else read_table(kept.data)
            if table is not None and not isinstance(table, BadField):
                return Arranging(kept.seat, kept.version, table)
            return None
        return known if known and live.fits(known.seat, known.version) else None

    async def find(self, live: Live) -> None:
        """Take up the draft of the running turn again, where another node had it, or this one before a restart.

        Another node writes it a moment after it has told of it.
        """
        if live.unread is not None:
            await asyncio.sleep(live.unread + 2 * _EVERY - self._hall.now())
        known, live.unread = live.arranging, None
        if isinstance(live.room.match, State) and live.room.match.phase is Phase.PLAYING:
            found = await self.last(live)
            if live.arranging is known:
                live.arranging = found

    def _is_newer(self, live: Live) -> bool:
        """Whether the store does not have the draft yet."""
        return live.id in self._changed or live.id in self._writing

    async def keep(self) -> None:
        """Write, again and again, whatever has changed since the last time."""
        while True:
            await asyncio.sleep(_EVERY)
            await self.write()

    async def write(self) -> None:
        """Write what has changed, in one transaction; what cannot be written now is written later."""
        async with self._lock:
            self._writing, self._changed = self._changed, {}
            try:
                if self._writing:
                    await self._hall.store.save_drafts(self._writing.values())
            except Unavailable:
                self._changed = self._writing | self._changed
            finally:
                self._writing = {}
