"""`chef train`: a model from prepared data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer


def train(
    prepared: Annotated[Path, typer.Argument(help="A folder made by `chef prepare`.")],
    out: Annotated[Path, typer.Option(help="The folder of the run; a stopped run is continued.")],
    preset: Annotated[
        str | None, typer.Option(help="The settings of a bundled model: afternoon, chef-base or chef-ttl.")
    ] = None,
    init: Annotated[
        str | None, typer.Option(help="A model to fine-tune: a bundled one, a folder, or a run.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="A name that `chef models` lists.")] = None,
    tower: Annotated[
        str | None, typer.Option(help="Image tower: small-cnn, a transformers folder, or a hub name.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(help="Passes over the training pairs.")] = None,
    batch: Annotated[int | None, typer.Option(help="Pairs per step, over all processes.")] = None,
    seed: Annotated[int | None, typer.Option(help="The random seed.")] = None,
    settings: Annotated[Path | None, typer.Option(help="A settings.json to start from.")] = None,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="Any setting, as name=value. May be repeated.")
    ] = None,
) -> None:
    """Train a model on prepared data; the best one is left in OUT/best.

    With --init it starts from a trained model and takes small steps, for your own recipes and photos.
    Under torchrun all processes train one model:
    torchrun --nproc-per-node 2 --max-restarts 3 -m chef train PREPARED --out RUN
    """
    from chef.train.settings import make_settings, parse_assignments, read_preset, read_settings

    values: dict[str, Any] = read_preset(preset) if preset else {}
    values |= read_settings(settings) if settings else {}
    values.pop("data", None)  # a run's own settings.json names its data too
    named = {"model": model, "tower": tower, "epochs": epochs, "batch": batch, "seed": seed}
    values |= {name: value for name, value in named.items() if value is not None}
    values |= parse_assignments(assignments or [])
    if init:
        from chef.train.start import settings_for

        values = settings_for(init, values)
    chosen = make_settings(values)

    from chef.data.prepared import Prepared
    from chef.train.loop import train as run

    best = run(Prepared(prepared), chosen, out)
    if os.environ.get("RANK", "0") == "0":  # only one of the processes that torchrun starts
        typer.echo(f"best model: {best}")
