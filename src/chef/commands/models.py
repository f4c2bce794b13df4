"""`chef models`, `chef train`, `chef export`: known models; a model from prepared data; ONNX files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chef.commands.shared import plain_table, print_json, show

if TYPE_CHECKING:
    from rich.table import Table

_SCORES = ("medR", "R@1", "R@5", "R@10")


def models(
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Models or runs whose scores to show.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """List the bundled models, those that `chef train --model NAME` knows, and the scores of trained ones.

    Scores are those of the validation split.
    """
    from chef.bundled import shipped
    from chef.model.registry import ours, peers, variants

    bundled = [{**_trained(folder), "folder": name} for name, folder in shipped().items()]
    trained = [_trained(folder) for folder in folders or []]
    known = {
        title: [{"name": entry.name, "about": entry.about} for entry in entries.values()]
        for title, entries in (("variants", variants()), ("peers", peers()), ("ours", ours()))
    }
    if json:
        print_json({"shipped": bundled, **known, "artefacts": trained})
        return
    if bundled:
        show(_scored("bundled", bundled), "")
    titles = {"variants": "variants of the paper", "peers": "peers", "ours": "past the paper"}
    for kind, title in titles.items():
        table = plain_table(title, "")
        table.columns[0].min_width = max(map(len, titles.values()))  # all tables are aligned
        table.columns[0].no_wrap = True
        for entry in known[kind]:
            table.add_row(entry["name"], entry["about"])
        show(table, "")
    if trained:
        show(_scored("trained", trained), "")


def _trained(folder: Path) -> dict[str, Any]:
    from chef.model.artefact import find, read_config

    config = read_config(find(folder))
    about = config["about"]
    return {
        "folder": str(folder),
        "name": config["model"]["variant"],
        "tower": config["model"]["tower"].get("kind"),
        "epoch": about.get("epoch"),
        "validation": about.get("validation", {}),
    }


def _scored(title: str, trained: list[dict[str, Any]]) -> Table:
    from rich.text import Text

    table = plain_table(title, "model", "tower", "epoch", *_SCORES)
    for column in table.columns[3:]:
        column.justify = "right"
    for entry in trained:
        values = entry["validation"]
        scores = (f"{values[name]:.1f}" if name in values else "" for name in _SCORES)
        # Text, not str: a folder's name may contain what rich would read as markup.
        folder, epoch = Text(entry["folder"]), str(entry["epoch"] or "")
        table.add_row(folder, entry["name"], entry["tower"], epoch, *scores)
    return table


def export(
    model: Annotated[Path, typer.Argument(help="A bundled model, a model's folder, or a run.")],
    out: Annotated[Path, typer.Argument(help="The folder to create.")],
) -> None:
    """Write the image tower and the recipe tower as separate ONNX files, checked against torch.

    The batch size is free; texts have the fixed length that the model's data were cut to. A model with
    trees takes minutes.
    """
    from chef.model.export import export as write

    for side, difference in write(model, out).items():
        typer.echo(f"{out / side}.onnx  at most {difference:.1e} from torch")


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
