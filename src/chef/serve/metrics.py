"""Counts and times of the service in Prometheus' text format."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from threading import Lock

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SIZES = (1, 2, 4, 8, 16, 32)

Labels = tuple[tuple[str, str], ...]
Values = dict[str, tuple[str, float]]  # name -> what it is, value


class Histogram:
    """How many observations were at most so large, for each set of labels."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts: dict[Labels, list[int]] = defaultdict(lambda: [0] * (len(bounds) + 1))
        self._sums: dict[Labels, float] = defaultdict(float)

    def observe(self, value: float, labels: Labels) -> None:
        self._counts[labels][bisect_left(self._bounds, value)] += 1
        self._sums[labels] += value

    def lines(self, name: str) -> Iterable[str]:
        for labels, counts in sorted(self._counts.items()):
            below = 0
            for bound, count in zip((*self._bounds, "+Inf"), counts, strict=True):
                below += count
                yield f"{name}_bucket{_labels((*labels, ('le', str(bound))))} {below}"
            yield f"{name}_sum{_labels(labels)} {self._sums[labels]:.6f}"
            yield f"{name}_count{_labels(labels)} {below}"


class Metrics:
    """What the service has done since it started."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: dict[Labels, int] = defaultdict(int)
        self._seconds = Histogram(_SECONDS)
        self._batches = Histogram(_SIZES)

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        with self._lock:
            self._requests[("method", method), ("route", route), ("status", str(status))] += 1
            self._seconds.observe(seconds, (("route", route),))

    def batch(self, kind: str, size: int) -> None:
        """One batch of embeds."""
        with self._lock:
            self._batches.observe(size, (("kind", kind),))

    def text(self, gauges: Values, counters: Values) -> str:
        """All of it; `gauges` are values of this moment, `counters` what others have counted."""
        with self._lock:
            lines = [*_head("chef_requests_total", "counter", "Requests answered.")]
            lines += [
                f"chef_requests_total{_labels(labels)} {n}" for labels, n in sorted(self._requests.items())
            ]
            lines += _head("chef_request_seconds", "histogram", "Seconds from request to answer.")
            lines += self._seconds.lines("chef_request_seconds")
            lines += _head("chef_embed_batch_size", "histogram", "Photos or recipes embedded together.")
            lines += self._batches.lines("chef_embed_batch_size")
        for kind, values in (("gauge", gauges), ("counter", counters)):
            for name, (about, value) in values.items():
                lines += [*_head(name, kind, about), f"{name} {value:g}"]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP {name} {about}", f"# TYPE {name} {kind}"


def _labels(labels: Labels) -> str:
    def safe(value: str) -> str:
        return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

    return "{" + ",".join(f'{name}="{safe(value)}"' for name, value in labels) + "}" if labels else ""


class MeasureRequests:
    """ASGI middleware that counts each answer under its route, never under the path that was asked for:
    a client that asks for a million paths must not fill the memory."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

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
            known = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.request(route, known, status, time.perf_counter() - start)


_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
