"""Lines to a real server: people with cookies and bots with tokens, whose every answer and every frame is kept.

Unlike `tilerummy.client` a line comes back only when it is told to, and shows what was said to it as it was said.
"""

import asyncio
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tilerummy.protocol import MatchView, match_view
from tilerummy.view import View

__all__ = ["LATEST", "Guest", "Json", "Line", "Said"]

Json = dict[str, Any]
_T = TypeVar("_T")

LATEST = 2**31 - 1
"""The version of a sender who says that everything was seen."""

# How long anything may take before a test is given up, in seconds.
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to a request."""

    what: str
    status: int
    text: str
    kind: str

    @property
    def json(self) -> Any:
        """What was answered, read; None where it is no JSON."""
        return json.loads(self.text) if self.kind == "application/json" else None

    @property
    def code(self) -> str | None:
        """The code of the error, or of the refusal, that this is; None for what was done or given."""
        match self.json:
            case {"error": {"code": str(code)}} | {"type": "refused", "code": str(code)}:
                return code
        return None


class Guest:
    """Somebody who asks: a stranger until the first request that makes a guest, or a bot with its token."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url
        self._token = token
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.http = httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE, verify=False)
        self.heard: list[Said] = []
        self.lines: list[Line] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up and go."""
        for line in self.lines:
            await line.close()
        await self.http.aclose()

    async def request(self, method: str, path: str, body: Any = None) -> Said:
        """Ask, and keep the answer."""
        response = await self.http.request(method, path, json=body)
        said = Said(f"{method} {path}", response.status_code, response.text, response.headers.get("content-type", ""))
        self.heard.append(said)
        return said

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask for something that is given."""
        said = await self.request(method, path, body)
        assert said.status < 300, said
        return said.text if said.json is None else said.json

    async def get(self, path: str) -> Any:
        """Ask for something that is given, by GET."""
        return await self.ask("GET", path)

    async def me(self) -> str:
        """Be somebody, and say who."""
        found: str = (await self.get("/api/me"))["id"]
        return found

    async def new_room(self, **setup: Any) -> str:
        """Make a room and return its id."""
        found: str = (await self.ask("POST", "/api/rooms", setup))["room"]
        return found

    async def post(self, room: str, kind: str, *, on: int = LATEST, id: str | None = None, **what: Any) -> Said:
        """Send a command by REST."""
        body = {"id": id or secrets.token_hex(8), "on": on, "command": {"kind": kind, **what}}
        return await self.request("POST", f"/api/rooms/{room}/commands", body)

    async def do(self, room: str, kind: str, *, on: int = LATEST, **what: Any) -> Json:
        """Send a command by REST that is done."""
        answer: Json = (await self.post(room, kind, on=on, **what)).json
        assert answer.get("type") == "ack", (kind, what, answer)
        return answer

    async def line(self, room: str, version: int | None = None, *, greeted: bool = True) -> "Line":
        """Open a WebSocket to a room, and wait for its snapshot."""
        line = Line(self, room)
        await line.open(version, greeted=greeted)
        self.lines.append(line)
        return line

    @property
    def headers(self) -> dict[str, str]:
        """What says who this is."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        token = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        return token | ({"Cookie": cookies} if cookies else {})


@dataclass(eq=False)
class Line:
    """One WebSocket; everything that came over it is in `frames`."""

    guest: Guest
    room: str
    frames: list[str] = field(default_factory=list)
    heard: list[Json] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    view: Json = field(default_factory=dict)
    you: Json = field(default_factory=dict)
    bye: str | None = None
    closed: int | None = None
    _socket: ClientConnection | None = None
    _reader: asyncio.Task[None] | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self, version: int | None = None, *, greeted: bool = True) -> None:
        """Connect; `version` is the last that is known."""
        query = "" if version is None else f"?version={version}"
        url = f"{self.guest.url.replace('http', 'ws', 1)}/ws/rooms/{self.room}{query}"
        self.closed, self.bye = None, None
        before = len(self.heard)
        settings: Json = {"compression": None, "max_size": 1 << 20, "open_timeout": PATIENCE}
        self._socket = await connect(url, additional_headers=self.guest.headers, **settings)
        self._reader = asyncio.create_task(self._read(self._socket))
        if greeted:
            await self.until(lambda: any(one["type"] == "snapshot" for one in self.heard[before:]))

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for frame in socket:
                assert isinstance(frame, str)
                self._take(frame)
        except ConnectionClosed:
            pass
        self.closed = socket.close_code
        self._news.set()

    def _take(self, frame: str) -> None:
        message = json.loads(frame)
        self.frames.append(frame)
        self.heard.append(message)
        match message["type"]:
            case "snapshot":
                self.view, self.you = message["view"], message["you"]
            case "update":
                self.view = message["view"]
            case "bye":
                self.bye = message["code"]
        self._news.set()

    async def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await self._reader

    async def cut(self) -> None:
        """Break the connection without a word."""
        assert self._socket is not None
        self._socket.transport.abort()
        await self.until(lambda: self.closed is not None)

    # What is known

    @property
    def version(self) -> int:
        """The version of the view."""
        version: int = self.view["version"]
        return version

    @property
    def match(self) -> Json:
        """The match as this line sees it."""
        match: Json = self.view["match"]
        return match

    def position(self) -> View:
        """The match as bots take it."""
        return match_view(MatchView.model_validate(self.match))

    def events(self, *kinds: str) -> list[Json]:
        """What happened, as far as it was told here: all of it, or only events of these kinds."""
        seen = {one["version"]: one["event"] for message in self.heard for one in message.get("events", ())}
        told = [event for _, event in sorted(seen.items()) if event is not None]
        return [event for event in told if not kinds or event["kind"] in kinds]

    def told(self, *kinds: str) -> list[Json]:
        """Every message of these types."""
        return [message for message in self.heard if message["type"] in kinds]

    async def until(self, what: Callable[[], _T | None]) -> _T:
        """Wait until something is so, and return it."""
        async with asyncio.timeout(PATIENCE):
            while not (found := what()):
                self._news.clear()
                await self._news.wait()
        return found

    async def happened(self, *kinds: str, count: int = 1) -> Json:
        """Wait until so many events of these kinds have happened, and return the last."""
        events = await self.until(lambda: found if len(found := self.events(*kinds)) >= count else None)
        return events[count - 1]

    async def reach(self, version: int) -> None:
        """Wait until the view has this version."""
        await self.until(lambda: self.view and self.version >= version)

    # What can be sent

    async def send(self, **message: Any) -> None:
        """Send a message."""
        assert self._socket is not None
        text = json.dumps(message)
        self.sent.append(text)
        await self._socket.send(text)

    async def answer(self, *types: str, **message: Any) -> Json:
        """Send a message, and return the first message of these types that comes afterwards."""
        place = len(self.heard)
        await self.send(**message)
        return await self.until(lambda: next((one for one in self.heard[place:] if one["type"] in types), None))

    async def post(self, kind: str, *, on: int | None = None, id: str | None = None, **what: Any) -> Json:
        """Send a command, and return its answer; after an ack the view has what it did."""
        id = id or secrets.token_hex(8)
        on = self.version if on is None else on
        place = len(self.heard)
        await self.send(type="command", id=id, on=on, command={"kind": kind, **what})
        found = await self.until(lambda: next((one for one in self.heard[place:] if one.get("id") == id), None))
        if found["type"] == "ack":
            await self.reach(found["version"])
        return found

    async def do(self, kind: str, **what: Any) -> Json:
        """Send a command that is done."""
        answer = await self.post(kind, **what)
        assert answer["type"] == "ack", (kind, what, answer)
        return answer

    async def hint(self, seat: int, level: str, *, id: str | None = None) -> Json:
        """Ask for a hint, and return the answer."""
        id = id or secrets.token_hex(8)
        await self.send(type="hint", id=id, on=self.version, seat=seat, level=level)
        return await self.until(lambda: next((one for one in self.heard if one.get("id") == id), None))

    async def draft(self, seat: int, table: list[str] | None, *, on: int | None = None) -> Json:
        """Show what is being arranged, and return the advice, or what is wrong."""
        on = self.version if on is None else on
        return await self.answer("advice", "error", type="draft", on=on, seat=seat, table=table)

    async def show(self, seat: int | None) -> Json:
        """Choose whose rack to see, and return what came of it."""
        return await self.answer("snapshot", "error", type="show", seat=seat)

    async def ping(self) -> Json:
        """Ask for a heartbeat; whatever was sent before it has been answered by then."""
        return await self.answer("heartbeat", type="ping")
