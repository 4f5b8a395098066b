"""A server to talk to: the real application with its lifespan, spoken to in process; guests keep their cookies."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from uvicorn.server import ServerState

from tilerummy.server.app import create_app
from tilerummy.server.doors import doors
from tilerummy.server.parts import Parts
from tilerummy.server.settings import Settings

__all__ = ["Guest", "Served", "at_a_port", "served"]


class Guest:
    """Somebody with a browser, or a bot with a token."""

    def __init__(self, app: FastAPI, headers: dict[str, str] | None = None) -> None:
        transport = httpx.ASGITransport(app, client=("192.0.2.7", 1234))
        self.http = httpx.AsyncClient(transport=transport, base_url="http://table.example", headers=headers)
        self._ids = count(1)

    async def ask(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        """Ask, expect this status, and return what was answered."""
        response = await self.http.request(method, path, json=body)
        assert response.status_code == status, (response.status_code, response.text)
        if response.headers.get("content-type") == "application/json":
            found = response.json()
            if status >= 400:
                assert found.keys() == {"error"}
                assert found["error"].keys() == {"code", "field", "message"}
                return found["error"]
            return found
        return response.text

    async def get(self, path: str, status: int = 200) -> Any:
        """GET."""
        return await self.ask("GET", path, None, status)

    async def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        """POST."""
        return await self.ask("POST", path, body, status)

    async def new_room(self, **setup: Any) -> Any:
        """Make a room."""
        return await self.post("/api/rooms", setup, 201)

    async def do(self, room: str, kind: str, on: int = 2**31 - 1, **what: Any) -> Any:
        """Send a command; `on` says that everything was seen."""
        body = {"id": f"c{next(self._ids)}", "on": on, "command": {"kind": kind, **what}}
        return await self.post(f"/api/rooms/{room}/commands", body)


class Served:
    """The application and its parts."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    @property
    def parts(self) -> Parts:
        """What it is made of."""
        found = self.app.state.parts
        assert isinstance(found, Parts)
        return found

    def guest(self, token: str | None = None) -> Guest:
        """Somebody new, or a bot."""
        return Guest(self.app, {"Authorization": f"Bearer {token}"} if token else None)


@asynccontextmanager
async def served(folder: Path, **chosen: Any) -> AsyncIterator[Served]:
    """A server on SQLite in this folder; bots do not wait."""
    chosen = {"db": f"sqlite:///{folder}/games.db", "workers": 1, "bot_pace": 0, **chosen}
    app = create_app(Settings(**chosen))
    async with app.router.lifespan_context(app):
        yield Served(app)


@asynccontextmanager
async def at_a_port(here: Served) -> AsyncIterator[str]:
    """The address of an application behind its doors."""
    http, ws = doors(10.0)
    config = uvicorn.Config(here.app, http=http, ws=ws, lifespan="off", log_config=None)
    config.load()
    door = partial(http, config=config, server_state=ServerState(), app_state={})
    server = await asyncio.get_running_loop().create_server(door, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
