"""Line charts."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from chef.report.pictures.lines import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Line, _ticks, lines
from chef.report.value import Value


@given(st.floats(-100, 100), st.floats(0.05, 200))
def test_ticks_are_round_and_inside(low, size):
    ticks = _ticks(low, low + size)
    assert 1 <= len(ticks) <= 9
    assert all(low - 1e-6 <= tick <= low + size + 1e-6 for tick in ticks)


def test_points_and_their_spread_lie_inside():
    series = [
        Line("tree", [(0, Value((50.0, 54.0))), (4, Value((40.0, 30.0)))], "learned"),
        Line("chance", [(0, Value((52.0,), (47.0, 57.0)))], "control"),
    ]
    svg = lines("R@1", "removed", series)
    for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg):
        assert LEFT <= float(x) <= WIDTH - RIGHT
        assert TOP <= float(y) <= HEIGHT - BOTTOM
    for ends in re.findall(r'd="M[\d.]+ ([\d.]+)V([\d.]+)"', svg):
        assert all(TOP <= float(end) <= HEIGHT - BOTTOM for end in ends)
    assert "tree, 4: 35.0 ± 7.1" in svg


def test_higher_is_further_up():
    svg = lines("R@1", "removed", [Line("a", [(0, Value((10.0,))), (1, Value((20.0,)))], "learned")])
    low, high = (float(y) for _, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg))
    assert high < low


def test_a_flat_line_is_drawn():
    assert "<polyline" in lines("R@1", "removed", [Line("a", [(0, Value((0.0,)))], "learned")])
