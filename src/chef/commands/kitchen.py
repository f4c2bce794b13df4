"""`chef kitchen`: write a generated kitchen to try things on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def kitchen(
    out: Annotated[Path, typer.Argument(help="The folder to write; a generated kitchen there is replaced.")],
    recipes: Annotated[int, typer.Option(help="Number of recipes.")] = 200,
    seed: Annotated[int, typer.Option(help="Another seed makes another kitchen.")] = 0,
    size: Annotated[int, typer.Option(help="Width and height of the photos in pixels.")] = 256,
    images: Annotated[int, typer.Option(help="Photos per dish, 1 to 3.")] = 1,
) -> None:
    """Write generated recipes with painted photos and their ground truth."""
    from chef.data.kitchen import write_kitchen
    from chef.progress import ConsoleProgress

    with ConsoleProgress() as progress:
        write_kitchen(out, recipes, seed, size, images, progress)
    typer.echo(f"wrote {recipes} recipes to {out}", err=True)
