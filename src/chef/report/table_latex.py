"""A table as LaTeX, for the packages booktabs and graphicx."""

from __future__ import annotations

from collections.abc import Iterator

from chef.report.table import Block, Cell, Row, Table
from chef.report.value import Value

_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$",
    "±": r"$\pm$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\rightarrow$", "Δ": r"$\Delta$",
    "<": "$<$", ">": "$>$",
} | {character: "\\" + character for character in "_&%$#{}"}  # fmt: skip


# No wider than the text, and never larger than it is.
_SHRINK = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


def table_latex(table: Table) -> str:
    """A whole `table` environment; the sentences under the table end its caption."""
    return "\n".join([*_lines(table), ""])


def latex(text: str) -> str:
    """Text with LaTeX's special characters made safe.

    >>> latex("50 %")
    '50 \\\\%'
    """
    return "".join(_SPECIAL.get(character, character) for character in text)


def _lines(table: Table) -> Iterator[str]:
    # The document numbers its tables itself: "Table 1" stays a comment.
    title = [] if table.title.startswith("Table ") else [f"{table.title}."]
    caption = " ".join([*title, table.caption, *table.says])
    yield f"% {table.title}; needs \\usepackage{{booktabs,graphicx}}"
    yield r"\begin{table}[ht]"
    yield r"\centering\small"
    yield rf"\caption{{{latex(caption)}}}"
    yield rf"\label{{tab:{table.name}}}"
    yield _SHRINK
    yield rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}"
    yield r"\toprule"
    yield from _head(table)
    for block in table.blocks:
        yield r"\midrule"
        if block.heading:
            yield rf"\multicolumn{{{len(table.columns) + 1}}}{{l}}{{\textit{{{latex(block.heading)}}}}} \\"
        for row in block.rows:
            cells = (_cell(table, block, row, place, cell) for place, cell in enumerate(row.cells))
            yield rf"{latex(row.label)} & {' & '.join(cells)} \\"
    yield r"\bottomrule"
    yield r"\end{tabular}}"
    yield r"\end{table}"


def _head(table: Table) -> Iterator[str]:
    if any(column.group for column in table.columns):
        groups, rules, start = [], [], 2
        for heading, width, _ in table.groups():
            groups.append(rf"\multicolumn{{{width}}}{{c}}{{{latex(heading)}}}")
            rules.append(rf"\cmidrule(lr){{{start}-{start + width - 1}}}" if heading else "")
            start += width
        yield rf" & {' & '.join(groups)} \\"
        yield "".join(rules)
    labels = " & ".join(latex(column.label + column.arrow) for column in table.columns)
    yield rf"{latex(table.stub)} & {labels} \\"


def _cell(table: Table, block: Block, row: Row, place: int, cell: Cell) -> str:
    if cell is None:
        return "--"
    if not isinstance(cell, Value):
        return latex(cell)
    figure = rf"\textbf{{{cell.shown}}}" if table.is_best(block, place, row) else cell.shown
    return rf"{figure} {{\scriptsize {latex(cell.spread)}}}" if cell.spread else figure
