"""`chef models`: what comes with the package, what can be trained, and what was."""

from __future__ import annotations

import json as json_format
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

_SCORES = ("medR", "R@1", "R@5", "R@10")


def models(
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Models or runs whose scores to show.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """List the models in the box, those that `chef train --model NAME` knows, and the scores of trained ones.

    Scores are those of the validation split.
    """
    from chef.bundled.models import shipped
    from chef.model.registry import ours, peers, variants

    in_the_box = [{**_trained(folder), "folder": name} for name, folder in shipped().items()]
    trained = [_trained(folder) for folder in folders or []]
    known = {
        title: [{"name": entry.name, "about": entry.about} for entry in entries.values()]
        for title, entries in (("variants", variants()), ("peers", peers()), ("ours", ours()))
    }
    if json:
        print(json_format.dumps({"shipped": in_the_box, **known, "artefacts": trained}, ensure_ascii=False))
        return
    if in_the_box:
        _print(_scored("in the box", in_the_box))
    titles = {"variants": "variants of the paper", "peers": "peers", "ours": "past the paper"}
    _print(*(_listed(title, known[kind]) for kind, title in titles.items()))
    if trained:
        _print(_scored("trained", trained))


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


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column)
    return table


def _listed(title: str, entries: list[dict[str, str]]) -> Table:
    table = _table(title, "")
    table.columns[0].min_width = len("variants of the paper")  # all tables stand in line
    table.columns[0].no_wrap = True
    for entry in entries:
        table.add_row(entry["name"], entry["about"])
    return table


def _scored(title: str, trained: list[dict[str, Any]]) -> Table:
    from rich.text import Text

    table = _table(title, "model", "tower", "epoch", *_SCORES)
    for column in table.columns[3:]:
        column.justify = "right"
    for entry in trained:
        scores = (
            f"{entry['validation'][name]:.1f}" if name in entry["validation"] else "" for name in _SCORES
        )
        # Text, not str: a folder's name may hold what rich would read as markup.
        table.add_row(
            Text(entry["folder"]), entry["name"], entry["tower"], str(entry["epoch"] or ""), *scores
        )
    return table


def _print(*tables: Table) -> None:
    from rich.console import Console

    # A pipe has no width: lines must not be cut at rich's 80 columns there.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    for table in tables:
        console.print(table)
        console.print()
