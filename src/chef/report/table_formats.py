"""A table as HTML, as LaTeX for the packages booktabs and graphicx, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from html import escape

from chef.report.table import Block, Cell, Row, Table, Value

_EXTRAS = ("sd", "low", "high", "runs")  # columns of their own in CSV
_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$",
    "±": r"$\pm$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\rightarrow$", "Δ": r"$\Delta$",
    "<": "$<$", ">": "$>$",
} | {character: "\\" + character for character in "_&%$#{}"}  # fmt: skip

# No wider than the text, and never enlarged.
_SHRINK = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


def table_html(table: Table) -> str:
    """A <figure> with caption, table, the sentences it supports and links to the other formats."""
    return (
        f'<figure class="table" id="{table.name}"><figcaption><b>{escape(table.title)}.</b> '
        f"{escape(table.caption)}</figcaption>"
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table>'
        f"{_html_head(table)}{''.join(_html_body(table))}</table></div>"
        f"{''.join(f'<p class=says>{escape(sentence)}</p>' for sentence in table.says)}"
        f'<p class="files"><a href="tables/{table.name}.tex">LaTeX</a> '
        f'<a href="tables/{table.name}.csv">CSV</a></p></figure>'
    )


def _html_head(table: Table) -> str:
    labels = "".join(
        f"<th scope=col{_class('paper' if column.paper else '', _first(table, place))}>"
        f"{escape(column.label + column.arrow)}</th>"
        for place, column in enumerate(table.columns)
    )
    stub = f"<th scope=col>{escape(table.stub)}</th>"
    if not any(column.group for column in table.columns):
        return f"<thead><tr>{stub}{labels}</tr></thead>"
    groups = "".join(
        f"<th scope=colgroup colspan={width}{_class('paper' if paper else '', 'first')}>{escape(group)}</th>"
        for group, width, paper in table.groups()
    )
    return f"<thead><tr><td></td>{groups}</tr><tr>{stub}{labels}</tr></thead>"


def _html_body(table: Table) -> Iterator[str]:
    for block in table.blocks:
        yield "<tbody>"
        if block.heading:
            wide = len(table.columns) + 1
            yield f'<tr class="block"><th scope=rowgroup colspan={wide}>{escape(block.heading)}</th></tr>'
        for row in block.rows:
            yield f'<tr class="{row.kind}"><th scope=row>{escape(row.label)}</th>'
            for place, cell in enumerate(row.cells):
                yield _html_cell(table, block, row, place, cell)
            yield "</tr>"
        yield "</tbody>"


def _html_cell(table: Table, block: Block, row: Row, place: int, cell: Cell) -> str:
    paper = "paper" if table.columns[place].paper else ""
    look = _class(paper, _first(table, place))
    if cell is None:
        return f'<td{look} aria-label="none">–</td>'
    if isinstance(cell, str):
        return f"<td{look}>{escape(cell)}</td>"
    figure = f"<b>{cell.shown}</b>" if table.is_best(block, place, row) else cell.shown
    kind = " class=ci" if cell.sd is None else ""  # an interval is long and goes below its figure
    spread = f"<small{kind}>{cell.spread}</small>" if cell.spread else ""
    runs = ", ".join(cell.number(value) for value in cell.values)
    title = f' title="every run: {runs}"' if len(cell.values) > 1 else ""
    return f"<td{look}{title}>{figure}{spread}</td>"


def _first(table: Table, place: int) -> str:
    """A line is drawn to the left of each group of columns."""
    grouped = any(column.group for column in table.columns)
    changes = place > 0 and table.columns[place].group != table.columns[place - 1].group
    return "first" if grouped and (place == 0 or changes) else ""


def _class(*names: str) -> str:
    joined = " ".join(name for name in names if name)
    return f' class="{joined}"' if joined else ""


def table_latex(table: Table) -> str:
    """A whole `table` environment; the sentences under the table end its caption."""
    # The document numbers its tables itself: "Table 1" stays a comment.
    title = [] if table.title.startswith("Table ") else [f"{table.title}."]
    caption = " ".join([*title, table.caption, *table.says])
    lines = [
        f"% {table.title}; needs \\usepackage{{booktabs,graphicx}}",
        r"\begin{table}[ht]",
        r"\centering\small",
        rf"\caption{{{latex(caption)}}}",
        rf"\label{{tab:{table.name}}}",
        _SHRINK,
        rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        r"\toprule",
        *_latex_head(table),
    ]
    for block in table.blocks:
        lines.append(r"\midrule")
        if block.heading:
            wide = len(table.columns) + 1
            lines.append(rf"\multicolumn{{{wide}}}{{l}}{{\textit{{{latex(block.heading)}}}}} \\")
        for row in block.rows:
            cells = (_latex_cell(table, block, row, place, cell) for place, cell in enumerate(row.cells))
            lines.append(rf"{latex(row.label)} & {' & '.join(cells)} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}}", r"\end{table}", ""])


def latex(text: str) -> str:
    """Text with LaTeX's special characters made safe.

    >>> latex("50 %")
    '50 \\\\%'
    """
    return "".join(_SPECIAL.get(character, character) for character in text)


def _latex_head(table: Table) -> Iterator[str]:
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


def _latex_cell(table: Table, block: Block, row: Row, place: int, cell: Cell) -> str:
    if cell is None:
        return "--"
    if not isinstance(cell, Value):
        return latex(cell)
    figure = rf"\textbf{{{cell.shown}}}" if table.is_best(block, place, row) else cell.shown
    return rf"{figure} {{\scriptsize {latex(cell.spread)}}}" if cell.spread else figure


def table_csv(table: Table) -> str:
    """One line a row. A column "R@1" is followed by "R@1 sd", "R@1 low", "R@1 high" where rows have them."""
    rows = [row for block in table.blocks for row in block.rows]
    extras = [
        [name for name in _EXTRAS if any(_extra(row.cells[place], name) for row in rows)]
        for place in range(len(table.columns))
    ]
    file = io.StringIO()
    write = csv.writer(file, lineterminator="\n").writerow
    head = ["block", table.stub.lower(), "kind"]
    for column, names in zip(table.columns, extras, strict=True):
        label = f"{column.group}: {column.label}" if column.group else column.label
        head += [label, *(f"{label} {name}" for name in names)]
    write(head)
    for block in table.blocks:
        for row in block.rows:
            line = [block.heading, row.label, row.kind]
            for cell, names in zip(row.cells, extras, strict=True):
                plain = _number(cell.mean) if isinstance(cell, Value) else cell or ""
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
