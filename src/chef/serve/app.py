"""The application: routes, bounds, headers and the page, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import chef
from chef.serve import failures, openapi
from chef.serve.body_limit import LimitBody
from chef.serve.ending import AnswerAtTheEnd
from chef.serve.failures import Refusal
from chef.serve.headers import AddHeaders
from chef.serve.metrics import MeasureRequests
from chef.serve.routes import ROUTERS, methods
from chef.serve.service import Service
from chef.serve.settings import ServeSettings

if TYPE_CHECKING:
    from chef.index import Index

PAGE = Path(__file__).parent / "page"
_ABOUT = "Find recipes by photo, words or what is in them; see what a recipe is made of; swap and prune."


def create_app(index: Index, settings: ServeSettings | None = None) -> FastAPI:
    """The application on one collection.

    >>> app = create_app(chef.Index("my-collection"), ServeSettings(token="a-long-secret"))
    """
    service = Service(index, settings or ServeSettings())

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        yield
        # In a thread: meanwhile those who are cut off get their answers.
        app.state.ended = await asyncio.to_thread(service.close)

    # The interactive documentation of FastAPI comes from another site: there is none here.
    app = FastAPI(
        title="CHEF", version=chef.__version__, description=_ABOUT, lifespan=life,
        docs_url=None, redoc_url=None, redirect_slashes=False,
    )  # fmt: skip
    app.state.service = service
    app.state.ended = False
    failures.install(app, methods)
    openapi.install(app, service.settings)
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/page", StaticFiles(directory=PAGE))

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(PAGE / "index.html")

    # The last one added meets a request first.
    app.add_middleware(
        LimitBody, most=_most(service.settings), seconds=service.settings.body_timeout, full=_full(service)
    )
    app.add_middleware(AnswerAtTheEnd)
    app.add_middleware(MeasureRequests, metrics=service.metrics)
    app.add_middleware(AddHeaders)
    return app


def _most(settings: ServeSettings) -> Callable[[Scope], int]:
    """How large the body of a request may be, by its path."""
    of_path = {
        "/api/recipes": settings.max_upload,
        "/api/search": settings.max_photo + settings.max_json,
    }
    return lambda scope: of_path.get(scope["path"], settings.max_json)


def _full(service: Service) -> Callable[[Scope], Refusal | None]:
    """Whether there is no room for a request with a body, by its path."""
    writes = ("/api/recipes", "/api/canonical/decisions")
    return lambda scope: (service.writing if scope["path"] in writes else service.reading).refusal()
