"""The application: routes, middleware and the page, put together; run until Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import chef
from chef.errors import ChefError
from chef.serve import errors, openapi
from chef.serve.access import cross_site
from chef.serve.connections import Connection, bound_logs
from chef.serve.errors import Refusal
from chef.serve.middleware import LimitBody, MeasureRequests, SecurityHeaders, ShutdownResponse
from chef.serve.routes import ROUTERS, methods
from chef.serve.service import Service
from chef.serve.settings import ServeSettings

if TYPE_CHECKING:
    from chef.index import Index

PAGE = Path(__file__).parent / "page"
_IDLE = 15  # seconds a connection may stay open without a request
_TIDY_EVERY = 600.0  # seconds
_BACKLOG = 256  # connections that wait to be accepted
_STACK = 2 << 20  # bytes of a thread's stack; by default 8 MB of addresses, which a limit may count
_DESCRIPTION = (
    "Find recipes by photo, words or ingredients; see what a recipe is made of; swap and prune ingredients."
)


def create_app(index: Index, settings: ServeSettings | None = None) -> FastAPI:
    """The application on one collection.

    >>> app = create_app(chef.Index("my-collection"), ServeSettings(token="a-long-secret"))
    """
    settings = settings or ServeSettings()
    service = Service(index, settings)
    # The largest form and the largest JSON by path; for other paths max_json.
    max_bytes = {
        "/api/recipes": (settings.max_upload, settings.max_json_upload),
        "/api/search": (settings.max_photo + settings.max_json, settings.max_json),
        "/mcp": (0, settings.max_photo * 4 // 3 + settings.max_json),  # photos in base64
    }

    def limit(scope: Scope) -> int:
        others = (settings.max_json, settings.max_json)
        if scope["path"].startswith(("/api/recipes/", "/api/drafts")):
            others = max_bytes["/api/search"]
        form, json = max_bytes.get(scope["path"], others)
        return form if Headers(scope=scope).get("content-type", "").lower().startswith("multipart/") else json

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        tidying = asyncio.create_task(_tidy(service))
        async with assistants.session_manager.run() if assistants else nullcontext():
            yield
        tidying.cancel()
        # In a thread: meanwhile requests that are cut off get their answers.
        app.state.closed = await asyncio.to_thread(service.close)

    def refuse(scope: Scope) -> Refusal | None:
        if scope["method"] not in ("POST", "PATCH"):
            return cross_site(scope, settings)
        writes = scope["path"].startswith(("/api/recipes", "/api/canonical/decisions"))
        return cross_site(scope, settings) or (service.writing if writes else service.reading).refusal()

    # openapi.install serves /docs: FastAPI's own page needs another site.
    app = FastAPI(
        title="CHEF", version=chef.__version__, description=_DESCRIPTION, lifespan=lifespan,
        docs_url=None, redoc_url=None, redirect_slashes=False,
    )  # fmt: skip
    app.state.service = service
    app.state.closed = False
    errors.install(app, methods)
    openapi.install(app, settings)
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/page", StaticFiles(directory=PAGE))
    assistants = None
    if settings.mcp:
        from chef.serve.assistants import Assistants

        assistants = Assistants(service)
        app.router.routes.append(assistants.route())

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(PAGE / "index.html")

    # The last one added is the outermost.
    app.add_middleware(
        LimitBody, max_bytes=limit, timeout=settings.body_timeout, max_held=settings.max_held, refuse=refuse
    )
    app.add_middleware(ShutdownResponse)
    app.add_middleware(MeasureRequests, metrics=service.metrics)
    app.add_middleware(SecurityHeaders)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=settings.origins, allow_methods=["*"], allow_headers=["*"]
        )
    return app


async def _tidy(service: Service) -> None:
    """Have old versions and the texts of removed recipes dropped, and indexes renewed, again and again."""
    while True:
        await asyncio.sleep(_TIDY_EVERY)
        with suppress(ChefError, Refusal, OSError):  # busy, or not ours to write: the next time
            await service.write(service.index.tidy)
            await service.aside(partial(service.index.optimize, if_due=True))


def serve(index: Index, settings: ServeSettings, announce: Callable[[str], None]) -> None:
    """Answer requests until Ctrl-C or SIGTERM; calls `announce(address)` once the service answers there.

    After the signal no new requests are accepted, and running ones get `settings.grace` seconds to finish.

    >>> serve(chef.Index("my-collection"), ServeSettings(port=9000), print)
    http://127.0.0.1:9000
    """
    threading.stack_size(_STACK)
    listening = bind(settings)  # first: fail on a port in use before loading a model
    app = create_app(index, settings)
    app.state.service.warm_up()
    server = Server(app, settings.grace, lambda: announce(_address(settings.host, listening)))
    with listening:
        server.run([listening])
    if not app.state.closed:
        # Python would wait for threads whose time is over. Their writes are stored completely or not at all.
        os._exit(0)


class Server(uvicorn.Server):
    """Uvicorn with our settings: quiet, no trust in proxy headers, a callback at startup, a clean exit."""

    def __init__(self, app: FastAPI, grace: float, on_start: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app, http=Connection, ws="none", log_level="warning", access_log=False, server_header=False,
                proxy_headers=False, timeout_keep_alive=_IDLE, timeout_graceful_shutdown=math.ceil(grace),
                backlog=_BACKLOG,
            )
        )  # fmt: skip
        bound_logs()
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down and exit with 0, where uvicorn re-raises the signal; a second Ctrl-C exits at once."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def bind(settings: ServeSettings) -> socket.socket:
    """A socket bound to the address of the settings."""
    host, port = settings.host.strip("[]"), settings.port
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ChefError(
            f"no such host: {settings.host}", "listen on 127.0.0.1, or on an address of this machine"
        ) from error
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
    except OSError as error:
        opened.close()
        reason = (error.strerror or "it is in use").lower()
        raise ChefError(
            f"cannot listen on {host}, port {port}: {reason}", "choose another --port, or set CHEF_PORT"
        ) from error
    return opened


def _address(host: str, listening: socket.socket) -> str:
    name = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{name}:{listening.getsockname()[1]}"
