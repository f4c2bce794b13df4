"""ASGI middleware: security headers, an answer at shutdown, limits on bodies; Prometheus metrics."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chef.serve.errors import Refusal, error_response

_SMALL = 1 << 16  # bytes of a body that always have room
_LINGER = 5.0  # seconds we keep reading from a client that already has its answer

# The page loads its own files only, and nobody may frame it.
# blob: and data: are for the photo that the user dropped, shown before and after it is sent.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(self), geolocation=(), microphone=()",
}


class SecurityHeaders:
    """Puts security headers on every response, and keeps responses out of shared caches."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("content-security-policy", CONTENT_SECURITY_POLICY)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        await self._app(scope, receive, send_with_headers)


class ShutdownResponse:
    """Answers 503 to a request that is cancelled when the shutdown grace period is over."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            # Swallowed: only the server cancels requests, when it is about to exit.
            if not started:
                headers = {"retry-after": "1", "connection": "close"}
                await error_response(503, "the service is ending; try again", headers)(scope, receive, send)


class LimitBody:
    """Refuses a body over `max_bytes(scope)`, by its announced length or by counting, one that takes longer
    than `timeout` seconds, any request for which `refuse(scope)` has a refusal, and large bodies while all
    together hold `max_held` bytes: bodies that nobody will read soon would fill the memory.

    Nothing of a refused body is kept. The client gets its answer before the connection closes: we go on
    reading and discarding for a moment, because closing a socket with unread data drops the answer.
    """

    def __init__(
        self,
        app: ASGIApp,
        max_bytes: Callable[[Scope], int],
        timeout: float,
        max_held: int,
        refuse: Callable[[Scope], Refusal | None],
    ) -> None:
        self._app, self._max_bytes, self._timeout, self._refuse = app, max_bytes, timeout, refuse
        self._held = _Held(max_held)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._max_bytes(scope)
        announced = Headers(scope=scope).get("content-length", "")
        refusal = self._refuse(scope)
        if refusal is None and announced.isdecimal() and int(announced) > limit:
            refusal = _too_large(limit)
        if refusal is not None:
            await _refuse(refusal, receive, send)
            return
        # A form goes to the disk, JSON is in memory: in pieces, as a whole, and parsed.
        is_form = Headers(scope=scope).get("content-type", "").lower().startswith("multipart/")
        body = _LimitedReceive(receive, limit, self._timeout, self._held, weight=1 if is_form else 3)
        answered = False

        async def watched(message: Message) -> None:
            # FastAPI has its own answer to a body that it cannot read; ours says why.
            nonlocal answered
            if body.refusal is None:
                answered = True
                await send(message)

        try:
            await self._app(scope, body, watched)
        except Refusal:
            if body.refusal is None:
                raise
        finally:
            self._held.size -= body.held
        if body.refusal is not None and not answered:
            await _refuse(body.refusal, receive, send)


@dataclass
class _Held:
    """What all bodies hold; the first 64 KB of each do not count."""

    limit: int
    size: int = 0


class _LimitedReceive:
    """A `receive` that raises on a body that is too large or too slow, and remembers why."""

    def __init__(self, receive: Receive, limit: int, timeout: float, all_held: _Held, weight: int) -> None:
        self.refusal: Refusal | None = None
        self.held, self._weight = 0, weight
        self._receive, self._timeout, self._all_held = receive, timeout, all_held
        self._limit = self._left = limit
        self._deadline = asyncio.get_running_loop().time() + timeout
        self._complete = False

    async def __call__(self) -> Message:
        if self._complete:  # only a disconnect can follow: no deadline
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            self.refusal = Refusal(408, f"the body took longer than {self._timeout:g} seconds")
            raise self.refusal from None
        self._left -= len(message.get("body", b""))
        self._complete = not message.get("more_body", False)
        if self._left < 0:
            self.refusal = _too_large(self._limit)
            raise self.refusal
        more = max(0, self._limit - self._left - _SMALL) * self._weight - self.held
        if more > 0 and self._all_held.size + more > self._all_held.limit:
            self.refusal = Refusal(
                429, "too many large requests; try again in a moment", {"retry-after": "2"}
            )
            raise self.refusal
        self.held += max(0, more)
        self._all_held.size += max(0, more)
        return message


def _too_large(limit: int) -> Refusal:
    size = f"{limit >> 20} MB" if limit >> 20 else f"{limit} bytes"
    return Refusal(413, f"the body is larger than {size}; send less at a time")


async def _refuse(refusal: Refusal, receive: Receive, send: Send) -> None:
    response = refusal.response()
    response.headers["connection"] = "close"
    await send({"type": "http.response.start", "status": refusal.status, "headers": response.raw_headers})
    # Complete for the client, but not yet for the server, which would close the connection.
    await send({"type": "http.response.body", "body": response.body, "more_body": True})
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LINGER):
            while (message := await receive())["type"] == "http.request" and message.get("more_body"):
                pass
    await send({"type": "http.response.body", "body": b""})


_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SIZES = (1, 2, 4, 8, 16, 32)
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

disable_created_metrics()  # type: ignore[no-untyped-call]  # a time for each series, which nobody reads


class Metrics:
    """The metrics of one app, in a registry of its own: a process may run several apps."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
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
