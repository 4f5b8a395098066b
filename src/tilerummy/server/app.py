"""The application: its parts put together, its doors, and in which order it opens and closes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError, ValidationException, WebSocketRequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import compile_path

from tilerummy import __version__
from tilerummy.protocol import blame
from tilerummy.server import api_me, api_ops, api_rooms, api_socket, api_tools
from tilerummy.server.api_socket import deny
from tilerummy.server.bus import make_bus
from tilerummy.server.errors import Problem, body_of
from tilerummy.server.guard import Guard
from tilerummy.server.history import Histories
from tilerummy.server.identity import Identity
from tilerummy.server.limits import Limits
from tilerummy.server.metrics import Metrics
from tilerummy.server.node import Node
from tilerummy.server.page import add_page
from tilerummy.server.parts import Parts
from tilerummy.server.settings import Settings
from tilerummy.server.store import Store, Unavailable
from tilerummy.server.thinking import Thinker

__all__ = ["create_app", "say_goodbye"]

_GOODBYE: Final = 3.0  # seconds
_MISTAKES: Final = 200  # in one request
_NO_OBJECT: Final = ("model_attributes_type", "model_type", "dict_type")

_ABOUT = """\
Tables of tile rummy. Who somebody is, a cookie says, which the first request that needs it sets; bots send
`Authorization: Bearer TOKEN` instead. Every error has the shape `{"error": {"code", "field", "message"}}`, and its code
is stable. Play itself goes over the WebSocket `/ws/rooms/{id}`, whose messages `/api/schema` describes.
"""


class _Api(FastAPI):
    """What OpenAPI says of it."""

    def openapi(self) -> dict[str, Any]:
        """With everything open to strangers, who become guests where that matters, and answers described."""
        if self.openapi_schema is None:
            described = super().openapi()
            for operation in (one for methods in described["paths"].values() for one in methods.values()):
                if "security" in operation:
                    operation["security"].insert(0, {})
                for answer in operation["responses"].values():
                    _describe(answer, described["components"]["schemas"])
            self.openapi_schema = described
        return self.openapi_schema


def _describe(answer: dict[str, Any], models: dict[str, Any]) -> None:
    """Say of an answer what its model says of itself, and of an error's example that it names no field."""
    if answer["description"] == "Successful Response":
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        name = (schema.get("$ref") or schema.get("items", {}).get("$ref", "")).rpartition("/")[2]
        answer["description"] = models[name]["description"] if name else "It is done."
    for example in answer.get("content", {}).get("application/json", {}).get("examples", {}).values():
        example["value"]["error"].setdefault("field", None)  # FastAPI leaves out what is None


def create_app(settings: Settings) -> FastAPI:
    """A server of these settings; its lifespan opens the store and everything that stands on it."""
    limits, metrics = Limits(settings), Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app.state.parts = await _open(stack, settings, limits, metrics)
            app.state.identity = app.state.parts.identity
            yield

    app = _Api(
        title="tilerummy",
        version=__version__,
        description=_ABOUT,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
        generate_unique_id_function=lambda route: route.name,
        redirect_slashes=False,
    )
    app.state.settings = settings
    for router in (api_rooms.router, api_me.router, api_tools.router, api_ops.router, api_socket.router):
        app.include_router(router)
    add_page(app)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RequestValidationError, _bad_input)
    app.add_exception_handler(WebSocketRequestValidationError, _bad_door)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(Unavailable, _unavailable)
    app.add_middleware(Guard, settings=settings, limits=limits, metrics=metrics)
    return app


async def _open(stack: AsyncExitStack, settings: Settings, limits: Limits, metrics: Metrics) -> Parts:
    """Open everything, the store first; what was opened last is closed first."""
    store = Store(settings.db)
    stack.push_async_callback(store.close)
    await store.connect()
    bus = make_bus(settings.bus)
    stack.push_async_callback(bus.close)
    await bus.start()
    thinker = Thinker(settings.workers)
    stack.callback(thinker.close)
    identity = await Identity.open(store, settings, limits, metrics)
    node = Node(store, bus, thinker, settings, metrics)
    stack.push_async_callback(node.close)
    await node.start()
    return Parts(settings, limits, metrics, store, bus, thinker, identity, Histories(store), node)


async def say_goodbye(app: FastAPI) -> None:
    """Let every connection know that the server goes away, and give them a moment to hear it."""
    here: Parts = app.state.parts
    here.closing = True
    for live in here.hall.live.values():
        for session in list(live.sessions):
            session.end("restart")
    try:
        async with asyncio.timeout(_GOODBYE):
            while here.connected:
                await asyncio.sleep(0.02)
    except TimeoutError:
        return


async def _problem(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, Problem)
    return JSONResponse(body_of(problem), problem.status, problem.headers)


async def _bad_input(request: Request, error: Exception) -> JSONResponse:
    """The first field that is wrong, in our words; what was sent is not repeated."""
    assert isinstance(error, RequestValidationError)
    if len(error.errors()) > _MISTAKES:  # which took long to find; whoever sent them does not go on like this
        here: Parts = request.app.state.parts
        here.limits.drain("requests", request.state.address)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return await _problem(request, Problem(422, "the body is not JSON", field="body"))
    if len(first["loc"]) < 2 and first["type"] in _NO_OBJECT and not _is_json(request):
        return await _problem(request, Problem(415, "Content-Type must be application/json", field="Content-Type"))
    return await _problem(request, _wrong(error))


async def _bad_door(socket: WebSocket, error: Exception) -> None:
    assert isinstance(error, WebSocketRequestValidationError)
    await deny(socket, _wrong(error))


def _wrong(error: ValidationException) -> Problem:
    first = error.errors()[0]
    place, *path = first["loc"] or ("body",)
    if place == "query":
        path = path[:1]  # who writes a parameter several times does not count
    found = blame({**first, "loc": path})
    return Problem(422, found.message, field=found.field)


def _is_json(request: Request) -> bool:
    """Whether the body says that it is JSON; what says something else is not read as such."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


async def _plain(request: Request, error: Exception) -> JSONResponse:
    """Nothing there, or not for this method: then all methods that there are for the path are told, of any router."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    if error.status_code in (404, 405) and (methods := _methods(request.app, path)):
        can = ", ".join(methods)
        return await _problem(request, Problem(405, f"the methods of this path are {can}", headers={"Allow": can}))
    if error.status_code == 405 and path.startswith(("/api", "/ws")):
        return await _problem(request, Problem(404))  # only the page would be there, and that never is
    return await _problem(request, Problem(error.status_code, headers=error.headers))


def _methods(app: FastAPI, path: str) -> list[str]:
    templates: dict[str, dict[str, object]] = app.openapi()["paths"]
    found = (there for template, there in templates.items() if compile_path(template)[0].fullmatch(path))
    methods = {method.upper() for there in found for method in there}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))


async def _unavailable(request: Request, error: Exception) -> JSONResponse:
    problem = Problem(503, "the store is out of reach; try again", code="store-away", headers={"Retry-After": "5"})
    return await _problem(request, problem)
