"""The server by REST, typed, and the door to its rooms."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Final, Self, TypeVar
from urllib.parse import quote, urlsplit

import httpx
from pydantic import TypeAdapter, ValidationError

from tilerummy.client.connection import Answer, Connection
from tilerummy.client.errors import ApiError
from tilerummy.protocol import (
    Ack,
    BotInfo,
    CheckAnswer,
    CheckRequest,
    CommandBody,
    ErrorBody,
    Export,
    Link,
    Local,
    MatchResult,
    Me,
    Message,
    NewLocal,
    NewName,
    NewRoom,
    NewToken,
    Refused,
    RoomList,
    RoomView,
    RulesetInfo,
    SolveAnswer,
    SolveRequest,
    Token,
    UseLink,
)

__all__ = ["Client"]

_M = TypeVar("_M", bound=Message)
_ANSWER: Final[TypeAdapter[Answer]] = TypeAdapter(Ack | Refused)
_BOTS: Final[TypeAdapter[list[BotInfo]]] = TypeAdapter(list[BotInfo])
_RULESETS: Final[TypeAdapter[list[RulesetInfo]]] = TypeAdapter(list[RulesetInfo])
_TOKENS: Final[TypeAdapter[list[Token]]] = TypeAdapter(list[Token])
_MATCHES: Final[TypeAdapter[list[MatchResult]]] = TypeAdapter(list[MatchResult])
_ROOMS: Final = "/api/rooms"
_ME: Final = "/api/me"


class Client:
    """A player: a bot with its token, or a guest, who becomes somebody with the first request.

    Use it with `async with`. An answer that is an error is raised as ApiError.
    """

    def __init__(self, base_url: str, token: str | None = None, *, http: httpx.AsyncClient | None = None) -> None:
        self.base_url = base_url.rstrip("/")
        self._token = token
        parts = urlsplit(self.base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._http = http or httpx.AsyncClient(base_url=self.base_url, timeout=30)
        self._http.headers["Origin"] = self._origin
        if token is not None:
            self._http.headers["Authorization"] = f"Bearer {token}"

    async def __aenter__(self) -> Self:
        """Be ready to ask."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections for requests; rooms are closed by themselves."""
        await self.close()

    async def close(self) -> None:
        """Close the connections for requests."""
        await self._http.aclose()

    # Rooms

    def connect(self, room: str) -> Connection:
        """The room of this id, over a WebSocket; use it with `async with`."""
        scheme, rest = self.base_url.split("://", 1)
        secure = "wss" if scheme == "https" else "ws"
        url = f"{secure}://{rest}/ws/rooms/{quote(room, safe='')}"
        return Connection(url, headers=self._socket_headers, origin=self._origin)

    @asynccontextmanager
    async def join(self, room: str) -> AsyncIterator[Connection]:
        """The room of this id or code, over a WebSocket, as somebody."""
        if self._token is None and not self._http.cookies:
            await self.me()
        found = await self.room(room)
        async with self.connect(found.room) as connection:
            yield connection

    async def new_room(self, setup: NewRoom | None = None) -> RoomView:
        """Make a room; whoever makes it is its host and sits on its first seat."""
        return await self._post(_ROOMS, setup or NewRoom(), RoomView)

    async def room(self, room: str) -> RoomView:
        """The room of this id or code."""
        return await self._get(f"{_ROOMS}/{quote(room, safe='')}", RoomView)

    async def rooms(self, **filters: str | int) -> RoomList:
        """The public rooms."""
        return await self._get(_ROOMS, RoomList, filters)

    async def my_rooms(self, **filters: str | int) -> RoomList:
        """The rooms in which one sits, or sat."""
        return await self._get(f"{_ME}/rooms", RoomList, filters)

    async def command(self, room: str, body: CommandBody) -> Answer:
        """Send a command without a WebSocket; the same id gets the same answer there and here."""
        response = await self._ask("POST", f"{_ROOMS}/{quote(room, safe='')}/commands", body)
        return _ANSWER.validate_json(response.content, extra="ignore")

    async def matches(self, room: str) -> list[MatchResult]:
        """The matches and races of a room that are over, the oldest first."""
        return _MATCHES.validate_json(
            (await self._ask("GET", f"{_ROOMS}/{quote(room, safe='')}/matches")).content, extra="ignore"
        )

    async def record(self, room: str, match: int | None = None) -> str:
        """A match that is over, the last one or this, as text."""
        params = {} if match is None else {"match": match}
        return (await self._ask("GET", f"{_ROOMS}/{quote(room, safe='')}/record", params=params)).text

    # Oneself

    async def me(self) -> Me:
        """Who one is."""
        return await self._get(_ME, Me)

    async def rename(self, name: str) -> Me:
        """Take another name."""
        return Me.model_validate_json((await self._ask("PATCH", _ME, NewName(name=name))).content, extra="ignore")

    async def forget_me(self) -> None:
        """Delete one's data."""
        await self._ask("DELETE", _ME)

    async def export(self) -> Export:
        """Everything that the server keeps about one."""
        return await self._get(f"{_ME}/export", Export)

    async def link(self) -> Link:
        """A link with which to continue on another device."""
        return await self._post(f"{_ME}/link", None, Link)

    async def use_link(self, token: str) -> Me:
        """Continue here as the player who made this link."""
        return await self._post("/api/link", UseLink(token=token), Me)

    async def new_token(self, label: str) -> Token:
        """A token for a bot."""
        return await self._post(f"{_ME}/tokens", NewToken(label=label), Token)

    async def tokens(self) -> list[Token]:
        """The tokens of one's bots, without the tokens themselves."""
        return _TOKENS.validate_json((await self._ask("GET", f"{_ME}/tokens")).content, extra="ignore")

    async def drop_token(self, id: str) -> None:
        """Make a token worthless."""
        await self._ask("DELETE", f"{_ME}/tokens/{quote(id, safe='')}")

    async def add_local(self, name: str) -> Local:
        """Somebody else who plays on this device."""
        return await self._post(f"{_ME}/locals", NewLocal(name=name), Local)

    async def drop_local(self, id: str) -> None:
        """Forget somebody who played on this device."""
        await self._ask("DELETE", f"{_ME}/locals/{quote(id, safe='')}")

    # What there is, and questions about positions

    async def bots(self) -> list[BotInfo]:
        """The bots that can be seated."""
        return _BOTS.validate_json((await self._ask("GET", "/api/bots")).content, extra="ignore")

    async def rulesets(self) -> list[RulesetInfo]:
        """The rulesets."""
        return _RULESETS.validate_json((await self._ask("GET", "/api/rulesets")).content, extra="ignore")

    async def check(self, case: CheckRequest) -> CheckAnswer:
        """Judge a play."""
        return await self._post("/api/check", case, CheckAnswer)

    async def solve(self, position: SolveRequest) -> SolveAnswer:
        """Find the best play of a position."""
        return await self._post("/api/solve", position, SolveAnswer)

    # Requests

    def _socket_headers(self) -> dict[str, str]:
        headers = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        cookies = "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())
        return headers | ({"Cookie": cookies} if cookies else {})

    async def _get(self, path: str, answer: type[_M], params: Mapping[str, str | int] | None = None) -> _M:
        response = await self._ask("GET", path, params=params)
        return answer.model_validate_json(response.content, extra="ignore")

    async def _post(self, path: str, body: Message | None, answer: type[_M]) -> _M:
        return answer.model_validate_json((await self._ask("POST", path, body)).content, extra="ignore")

    async def _ask(
        self, method: str, path: str, body: Message | None = None, *, params: Mapping[str, str | int] | None = None
    ) -> httpx.Response:
        content = None if body is None else body.model_dump_json()
        headers = {} if content is None else {"Content-Type": "application/json"}
        response = await self._http.request(method, path, content=content, headers=headers, params=params)
        if response.is_error:
            raise _error(response)
        return response


def _error(response: httpx.Response) -> ApiError:
    try:
        told = ErrorBody.model_validate_json(response.content, extra="ignore").error
    except ValidationError:
        return ApiError(response.status_code, "unknown", None, response.reason_phrase)
    return ApiError(response.status_code, told.code, told.field, told.message)
