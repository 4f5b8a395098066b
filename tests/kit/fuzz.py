"""The fuzzer: hostile clients at tables of their own and of others, who hold every answer against the protocol.

Each of them sends one message after another, and waits for what the protocol promises: an answer to every message that
can be read, an error that names the field for every other, and the right code where a connection is closed.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.kit.junk import Junk, Sent
from tests.kit.servers import ServerProcess
from tilerummy.protocol import ErrorMessage, RoomView, SendCommand, parse

__all__ = ["Attack", "attack", "bugs_in", "memory_of", "socket_of"]

Json = dict[str, Any]

PATIENCE: Final = 60.0
BAD: Final = 3
_CLOSING: Final = object()  # no answer is expected any more
SETUPS: Final[Sequence[dict[str, Any]]] = (
    {"players": 2, "bots": [None, "novice"]},
    {"players": 3, "bots": [None, "greedy"], "rounds": 2, "sit_in": "novice"},
    {"players": 2, "ruleset": "junior", "game": "race", "bots": [None, "novice"]},
    {"players": 4, "ruleset": "classic", "clock": {"seconds": 2}, "bots": [None, None, "random", "novice"]},
    {"players": 2, "ruleset": "rummy", "public": True, "hints": False},
)
ANSWERS: Final = {
    "command": {"ack", "refused"},
    "hint": {"ack", "refused"},
    "draft": {"advice"},
    "phrase": {"phrase"},
    "show": {"snapshot"},
    "resume": {"snapshot"},
    "ping": {"heartbeat"},
}


def memory_of(server: ServerProcess) -> float:
    """How much memory the server's process holds, in MB; its workers are not counted."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def bugs_in(server: ServerProcess) -> list[str]:
    """What the server's log tells about bugs of ours: traces, errors, answers with a status of 5xx."""
    lines = server.log.read_text(errors="replace").splitlines()
    return [line for line in lines if "Traceback" in line or " error   " in line or "status=5" in line]


def socket_of(url: str, room: str, who: httpx.AsyncClient | None = None, **more: Any) -> connect:
    """A WebSocket to a room, as anybody opens it."""
    cookies = {} if who is None else {"Cookie": "; ".join(f"{name}={value}" for name, value in who.cookies.items())}
    headers = {**cookies, **more.pop("headers", {})}
    settings = {"max_size": None, "compression": None, "proxy": None, "open_timeout": PATIENCE, **more}
    return connect(f"ws{url.removeprefix('http')}/ws/rooms/{room}", additional_headers=headers, **settings)


@dataclass
class Attack:
    """What was sent, and what came back."""

    sent: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    closed: Counter[int] = field(default_factory=Counter)

    @property
    def messages(self) -> int:
        """How many messages were sent."""
        return self.sent.total()

    def __str__(self) -> str:
        """Return the figures on three lines."""
        told = (("sent", self.sent), ("answers", self.answers), ("closed", self.closed))
        return "\n".join(f"{name}: {dict(counts.most_common())}" for name, counts in told)


