"""Bars."""

from __future__ import annotations

from chef.report.pictures.bars import Bar, bars


def test_width_is_the_share_of_the_largest():
    html = bars(
        [Bar("salt & <pepper>", 1.0, "1.0", kind="deep"), Bar("rice", 4.0, "4.0", "± 0.1")], largest=4.0
    )
    assert 'style="width:25.0%"' in html
    assert 'style="width:100.0%"' in html
    assert "salt &amp; &lt;pepper&gt;" in html
    assert "4.0 <small>± 0.1</small>" in html


def test_nothing_to_compare_with_is_no_division_by_zero():
    assert 'style="width:0.0%"' in bars([Bar("salt", 0.0, "0.0")], largest=0.0)
