"""What several commands share: options, opening a collection, printing."""

from __future__ import annotations

import json as json_format
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from chef.index import Index
    from chef.readers import Skipped

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
File = Annotated[str, typer.Argument(help="A recipe in any format that chef reads.", metavar="FILE")]
Id = Annotated[str | None, typer.Option(help="Which recipe, if FILE holds several.")]
Model = Annotated[str | None, typer.Option(help="A bundled model, a model's folder, or a run.")]
IndexModel = Annotated[
    str | None, typer.Option(help="A bundled model, a model's folder, or a run; default: the collection's.")
]
Collection = Annotated[
    str | None, typer.Option(metavar="DIR", help="The collection to search; default: the bundled cookbook.")
]

RayAddress = Annotated[
    str | None,
    typer.Option("--ray", metavar="[ADDRESS]", help="Work on a Ray cluster, or on a Ray of this machine."),
]


def open_collection(index: str | None, model: str | None = None) -> Index:
    """The collection at a folder or address, else the bundled cookbook's."""
    from chef.index import Index, open_cookbook

    return open_cookbook(model) if index is None else Index(index, model, create=False)


def print_json(data: Any) -> None:
    """Print one JSON object on a line."""
    print(json_format.dumps(data, ensure_ascii=False))


def show_skipped(skipped: Skipped) -> None:
    """Say what was not read and why, on standard error."""
    for title, tally in (("skipped", skipped), ("photo left out", skipped.notes)):
        for reason, count in sorted(tally.counts.items(), key=lambda item: -item[1]):
            typer.echo(f"{title}: {reason} ({count:,}), first: {tally.examples[reason][0]}", err=True)


def show(*parts: RenderableType) -> None:
    """Print tables, trees and text; a pipe has no width, so lines are not cut at 80 columns there."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 140)
    for part in parts:
        console.print(part)


def plain_table(*columns: str) -> Table:
    """An empty table without lines."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column)
    return table
