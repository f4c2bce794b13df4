"""A table as HTML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from chef.report.table import Block, Cell, Row, Table
from chef.report.value import Value


def table_html(table: Table) -> str:
    """A <figure> with caption, table, the sentences it bears out and links to the other forms."""
    return (
        f'<figure class="table" id="{table.name}"><figcaption><b>{escape(table.title)}.</b> '
        f"{escape(table.caption)}</figcaption>"
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table>'
        f"{_head(table)}{''.join(_body(table))}</table></div>"
        f"{''.join(f'<p class=says>{escape(sentence)}</p>' for sentence in table.says)}"
        f'<p class="files"><a href="tables/{table.name}.tex">LaTeX</a> '
        f'<a href="tables/{table.name}.csv">CSV</a></p></figure>'
    )


def _head(table: Table) -> str:
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


def _body(table: Table) -> Iterator[str]:
    for block in table.blocks:
        yield "<tbody>"
        if block.heading:
            wide = len(table.columns) + 1
            yield f'<tr class="block"><th scope=rowgroup colspan={wide}>{escape(block.heading)}</th></tr>'
        for row in block.rows:
            yield f'<tr class="{row.kind}"><th scope=row>{escape(row.label)}</th>'
            for place, cell in enumerate(row.cells):
                yield _cell(table, block, row, place, cell)
            yield "</tr>"
        yield "</tbody>"


def _cell(table: Table, block: Block, row: Row, place: int, cell: Cell) -> str:
    paper = "paper" if table.columns[place].paper else ""
    look = _class(paper, _first(table, place))
    if cell is None:
        return f'<td{look} aria-label="none">–</td>'
    if isinstance(cell, str):
        return f"<td{look}>{escape(cell)}</td>"
    figure = f"<b>{cell.shown}</b>" if table.is_best(block, place, row) else cell.shown
    return f"<td{look}{_hover(cell)}>{figure}{_spread(cell)}</td>"


def _spread(cell: Value) -> str:
    """The sd stands beside its figure; an interval is long and stands below it."""
    if not cell.spread:
        return ""
    return (
        f"<small>{cell.spread}</small>" if cell.sd is not None else f"<small class=ci>{cell.spread}</small>"
    )


def _hover(cell: Value) -> str:
    if len(cell.values) == 1:
        return ""
    return f' title="every run: {", ".join(cell.number(value) for value in cell.values)}"'


def _first(table: Table, place: int) -> str:
    """A line stands to the left of each group of columns."""
    grouped = any(column.group for column in table.columns)
    changes = place > 0 and table.columns[place].group != table.columns[place - 1].group
    return "first" if grouped and (place == 0 or changes) else ""


def _class(*names: str) -> str:
    found = " ".join(name for name in names if name)
    return f' class="{found}"' if found else ""
