"""A table as HTML, as LaTeX for the packages booktabs and graphicx, and as CSV; the templates of the page."""

import csv
import io
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from chef.report.table import Cell, Table, Value

_EXTRAS = ("sd", "low", "high", "runs")  # columns of their own in CSV
_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$",
    "±": r"$\pm$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\rightarrow$", "Δ": r"$\Delta$",
    "<": "$<$", ">": "$>$",
} | {character: "\\" + character for character in "_&%$#{}"}  # fmt: skip


@cache
def _environment() -> Environment:
    options = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
    loader, escape = PackageLoader("chef.report"), select_autoescape(["html"])
    environment = Environment(loader=loader, autoescape=escape, **options)  # type: ignore[arg-type]
    environment.filters["latex"] = latex
    return environment


def render(template: str, **values: Any) -> str:
    """The text of a template in `templates/`."""
    return _environment().get_template(template).render(**values)


def draw(macro: str, *values: Any, **options: Any) -> Markup:
    """A picture of `templates/charts.html`."""
    picture: Markup = getattr(_environment().get_template("charts.html").module, macro)(*values, **options)
    return picture


def table_latex(table: Table) -> str:
    """A whole `table` environment; the sentences under the table end its caption."""
    return render("table.tex", table=table) + "\n"


def latex(text: str) -> str:
    """Text with LaTeX's special characters made safe.

    >>> latex("50 %")
    '50 \\\\%'
    """
    return "".join(_SPECIAL.get(character, character) for character in text)


def table_csv(table: Table) -> str:
    """One line a row. A column "R@1" is followed by "R@1 sd", "R@1 low", "R@1 high" where rows have them."""
    rows = [row for block in table.blocks for row in block.rows]
    extras = [
        [name for name in _EXTRAS if any(_extra(row.cells[place], name) for row in rows)]
        for place in range(len(table.columns))
    ]
    file = io.StringIO()
    write = csv.writer(file, lineterminator="\n").writerow

    def plain_text(cell: str) -> str:
        """A name that a spreadsheet would run as a formula, as text."""
        cell = cell.replace("\r", " ")
        return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t")) else cell

    head = ["block", table.stub.lower(), "kind"]
    for column, names in zip(table.columns, extras, strict=True):
        label = f"{column.group}: {column.label}" if column.group else column.label
        head += [label, *(f"{label} {name}" for name in names)]
    write(head)
    for block in table.blocks:
        for row in block.rows:
            line = [plain_text(cell) for cell in (block.heading, row.label, row.kind)]
            for cell, names in zip(row.cells, extras, strict=True):
                plain = _number(cell.mean) if isinstance(cell, Value) else plain_text(cell or "")
                line += [plain, *(_extra(cell, name) for name in names)]
            write(line)
    return file.getvalue()


def _extra(cell: Cell, name: str) -> str:
    if not isinstance(cell, Value):
        return ""
    if name == "runs":
        return " ".join(_number(value) for value in cell.values) if cell.sd is not None else ""
    low, high = cell.ci or (None, None)
    number = {"sd": cell.sd, "low": low, "high": high}[name]
    return "" if number is None else _number(number)


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")
