"""The door of the WebSocket: who may come in, and how many; what happens inside is the connection's."""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket
from pydantic import Field
from starlette.responses import JSONResponse

from tilerummy.protocol import said
from tilerummy.server.api_rooms import RoomName, find_room
from tilerummy.server.errors import Problem, body_of
from tilerummy.server.identity import Actor
from tilerummy.server.live import Live
from tilerummy.server.parts import Here, Parts
from tilerummy.server.socket import Connection

__all__ = ["deny", "play", "router"]

router = APIRouter()

_Version = Annotated[int, Field(ge=0, le=2**31 - 1), said("must be a whole number from 0 to 2147483647")]


@router.websocket("/ws/rooms/{id}")
async def play(
    socket: WebSocket,
    here: Here,
    id: RoomName,
    version: Annotated[_Version | None, Query()] = None,
) -> None:
    """One connection to one room; `version` is the last that the client knows."""
    address = socket.state.address
    try:
        _make_room(here, address)
        actor = await here.identity.known(socket)
        live = await find_room(here, id, address)
        await here.hall.refresh(live)
        here.hall.check_watching(live, actor)
    except Problem as problem:
        await deny(socket, problem)
        return
    await _serve(here, socket, live, actor, version)


async def _serve(here: Parts, socket: WebSocket, live: Live, actor: Actor | None, version: int | None) -> None:
    address = socket.state.address
    here.connected[address] += 1
    try:
        try:
            await socket.accept()
        except OSError:
            return  # whoever knocked did not wait
        await Connection(here.node, here.limits, socket, live, actor).run(version)
    finally:
        here.connected[address] -= 1
        if not here.connected[address]:
            del here.connected[address]


def _make_room(here: Parts, address: str) -> None:
    """Refuse one connection too many."""
    settings, connected = here.settings, here.connected
    if here.closing:
        raise Problem(503, "the server is going away", code="restart", headers={"Retry-After": "2"})
    if connected.total() >= settings.max_connections:
        raise Problem(503, "every place is taken; try again later", code="full", headers={"Retry-After": "30"})
    if settings.rate_limits and connected[address] >= settings.max_connections_per_address:
        raise Problem(429, "too many connections from one address", headers={"Retry-After": "30"})


async def deny(socket: WebSocket, problem: Problem) -> None:
    """Refuse a connection before it is one: with an HTTP answer where the server can, by closing it otherwise."""
    with suppress(OSError):  # whoever knocked did not wait
        if "websocket.http.response" in socket.scope.get("extensions", {}):
            await socket.send_denial_response(JSONResponse(body_of(problem), problem.status, problem.headers))
        else:
            await socket.close(1008, problem.code)
