"""Tables as LaTeX."""

from __future__ import annotations

import re
from dataclasses import replace

from chef.report.table_latex import latex, table_latex
from tests.report.test_table import table


def columns_of(line: str) -> int:
    """How many columns of the table a line fills."""
    spans = [int(width) for width in re.findall(r"\\multicolumn\{(\d+)\}", line)]
    return len(re.findall(r"(?<!\\)&", line)) + 1 + sum(spans) - len(spans)


def test_every_line_fills_the_table():
    lines = [line for line in table_latex(table()).splitlines() if line.endswith(r"\\")]
    assert len(lines) == 6  # groups, labels, heading, three rows
    assert {columns_of(line) for line in lines} == {4}


def test_rows():
    text = table_latex(table())
    assert r"A \& B & 3.0 {\scriptsize $\pm$ 1.4} & 30.0 {\scriptsize [28.0, 32.0]} & 49.0 \\" in text
    assert r"B\_2 & \textbf{1.5} {\scriptsize $\pm$ 0.0} & \textbf{35.0} & -- \\" in text
    assert r"\cmidrule(lr){2-3}\cmidrule(lr){4-4}" in text


def test_the_sentences_end_the_caption():
    assert r"\caption{50 \% $<$of$>$ it. A $-$1 $\pm$ 2.}" in table_latex(table())


def test_all_that_a_page_says_is_ascii_in_latex():
    said = "Δ R@1 ↑ medR ↓ a → b, 5–6 % of_it ~ ^ { } # $ \\ ± −1"
    assert latex(said).isascii()


def test_a_document_numbers_its_tables_itself():
    text = table_latex(table())
    assert text.startswith("% Table X;")
    assert r"\label{tab:table-x}" in text
    assert r"\caption{Paired tests. 50" in table_latex(replace(table(), title="Paired tests"))


def test_braces_are_closed():
    text = re.sub(r"\\[{}]", "", table_latex(table()))
    assert text.count("{") == text.count("}")
