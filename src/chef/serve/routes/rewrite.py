"""What a recipe is and what it could become: explain, swap, suggestions, prune."""

from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import APIRouter

from chef import rewrite
from chef.errors import ChefError
from chef.recipe import Recipe
from chef.serve import requests, responses
from chef.serve.access import Reader
from chef.serve.errors import Refusal, refusal
from chef.serve.openapi import BODY, failures
from chef.serve.service import CurrentService, Service

router = APIRouter(tags=["rewrite"])

Answer = TypeVar("Answer")
Json = dict[str, Any]


@router.post(
    "/api/explain", dependencies=[Reader], responses=failures(*BODY), response_model=responses.ExplainAnswer
)
async def explain(body: requests.ExplainBody, service: CurrentService) -> Json:
    """The ingredient tree with the main ingredient, and each sentence's tree with its action word."""
    return await service.read(lambda: service.chef.explain(body.recipe.recipe()).to_json())


@router.post(
    "/api/swap", dependencies=[Reader], responses=failures(*BODY, 404), response_model=responses.SwapAnswer
)
async def swap(body: requests.SwapBody, service: CurrentService) -> Json:
    """The recipe with one ingredient replaced, and the real recipes and photos nearest to it."""

    def answer(recipe: Recipe) -> Json:
        swapped = rewrite.swap(service.chef, recipe, body.from_, body.to)
        hits, photos = rewrite.neighbours(service.index, swapped, body.k)
        facts = {"recipe": swapped.recipe.to_json(), "changed": swapped.changed, "notes": swapped.notes}
        explanation = service.chef.explain(swapped.recipe).to_json()
        return {**facts, "hits": hits, "photos": photos, "explanation": explanation}

    return await of_recipe(body, service, answer)


@router.post("/api/suggestions", dependencies=[Reader], responses=failures(*BODY, 404))
async def suggestions(body: requests.SuggestBody, service: CurrentService) -> responses.SuggestAnswer:
    """Possible replacements for an ingredient in this recipe, the best first, with the evidence."""

    def answer(recipe: Recipe) -> responses.SuggestAnswer:
        suggested = rewrite.suggest(
            service.index, recipe, body.from_, k=body.k, without=body.without, diet=body.diet
        )
        return responses.SuggestAnswer(suggested)

    return await of_recipe(body, service, answer)


@router.post(
    "/api/prune", dependencies=[Reader], responses=failures(*BODY, 404), response_model=responses.PruneAnswer
)
async def prune(body: requests.PruneBody, service: CurrentService) -> Json:
    """The recipe without the `k` ingredients that matter least to a cook; fewer where more would ruin it."""

    def answer(recipe: Recipe) -> Json:
        pruned = rewrite.prune(service.chef, recipe, body.k)
        facts = {"removed": pruned.removed, "reasons": pruned.reasons, "note": pruned.note}
        return {"recipe": pruned.recipe.to_json(), **facts}

    return await of_recipe(body, service, answer)


@router.post("/api/scale", dependencies=[Reader], responses=failures(*BODY))
async def scale(body: requests.ScaleBody, service: CurrentService) -> responses.ScaleAnswer:
    """Ingredient lines for `factor` times as many servings."""
    return await service.read(
        lambda: responses.ScaleAnswer([rewrite.scaled(line, body.factor) for line in body.lines])
    )


async def of_recipe(body: requests.OfRecipe, service: Service, answer: Callable[[Recipe], Answer]) -> Answer:
    """The answer for the recipe of a body; an ingredient that is unknown or not in the recipe is 404."""

    def work() -> Answer:
        if (body.id is None) == (body.recipe is None):
            raise Refusal(422, "give either the id of a recipe of the collection, or a recipe")
        recipe = body.recipe.recipe() if body.recipe is not None else service.entry(body.id or "").recipe
        try:
            return answer(recipe)
        except ChefError as error:
            raise refusal(error) from error

    return await service.read(work)
