"""For whoever runs the server: is it alive, is it ready, what does it count."""

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from tilerummy import __version__
from tilerummy.protocol import Health, Readiness
from tilerummy.server.errors import Problem, declared
from tilerummy.server.metrics import Metrics
from tilerummy.server.parts import Here

__all__ = ["healthz", "metrics", "readyz", "router"]

router = APIRouter(tags=["operating"])


@router.get("/healthz", summary="Is it alive?")
async def healthz() -> Health:
    """Whether the process answers; nothing else is asked."""
    return Health(ok=True, version=__version__)


@router.get(
    "/readyz",
    summary="Is it ready?",
    response_model=Readiness,
    responses={503: {"model": Readiness, "description": "Not ready."}},
)
async def readyz(here: Here) -> JSONResponse:
    """Whether something can be stored, and whether the bus is connected; not ready while it shuts down."""
    store = await here.store.ready()
    ready = store and not here.closing
    answer = Readiness(ready=ready, store=store, bus=here.bus.healthy)
    return JSONResponse(answer.model_dump(), 200 if ready else 503)


@router.get(
    "/metrics",
    summary="What it counts",
    response_class=Response,
    responses={
        200: {"description": "The counters.", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **declared("not-found"),
    },
)
async def metrics(here: Here) -> Response:
    """In Prometheus's text form."""
    if not here.settings.metrics:
        raise Problem(404)
    return Response(here.metrics.text(), media_type=Metrics.content_type)
