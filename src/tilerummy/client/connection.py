"""One room over one WebSocket: the newest view, commands and their answers, and a connection that comes back.

A message with the next version is taken, an older one passed over, and after a gap the missing ones are asked for. A
command that was sent and not answered when the connection was lost is sent again with the same id, and the server
answers the same id with the same answer, so that it is done once.
"""

import asyncio
import contextlib
import random
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Final, Self, assert_never

from pydantic import ValidationError
from pydantic_core import to_json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Origin

from tilerummy.client.errors import BadCommand, Lost
from tilerummy.client.following import Follower
from tilerummy.protocol import (
    Ack,
    Advice,
    AskHint,
    Bye,
    DraftSeen,
    ErrorMessage,
    Heartbeat,
    Level,
    Message,
    Phrase,
    PhraseSaid,
    Ping,
    Presence,
    Refused,
    Resume,
    RoomView,
    SayPhrase,
    SendCommand,
    SendDraft,
    ServerMessage,
    Show,
    SitCommand,
    Snapshot,
    Update,
    WireCommand,
    You,
    match_view,
    parse_server,
    wire_command,
)
from tilerummy.race import Call, Tap
from tilerummy.state import Draw, NextRound, Pass, Play
from tilerummy.view import View

__all__ = ["Answer", "Connection", "Move", "News"]

Answer = Ack | Refused
"""What becomes of a command."""

Move = Play | Draw | Pass | NextRound | Call | Tap
"""A command of the game, as bots make them."""

News = Snapshot | Update | Advice | DraftSeen | PhraseSaid | Presence | ErrorMessage
"""What a connection tells whoever listens."""

_FINAL: Final = (1000, 1008, 1009)  # closed on purpose: it would be closed again
_LATER: Final = (408, 425, 429)  # of a handshake that may go well another time
_UNAVAILABLE: Final = "unavailable"  # the server asks to send it again
_MOST_NEWS: Final = 64  # that wait for a listener; the view is the newest in any case
_FIRST_DELAY: Final = 0.1
_LAST_DELAY: Final = 10.0
_MAX_FRAME: Final = 1 << 20


