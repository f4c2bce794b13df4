"""`chef export MODEL OUT`: the two towers as ONNX files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    model: Annotated[Path, typer.Argument(help="A model in the box, a model's folder, or a run's.")],
    out: Annotated[Path, typer.Argument(help="The folder to make.")],
) -> None:
    """Write the image tower and the recipe tower as separate ONNX files, checked against torch.

    The batch size is free; texts have the fixed length that the model's data were cut to. A model with
    trees takes minutes.
    """
    from chef.model.export import export as write

    for side, difference in write(model, out).items():
        typer.echo(f"{out / side}.onnx  at most {difference:.1e} from torch")
