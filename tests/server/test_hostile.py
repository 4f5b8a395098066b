"""Hostile input, at the doors of a real server: it has an answer to everything, and others play on."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.kit.crowd import Seating, crowd
from tests.kit.fuzz import Attack, attack, bugs_in, memory_of, socket_of
from tests.kit.ledger import assert_nothing_lost
from tests.kit.rude import PATIENCE, asked, closed_with, frame, guest, head, new_room, opened, pour, raw, told
from tests.kit.schema_fuzz import fuzz_api
from tests.kit.servers import ServerProcess
from tilerummy.server.doors import MAX_HEAD
from tilerummy.server.guard import MAX_BODY

pytestmark = pytest.mark.anyio

SEED = 20_260_113
MESSAGES = 5_000
WARM = 2_000
LEAK = 10.0  # MB; while the caches of melds are being filled


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that several of these assail; none of them leaves a trace in its log."""
    with ServerProcess(tmp_path_factory.mktemp("server")) as running:
        yield running
        assert bugs_in(running) == []


# Fuzzing


async def test_schemathesis(server: ServerProcess, tmp_path: Path) -> None:
    """Every operation with data that fits the schema and data that does not; every check that schemathesis has."""
    async with guest(server) as host:
        room = await new_room(host, public=True)
    print(await fuzz_api(server, tmp_path, room, seed=SEED, examples=3))


async def test_fuzzed_sockets(tmp_path: Path) -> None:
    """Live games go on unharmed beside 5,000 hostile messages, some of them sent to their own rooms."""
    luck, sent = Random(SEED), Attack()
    with ServerProcess(tmp_path) as server:
        # A bot's seat is anybody's before the start, so that a clock is there for an attacker who takes it and goes.
        tables = (Seating(("greedy", "novice")), Seating(("novice",), ("greedy",), clock=1))
        async with crowd(server.url, luck=luck, tables=tables) as players:
            rooms = [table.room for table in players.tables]
            async with players.playing():
                await attack(server.url, luck, WARM, rooms, sent=sent)
                before = memory_of(server)
                await attack(server.url, luck, MESSAGES - WARM, rooms, sent=sent)
                after = memory_of(server)
                await players.everybody_moves()
            await assert_nothing_lost(players, f"sqlite:///{tmp_path}/games.db")
        print(f"{sent}\nmemory: {before:.0f} MB, then {after:.0f} MB")
        assert sent.messages == MESSAGES
        assert after - before < LEAK
        assert server.process is not None
        assert server.process.poll() is None
        assert bugs_in(server) == []


# Sizes


async def test_frames_that_are_too_large(server: ServerProcess) -> None:
    async with guest(server) as host:
        room = await new_room(host)
        async with socket_of(server.url, room, host) as line:
            await line.send(" " * MAX_BODY)
            assert (await told(line, "error"))["code"] == "bad-message"
            await line.send(" " * (MAX_BODY + 1))
            assert await closed_with(line) == 1009
        async with socket_of(server.url, room, host) as line:
            await line.send([" " * 40_000] * 2)
            assert await closed_with(line) == 1009


async def test_a_message_in_too_many_pieces(server: ServerProcess) -> None:
    """Empty pieces have no size, but there is an end to them."""
    async with guest(server) as host:
        room = await new_room(host)
    empty = struct.pack("!BBI", 0x00, 0x80, 0)
    with closing(opened(server, room)) as line:
        line.sendall(struct.pack("!BBI", 0x01, 0x80, 0) + empty * 2_000)
        got = b""
        while part := line.recv(65536):
            got += part
    assert struct.pack("!H", 1009) + b"too many" in got


