"""POST /api/search: by photo, words, recipe, what is in it, or all of that together."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Request

from chef.errors import ChefError
from chef.serve import answers
from chef.serve.access import Reader
from chef.serve.bodies import SearchBody, SearchForm, SearchOptions, asks_something
from chef.serve.failures import Refusal, not_there
from chef.serve.openapi import either
from chef.serve.photo import photo_bytes
from chef.serve.reading import file_of, form, media_type, validated
from chef.serve.routes.common import BODY, Served, failures
from chef.serve.service import Service

router = APIRouter(tags=["search"])


@router.post(
    "/api/search",
    dependencies=[Reader],
    response_model=answers.SearchAnswer,
    responses=failures(*BODY, 404, 409, 415),
    openapi_extra=either(SearchBody, SearchForm),
)
async def search(request: Request, service: Served) -> dict[str, Any]:
    """The nearest recipes, each with the reasons why."""
    start = time.perf_counter()
    photo, query = await _read(request, service)
    found = await service.work(lambda: _search(service, photo, query))
    return {**found, "took_ms": round(1000 * (time.perf_counter() - start), 1)}


async def _read(request: Request, service: Service) -> tuple[bytes | None, SearchOptions]:
    settings = service.settings
    if media_type(request) == "application/json":
        body = validated(SearchBody, await request.body())
        if not asks_something(body):
            raise Refusal(422, "an empty query: give a photo, text, a recipe, or something to filter by")
        return None, body
    async with form(request, ("photo", "query"), files=1, field=settings.max_json) as fields:
        photo = await photo_bytes(file_of(fields, "photo"), settings)
        query = fields.get("query")
        if query is not None and not isinstance(query, str):
            raise Refusal(422, "query: JSON text is wanted, not a file")
        return photo, validated(SearchOptions, query) if query else SearchOptions()


def _search(service: Service, photo: bytes | None, query: SearchOptions) -> dict[str, Any]:
    recipe, exclude = query.recipe.recipe() if query.recipe else None, []
    if query.id is not None:
        if recipe is not None:
            raise Refusal(409, "an id and a recipe are two recipes; give one of them")
        recipe, exclude = service.entry(query.id).recipe, [query.id]
    try:
        hits = service.index.search(
            image=photo,
            text=query.text,
            recipe=recipe,
            weights=query.weights.model_dump(),
            with_=query.with_,
            without=query.without,
            main=query.main,
            max_ingredients=query.max_ingredients,
            tags=query.tags,
            pantry=query.pantry,
            k=query.k,
            exclude=exclude,
        )
    except ChefError as error:
        raise not_there(error) from error
    return {"hits": [hit.to_json() for hit in hits], "version": service.index.version}
