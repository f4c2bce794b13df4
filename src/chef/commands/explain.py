"""`chef explain`: what a recipe mainly is, and what its cook does."""

from __future__ import annotations

import json as json_format
from typing import Annotated

import typer

File = Annotated[str, typer.Argument(help="A recipe in any format that chef reads.", metavar="FILE")]
Id = Annotated[str | None, typer.Option(help="Which recipe, where FILE holds several.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def explain(
    file: File,
    model: Annotated[str | None, typer.Option(help="A model in the box, a folder or a run.")] = None,
    id: Id = None,
    json: Json = False,
) -> None:
    """Show a recipe's main ingredient, its ingredient tree, and the action word of every sentence."""
    from chef.rewrite.one import one_recipe

    recipe = one_recipe(file, id)
    import chef

    found = chef.load(model).explain(recipe)
    if json:
        print(json_format.dumps(found.to_json(), ensure_ascii=False))
        return
    from chef.commands.printing import out
    from chef.rewrite import show

    out(show.explanation(recipe.title, found))
