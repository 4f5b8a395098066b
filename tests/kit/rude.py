"""Clients without manners: bytes on a socket, half a request, a connection that does nothing by itself."""

import asyncio
import base64
import json
import os
import socket
import struct
from contextlib import closing
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.kit.servers import ServerProcess

__all__ = ["PATIENCE", "asked", "closed_with", "frame", "guest", "head", "new_room", "opened", "pour", "raw", "told"]

PATIENCE: Final = 60.0

Json = dict[str, Any]


def guest(server: ServerProcess, **more: Any) -> httpx.AsyncClient:
    """Somebody with a browser."""
    return httpx.AsyncClient(base_url=server.url, timeout=PATIENCE, trust_env=False, verify=False, **more)


async def new_room(http: httpx.AsyncClient, **setup: Any) -> str:
    """Make a room, and return its id."""
    answer = await http.post("/api/rooms", json={"players": 2, "bots": [None, "novice"], **setup})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["room"])


async def told(line: ClientConnection, *kinds: str, id: str | None = None) -> Json:
    """Read until a message of one of these kinds comes, with this id if there is one."""
    async with asyncio.timeout(PATIENCE):
        while True:
            message: Json = json.loads(await line.recv())
            if message["type"] in kinds and (id is None or message.get("id") == id):
                return message


async def closed_with(line: ClientConnection) -> int:
    """Read until the connection is closed, and return the code."""
    async with asyncio.timeout(PATIENCE):
        try:
            while True:
                await line.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006


def raw(server: ServerProcess, sent: bytes) -> bytes:
    """Send bytes, and read whatever comes until the server closes; it has to."""
    with closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) as line:
        line.sendall(sent)
        got = b""
        while part := line.recv(65536):
            got += part
    return got


def asked(path: str, *headers: str, method: str = "GET", host: str = "table.example") -> bytes:
    """A request in bytes, whatever is in it."""
    lines = (f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers)
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def head(answer: bytes) -> tuple[int, list[str]]:
    """The status of an answer, and the lines of its head."""
    first, *lines = answer.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    return int(first.split()[1]), [line.lower() for line in lines]


def opened(server: ServerProcess, room: str) -> socket.socket:
    """A WebSocket of our own, which does nothing by itself."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.settimeout(PATIENCE)
    line.connect(("127.0.0.1", server.port))
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        (
            f"GET /ws/rooms/{room} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += line.recv(1)
    assert b" 101 " in answer
    return line


def frame(data: bytes, opcode: int = 1) -> bytes:
    """A whole frame of a client, masked with nothing."""
    size = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0xFE, len(data))
    return bytes([0x80 | opcode]) + size + bytes(4) + data


def pour(line: socket.socket, data: bytes) -> None:
    """Send this for ever, until the other side has enough; whoever does not take it and does not go either fails."""
    while True:
        try:
            line.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return
