"""Tables as HTML."""

from __future__ import annotations

from chef.report.table_html import table_html
from tests.report.test_table import table


def test_figures_spread_and_best():
    html = table_html(table())
    assert '<td class="first" title="every run: 2.0, 4.0">3.0<small>± 1.4</small></td>' in html
    assert "<td>30.0<small class=ci>[28.0, 32.0]</small></td>" in html
    assert "<td><b>35.0</b></td>" in html


def test_the_papers_cells_are_marked():
    html = table_html(table())
    assert '<td class="paper first">49.0</td>' in html
    assert '<td class="paper first" aria-label="none">–</td>' in html
    assert '<th scope=colgroup colspan=1 class="paper first">Paper, on Recipe1M</th>' in html


def test_text_is_escaped():
    html = table_html(table())
    assert "A &amp; B" in html
    assert "50 % &lt;of&gt; it." in html
    assert "<of>" not in html


def test_the_other_forms_are_linked():
    html = table_html(table())
    assert 'href="tables/table-x.tex"' in html
    assert 'href="tables/table-x.csv"' in html
