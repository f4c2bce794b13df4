"""`chef demo`: the page on the cookbook that comes with chef."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chef.commands.serve import Model, Port, check_installed, say

if TYPE_CHECKING:
    from chef.index import Index


def demo(
    out: Annotated[Path, typer.Option(help="Where everything goes.")] = Path("out/demo"),
    port: Port = 8000,
    model: Model = None,
    train: Annotated[bool, typer.Option("--train", help="The training demonstration instead.")] = False,
    recipes: Annotated[int, typer.Option(min=100, help="With --train: recipes to make.")] = 800,
    epochs: Annotated[int, typer.Option(min=1, help="With --train: rounds of training.")] = 24,
) -> None:
    """Open the page on the cookbook that comes with chef, until Ctrl-C; drop a photo in."""
    if train:
        from chef.commands.train_demo import train_demo

        train_demo(out, recipes, epochs)
        return
    check_installed()
    from chef.serve.run import serve
    from chef.serve.settings import ServeSettings

    print("opening the cookbook", flush=True)
    settings = ServeSettings(port=port, review=out / "review")
    serve(own_copy(out, model), settings, say)


def own_copy(out: Path, model: str | None) -> Index:
    """A copy of the cookbook's collection that may be written to; the one in the cache is shared.

    The copy is called after the model and the cookbook it was made of: another model makes another copy.
    """
    from chef.files import staging_folder
    from chef.index import Index, open_cookbook

    shared = open_cookbook(model)
    place = out / Path(shared.url).name
    if not place.is_dir():
        with staging_folder(place) as new:
            shutil.copytree(shared.url, new, dirs_exist_ok=True)
    return Index(place, model, create=False)