class Connection:
    """A room, followed over a WebSocket that is opened again whenever it breaks.

    Use it with `async with`; inside, `view` is always there. `async for` gives what happens until the room or the
    server ends it.
    """

    def __init__(self, url: str, *, headers: Callable[[], Mapping[str, str]] = dict, origin: str | None = None) -> None:
        self._url = url
        self._headers = headers
        self._origin = None if origin is None else Origin(origin)
        self._room = Follower()
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, tuple[str, asyncio.Future[Answer]]] = {}
        self._shown: Show | None = None
        self._news: deque[News] = deque(maxlen=_MOST_NEWS)
        self._changed = asyncio.Event()
        self._reached: list[tuple[int, asyncio.Future[None]]] = []
        self._bye: str | None = None
        self._lost: Lost | None = None
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    # What is known

    @property
    def view(self) -> RoomView:
        """The room as it was last seen."""
        view = self._room.view
        if view is None:
            raise ValueError("not connected yet: use async with")
        return view

    @property
    def you(self) -> You | None:
        """Who this connection is, by the last snapshot."""
        return self._room.you

    @property
    def version(self) -> int:
        """The version of the view."""
        return self._room.version

    @property
    def connected(self) -> bool:
        """Whether there is a connection at this moment."""
        return self._socket is not None

    def match(self) -> View | None:
        """The match as bots take it; None while there is none."""
        return None if self.view.match is None else match_view(self.view.match)

    # What can be sent

    async def do(self, command: WireCommand | Move, *, on: int | None = None, id: str | None = None) -> Answer:
        """Send a command and return its answer; after an ack the view has what the command did."""
        wire = command if isinstance(command, Message) else wire_command(command)
        id = id or secrets.token_urlsafe(12)
        return await self._ask(id, SendCommand(id=id, on=self.version if on is None else on, command=wire))

    async def hint(self, seat: int, level: Level) -> Answer:
        """Ask for a hint; the ack has it."""
        id = secrets.token_urlsafe(12)
        return await self._ask(id, AskHint(id=id, on=self.version, seat=seat, level=level))

    async def sit(self, seat: int | None = None, player: str | None = None) -> int | Refused:
        """Take this seat, or the first that nobody sits on, and return its number."""
        free = [seat] if seat is not None else [one.seat for one in self.view.seats if one.kind != "person"]
        answer: Answer | None = None
        for place in free:
            answer = await self.do(SitCommand(seat=place, player=player))
            if isinstance(answer, Ack):
                return place
            if answer.code != "seat-taken":
                break
        if isinstance(answer, Refused):
            return answer
        return Refused(id="none", code="seat-taken", violations=[], version=self.version)

    async def draft(self, seat: int, table: Sequence[str] | None) -> None:
        """Show what is being arranged; advice follows. Without a connection it is not sent."""
        await self._send(SendDraft(on=self.version, seat=seat, table=None if table is None else list(table)))

    async def phrase(self, seat: int, phrase: Phrase) -> None:
        """Say a phrase; without a connection nobody hears it."""
        await self._send(SayPhrase(seat=seat, phrase=phrase))

    async def show(self, seat: int | None) -> None:
        """Choose whose rack to see, of several seats of one's own; also after a break."""
        self._shown = Show(seat=seat)
        await self._send(self._shown)

    async def ping(self) -> None:
        """Ask for a heartbeat."""
        await self._send(Ping())

    async def _ask(self, id: str, message: SendCommand | AskHint) -> Answer:
        text, delay = _encode(message), _FIRST_DELAY
        while True:
            try:
                answer = await self._answer(id, text)
            except BadCommand as error:
                if error.code != _UNAVAILABLE:
                    raise
            else:
                if isinstance(answer, Ack):
                    await self._reach(answer.version)
                return answer
            await asyncio.sleep(delay)
            delay = min(2 * delay, _LAST_DELAY)

    async def _answer(self, id: str, text: str) -> Answer:
        if self._lost is not None:
            raise self._lost
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[id] = (text, answer)
        try:
            await self._send_text(text)
            return await answer
        finally:
            self._waiting.pop(id, None)

    async def _reach(self, version: int) -> None:
        if version > self.version and self._lost is None:
            reached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._reached.append((version, reached))
            await reached

    async def _send(self, message: Message) -> None:
        await self._send_text(_encode(message))

    async def _send_text(self, text: str) -> None:
        """Send now, or not at all: what has to arrive is sent again by the next connection."""
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(text)

    # What comes

    def __aiter__(self) -> Self:
        """What happens, as long as the connection lasts."""
        return self

    async def __anext__(self) -> News:
        """The next thing that happens; one that listens too seldom misses the oldest."""
        while not self._news:
            if self._closing:
                raise StopAsyncIteration
            if self._lost is not None:
                raise self._lost
            self._changed.clear()
            await self._changed.wait()
        return self._news.popleft()

    async def __aenter__(self) -> Self:
        """Connect, and wait for the first snapshot."""
        self._task = asyncio.create_task(self._run())
        try:
            while self._room.view is None:
                if self._lost is not None:
                    raise self._lost
                self._changed.clear()
                await self._changed.wait()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        await self.close()

    async def close(self) -> None:
        """Close the connection; whoever waits for an answer gets Lost."""
        self._closing = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        self._end(Lost("closed"))

    async def _run(self) -> None:
        """Connect, listen, and connect again, until one side ends it for good."""
        delay = _FIRST_DELAY
        while self._lost is None:
            heard = False
            try:
                async with connect(
                    self._address(),
                    origin=self._origin,
                    additional_headers=self._headers(),
                    compression=None,
                    max_size=_MAX_FRAME,
                ) as socket:
                    heard = await self._listen(socket)
                    code = socket.close_code
                if code in _FINAL:
                    self._end(Lost(self._bye or str(code)))
            except InvalidStatus as error:
                status = error.response.status_code
                if 400 <= status < 500 and status not in _LATER:
                    self._end(Lost(f"http-{status}"))
            except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed):
                pass
            if self._lost is None:
                delay = _FIRST_DELAY if heard else min(2 * delay, _LAST_DELAY)
                await asyncio.sleep(delay * random.uniform(0.5, 1.0))

    def _address(self) -> str:
        return self._url if self._room.view is None else f"{self._url}?version={self._room.version}"

    async def _listen(self, socket: ClientConnection) -> bool:
        """Take messages until the connection breaks, and return whether there were any."""
        self._room.reconnected()
        self._bye, heard = None, False
        try:
            async for frame in socket:
                if not heard:
                    heard, self._socket = True, socket
                    await self._again(socket)
                message = parse_server(frame)
                if message is not None:
                    self._take(message)
                    if self._room.behind:
                        self._room.behind = False
                        await socket.send(_encode(Resume(version=self._room.version)))
        except ConnectionClosed:
            pass
        except ValidationError:
            self._end(Lost("bad-message"))  # not our server, or one that speaks another protocol
        finally:
            self._socket = None
        return heard

    async def _again(self, socket: ClientConnection) -> None:
        """Send what the last connection left without an answer."""
        if self._shown is not None:
            await socket.send(_encode(self._shown))
        for text, answer in list(self._waiting.values()):
            if not answer.done():
                await socket.send(text)

    def _take(self, message: ServerMessage) -> None:
        match message:
            case Snapshot() | Update() | Heartbeat():
                new = self._room.take(message)
                if new is not None:
                    self._tell(new)
                    self._arrive()
            case Ack() | Refused():
                _, answer = self._waiting.get(message.id, (None, None))
                if answer is not None and not answer.done():
                    answer.set_result(message)
            case ErrorMessage():
                _, answer = self._waiting.get(message.id or "", (None, None))
                if answer is None:
                    self._tell(message)
                elif not answer.done():
                    answer.set_exception(BadCommand(message.code, message.field, message.message))
            case Advice() | DraftSeen() | PhraseSaid() | Presence():
                self._tell(message)
            case Bye():
                self._bye = message.code
            case _:
                assert_never(message)

    def _tell(self, news: News) -> None:
        self._news.append(news)
        self._changed.set()

    def _arrive(self) -> None:
        if self._reached:
            for version, reached in self._reached:
                if version <= self.version and not reached.done():
                    reached.set_result(None)
            self._reached = [one for one in self._reached if not one[1].done()]

    def _end(self, lost: Lost) -> None:
        self._lost = self._lost or lost
        for _, answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(self._lost)
        for _, reached in self._reached:
            if not reached.done():
                reached.set_result(None)
        self._reached = []
        self._changed.set()


def _encode(message: Message) -> str:
    return to_json(message).decode()
