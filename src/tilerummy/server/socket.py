"""The WebSocket: one connection of one player to one room, from its first snapshot to its good-bye."""

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from tilerummy.protocol import (
    BYES,
    AskHint,
    BadField,
    ErrorMessage,
    Ping,
    Resume,
    SayPhrase,
    SendCommand,
    SendDraft,
    Show,
    SitCommand,
    parse,
)
from tilerummy.server.codec import load_event
from tilerummy.server.doors import PUSH
from tilerummy.server.errors import Problem
from tilerummy.server.identity import Actor
from tilerummy.server.limits import Kind, Limits
from tilerummy.server.live import Live
from tilerummy.server.node import TOO_HARD, Node
from tilerummy.server.room import actor_seats
from tilerummy.server.store import Unavailable
from tilerummy.server.wire import Json, encode, error

__all__ = ["MAX_FRAME", "Connection"]

MAX_FRAME: Final = 65_536
"""The most bytes of a message."""

_HEARTBEAT: Final = 15.0
_WAITING: Final = 256  # messages that may wait for a slow client
_UNREAD: Final = 32  # messages that wait for a client whose own ones are not read meanwhile
_PATIENCE: Final = 10.0  # seconds that one message may take to be sent
_LOOK: Final = 2.5  # seconds between two looks at whether it is time for either
_GLANCE: Final = 0.05  # seconds
_BAD: Final = 3  # messages in a row that cannot be read
_CATCH_UP: Final = 200  # versions behind which a snapshot is shorter


