"""`chef prune`: a recipe without its least important ingredients."""

from __future__ import annotations

import json as json_format
from typing import Annotated

import typer

from chef.commands.explain import File, Id, Json


def prune(
    file: File,
    k: Annotated[int, typer.Option("-k", min=1, help="How many ingredients to take out.")] = 1,
    model: Annotated[str | None, typer.Option(help="A model in the box, a folder or a run.")] = None,
    id: Id = None,
    json: Json = False,
) -> None:
    """Take out the ingredients that stand deepest in the recipe's tree; one always stays."""
    from chef.rewrite.one import one_recipe

    recipe = one_recipe(file, id)
    import chef
    from chef.rewrite.prune import prune as run

    pruned = run(chef.load(model), recipe, k)
    if json:
        told = {"recipe": pruned.recipe.to_json(), "removed": pruned.removed, "tree": pruned.tree.to_json()}
        print(json_format.dumps(told, ensure_ascii=False))
        return
    from rich.text import Text

    from chef.commands.printing import out
    from chef.rewrite import show

    removed = ", ".join(map(show.readable, pruned.removed)) or "nothing: one ingredient always stays"
    out(show.recipe(pruned.recipe), Text(f"\ntaken out: {removed}"))
