"""POST /api/search: by photo, words, recipe, ingredients, or all of these together."""

import time

from fastapi import APIRouter, Request

from chef.errors import ChefError
from chef.serve.access import Reader
from chef.serve.errors import Refusal, refusal
from chef.serve.openapi import BODY, either, failures
from chef.serve.requests import SearchBody, SearchForm, SearchOptions
from chef.serve.responses import SearchAnswer
from chef.serve.service import CurrentService, Service
from chef.serve.uploads import read_body

router = APIRouter(tags=["search"])


@router.post(
    "/api/search",
    dependencies=[Reader],
    responses=failures(*BODY, 404, 409, 415),
    openapi_extra=either(SearchBody, SearchForm),
)
async def search(request: Request, service: CurrentService) -> SearchAnswer:
    """The nearest recipes, each with the reasons why."""
    photo, query = await read_body(request, SearchBody, "query", SearchOptions, service.settings)
    return await find(photo, query, service)


async def find(photo: bytes | None, query: SearchOptions, service: Service) -> SearchAnswer:
    """The answer to a query with or without a photo."""
    start = time.perf_counter()
    if photo is None and not query.asks_something():
        raise Refusal(422, "an empty query: give a photo, text, a recipe, or a filter")

    def run() -> SearchAnswer:
        recipe, exclude = query.recipe.recipe() if query.recipe else None, []
        if query.id is not None:
            if recipe is not None:
                raise Refusal(409, "both an id and a recipe are given; give one of them")
            recipe, exclude = service.entry(query.id).recipe, [query.id]
        try:
            hits = service.index.search(
                image=photo,
                recipe=recipe,
                weights=query.weights.model_dump(),
                exclude=exclude,
                **query.model_dump(exclude={"id", "recipe", "weights"}),
            )
            asked = service.index.understand(query.text) if query.text and not query.literal else None
        except ChefError as error:
            raise refusal(error) from error
        took = round(1000 * (time.perf_counter() - start), 1)
        version, understood = service.index.version, asked or None
        return SearchAnswer(hits.match, hits, hits.fitting, hits.total, took, version, understood)

    return await service.read(run)
