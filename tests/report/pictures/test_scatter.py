"""Scatter plots."""

from __future__ import annotations

import re
from itertools import pairwise

from chef.report.pictures.scatter import EDGE, SIDE, bounds, scatter

IMAGES, RECIPES = [[0.0, 0.0], [10.0, 5.0]], [[1.0, 0.0], [10.0, 10.0]]


def circles(svg: str) -> list[tuple[float, float]]:
    found = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', svg)
    return [(float(x), float(y)) for x, y in found]


def test_points_keep_their_places():
    first, near, _, top = circles(scatter("T", ["a", "b"], IMAGES, RECIPES))
    assert first == (EDGE, SIDE - EDGE)  # the lower left corner
    assert top == (SIDE - EDGE, EDGE)  # the upper right corner
    assert near[0] - first[0] == round((SIDE - 2 * EDGE) / 10, 1)


def test_both_axes_have_one_scale():
    wide = circles(scatter("T", ["a"], [[0, 0]], [[100, 1]]))
    (x1, y1), (x2, y2) = next(pairwise(wide))
    assert round((y1 - y2) / (x2 - x1), 2) == 0.01


def test_one_point_alone_has_a_place():
    assert circles(scatter("T", ["a"], [[3, 3]], [[3, 3]])) == [(EDGE, SIDE - EDGE)] * 2


def test_names_are_escaped():
    assert "<title>a &lt;b&gt;</title>" in scatter("T", ["a <b>"], [[0, 0]], [[1, 1]])


def test_bounds_hold_all_points():
    assert bounds(IMAGES, RECIPES) == (0.0, 0.0, 10.0)
