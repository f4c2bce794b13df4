"""The application: routes, middleware and the page, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import chef
from chef.serve import errors, openapi
from chef.serve.errors import Refusal
from chef.serve.metrics import MeasureRequests
from chef.serve.middleware import LimitBody, SecurityHeaders, ShutdownResponse
from chef.serve.routes import ROUTERS, methods
from chef.serve.service import Service
from chef.serve.settings import ServeSettings

if TYPE_CHECKING:
    from chef.index import Index

PAGE = Path(__file__).parent / "page"
_DESCRIPTION = (
    "Find recipes by photo, words or ingredients; see what a recipe is made of; swap and prune ingredients."
)


def create_app(index: Index, settings: ServeSettings | None = None) -> FastAPI:
    """The application on one collection.

    >>> app = create_app(chef.Index("my-collection"), ServeSettings(token="a-long-secret"))
    """
    settings = settings or ServeSettings()
    service = Service(index, settings)
    # The largest body by path; for other paths max_json.
    max_bytes = {"/api/recipes": settings.max_upload, "/api/search": settings.max_photo + settings.max_json}

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        # In a thread: meanwhile requests that are cut off get their answers.
        app.state.closed = await asyncio.to_thread(service.close)

    def full(scope: Scope) -> Refusal | None:
        writes = scope["path"] in ("/api/recipes", "/api/canonical/decisions")
        return (service.writing if writes else service.reading).refusal()

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

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(PAGE / "index.html")

    # The last one added is the outermost.
    app.add_middleware(
        LimitBody,
        max_bytes=lambda scope: max_bytes.get(scope["path"], settings.max_json),
        timeout=settings.body_timeout,
        full=full,
    )
    app.add_middleware(ShutdownResponse)
    app.add_middleware(MeasureRequests, metrics=service.metrics)
    app.add_middleware(SecurityHeaders)
    return app
