"""What several routes share."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends

from chef.recipe import Recipe
from chef.serve.answers import Failure
from chef.serve.bodies import OfRecipe
from chef.serve.failures import Refusal
from chef.serve.service import Service, service

Served = Annotated[Service, Depends(service)]

_SAYS = {
    400: "The body cannot be read",
    401: "The token is missing or wrong",
    403: "Not from here",
    404: "There is no such thing",
    408: "The body came too slowly",
    409: "That does not fit what is there",
    413: "Too large",
    415: "Not a kind of data that we take",
    422: "A field is at fault",
    429: "Too many requests at once",
    503: "It took too long, or the collection cannot be used",
}
_WAIT = {
    "description": "Seconds until it is worth trying again.",
    "schema": {"type": "integer", "minimum": 1},
}
_MORE: dict[int, dict[str, Any]] = {429: {"headers": {"Retry-After": _WAIT}}}


def failures(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a route for the OpenAPI file; some can happen anywhere."""
    return {
        status: {"model": Failure, "description": _SAYS[status]} | _MORE.get(status, {})
        for status in sorted({401, 403, 429, 503, *statuses})
    }


BODY = (400, 408, 413, 422)  # what can be wrong with any JSON body


def plain(recipe: Recipe) -> dict[str, Any]:
    """A recipe for a client: without the places of its photos on this machine."""
    told = recipe.to_json()
    told.pop("images", None)
    told.pop("split", None)
    return told


def recipe_of(body: OfRecipe, service: Service) -> Recipe:
    """The recipe that a body means; exactly one of id and recipe must be there."""
    if (body.id is None) == (body.recipe is None):
        raise Refusal(422, "give either the id of a recipe of the collection, or a recipe")
    if body.recipe is not None:
        return body.recipe.recipe()
    return service.entry(body.id or "").recipe
