"""Who somebody is, by REST: name, rooms, other devices, people on the same device, bots, all that is kept."""

from dataclasses import replace
from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response
from starlette.responses import JSONResponse

from tilerummy.protocol import (
    Export,
    Id,
    Link,
    Local,
    Me,
    NewLocal,
    NewName,
    NewToken,
    ProblemCode,
    RoomList,
    Token,
    UseLink,
)
from tilerummy.server.changes import leave_all
from tilerummy.server.errors import BODY, Problem, declared
from tilerummy.server.identity import WHO, Actor, Anyone, Person, Somebody, bots_may_not
from tilerummy.server.lists import Before, Limit, room_list
from tilerummy.server.names import BadName, tidy_name
from tilerummy.server.parts import Here, Parts, base_url
from tilerummy.server.qr import qr_svg

__all__ = [
    "add_local",
    "drop_local",
    "drop_token",
    "export_me",
    "forget",
    "make_link",
    "make_token",
    "my_rooms",
    "my_tokens",
    "read_me",
    "rename",
    "router",
    "use_link",
]

router = APIRouter(prefix="/api", tags=["me"], dependencies=WHO)

_OwnId = Annotated[Id, Path(description="The id of a local, or of a bot, of yours.")]
_ANY: Final[tuple[ProblemCode, ...]] = ("bad-token", "slow-down", "store-away")
_OWN: Final[tuple[ProblemCode, ...]] = (*_ANY, "bots-may-not")
_DROP: Final[tuple[ProblemCode, ...]] = (*_OWN, "foreign-origin", "bad-input", "not-found")


@router.get("/me", summary="Who am I?", responses=declared(*_ANY))
async def read_me(here: Here, actor: Somebody) -> Me:
    """Whoever asks; somebody new becomes a guest with a friendly name in their language, and gets a cookie."""
    return await _me(here, actor)


@router.patch("/me", summary="Choose another name", responses=declared(*_ANY, *BODY, "bad-name"))
async def rename(here: Here, actor: Somebody, wish: NewName) -> Me:
    """1 to 24 characters that can be seen."""
    await here.store.rename(actor.player, _tidy(wish.name))
    await here.node.renamed(actor.player)
    return await _me(here, actor)


@router.delete("/me", summary="Forget me", status_code=204, responses=declared(*_OWN, "foreign-origin"))
async def forget(here: Here, actor: Person, request: Request) -> Response:
    """The name, the people on this device, the bots and links are deleted; seats are left. Moves stay, nameless."""
    bots = [_bot(other.id) for other in await here.store.owned_by(actor.player) if other.kind == "bot"]
    await _forget(here, actor, *bots)
    here.identity.forget_cookie(request)
    return Response(status_code=204)


@router.get("/me/export", summary="Everything that is kept about me", response_model=Export, responses=declared(*_OWN))
async def export_me(here: Here, actor: Person) -> JSONResponse:
    """As JSON; the games themselves are at /api/rooms/{id}/record."""
    found = await here.store.export_player(actor.player)
    if found is None:
        raise Problem(401, "this player is gone")
    return JSONResponse(found)


@router.get("/me/rooms", summary="My rooms", response_model=RoomList, responses=declared(*_ANY, "bad-input"))
async def my_rooms(here: Here, actor: Anyone, before: Before, limit: Limit = 20) -> JSONResponse:
    """The rooms in which whoever asks, or somebody on this device, sits or sat, the newest first."""
    if actor is None:
        return JSONResponse({"rooms": [], "next": None})
    rows = await here.store.rooms_of(*sorted(actor.players), limit=limit + 1, before=before)
    return JSONResponse(await room_list(here, rows, limit, actor))


# Other devices


@router.post(
    "/me/link",
    summary="A link to another device",
    status_code=201,
    responses=declared(*_OWN, "foreign-origin", "bad-input"),
)
async def make_link(here: Here, actor: Person, request: Request) -> Link:
    """Whoever opens it within ten minutes is this player, on that device too; it works once."""
    link = await here.identity.new_link(actor)
    # After the #, so that no server and no log ever sees it.
    url = f"{base_url(here, request)}/link#{link.token}"
    return Link(url=url, token=link.token, expires_at=link.expires_at, qr=qr_svg(url).decode())


