"""Rooms by REST: make, list, look, command, and what is left of their matches."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tilerummy.protocol import (
    ID,
    Ack,
    BadField,
    CommandBody,
    MatchResult,
    NewRoom,
    ProblemCode,
    Refused,
    RoomList,
    RoomView,
    SendCommand,
    Stage,
    said,
)
from tilerummy.server.errors import BODY, Problem, declared
from tilerummy.server.hall import CODE_LETTERS, no_spectators
from tilerummy.server.history import Played, result_of, seat_names
from tilerummy.server.identity import WHO, Actor, Anyone, Somebody
from tilerummy.server.lists import Before, Limit, room_list
from tilerummy.server.live import Live
from tilerummy.server.parts import Here, Parts, base_url
from tilerummy.server.qr import qr_svg
from tilerummy.server.wire import read_setup
from tilerummy.tiles import shorten

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

router = APIRouter(prefix="/api/rooms", tags=["rooms"], dependencies=WHO)

RoomName = Annotated[
    str,
    Path(
        pattern=ID,
        description="The id of a room, or its short code, in capital or small letters.",
        examples=["K7QF2"],
    ),
]
_Match = Annotated[int, Field(ge=1, le=1_000_000), said("must be a whole number from 1 to 1000000")]
_LONGEST_CODE: Final = 8
_OPEN: Final[tuple[Stage, ...]] = ("lobby", "playing")
_ANY: Final[tuple[ProblemCode, ...]] = ("bad-token", "bad-input", "slow-down", "store-away")
_ONE: Final[tuple[ProblemCode, ...]] = (*_ANY, "no-such-room", "full")
_SEEN: Final[tuple[ProblemCode, ...]] = (*_ONE, "was-removed", "no-spectators")


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
        if problem.status != 404:
            raise
        if code is not None:
            here.limits.wait("guesses", address)
        raise Problem(404, f"id: no room has the id or code {shorten(name)}", code=problem.code, field="id") from None


@router.post(
    "",
    summary="Make a room",
    status_code=201,
    response_model=RoomView,
    responses=declared(*_ANY, *BODY, "bad-setup", "full"),
)
async def make_room(here: Here, actor: Somebody, wish: NewRoom) -> JSONResponse:
    """Whoever makes it is its host and sits on its first seat; everything that is left out is as usual."""
    setup = read_setup(wish)
    if isinstance(setup, BadField):
        raise Problem(422, setup.message, code="bad-setup", field=setup.field)
    here.hall.make_place()
    here.limits.check("rooms", actor.player)
    live = await here.hall.create(setup, actor)
    return JSONResponse(await here.hall.view(live.id, actor), 201)


@router.get("", summary="Public rooms", response_model=RoomList, responses=declared(*_ANY))
async def list_rooms(
    here: Here,
    actor: Anyone,
    before: Before,
    limit: Limit = 20,
    stage: Annotated[
        list[Stage] | None,
        Query(
            description="Only rooms of these stages, as often as there are any; otherwise those that wait or play.",
            max_length=4,
        ),
    ] = None,
) -> JSONResponse:
    """The newest first."""
    rows = await here.store.public_rooms(limit + 1, before, tuple(stage or _OPEN))
    return JSONResponse(await room_list(here, rows, limit, actor))


@router.get("/{id}", summary="A room as I may see it", response_model=RoomView, responses=declared(*_SEEN))
async def read_room(here: Here, actor: Anyone, request: Request, id: RoomName) -> JSONResponse:
    """With the rack of whoever asks, if they have one seat there; as a spectator otherwise."""
    live = await find_room(here, id, request.state.address)
    return JSONResponse(await here.hall.view(live.id, actor))


@router.post(
    "/{id}/commands",
    summary="Do something in a room",
    response_model=Ack | Refused,
    response_description="Whether it was done, and otherwise why not.",
    responses=declared(*_ONE, *BODY),
)
async def do(here: Here, actor: Somebody, request: Request, id: RoomName, wish: CommandBody) -> JSONResponse:
    """The same door as the WebSocket's: an answer is `ack` or `refused`, and the same id gets the same answer."""
    here.limits.check("commands", actor.player)
    live = await find_room(here, id, request.state.address)
    answer = await here.hall.command(live.id, actor, SendCommand(id=wish.id, on=wish.on, command=wish.command))
    if isinstance(answer, BadField):
        raise Problem(422, answer.message, field=answer.field)
    return JSONResponse(answer)


@router.get("/{id}/matches", summary="What was played in a room", responses=declared(*_SEEN))
async def read_matches(here: Here, actor: Anyone, request: Request, id: RoomName) -> list[MatchResult]:
    """Every match and race that is over and may be looked at, the oldest first: when, who, and how it ended."""
    _, over = await _ended(here, actor, request, id)
    players = await here.store.players({player for one in over for player in one.players if player})
    return [result_of(one, seat_names(one, players)) for one in over]


@router.get(
    "/{id}/record",
    summary="The record of a match",
    response_class=Response,
    responses={
        200: {"description": "The record.", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **declared(*_SEEN, "no-record", "race-has-no-record"),
    },
)
async def read_record(
    here: Here,
    actor: Anyone,
    request: Request,
    id: RoomName,
    match: Annotated[
        _Match | None, Query(description="The number of the match; otherwise the last that is over.")
    ] = None,
) -> PlainTextResponse:
    """As text that `tilerummy replay` plays again, once the match is over: until then its seed is a secret."""
    live, over = await _ended(here, actor, request, id, match)
    if not over:
        if match is None:
            raise Problem(404, "no match of this room is over yet", code="no-record")
        raise Problem(404, f"match: no match {match} of this room is over", code="no-record", field="match")
    names = seat_names(over[-1], await here.store.players([player for player in over[-1].players if player]))
    text = await here.histories.text(over[-1], names)
    if text is None:
        raise Problem(404, "match: that was a race, which has no record", code="race-has-no-record", field="match")
    return PlainTextResponse(
        text, headers={"Content-Disposition": f'inline; filename="{live.id}-{over[-1].number}.txt"'}
    )


@router.get(
    "/{id}/qr.svg",
    summary="The way to a room as a QR code",
    response_class=Response,
    responses={
        200: {"description": "The picture.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
        **declared(*_SEEN),
    },
)
async def read_qr(here: Here, actor: Anyone, request: Request, id: RoomName) -> Response:
    """For the devices of others at the same table."""
    live = await find_room(here, id, request.state.address)
    await here.hall.refresh(live)
    here.hall.check_watching(live, actor)
    drawn = qr_svg(f"{base_url(here, request)}/join/{live.code or live.id}")
    return Response(drawn, media_type="image/svg+xml")


async def _ended(
    here: Parts, actor: Actor | None, request: Request, name: str, number: int | None = None
) -> tuple[Live, list[Played]]:
    """A room with its matches that are over, or with the one of this number, as far as whoever asks may look.

    What they played themselves they may always look at, even if they were sent away since; the rest if they may look
    now, and it had spectators then. A Problem if they may look at nothing.
    """
    live = await find_room(here, name, request.state.address)
    players, refused = actor.players if actor else frozenset[str](), None
    await here.hall.refresh(live)
    try:
        here.hall.check_watching(live, actor)
    except Problem as problem:
        if actor is None:
            raise
        refused = problem
    over = [one for one in await here.histories.over(live.id, live.room) if number in (None, one.number)]
    hosting = live.room.host in players
    shown = [one for one in over if one.is_of(players) or (refused is None and (hosting or one.setup.spectators))]
    if not shown and (refused or over):
        raise refused or no_spectators()
    return live, shown
