"""Prometheus metrics of the service."""

from __future__ import annotations

import time
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SIZES = (1, 2, 4, 8, 16, 32)
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class _Registry(CollectorRegistry):
    """A registry without the `_created` time that the client library adds to every series."""

    def collect(self) -> Iterable[Metric]:
        for metric in super().collect():
            metric.samples = [sample for sample in metric.samples if not sample.name.endswith("_created")]
            yield metric


class Metrics:
    """The metrics of one app, in a registry of its own: a process may run several apps."""

    def __init__(self) -> None:
        self._registry = registry = _Registry()
        self.requests = Counter(
            "chef_requests", "Requests answered.", ["method", "route", "status"], registry=registry
        )
        self.seconds = Histogram(
            "chef_request_seconds", "Seconds from request to response.", ["route"],
            buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        self.batch_size = Histogram(
            "chef_embed_batch_size", "Photos or recipes embedded together.", ["kind"],
            buckets=_SIZES, registry=registry,
        )  # fmt: skip
        self.recipes = Gauge("chef_recipes", "Recipes of the collection.", registry=registry)
        self.version = Gauge("chef_index_version", "Version of the collection.", registry=registry)
        self.reading = Gauge("chef_requests_busy", "Reads running or queued.", registry=registry)
        self.writing = Gauge("chef_writes_busy", "Writes running or queued.", registry=registry)
        self.waiting = Gauge("chef_model_waiting", "Jobs waiting for the model.", registry=registry)
        self.rejected = Counter(
            "chef_turned_away", "Requests rejected with 429 because the queue was full.", registry=registry
        )

    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self._registry)


class MeasureRequests:
    """ASGI middleware that counts each response under its route, never under the requested path:
    a client that requests a million paths must not fill the memory."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500
        start = time.perf_counter()

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.requests.labels(method, route, status).inc()
            self._metrics.seconds.labels(route).observe(time.perf_counter() - start)
