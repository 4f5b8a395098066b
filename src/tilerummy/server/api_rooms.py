"""Rooms by REST: make, list, look, command, and what is left of their matches."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tilerummy.protocol import (
    Ack,
    BadField,
    CommandBody,
    MatchResult,
    NewRoom,
    Refused,
    RoomList,
    RoomView,
    SendCommand,
)
from tilerummy.server.errors import BODY, Problem, declared
from tilerummy.server.hall import CODE_LETTERS
from tilerummy.server.history import Played, read_history, record_text, result_of, seat_names
from tilerummy.server.identity import Actor, Anyone, Somebody
from tilerummy.server.lists import Before, Limit, room_list
from tilerummy.server.live import Live
from tilerummy.server.parts import Here, Parts, base_url
from tilerummy.server.qr import qr_svg
from tilerummy.server.wire import read_setup

__all__ = [
    "RoomName",
    "do",
    "find_room",
    "list_rooms",
    "make_room",
    "read_matches",
    "read_qr",
    "read_record",
    "read_room",
    "router",
]

router = APIRouter(prefix="/api/rooms", tags=["rooms"], responses=declared(401, 422, 429, 503))

RoomName = Annotated[
    str,
    Path(
        pattern=r"^[A-Za-z0-9_-]{1,64}$",
        description="The id of a room, or its short code, in capital or small letters.",
        examples=["K7QF2"],
    ),
]
_LONGEST_CODE: Final = 8
_OPEN: Final = ("lobby", "playing")


def _code(name: str) -> str | None:
    """The code that this is, if it is one; ids are longer."""
    code = name.upper()
    return code if len(code) <= _LONGEST_CODE and set(code) <= set(CODE_LETTERS) else None


async def find_room(here: Parts, name: str, address: str) -> Live:
    """The room of this id or code, or a Problem; whoever tries many codes is asked to slow down."""
    code = _code(name)
    if code is not None and here.limits.is_guessing(address):
        raise here.limits.slow_down("guesses", address)
    try:
        return await here.hall.open(code or name)
    except Problem as problem:
        if code is not None and problem.status == 404:
            here.limits.wait("guesses", address)
        raise


@router.post("", summary="Make a room", status_code=201, response_model=RoomView, responses=declared(*BODY, 503))
async def make_room(here: Here, actor: Somebody, wish: NewRoom) -> JSONResponse:
    """Whoever makes it is its host and sits on its first seat; everything that is left out is as usual."""
    setup = read_setup(wish)
    if isinstance(setup, BadField):
        raise Problem(422, setup.message, code="bad-setup", field=setup.field)
    here.hall.make_place()
    here.limits.check("rooms", actor.player)
    live = await here.hall.create(setup, actor)
    return JSONResponse(await here.hall.view(live.id, actor), 201)


@router.get("", summary="Public rooms", response_model=RoomList)
async def list_rooms(
    here: Here,
    actor: Anyone,
    before: Before,
    limit: Limit = 20,
    stage: Annotated[
        list[str] | None,
        Query(description="Only rooms of these stages; otherwise those that wait for players, or play.", max_length=4),
    ] = None,
) -> JSONResponse:
    """The newest first."""
    rows = await here.store.public_rooms(limit + 1, before, _stages(stage))
    return JSONResponse(await room_list(here, rows, limit, actor))


def _stages(asked: list[str] | None) -> tuple[str, ...]:
    known = (*_OPEN, "over", "closed")
    for one in asked or ():
        if one not in known:
            raise Problem(422, f"one of {', '.join(known)} is expected", field="stage")
    return tuple(asked or _OPEN)


@router.get("/{id}", summary="A room as I may see it", response_model=RoomView, responses=declared(403, 404))
async def read_room(here: Here, actor: Anyone, request: Request, id: RoomName) -> JSONResponse:
    """With the rack of whoever asks, if they have one seat there; as a spectator otherwise."""
    live = await find_room(here, id, request.state.address)
    return JSONResponse(await here.hall.view(live.id, actor))


@router.post(
    "/{id}/commands",
    summary="Do something in a room",
    response_model=Ack | Refused,
    responses=declared(*BODY, 404),
)
async def do(here: Here, actor: Somebody, request: Request, id: RoomName, wish: CommandBody) -> JSONResponse:
    """The same door as the WebSocket's: an answer is `ack` or `refused`, and the same id gets the same answer."""
    here.limits.check("commands", actor.player)
    live = await find_room(here, id, request.state.address)
    answer = await here.hall.command(live.id, actor, SendCommand(id=wish.id, on=wish.on, command=wish.command))
    if isinstance(answer, BadField):
        raise Problem(422, answer.message, field=answer.field)
    return JSONResponse(answer)


@router.get("/{id}/matches", summary="What was played in a room", responses=declared(403, 404))
async def read_matches(here: Here, actor: Anyone, request: Request, id: RoomName) -> list[MatchResult]:
    """Every match and race that is over, the oldest first: when, who, and how it ended."""
    live = await _looked_at(here, actor, request, id)
    over = await _ended(here, live)
    players = await here.store.players({player for one in over for player in one.players if player})
    return [result_of(one, seat_names(one, players)) for one in over]


@router.get(
    "/{id}/record",
    summary="The record of a match",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **declared(403, 404)},
)
async def read_record(
    here: Here,
    actor: Anyone,
    request: Request,
    id: RoomName,
    match: Annotated[
        int | None, Query(ge=1, le=1_000_000, description="The number of the match; otherwise the last that is over.")
    ] = None,
) -> PlainTextResponse:
    """As text that `tilerummy replay` plays again, once the match is over: until then its seed is a secret."""
    live = await _looked_at(here, actor, request, id)
    over = [one for one in await _ended(here, live) if match in (None, one.number)]
    if not over:
        raise Problem(404, "no match of this number is over", code="no-record", field="match")
    names = seat_names(over[-1], await here.store.players([player for player in over[-1].players if player]))
    text = record_text(over[-1], names)
    if text is None:
        raise Problem(404, "a race has no record", code="race-has-no-record", field="match")
    return PlainTextResponse(
        text, headers={"Content-Disposition": f'inline; filename="{live.id}-{over[-1].number}.txt"'}
    )


@router.get(
    "/{id}/qr.svg",
    summary="The way to a room as a QR code",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}, **declared(403, 404)},
)
async def read_qr(here: Here, actor: Anyone, request: Request, id: RoomName) -> Response:
    """For the devices of others at the same table."""
    live = await _looked_at(here, actor, request, id)
    drawn = qr_svg(f"{base_url(here, request)}/join/{live.code or live.id}")
    return Response(drawn, media_type="image/svg+xml")


async def _ended(here: Parts, live: Live) -> list[Played]:
    history = await asyncio.to_thread(read_history, await here.store.events_since(live.id))
    return [one for one in history.played if one.over]


async def _looked_at(here: Parts, actor: Actor | None, request: Request, name: str) -> Live:
    live = await find_room(here, name, request.state.address)
    here.hall.check_watching(live, actor)
    return live
