"""What a recipe is and what it could become: explain, swap, suggestions, prune."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import APIRouter

from chef.errors import ChefError
from chef.rewrite import neighbours, suggest
from chef.rewrite import prune as pruned
from chef.rewrite import swap as swapped
from chef.serve import answers
from chef.serve.access import Reader
from chef.serve.bodies import ExplainBody, PruneBody, SuggestBody, SwapBody
from chef.serve.failures import not_there
from chef.serve.routes.common import BODY, Served, failures, plain, recipe_of
from chef.serve.service import Service

router = APIRouter(tags=["understand"])


@router.post(
    "/api/explain", dependencies=[Reader], response_model=answers.ExplainAnswer, responses=failures(*BODY)
)
async def explain(body: ExplainBody, service: Served) -> dict[str, Any]:
    """The ingredient tree with the main ingredient, and each sentence's tree with its action word."""
    return await service.work(lambda: service.chef.explain(body.recipe.recipe()).to_json())


@router.post(
    "/api/swap", dependencies=[Reader], response_model=answers.SwapAnswer, responses=failures(*BODY, 404)
)
async def swap(body: SwapBody, service: Served) -> dict[str, Any]:
    """The recipe with one ingredient for another, and the real recipes and photos nearest to it."""
    return await service.work(lambda: _swap(body, service))


def _swap(body: SwapBody, service: Service) -> dict[str, Any]:
    recipe = recipe_of(body, service)
    with _not_found():
        made = swapped(service.chef, recipe, body.from_, body.to)
        hits, photos = neighbours(service.index, made, body.k)
    return {
        "recipe": plain(made.recipe),
        "changed": [change.to_json() for change in made.changed],
        "hits": [hit.to_json() for hit in hits],
        "photos": [hit.to_json() for hit in photos],
        "explanation": service.chef.explain(made.recipe).to_json(),
    }


@router.post(
    "/api/suggestions",
    dependencies=[Reader],
    response_model=answers.SuggestAnswer,
    responses=failures(*BODY, 404),
)
async def suggestions(body: SuggestBody, service: Served) -> dict[str, Any]:
    """What could replace an ingredient here, the best first, with the evidence."""
    return await service.work(lambda: _suggest(body, service))


def _suggest(body: SuggestBody, service: Service) -> dict[str, Any]:
    recipe = recipe_of(body, service)
    with _not_found():
        found = suggest(service.index, recipe, body.from_, k=body.k)
    return {"suggestions": [item.to_json() for item in found]}


@router.post(
    "/api/prune", dependencies=[Reader], response_model=answers.PruneAnswer, responses=failures(*BODY, 404)
)
async def prune(body: PruneBody, service: Served) -> dict[str, Any]:
    """The recipe without its `k` least important ingredients."""
    return await service.work(lambda: _prune(body, service))


def _prune(body: PruneBody, service: Service) -> dict[str, Any]:
    recipe = recipe_of(body, service)
    with _not_found():
        made = pruned(service.chef, recipe, body.k)
    return {"recipe": plain(made.recipe), "removed": made.removed}


@contextmanager
def _not_found() -> Iterator[None]:
    """Inside, what a recipe does not have, or nobody knows, is 404."""
    try:
        yield
    except ChefError as error:
        raise not_there(error) from error
