"""`chef doctor SOURCE`: what is wrong with a collection of recipes?"""

from __future__ import annotations

import json as json_format
import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from chef.data.doctor import Report
    from chef.data.doctor.checks.findings import Example

_SHOWN = 3  # examples in the table; --json gives them all


def doctor(
    source: Annotated[str, typer.Argument(help="A file, folder or archive of recipes.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="How many examples of each problem to keep.")] = 5,
) -> None:
    """Examine recipes and photos: what is broken, empty, odd, foreign or there twice."""
    from chef.data.doctor import examine
    from chef.progress import ConsoleProgress

    with ConsoleProgress() as progress:
        report = examine(source, limit=limit, progress=progress)
    if json:
        print(json_format.dumps(report.to_json(), ensure_ascii=False))
    else:
        _show(report)


def _show(report: Report) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # A pipe has no width: lines must not be cut at rich's 80 columns there.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("count", justify="right")
    table.add_column("problem", no_wrap=True)
    table.add_column("what it means", ratio=3)
    table.add_column("examples", ratio=4, overflow="fold")
    for problem in report.problems:
        # Text, not str: an id may hold what rich would read as markup.
        examples = "\n".join(_words(example, problem.kind) for example in problem.examples[:_SHOWN])
        table.add_row(f"{problem.count:,}", problem.kind, problem.explanation, Text(examples))
    if report.problems:
        console.print(table)
        console.print()
    console.print(Text(_closing(report)))


def _words(example: Example, kind: str) -> str:
    # A pair is two recipes, or a recipe and what is wrong there.
    between = " = " if kind.startswith("near-duplicate") else ": "
    return example if isinstance(example, str) else between.join(example)


def _closing(report: Report) -> str:
    named = {name: count for name, count in report.splits.items() if name}
    splits = ", ".join(f"{name} {count:,}" for name, count in named.items())
    found = f"{len(report.problems)} kinds of problems" if report.problems else "no problems found"
    if len(report.problems) == 1:
        found = "1 kind of problem"
    of_splits = f" ({splits})" if splits else ""
    return f"{report.recipes:,} recipes{of_splits}, {report.with_image:,} with a photo: {found}."