class _Attacker:
    """A hostile client: a guest with an account of what it was promised."""

    def __init__(self, url: str, http: httpx.AsyncClient, luck: Random, attack: Attack, rooms: Sequence[str]) -> None:
        self._url = url
        self._http = http
        self._luck = luck
        self._junk = Junk(luck)
        self._attack = attack
        self._rooms = rooms  # of others
        self._bad = 0

    async def run(self, messages: int) -> None:
        """Send so many messages, to one room after another."""
        left = messages
        while left > 0:
            room = await self._room()
            try:
                async with socket_of(self._url, room, self._http) as socket:
                    left -= await self._assail(socket, min(left, self._luck.randrange(20, 120)))
            except InvalidStatus as refused:
                if refused.response.status_code != 403:  # from a table that lets nobody watch, or has sent one away
                    raise

    async def _room(self) -> str:
        if self._rooms and self._luck.random() < 0.25:
            return self._luck.choice(self._rooms)
        if self._luck.random() < 0.5:
            answer = await self._http.get("/api/me/rooms?limit=5")
            open_ = [room["room"] for room in answer.json()["rooms"] if room["stage"] != "closed"]
            if open_:
                return str(self._luck.choice(open_))
        answer = await self._http.post("/api/rooms", json=self._luck.choice(SETUPS))
        assert answer.status_code == 201, answer.text
        return str(answer.json()["room"])

    async def _assail(self, socket: ClientConnection, messages: int) -> int:
        first = json.loads(await socket.recv())
        assert first["type"] == "snapshot"
        view = first["view"]
        self._bad = 0
        for sent in range(messages):
            kind, message = self._junk(RoomView.model_validate(view))
            self._attack.sent[kind] += 1
            await _send(socket, message)
            try:
                async with asyncio.timeout(PATIENCE):
                    view = await self._answered(socket, message, view)
            except ConnectionClosed as closed:
                self._note_end(message, closed)
                return sent + 1
            except TimeoutError:
                raise AssertionError(f"no answer to {message!r:.500}") from None
        return messages

    async def _answered(self, socket: ClientConnection, message: Sent, view: Json) -> Json:
        """Read until the answer is there; the newest view of the room is returned."""
        read: Any = parse(message) if isinstance(message, str) else None
        good = read is not None and not isinstance(read, ErrorMessage)
        self._bad = 0 if good else self._bad + 1
        while True:
            reply = json.loads(await socket.recv())
            if reply["type"] in ("snapshot", "update"):
                view = reply["view"]
            if read is _CLOSING or not _answers(read, reply):
                continue
            self._attack.answers[f"error {reply['code']}" if reply["type"] == "error" else reply["type"]] += 1
            if isinstance(read, ErrorMessage):
                assert (reply["code"], reply["field"], reply["id"]) == (read.code, read.field, read.id), (
                    message,
                    reply,
                )
            elif reply["type"] == "error":
                assert reply["message"], reply
                assert reply["field"] or read is None or reply["code"] == "not-seated", (message, reply)
            if self._bad < BAD:
                return view
            read = _CLOSING

    def _note_end(self, message: Sent, closed: ConnectionClosed) -> None:
        assert closed.rcvd is not None, f"cut off without a word after {message!r:.300}"
        code, reason = closed.rcvd.code, closed.rcvd.reason
        self._attack.closed[code] += 1
        if isinstance(message, tuple):
            assert code == 1007, (code, reason)
        elif self._bad >= BAD:
            assert (code, reason) == (1008, "bad-messages")
        else:  # the host, who may be oneself, has sent one away, or lets nobody watch
            assert (code, reason) in ((1000, "was-removed"), (1000, "no-spectators")), (message, code, reason)


async def _send(socket: ClientConnection, message: Sent) -> None:
    if isinstance(message, tuple):
        await socket.send(message[1], text=True)
    else:
        await socket.send(message)


def _answers(read: Any, reply: dict[str, Any]) -> bool:
    """Whether this is the answer to a message."""
    if read is None or isinstance(read, ErrorMessage):
        return bool(reply["type"] == "error")
    mine = reply.get("id") == getattr(read, "id", None)
    if reply["type"] == "error":
        return mine
    return reply["type"] in ANSWERS[read.type] and (mine or not isinstance(read, SendCommand))


@asynccontextmanager
async def _guests(url: str, count: int) -> AsyncIterator[list[httpx.AsyncClient]]:
    guests = [httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False, verify=False) for _ in range(count)]
    try:
        for guest in guests:
            assert (await guest.get("/api/me")).status_code == 200
        yield guests
    finally:
        for guest in guests:
            await guest.aclose()


async def attack(
    url: str, luck: Random, messages: int, rooms: Sequence[str] = (), attackers: int = 8, sent: Attack | None = None
) -> Attack:
    """Send so many hostile messages, also to these rooms of others, and hold every answer against the protocol."""
    sent = sent or Attack()
    async with _guests(url, attackers) as guests, asyncio.TaskGroup() as group:
        for guest in guests:
            assailant = _Attacker(url, guest, Random(luck.random()), sent, rooms)
            group.create_task(assailant.run(messages // attackers))
    return sent
