"""Tables as HTML, LaTeX and CSV."""

import csv
import io
import re
from dataclasses import replace

import pytest

from chef.report.table_formats import latex, render, table_csv, table_latex
from tests.report.test_table import table


def test_html():
    html = render("table.html", table=table())
    assert '<td class="first" title="every run: 2.0, 4.0">3.0<small>± 1.4</small></td>' in html
    assert "<td>30.0<small class=ci>[28.0, 32.0]</small></td>" in html
    assert "<td><b>35.0</b></td>" in html
    assert '<td class="paper first">49.0</td>' in html
    assert '<td class="paper first" aria-label="none">–</td>' in html
    assert '<th scope=colgroup colspan=1 class="paper first">Paper, on Recipe1M</th>' in html
    assert "A &amp; B" in html
    assert "50 % &lt;of&gt; it." in html
    assert "<of>" not in html
    assert 'href="tables/table-x.tex"' in html
    assert 'href="tables/table-x.csv"' in html


def columns_of(line: str) -> int:
    """How many columns of the table a line fills."""
    spans = [int(width) for width in re.findall(r"\\multicolumn\{(\d+)\}", line)]
    return len(re.findall(r"(?<!\\)&", line)) + 1 + sum(spans) - len(spans)


def test_latex():
    text = table_latex(table())
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(lines) == 6  # groups, labels, heading, three rows
    assert {columns_of(line) for line in lines} == {4}
    assert r"A \& B & 3.0 {\scriptsize $\pm$ 1.4} & 30.0 {\scriptsize [28.0, 32.0]} & 49.0 \\" in text
    assert r"B\_2 & \textbf{1.5} {\scriptsize $\pm$ 0.0} & \textbf{35.0} & -- \\" in text
    assert r"\cmidrule(lr){2-3}\cmidrule(lr){4-4}" in text
    assert r"\caption{50 \% $<$of$>$ it. A $-$1 $\pm$ 2.}" in text
    assert latex("Δ R@1 ↑ medR ↓ a → b, 5–6 % of_it ~ ^ { } # $ \\ ± −1").isascii()
    assert text.startswith("% Table X;")
    assert r"\label{tab:table-x}" in text
    assert r"\caption{Paired tests. 50" in table_latex(replace(table(), title="Paired tests"))
    text = re.sub(r"\\[{}]", "", text)
    assert text.count("{") == text.count("}")


def test_csv():
    rows = list(csv.DictReader(io.StringIO(table_csv(table()))))
    first = rows[0]
    assert (first["block"], first["kind"]) == ("Full set", "model")
    assert (first["Ours: medR"], first["Ours: medR sd"]) == ("3", "1.4142")
    assert first["Ours: medR runs"] == "2 4"
    assert (first["Ours: R@1"], first["Ours: R@1 low"], first["Ours: R@1 high"]) == ("30", "28", "32")
    assert "Ours: medR low" not in rows[0]
    assert "Paper, on Recipe1M: R@1 sd" not in rows[0]
    assert rows[1]["Paper, on Recipe1M: R@1"] == ""
    assert rows[2]["Paper, on Recipe1M: R@1"] == "n/a"
    assert [row["model"] for row in rows] == ["A & B", "B_2", "chance"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1"])
def test_a_name_in_csv_is_no_formula(name):
    (block, *_) = table().blocks
    named = replace(table(), blocks=(replace(block, rows=(replace(block.rows[0], label=name),)),))
    (row,) = csv.DictReader(io.StringIO(table_csv(named), newline=""))
    assert row["model"] == f"'{name}"
    assert row["Ours: medR"] == "3"
