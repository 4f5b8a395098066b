"""The doors: uvicorn's connections, but with patience and memory that end.

As they come, they wait for ever for whoever does not finish a request's head, reads heads of any length, and keep what
is to be sent to somebody who does not read. Here whoever is late, or says too much, is cut off.
"""

import asyncio
import logging
from asyncio import TimerHandle
from functools import lru_cache
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

__all__ = ["MAX_HEAD", "PUSH", "HttpDoor", "SocketDoor", "doors"]

MAX_HEAD: Final = 32 * 1024
"""The most bytes of a request's first line and headers."""

PUSH: Final = "tilerummy.push"
"""The extension of a connection's scope that sends a text at once, or says that it has to wait."""

_UNREAD: Final = 10.0  # seconds in which somebody reads something of what they are sent
_LINGER: Final = 5.0  # seconds that a connection which is over has for its last bytes
_FRAGMENTS: Final = 1024  # of one message
_log = logging.getLogger(__name__)
_log.setLevel(logging.WARNING)  # below that are paths, which may hold a room's code


def doors(patience: float) -> tuple[type["HttpDoor"], type["SocketDoor"]]:
    """The doors for uvicorn, which wait so many seconds for a request's head."""
    http = type("HttpDoor", (HttpDoor,), {"patience": patience})
    return http, SocketDoor


class HttpDoor(HttpToolsProtocol):
    """A connection that speaks HTTP."""

    patience: float = 10.0
    """Seconds that the head of a request may take to arrive."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head: TimerHandle | None = None
        self._unread: TimerHandle | None = None
        self._size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect a head."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing any more."""
        self._forget()
        super().connection_lost(exc)
        self.cycle = None  # type: ignore[assignment]  # it holds this door in turn

    def data_received(self, data: bytes) -> None:
        """Read on, unless the head is too long."""
        if self._head is None and getattr(self.cycle, "response_complete", True):
            self._expect_head()
        super().data_received(data)
        if self._head is not None:
            self._size += len(data)
            if self._size > MAX_HEAD:
                self._refuse(431)

    def on_headers_complete(self) -> None:
        """The head is whole."""
        if self._head is not None:
            self._head.cancel()
            self._head = None
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on another door has the connection."""
        self._forget()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it holds this door in turn

    def pause_writing(self) -> None:
        """Wait for the other side to read."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(_UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """It does."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _expect_head(self) -> None:
        self._size = 0
        self._head = self.loop.call_later(self.patience, self._refuse, 408)

    def _forget(self) -> None:
        for timer in (self._head, self._unread):
            if timer is not None:
                timer.cancel()
        self._head = self._unread = None

    def _refuse(self, status: int) -> None:
        self._forget()
        if not self.transport.is_closing():
            if self._size:
                self.transport.write(_refusal(status))
            self.transport.close()
            self.loop.call_later(_LINGER, self.transport.abort)


class SocketDoor(WebSocketsSansIOProtocol):
    """A connection that speaks WebSocket."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = _log
        self._failed = False
        self._unread: TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._read()
        super().connection_lost(exc)
        self.conn.parser.close()  # a generator, which holds its own protocol

    def data_received(self, data: bytes) -> None:
        """Read on; what is no handshake is refused, for which uvicorn would wait for ever."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():  # a head arrives here whole
            self.transport.write(b"".join(self.conn.data_to_send()) or _refusal(400))
            self.transport.close()
            self.loop.call_later(_LINGER, self.transport.abort)

    def pause_writing(self) -> None:
        """Take no more pings, whose answers would pile up, and wait for the other side to read."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(_UNREAD, self.transport.abort)
        if not self.read_paused and not self.transport.is_closing():
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        """It does."""
        super().resume_writing()
        self._read()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    async def receive(self) -> Any:
        """Hand on what came; that there is room for more does not mean that there is room for more pings."""
        message = await super().receive()
        if not self.writable.is_set() and not self.read_paused and not self.transport.is_closing():
            self.transport.pause_reading()
        return message

    def handle_cont(self, event: Frame) -> None:
        """A message comes in pieces, but not in any number of them: empty ones have no size that would end it."""
        if len(self.frames) >= _FRAGMENTS:
            self.conn.fail(1009, "too many fragments")
            self.handle_parser_exception()
            return
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Hand a message on; text that is none is the sender's mistake, and needs no trace in the log."""
        if self.curr_msg_data_type == "text" and not _is_text(self.frames):
            self.frames = []
            self.conn.fail(1007, "no UTF-8")
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        """Close, and let go of whoever does not take notice."""
        self._failed = True
        if not self.close_sent:
            super().handle_parser_exception()
        self.loop.call_later(_LINGER, self.transport.abort)

    def keepalive_timeout(self) -> None:
        """Nobody is there: nothing is gained by waiting until they have read everything."""
        self._failed = True
        super().keepalive_timeout()
        self.loop.call_later(_LINGER, self.transport.abort)

    async def send(self, message: Any) -> None:
        """Send something; a refusal that has been sent whole completes the handshake, which uvicorn forgets."""
        try:
            await super().send(message)
        except RuntimeError:
            if self._failed:  # closed here while the application was about to say something
                raise ClientDisconnected from None
            raise
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def push(self, text: str) -> bool:
        """Send a text at once, and say whether it was: not to somebody who has not read what came before.

        uvicorn's way, through a task and a dozen calls, costs more than all else that is done for a message.
        """
        if self.close_sent or not (self.handshake_complete and self.writable.is_set()) or self.transport.is_closing():
            return False
        self.transport.write(_framed(text))
        return True

    async def run_asgi(self) -> None:
        """Serve the connection; when it is over, it does not stay."""
        self.scope["extensions"][PUSH] = {"push": self.push}
        await super().run_asgi()
        del self.scope["extensions"][PUSH]  # it holds this door in turn
        self.loop.call_later(self.close_timeout + _LINGER, self.transport.abort)

    def _read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def _refusal(status: int) -> bytes:
    return STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n"


@lru_cache(maxsize=8)
def _framed(text: str) -> bytes:
    """What travels; everybody at a table may get the same."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def _is_text(frames: list[bytes]) -> bool:
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True
