"""`chef search`: recipes by photo, words, another recipe, and what is in them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chef.commands.shared import Collection, IndexModel, Json, open_collection, plain_table, print_json, show
from chef.errors import ChefError

if TYPE_CHECKING:
    from rich.table import Table

    from chef.index import Hits

Many = list[str] | None
_PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".gif", ".bmp", ".tif", ".tiff")
_UNSURE = {"none": "no good match; the nearest are", "weak": "perhaps no good match; the nearest are"}


def search(
    photo: Annotated[
        str | None,
        typer.Argument(metavar="[PHOTO OR WORDS]", help="A photo of a dish, or words as for --text."),
    ] = None,
    text: Annotated[
        str | None, typer.Option(help="Words: a title, ingredients, 'vegan soup without nuts'.")
    ] = None,
    recipe: Annotated[
        str | None, typer.Option(metavar="FILE", help="A recipe to find similar ones to.")
    ] = None,
    index: Collection = None,
    k: Annotated[int, typer.Option("-k", min=1, help="Number of hits.")] = 10,
    with_: Annotated[
        Many, typer.Option("--with", help="An ingredient or group that it must have. May be repeated.")
    ] = None,
    without: Annotated[
        Many, typer.Option(help="One that it must not have, such as nuts (reads words; no allergy advice).")
    ] = None,
    diet: Annotated[str | None, typer.Option(help="vegetarian, vegan or pescatarian.")] = None,
    include_unsure: Annotated[
        bool,
        typer.Option("--include-unsure", help="Keep recipes that were not fully understood."),
    ] = False,
    literal: Annotated[
        bool, typer.Option("--literal", help="Take the words as they are, not as filters.")
    ] = False,
    main: Annotated[str | None, typer.Option(help="Its main ingredient.")] = None,
    max_ingredients: Annotated[int | None, typer.Option(min=1, help="At most this many ingredients.")] = None,
    tag: Annotated[Many, typer.Option(help="A tag that it must have. May be repeated.")] = None,
    have: Annotated[
        Many,
        typer.Option(
            help="What you have at home: recipes that need the least else come first. May be repeated."
        ),
    ] = None,
    weight: Annotated[
        Many, typer.Option(metavar="PART=N", help="How much image, text or recipe counts; default: 1.")
    ] = None,
    model: IndexModel = None,
    json: Json = False,
) -> None:
    """Find recipes by photo, by words, by similarity to another recipe, or all together; filters are exact.

    Several ingredients may be given at once, separated by commas.
    """
    from chef.readers import one_recipe

    if photo is not None and not _is_photo(photo):
        photo, text = None, " ".join(filter(None, (photo, text)))
    weights = {}
    for part in weight or []:
        name, _, number = part.partition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            raise ChefError(f"not a weight: {part!r}", "write it like image=2") from None
    like = None if recipe is None else one_recipe(recipe)
    collection = open_collection(index, model)
    asked = collection.understand(text) if text and not literal else None
    hits = collection.search(
        photo,
        text,
        like,
        weights=weights,
        with_=separated(with_),
        without=separated(without),
        main=main,
        max_ingredients=max_ingredients,
        tags=tag or [],
        pantry=separated(have),
        k=k,
        diet=diet,
        include_unsure=include_unsure,
        literal=literal,
    )
    collection.freeze()
    if json:
        understood = asked.to_json() if asked else None
        answer = {"match": hits.match, "hits": [hit.to_json() for hit in hits], "fitting": hits.fitting}
        print_json({**answer, "understood": understood})
        return
    if asked:
        read = [*(f"without {word}" for word in asked.without), *filter(None, [asked.diet])]
        read += [f'"{given}" as {meant}' for given, meant in asked.corrected.items()]
        if read:
            print(f"understood: {', '.join(read)} (--literal takes the words as they are)", file=sys.stderr)
        if asked.unknown:
            print(f"no recipe knows {' or '.join(asked.unknown)}", file=sys.stderr)
    if collection.fault:
        print(f"note: {collection.fault}", file=sys.stderr)
    if hits and hits.match in _UNSURE:
        print(_UNSURE[hits.match], file=sys.stderr)
    show(
        _view(hits, photo is not None and hits[0].probability is not None)
        if hits
        else "nothing found: try fewer or other words or conditions"
    )
    if without or diet or (asked and (asked.without or asked.diet)):
        from chef.food.groups import ALLERGY_NOTICE

        print(ALLERGY_NOTICE, file=sys.stderr)


def _is_photo(given: str) -> bool:
    """Whether this is a file or an address, or at least named like a photo."""
    return Path(given).exists() or "://" in given or Path(given).suffix.lower() in _PHOTOS


def separated(given: Many) -> list[str]:
    return [word.strip() for part in given or [] for word in part.split(",") if word.strip()]


def _view(hits: Hits, with_probability: bool) -> Table:
    """With words many recipes may be right: only a photo has one, and each hit a chance to be it.

    A line parts the hits that have something of the words from those that are only near.
    """
    from rich.text import Text

    table = plain_table()
    table.add_column("", justify="right")
    table.add_column("score", justify="right")
    if with_probability:
        table.add_column("right", justify="right")
    table.add_column("recipe", ratio=3)
    table.add_column("mainly", style="green", ratio=1)
    table.add_column("the cook", style="magenta", ratio=2)
    table.add_column("why", style="dim", ratio=4)
    for rank, hit in enumerate(hits, start=1):
        if rank == hits.fitting + 1 > 1:
            gap = [""] * (3 if with_probability else 2)
            table.add_row(*gap, Text("only near:", style="dim italic"))
        actions = ", ".join(word.replace("_", " ") for word in hit.actions[:5])
        cells = (hit.title, hit.mainly, actions, "; ".join(hit.why))
        # Text, not str: a title may contain what rich would read as markup.
        likely = [f"{hit.probability:.0%}"] if with_probability else []
        table.add_row(str(rank), f"{hit.score:.2f}", *likely, *(Text(cell) for cell in cells))
    return table
