"""The parts of a running server, as endpoints find them."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from tilerummy.server.bus import Bus
from tilerummy.server.hall import Hall
from tilerummy.server.history import Histories
from tilerummy.server.identity import Identity
from tilerummy.server.limits import Limits
from tilerummy.server.metrics import Metrics
from tilerummy.server.node import Node
from tilerummy.server.settings import Settings
from tilerummy.server.store import Store
from tilerummy.server.thinking import Thinker

__all__ = ["Here", "Parts", "base_url", "parts"]


@dataclass(slots=True)
class Parts:
    """Everything that one node is made of."""

    settings: Settings
    limits: Limits
    metrics: Metrics
    store: Store
    bus: Bus
    thinker: Thinker
    identity: Identity
    histories: Histories
    node: Node
    closing: bool = False
    connected: Counter[str] = field(default_factory=Counter)  # WebSockets by address

    @property
    def hall(self) -> Hall:
        """The rooms of this node."""
        return self.node.hall


def parts(connection: HTTPConnection) -> Parts:
    """The parts of the server that this request came to."""
    found = connection.app.state.parts
    assert isinstance(found, Parts)
    return found


Here = Annotated[Parts, Depends(parts)]
"""The parts of the server."""


def base_url(here: Parts, connection: HTTPConnection) -> str:
    """The address that players use, without a slash at its end."""
    return here.settings.public_url or str(connection.base_url).rstrip("/")
