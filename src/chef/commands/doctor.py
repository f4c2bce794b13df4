"""`chef doctor SOURCE`: what is wrong with a collection of recipes?"""

from __future__ import annotations

from typing import Annotated

import typer

from chef.commands.shared import plain_table, print_json, show

_SHOWN = 3  # examples in the table; --json gives them all


def doctor(
    source: Annotated[str, typer.Argument(help="A file, folder or archive of recipes.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
    limit: Annotated[int, typer.Option(min=1, help="How many examples of each problem to keep.")] = 5,
) -> None:
    """Examine recipes and photos: what is broken, empty, odd, in another language, or there twice."""
    from rich.text import Text

    from chef.data.doctor import examine
    from chef.progress import ConsoleProgress

    with ConsoleProgress() as progress:
        report = examine(source, limit=limit, progress=progress)
    if json:
        print_json(report.to_json())
        return
    table = plain_table()
    table.add_column("count", justify="right")
    table.add_column("problem", no_wrap=True)
    table.add_column("what it means", ratio=3)
    table.add_column("examples", ratio=4, overflow="fold")
    for problem in report.problems:
        # A pair is two recipes, or a recipe and what is wrong there.
        between = " = " if problem.kind.startswith("near-duplicate") else ": "
        shown = problem.examples[:_SHOWN]
        examples = "\n".join(one if isinstance(one, str) else between.join(one) for one in shown)
        # Text, not str: an id may contain what rich would read as markup.
        table.add_row(f"{problem.count:,}", problem.kind, problem.explanation, Text(examples))
    if report.problems:
        show(table, "")
    splits = ", ".join(f"{name} {count:,}" for name, count in report.splits.items() if name)
    kinds = len(report.problems)
    plural = "s" * (kinds > 1)
    problems = f"{kinds} kind{plural} of problem{plural}" if kinds else "no problems found"
    of_splits = f" ({splits})" if splits else ""
    show(Text(f"{report.recipes:,} recipes{of_splits}, {report.with_image:,} with a photo: {problems}."))
