"""`chef explain`, `chef swap` and `chef prune`: one recipe explained, changed or shortened."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chef.commands.search import Many, separated
from chef.commands.shared import (
    Collection,
    File,
    Id,
    IndexModel,
    Json,
    Model,
    open_collection,
    print_json,
    show,
)
from chef.files import write_atomic

if TYPE_CHECKING:
    from rich.console import RenderableType

    from chef.index import Index
    from chef.recipe import Recipe


def explain(file: File, model: Model = None, id: Id = None, json: Json = False) -> None:
    """Show a recipe's main ingredient, its ingredient tree, and the action word of every sentence."""
    from chef.readers import one_recipe

    recipe = one_recipe(file, id)
    import chef

    explanation = chef.load(model).explain(recipe)
    if json:
        print_json(explanation.to_json())
        return
    from chef.rewrite import display

    show(display.explanation(recipe.title, explanation))


def swap(
    file: File,
    from_: Annotated[str, typer.Argument(metavar="FROM", help="The ingredient to replace.")],
    to: Annotated[
        str | None, typer.Argument(metavar="[TO]", help="Its replacement; without it, some are suggested.")
    ] = None,
    index: Collection = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many recipes, photos or suggestions.")] = 10,
    without: Annotated[
        Many, typer.Option(help="Suggest nothing of this, such as nuts (reads words; no allergy advice).")
    ] = None,
    diet: Annotated[
        str | None, typer.Option(help="Suggest for a diet: vegetarian, vegan or pescatarian.")
    ] = None,
    model: IndexModel = None,
    id: Id = None,
    out: Annotated[Path | None, typer.Option(help="Save the changed recipe as JSON.")] = None,
    json: Json = False,
) -> None:
    """Replace an ingredient of a recipe and show real recipes near the result; without TO, suggest some."""
    from chef.readers import one_recipe

    recipe = one_recipe(file, id)
    collection = open_collection(index, model)
    if to is not None:
        _swap(collection, recipe, from_, to, k, out, json)
        return
    from chef.rewrite import display
    from chef.rewrite.suggest import suggest

    suggestions = suggest(collection, recipe, from_, k, without=separated(without), diet=diet)
    if json:
        print_json({"suggestions": [one.to_json() for one in suggestions]})
    else:
        show(display.suggestions(from_, suggestions))


def _swap(index: Index, recipe: Recipe, from_: str, to: str, k: int, out: Path | None, json: bool) -> None:
    from chef.rewrite import display
    from chef.rewrite.swap import neighbours
    from chef.rewrite.swap import swap as run

    swapped = run(index.chef, recipe, from_, to)
    if out is not None:  # a recipe of its own, which no longer looks like the photo
        saved = {
            name: value for name, value in swapped.recipe.to_json().items() if name not in ("id", "images")
        }
        write_atomic(out, dumps(saved, ensure_ascii=False, indent=1).encode())
    hits, photos = neighbours(index, swapped, k)
    if json:
        changed = [one.to_json() for one in swapped.changed]
        facts = {"recipe": swapped.recipe.to_json(), "changed": changed, "notes": swapped.notes}
        lists = {"hits": [hit.to_json() for hit in hits], "photos": [hit.to_json() for hit in photos]}
        print_json({**facts, **lists})
        return
    parts: list[RenderableType] = [display.recipe(swapped.recipe, swapped.changed)]
    parts += ["", display.notes(swapped.notes)] if swapped.notes else []
    parts += ["", display.hits("recipes near it", hits)]
    show(*parts, *(["", display.hits("photos near it", photos)] if photos else []))


def prune(
    file: File,
    k: Annotated[int, typer.Option("-k", min=1, help="How many ingredients to remove.")] = 1,
    model: Model = None,
    id: Id = None,
    json: Json = False,
) -> None:
    """Leave out what matters least to a cook, such as garnish; never what makes the dish."""
    from chef.readers import one_recipe

    recipe = one_recipe(file, id)
    import chef
    from chef.rewrite.prune import prune as run

    pruned = run(chef.load(model), recipe, k)
    if json:
        facts = {"recipe": pruned.recipe.to_json(), "removed": pruned.removed, "reasons": pruned.reasons}
        print_json({**facts, "note": pruned.note, "tree": pruned.tree and pruned.tree.to_json()})
        return
    from rich.text import Text

    from chef.rewrite import display
    from chef.text.tokens import readable

    removed = zip(pruned.removed, pruned.reasons, strict=True)
    left_out = "; ".join(f"{readable(token)} ({why})" for token, why in removed) or "nothing"
    note = f"\n{pruned.note}" if pruned.note else ""
    show(display.recipe(pruned.recipe), Text(f"\nremoved: {left_out}{note}"))