@router.post("/link", summary="Use a link from another device", responses=declared(*_OWN, *BODY, "link-used"))
async def use_link(here: Here, actor: Anyone, request: Request, wish: UseLink) -> Me:
    """Become the player of the link; whoever one was here before is left behind."""
    if actor is not None and actor.bot:
        raise bots_may_not()
    here.limits.check("guests", request.state.address)
    return await _me(here, await here.identity.use_link(request, wish.token))


# People on the same device


@router.post(
    "/me/locals",
    summary="Somebody else on this device",
    status_code=201,
    responses=declared(*_OWN, *BODY, "bad-name", "too-many"),
)
async def add_local(here: Here, actor: Person, wish: NewLocal) -> Local:
    """A person who plays on this device, and whose seats this device holds."""
    name = _tidy(wish.name)
    if len(actor.players) >= here.settings.max_locals:
        raise Problem(409, f"at most {here.settings.max_locals} people play on one device", code="too-many")
    local = await here.identity.new_player("local", name, actor.player)
    await here.node.act_for(replace(actor, players=actor.players | {local.id}))
    return Local(id=local.id, name=local.name)


@router.delete("/me/locals/{id}", summary="Forget somebody on this device", status_code=204, responses=declared(*_DROP))
async def drop_local(here: Here, actor: Person, id: _OwnId) -> Response:
    """Their name is deleted and their seats are left."""
    await _own(here, actor, id, "local")
    await leave_all(here.node, Actor(actor.player, frozenset({id})))
    await here.store.delete_player(id)
    await here.node.act_for(replace(actor, players=actor.players - {id}))
    await here.node.renamed(id)
    return Response(status_code=204)


# Bots


@router.get("/me/tokens", summary="My bots", responses=declared(*_OWN))
async def my_tokens(here: Here, actor: Person) -> list[Token]:
    """The bots of whoever asks; their tokens are never shown again."""
    bots = [other.id for other in await here.store.owned_by(actor.player) if other.kind == "bot"]
    found = await here.store.tokens_of(*bots) if bots else []
    return [Token(id=one.player, label=one.label, created_at=one.created_at, token=None) for one in found]


@router.post(
    "/me/tokens",
    summary="A token for a bot",
    status_code=201,
    responses=declared(*_OWN, *BODY, "bad-name", "too-many"),
)
async def make_token(here: Here, actor: Person, wish: NewToken) -> Token:
    """A bot is a player of its own, called by its label; it sends the token as `Authorization: Bearer …`."""
    label = _tidy(wish.label, "label")
    made = await here.identity.new_token(actor, label, label)
    return Token(id=made.player.id, label=label, created_at=made.created_at, token=made.token)


@router.delete("/me/tokens/{id}", summary="Forget a bot", status_code=204, responses=declared(*_DROP))
async def drop_token(here: Here, actor: Person, id: _OwnId) -> Response:
    """Its token is worth nothing from now on."""
    await _own(here, actor, id, "bot")
    await _forget(here, _bot(id))
    return Response(status_code=204)


def _bot(id: str) -> Actor:
    return Actor(id, frozenset({id}), bot=True)


async def _forget(here: Parts, *gone: Actor) -> None:
    """Their seats are left, they are deleted, their connections end, and their names are seen no more."""
    for actor in gone:
        await leave_all(here.node, actor)
    for actor in gone:
        await here.store.delete_player(actor.player)
        await here.node.dismiss(actor.player)
    for player in sorted({player for actor in gone for player in actor.players}):
        await here.node.renamed(player)


async def _me(here: Parts, actor: Actor) -> Me:
    player = await here.store.player(actor.player)
    if player is None or player.deleted:
        raise Problem(401, "this player is gone")
    owned = await here.store.owned_by(actor.player) if not actor.bot else []
    return Me(
        id=player.id,
        name=player.name,
        kind=player.kind,
        locals=[Local(id=other.id, name=other.name) for other in owned if other.kind == "local"],
        created_at=player.created_at,
    )


def _tidy(name: str, field: str = "name") -> str:
    try:
        return tidy_name(name)
    except BadName as error:
        raise Problem(422, f"{field}: {error}", code="bad-name", field=field) from None


async def _own(here: Parts, actor: Actor, id: str, kind: str) -> None:
    if all(other.id != id or other.kind != kind for other in await here.store.owned_by(actor.player)):
        raise Problem(404, f"id: no {kind} of yours has this id", field="id")
