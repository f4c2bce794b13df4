"""`chef models` and `chef export`: bundled, trainable and trained models; models as ONNX files."""

from __future__ import annotations

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