class Connection:
    """A session of the protocol; reading and writing run side by side."""

    def __init__(self, node: Node, limits: Limits, socket: WebSocket, live: Live, actor: Actor | None) -> None:
        self.actor = actor
        self.chosen: int | None = None
        self._node = node
        self._socket = socket
        self._live = live
        self._waiting: deque[str] = deque()  # what is to be sent; the first while it is being sent
        self._more = asyncio.Event()
        self._push: Callable[[str], bool] | None = socket.scope.get("extensions", {}).get(PUSH, {}).get("push")
        self._began = monotonic()  # when the last message began to be sent
        self._ending: str | None = None
        self._entered = False
        self._over = asyncio.Event()
        self._looking: asyncio.TimerHandle
        self._bad = 0
        self._limits = limits
        self._address: str = socket.state.address
        self._player = actor.player if actor else f"@{self._address}"

    # What a room asks of it

    def send(self, text: str) -> None:
        """Send at once, or soon; a client that does not read is cut off."""
        if self._push is not None and not self._waiting and self._push(text):
            self._began = monotonic()
        elif len(self._waiting) < _WAITING:
            self._waiting.append(text)
            self._more.set()
        else:
            self.end("too-slow")

    def end(self, code: str) -> None:
        """Say good-bye and close."""
        if self._ending is None:
            self._ending = code
            self._over.set()

    # Its life

    async def run(self, version: int | None) -> None:
        """Serve the connection until it ends, whoever ends it."""
        node, live = self._node, self._live
        node.metrics.connections.inc()
        work = [asyncio.create_task(one) for one in (self._write(), self._over.wait())]
        self._attend()
        try:
            await self._greet(version)
            if self._ending is None:
                self._entered = True
                await node.presence.enter(live, self)
                await node.check_players([self])  # whoever was deleted since the door was not here to be told
            if self._ending is None:
                work.append(asyncio.create_task(self._read()))  # only now: a snapshot is the first message
                await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
                for task in work:
                    if task.done() and not task.cancelled():
                        task.result()
        except Unavailable:
            self.end("unavailable")
        finally:
            self._looking.cancel()
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            node.metrics.connections.dec()
            await asyncio.shield(self._leave())

    async def _leave(self) -> None:
        if self._entered:
            await self._node.presence.leave(self._live, self)
        self._live.sessions.discard(self)
        code = self._ending
        if code is None:
            return
        try:
            async with asyncio.timeout(_PATIENCE):
                if code != "too-slow":
                    await self._socket.send_text(encode({"type": "bye", "code": code}))
                await self._socket.close(BYES[code], code)
        except (TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
            return  # it is gone already

    async def _greet(self, version: int | None) -> None:
        """The whole room; or, for whoever was here before, what happened since; or good-bye, if they may not look."""
        live, hall = self._live, self._node.hall
        async with live.lock:
            if live.stale or hall.shared:
                await hall.catch_up(live)
            if live.draft is None or hall.shared:
                await self._node.drafts.find(live)
            try:
                hall.check_watching(live, self.actor)
            except Problem as problem:
                self.end(problem.code)
                return
            live.sessions.add(self)  # from here on nothing is missed
            hall.keep(live)
            if version is not None:
                await self._resume(version)
            self.send(live.snapshot(self, hall.now()))

    async def _resume(self, version: int) -> None:
        live, hall = self._live, self._node.hall
        if not 0 < version < live.room.version or live.room.version - version > _CATCH_UP:
            return
        stored = await hall.store.events_since(live.id, version)
        told = [(one.version, load_event(one.schema, one.kind, one.data), one.at) for one in stored]
        told = [one for one in told if one[0] <= live.room.version]
        self.send(encode(live.scene(hall.now()).update(told, live.shown(self))))

    async def _write(self) -> None:
        """Send whatever waits; a timer for each message would cost more than the message."""
        socket, waiting = self._socket, self._waiting
        while True:
            while waiting:
                self._began = monotonic()
                try:
                    await socket.send({"type": "websocket.send", "text": waiting[0]})
                except WebSocketDisconnect:
                    return
                waiting.popleft()
            self._more.clear()
            await self._more.wait()

    def _attend(self) -> None:
        """Say something when nobody else does, and cut off whoever does not read; look again a little later."""
        silent = monotonic() - self._began
        if self._waiting and silent >= _PATIENCE:
            self.end("too-slow")
        elif not self._waiting and silent >= _HEARTBEAT:
            self.send(encode(self._heartbeat()))
        self._looking = asyncio.get_running_loop().call_later(_LOOK, self._attend)

    def _heartbeat(self) -> Json:
        return {"type": "heartbeat", "version": self._live.room.version, "now": self._node.hall.now()}

    async def _read(self) -> None:
        while True:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            text = received.get("text")
            if text is None:
                self._complain(error("bad-message", "the message must be text, not bytes"))
                continue
            await self._in_turn("messages", self._player)
            await self._in_turn("traffic", self._address)
            answer = await self._answer(text)
            if answer is not None:
                self.send(encode(answer))
            while len(self._waiting) >= _UNREAD:
                await asyncio.sleep(_GLANCE)  # whoever does not read the answers asks nothing more

    async def _in_turn(self, kind: Kind, key: str) -> None:
        """Whoever hurries waits, on all connections together; the network holds the rest back."""
        while (wait := self._limits.wait(kind, key)) > 0:
            self._node.metrics.slowed.labels("messages").inc()
            await asyncio.sleep(min(wait, 1.0))

    def _complain(self, said: Json) -> None:
        self.send(encode(said))
        self._bad += 1
        if self._bad >= _BAD:
            self.end("bad-messages")

    async def _answer(self, text: str) -> Json | None:
        message = parse(text)
        if isinstance(message, ErrorMessage):
            self._complain(message.model_dump(mode="json"))
            return None
        self._bad = 0
        id = getattr(message, "id", None)
        try:
            return await self._do(message)
        except Unavailable:
            return error("unavailable", "the server cannot store anything now; send it again", id=id)
        except Problem as problem:
            return error(problem.code, problem.message, problem.field, id)

    async def _do(self, message: object) -> Json | None:
        node, live, actor = self._node, self._live, self.actor
        if isinstance(message, SendCommand | AskHint | SayPhrase):
            await self._in_turn("commands", self._player)
        match message:
            case SendDraft():
                return await node.drafts.receive(live, actor, message, self)
            case SendCommand() | AskHint() if actor is None:
                return error("not-seated", "nobody knows who you are: bring a cookie or a bot token", id=message.id)
            case SendCommand() if actor is not None:
                if isinstance(message.command, SitCommand) and message.command.player not in (None, actor.player):
                    actor = await node.learn_locals(actor)
                answer = await node.hall.command(live.id, actor, message)
                if isinstance(answer, BadField):
                    return error("bad-command", answer.message, answer.field, message.id)
                return answer
            case AskHint() if actor is not None:
                return await self._hint(actor, message)
            case SayPhrase():
                return await node.phrase(live, actor, message)
            case Show():
                if message.seat is not None and message.seat not in actor_seats(
                    live.room, actor.players if actor else None
                ):
                    return error("not-a-seat-of-yours", "that is not a seat of yours", "seat")
                self.chosen = message.seat
                self.send(live.snapshot(self, node.hall.now()))
            case Resume():
                await self._greet(message.version)
            case Ping():
                return self._heartbeat()
        return None

    async def _hint(self, actor: Actor, message: AskHint) -> Json:
        await self._in_turn("solves", self._address)
        answer = await self._node.hint(self._live, actor, message)
        if answer.get("code") == TOO_HARD:
            self._limits.drain("solves", self._address)
        return answer
