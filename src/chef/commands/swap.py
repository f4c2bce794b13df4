"""`chef swap`: another ingredient in a recipe, or what could take its place."""

from __future__ import annotations

import json as json_format
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chef.commands.explain import File, Id, Json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from chef.index import Index
    from chef.recipe import Recipe


def swap(
    file: File,
    from_: Annotated[str, typer.Argument(metavar="FROM", help="The ingredient that leaves.")],
    to: Annotated[
        str | None, typer.Argument(metavar="[TO]", help="The one that comes; left out, some are suggested.")
    ] = None,
    index: Annotated[
        str | None, typer.Option(help="The collection to look in; else chef's own cookbook.")
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many recipes, photos or suggestions.")] = 10,
    model: Annotated[
        str | None, typer.Option(help="A model in the box, a folder or a run; else the collection's own.")
    ] = None,
    id: Id = None,
    json: Json = False,
) -> None:
    """Put another ingredient into a recipe and show real recipes near it; without TO, suggest some."""
    from chef.rewrite.one import one_recipe

    recipe = one_recipe(file, id)
    from chef.index import Index, open_cookbook

    where = open_cookbook(model) if index is None else Index(index, model, create=False)
    told, shown = _suggested(where, recipe, from_, k) if to is None else _swapped(where, recipe, from_, to, k)
    if json:
        print(json_format.dumps(told, ensure_ascii=False))
        return
    from chef.commands.printing import out

    out(*shown)


def _swapped(
    index: Index, recipe: Recipe, from_: str, to: str, k: int
) -> tuple[dict[str, Any], list[RenderableType]]:
    from chef.rewrite import show
    from chef.rewrite.neighbours import neighbours
    from chef.rewrite.swap import swap as run

    swapped = run(index.chef, recipe, from_, to)
    hits, photos = neighbours(index, swapped, k)
    told = {
        "recipe": swapped.recipe.to_json(),
        "changed": [change.to_json() for change in swapped.changed],
        "hits": [hit.to_json() for hit in hits],
        "photos": [hit.to_json() for hit in photos],
    }
    shown = [show.recipe(swapped.recipe, swapped.changed), "", show.hits("recipes near it", hits)]
    return told, shown + (["", show.hits("photos near it", photos)] if photos else [])


def _suggested(
    index: Index, recipe: Recipe, from_: str, k: int
) -> tuple[dict[str, Any], list[RenderableType]]:
    from chef.rewrite import show
    from chef.rewrite.suggest import suggest

    found = suggest(index, recipe, from_, k)
    return {"suggestions": [one.to_json() for one in found]}, [show.suggestions(from_, found)]
