"""Intervals against zero."""

from __future__ import annotations

import re

from chef.report.gap import Gap
from chef.report.pictures.forest import forest


def test_zero_is_in_the_middle_and_sides_are_told():
    html = forest([("A − B", "seed 0", [Gap(5.0, 0.0, 10.0)]), ("A − C", "", [Gap(-4.0, -6.0, -2.0)])])
    lefts = [float(x) for x in re.findall(r"<b style=\"left:([\d.]+)%", html)]
    assert lefts[0] > 50 > lefts[1]
    assert re.findall(r'<li class="(\w+)"', html) == ["open", "below"]


def test_all_intervals_fit():
    html = forest([("a", "", [Gap(90.0, -100.0, 100.0)]), ("b", "", [Gap(0.0, 0.0, 0.0)])])
    ends = [float(x) for x in re.findall(r"left:([\d.]+)%", html)]
    assert all(0 <= end <= 100 for end in ends)


def test_equal_models_make_no_division_by_zero():
    assert "left:50.0%" in forest([("a", "", [Gap(0.0, 0.0, 0.0)])])


def test_every_run_has_its_bar():
    html = forest([("a", "", [Gap(4.0, 1.0, 7.0), Gap(2.0, 1.0, 3.0)])])
    assert html.count("<b ") == 2
    assert re.findall(r"<b style=\"left:[\d.]+%;top:([\d.]+)%", html) == ["25.0", "75.0"]
    assert "+3.0 <small>mean of 2 runs</small>" in html
    assert 'class="above"' in html
