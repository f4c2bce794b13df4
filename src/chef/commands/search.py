"""`chef search`: recipes by photo, words, another recipe, and what is in them."""

from __future__ import annotations

import json as json_format
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from chef.errors import ChefError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from chef.index import Hit

Many = list[str] | None


def search(
    photo: Annotated[str | None, typer.Argument(metavar="[PHOTO]", help="A photo of a dish.")] = None,
    text: Annotated[str | None, typer.Option(help="Words: a title, ingredients.")] = None,
    recipe: Annotated[str | None, typer.Option(metavar="FILE", help="A recipe to find the like of.")] = None,
    index: Annotated[
        str | None, typer.Option(metavar="DIR", help="The collection; else chef's own cookbook.")
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many hits.")] = 10,
    with_: Annotated[
        Many, typer.Option("--with", help="An ingredient or group that must be in it. May be repeated.")
    ] = None,
    without: Annotated[
        Many, typer.Option(help="One that must not, such as nuts or dairy (words, no allergy advice).")
    ] = None,
    main: Annotated[str | None, typer.Option(help="What it must mainly be.")] = None,
    max_ingredients: Annotated[int | None, typer.Option(min=1, help="At most so many ingredients.")] = None,
    tag: Annotated[Many, typer.Option(help="A tag that it must have. May be repeated.")] = None,
    have: Annotated[
        Many, typer.Option(help="What you have at home: what lacks least comes first. May be repeated.")
    ] = None,
    weight: Annotated[
        Many, typer.Option(metavar="PART=N", help="How much image, text or recipe counts; 1 if not given.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="A model in the box, a folder or a run; else the collection's own.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find recipes: by photo, by words, like another recipe, or all together; filters hold exactly.

    Several ingredients may be given at once, parted by commas.
    """
    from chef.rewrite.one import one_recipe

    weights = _weights(weight or [])
    like = None if recipe is None else one_recipe(recipe)
    from chef.index import Index, open_cookbook

    where = open_cookbook(model) if index is None else Index(index, model, create=False)
    hits = where.search(
        photo,
        text,
        like,
        weights=weights,
        with_=_parted(with_),
        without=_parted(without),
        main=main,
        max_ingredients=max_ingredients,
        tags=tag or [],
        pantry=_parted(have),
        k=k,
    )
    if json:
        print(json_format.dumps({"hits": [hit.to_json() for hit in hits]}, ensure_ascii=False))
    else:
        from chef.commands.printing import out

        out(*_shown(hits))
        if without:
            from chef.food.groups import ALLERGY_NOTICE

            print(ALLERGY_NOTICE, file=sys.stderr)


def _parted(given: Many) -> list[str]:
    return [word.strip() for part in given or [] for word in part.split(",") if word.strip()]


def _weights(given: list[str]) -> dict[str, float]:
    found = {}
    for part in given:
        name, _, number = part.partition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            raise ChefError(f"not a weight: {part!r}", "write it like image=2") from None
    return found


def _shown(hits: list[Hit]) -> list[RenderableType]:
    from rich.table import Table
    from rich.text import Text

    if not hits:
        return [Text("nothing found; ask for less, or for other things")]
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("", justify="right")
    table.add_column("score", justify="right")
    table.add_column("recipe", ratio=3)
    table.add_column("mainly", style="green", ratio=1)
    table.add_column("the cook", style="magenta", ratio=2)
    table.add_column("why", style="dim", ratio=4)
    for place, hit in enumerate(hits, start=1):
        main = (hit.main_ingredient or "").replace("_", " ")
        actions = ", ".join(word.replace("_", " ") for word in hit.actions[:5])
        cells = (hit.title, main, actions, "; ".join(hit.why))
        # Text, not str: a title may hold what rich would read as markup.
        table.add_row(str(place), f"{hit.score:.2f}", *(Text(cell) for cell in cells))
    return [table]