async def test_bodies_that_are_too_large(server: ServerProcess) -> None:
    async def pieces(number: int) -> AsyncIterator[bytes]:
        for _ in range(number):
            yield b" " * 1024

    async with guest(server) as somebody:
        for content in (b" " * (MAX_BODY + 1), pieces(MAX_BODY // 1024 + 1)):
            answer = await somebody.post("/api/rooms", content=content)
            assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too-large")
        assert (await somebody.post("/api/rooms", content=pieces(MAX_BODY // 1024))).status_code == 415


async def test_heads_that_are_too_large(server: ServerProcess) -> None:
    before = memory_of(server)
    for endless in (b"GET /", b"GET / HTTP/1.1\r\nHost: x\r\nX: ", b"GET / HTTP/1.1\r\nHost: x\r\n"):
        piece = b"X-Y: z\r\n" * 8192 if endless.endswith(b"\r\n") else b"x" * 65536
        with closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) as line:
            line.sendall(endless)
            pour(line, piece)
    assert head(raw(server, asked("/", f"X: {'x' * (MAX_HEAD + 1000)}")))[0] in (200, 431)
    assert memory_of(server) - before < LEAK


async def test_handshakes_that_are_none(server: ServerProcess) -> None:
    """They are refused, and not waited for."""
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    begun = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", key)
    for more, status in (
        (["Content-Length: 3"], 400),
        (["Transfer-Encoding: chunked"], 400),
        ([f"Cookie: {'x' * 10_000}"], 431),
        (["X: y"] * 200, 431),
    ):
        assert head(raw(server, asked("/ws/rooms/nowhere", *begun, *more)))[0] == status, more[0][:30]


# Slow clients


async def test_slow_clients_are_cut_off(tmp_path: Path) -> None:
    """Whoever does not finish what they began, or reads nothing, is sent away; nobody else waits for them."""
    with ServerProcess(tmp_path, body_seconds=1.5) as server:
        async with guest(server) as host, AsyncExitStack() as stack:
            room = await new_room(host)
            other = await stack.enter_async_context(socket_of(server.url, room, host))
            work = [
                asyncio.to_thread(_never_finishes, server, b"", b""),
                asyncio.to_thread(_never_finishes, server, b"GET /api/me HTTP/1.1\r\nHost: x\r\nX: ", b""),
                asyncio.to_thread(_never_finishes, server, asked("/ws/rooms/x", "Upgrade: websocket")[:-4], b""),
                asyncio.to_thread(
                    _never_finishes, server, asked("/api/rooms", "Content-Length: 5000", method="POST"), b" 408 "
                ),
                asyncio.to_thread(_never_reads, opened(server, room), b'{"type":"resume","version":0}', 1),
                asyncio.to_thread(_never_reads, opened(server, room), b"x" * 120, 9),  # pings
            ]
            drip = asyncio.create_task(_byte_by_byte(opened(server, room), b'{"type":"ping"}'))
            waiting = asyncio.gather(*work)
            answered = 0
            while not waiting.done():
                await other.send('{"type":"ping"}')
                await told(other, "heartbeat")
                answered += 1
                await asyncio.sleep(0.05)
            await waiting
            assert answered > 20
            await drip
            # What they held is given back: one connection is left.
            for _ in range(600):
                if "tilerummy_connections 1.0" in (await host.get("/metrics")).text:
                    break
                await asyncio.sleep(0.1)
            assert "tilerummy_connections 1.0" in (await host.get("/metrics")).text
        assert bugs_in(server) == []


def _never_finishes(server: ServerProcess, begun: bytes, expected: bytes) -> None:
    """Send the beginning, and then a byte at a time, until the server has enough."""
    with closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) as line:
        line.sendall(begun)
        got = b""
        line.settimeout(0.1)
        while True:
            try:
                part = line.recv(65536)
                if not part:
                    break
                got += part
            except TimeoutError:
                if begun:
                    line.sendall(b"x")
            except OSError:
                break
        assert expected in got


def _never_reads(line: socket.socket, message: bytes, opcode: int) -> None:
    """Send for ever and read nothing, until the server has enough."""
    with closing(line):
        pour(line, frame(message, opcode) * 100)


async def _byte_by_byte(line: socket.socket, message: bytes) -> None:
    """A message that comes slowly is a message all the same."""
    with closing(line):
        line.setblocking(False)
        loop = asyncio.get_running_loop()
        for byte in frame(message):
            await loop.sock_sendall(line, bytes([byte]))
            await asyncio.sleep(0.02)
        async with asyncio.timeout(PATIENCE):
            got = b""
            while b'"heartbeat"' not in got:
                got += await loop.sock_recv(line, 65536)


# Pages of others


async def test_foreign_pages(server: ServerProcess) -> None:
    async with guest(server) as host:
        room = await new_room(host)
        for origin in (
            "https://evil.example",
            "null",
            f"http://127.0.0.1:{server.port}.evil.example",
            "http://localhost",
        ):
            with pytest.raises(InvalidStatus) as refused:
                async with socket_of(server.url, room, host, origin=origin):
                    pass
            assert refused.value.response.status_code == 403
            for method, path in (("POST", "/api/rooms"), ("PATCH", "/api/me"), ("DELETE", "/api/me")):
                answer = await host.request(method, path, json={}, headers={"Origin": origin})
                assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign-origin")
        async with socket_of(server.url, room, host, origin=server.url) as line:
            await told(line, "snapshot")
        assert (await host.get("/api/me")).status_code == 200


# Rates


async def test_rates(tmp_path: Path) -> None:
    limits: dict[str, Any] = {
        "requests_burst": 30,
        "requests_per_second": 20,
        "messages_burst": 4,
        "messages_per_second": 40,
    }
    more: dict[str, Any] = {
        "commands_burst": 3,
        "commands_per_second": 40,
        "guesses_burst": 3,
        "guesses_per_hour": 1,
        "rooms_burst": 2,
    }
    with ServerProcess(tmp_path, rate_limits="true", rooms_per_hour=1, **limits, **more) as server:
        async with guest(server) as host:
            room = await new_room(host)
            view = (await host.get(f"/api/rooms/{room}")).json()
            async with socket_of(server.url, room, host) as line, socket_of(server.url, room, host) as same:
                for number in range(15):  # whoever hurries waits, on both connections, and is answered all the same
                    await line.send(json.dumps({"type": "resume", "version": number}))
                    await same.send('{"type": "ping"}')
                    await line.send(_ready(number))
                for number in range(15):
                    assert (await told(line, "ack", "refused", id=f"r{number}"))["type"] == "ack"
                    await told(same, "heartbeat")
            assert 'tilerummy_slowed_total{what="messages"}' in (await host.get("/metrics")).text

            assert (await host.post("/api/rooms", json={})).status_code == 201
            assert (await host.post("/api/rooms", json={})).status_code == 429

            answers = [await host.get("/api/bots")]
            while answers[-1].status_code == 200 and len(answers) < 1000:  # a slow machine asks slowly
                answers.append(await host.get("/api/bots"))
            slow = answers[-1]
            assert (answers[0].status_code, slow.status_code) == (200, 429)
            assert slow.json()["error"]["code"] == "slow-down"
            assert int(slow.headers["retry-after"]) >= 1
            assert (await host.get("/healthz")).status_code == 200
            await asyncio.sleep(int(slow.headers["retry-after"]))
            assert (await host.get("/api/bots")).status_code == 200

        async with guest(server) as stranger:  # guesses: even the right code has to wait, but an id does not
            wrong = [f"/api/rooms/{code}" for code in ("AAAAA", "bbbbb", "CCCCC", "DDDDD")]
            assert [(await stranger.get(path)).status_code for path in wrong] == [404, 404, 404, 429]
            assert (await stranger.get(f"/api/rooms/{view['code']}")).status_code == 429
            with pytest.raises(InvalidStatus) as refused:
                async with socket_of(server.url, view["code"], stranger):
                    pass
            assert refused.value.response.status_code == 429
            assert (await stranger.get(f"/api/rooms/{room}")).status_code == 200
            # Hundreds of mistakes in one request take long to find; whoever sent them has to wait.
            assert (await stranger.post("/api/rooms", json=dict.fromkeys(map(str, range(300))))).status_code == 422
            assert (await stranger.get("/api/bots")).status_code == 429
        assert bugs_in(server) == []


def _ready(number: int) -> str:
    command = {"kind": "ready", "seat": 0, "ready": number % 2 == 0}
    return json.dumps({"type": "command", "id": f"r{number}", "on": 0, "command": command})
