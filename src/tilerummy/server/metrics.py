"""Metrics: what is counted and measured, for Prometheus, in a registry of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from tilerummy import __version__

__all__ = ["Metrics"]

_LATENCY: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The counters of one node."""

    content_type: Final = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.connections = Gauge("tilerummy_connections", "Open WebSocket connections.", registry=self.registry)
        self.rooms_live = Gauge("tilerummy_rooms_live", "Rooms that this node holds in memory.", registry=self.registry)
        self.commands = Counter(
            "tilerummy_commands",
            "Commands by kind and what became of them.",
            ["kind", "outcome"],
            registry=self.registry,
        )
        self.refusals = Counter(
            "tilerummy_refusals", "Refused commands by the reason's code.", ["code"], registry=self.registry
        )
        self.drafts = Counter("tilerummy_drafts", "Drafts received.", registry=self.registry)
        self.commit_seconds = Histogram(
            "tilerummy_commit_seconds",
            "From a command's arrival until it is stored.",
            buckets=_LATENCY,
            registry=self.registry,
        )
        self.broadcast_seconds = Histogram(
            "tilerummy_broadcast_seconds",
            "From a command's arrival until every connection here has been sent what follows from it.",
            buckets=_LATENCY,
            registry=self.registry,
        )
        self.thinking_seconds = Histogram(
            "tilerummy_thinking_seconds",
            "What bots, hints and solutions take.",
            ["what"],
            buckets=_LATENCY,
            registry=self.registry,
        )
        self.requests = Counter(
            "tilerummy_requests",
            "Requests by method, route and status.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "tilerummy_request_seconds",
            "What requests take, by route.",
            ["route"],
            buckets=_LATENCY,
            registry=self.registry,
        )
        self.guests = Counter("tilerummy_guests", "Guests made.", registry=self.registry)
        self.slowed = Counter(
            "tilerummy_slowed", "Requests and messages that came too fast.", ["what"], registry=self.registry
        )
        Gauge("tilerummy_info", "The version that runs.", ["version"], registry=self.registry).labels(__version__).set(
            1
        )

    @contextmanager
    def thinking(self, what: str) -> Iterator[None]:
        """Measure how long something is thought about."""
        start = perf_counter()
        try:
            yield
        finally:
            self.thinking_seconds.labels(what).observe(perf_counter() - start)

    def text(self) -> bytes:
        """Everything in Prometheus's text form."""
        return generate_latest(self.registry)
