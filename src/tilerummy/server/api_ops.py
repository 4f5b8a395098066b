"""For whoever runs the server: is it alive, is it ready, what does it count."""

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from tilerummy import __version__
from tilerummy.protocol import Message
from tilerummy.server.errors import Problem, declared
from tilerummy.server.metrics import Metrics
from tilerummy.server.parts import Here
from tilerummy.server.store import Unavailable

__all__ = ["Health", "Readiness", "healthz", "metrics", "readyz", "router"]

router = APIRouter(tags=["operating"])


class Health(Message):
    """The process runs."""

    ok: bool
    version: str


class Readiness(Message):
    """Whether players may be sent here: the store has to answer; without the bus everything is only slower."""

    ready: bool
    store: bool
    bus: bool


@router.get("/healthz", summary="Is it alive?")
async def healthz() -> Health:
    """Whether the process answers; nothing else is asked."""
    return Health(ok=True, version=__version__)


@router.get("/readyz", summary="Is it ready?", responses={503: {"model": Readiness, "description": "Not ready."}})
async def readyz(here: Here) -> JSONResponse:
    """Whether the store answers, and whether the bus is connected; not ready while it shuts down."""
    try:
        await here.store.ping()
        store = True
    except Unavailable:
        store = False
    ready = store and not here.closing
    answer = Readiness(ready=ready, store=store, bus=here.bus.healthy)
    return JSONResponse(answer.model_dump(), 200 if ready else 503)


@router.get(
    "/metrics",
    summary="What it counts",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **declared(404)},
)
async def metrics(here: Here) -> Response:
    """In Prometheus's text form."""
    if not here.settings.metrics:
        raise Problem(404)
    return Response(here.metrics.text(), media_type=Metrics.content_type)
