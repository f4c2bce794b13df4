"""`chef report RESULT... --out DIR`: results as a page, LaTeX and CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    results: Annotated[
        list[Path], typer.Argument(help="What `chef evaluate --out` wrote, one file or several.")
    ],
    out: Annotated[Path, typer.Option(help="The folder to write; files of an older report are overwritten.")],
) -> None:
    """Write the paper's tables and figures as one HTML page, and each table as LaTeX and CSV.

    Results of one model that differ in training seed become one row: mean and standard deviation.
    """
    from chef.report.write import write_report

    page = write_report(results, out)
    typer.echo(f"wrote {page} ({page.stat().st_size / 1e6:.1f} MB) and {out / 'tables'}")
