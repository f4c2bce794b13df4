"""`chef train`: a model from prepared data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer


def train(
    prepared: Annotated[Path, typer.Argument(help="A folder that `chef prepare` made.")],
    out: Annotated[Path, typer.Option(help="The folder of the run; one that was stopped goes on.")],
    preset: Annotated[
        str | None, typer.Option(help="Settings of a shipped model: afternoon, chef-base or chef-ttl.")
    ] = None,
    init: Annotated[
        str | None, typer.Option(help="A model to fine-tune: a shipped one, a folder, or a run.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="A name that `chef models` lists.")] = None,
    tower: Annotated[
        str | None, typer.Option(help="Image tower: small-cnn, a transformers folder, or a hub name.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(help="Rounds over the training pairs.")] = None,
    batch: Annotated[int | None, typer.Option(help="Pairs a step, over all processes.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of everything random.")] = None,
    settings: Annotated[Path | None, typer.Option(help="A settings.json to start from.")] = None,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="Any setting, as name=value. May be repeated.")
    ] = None,
) -> None:
    """Train a model on prepared data; the best one is left in OUT/best.

    With --init it starts from a trained model and takes small steps, for recipes and photos of your own.
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
    if os.environ.get("RANK", "0") == "0":  # of all processes that torchrun starts, one says it
        typer.echo(f"best model: {best}")
