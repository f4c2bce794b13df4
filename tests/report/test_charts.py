"""Charts, scatter plots, galleries and trees."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from chef.evaluate.results import DrawnTree, SwapExample
from chef.report.charts import (
    BOTTOM,
    EDGE,
    HEIGHT,
    LEFT,
    RIGHT,
    SIDE,
    TOP,
    WIDTH,
    Bar,
    Line,
    _ticks,
    bounds,
    forest,
    lines,
    scatter,
    tree_cards,
)
from chef.report.gap import Gap
from chef.report.table import Value
from chef.report.table_formats import draw
from chef.typed_json import from_json
from tests.report import made


def test_width_is_the_share_of_the_largest():
    deep, rice = Bar("salt & <pepper>", 1.0, "1.0", kind="deep"), Bar("rice", 4.0, "4.0", "± 0.1")
    html = draw("bars", [deep, rice], 4.0)
    assert 'style="width:25.0%"' in html
    assert 'style="width:100.0%"' in html
    assert "salt &amp; &lt;pepper&gt;" in html
    assert "4.0 <small>± 0.1</small>" in html
    assert 'style="width:0.0%"' in draw("bars", [Bar("salt", 0.0, "0.0")], 0.0)


def test_zero_is_in_the_middle_and_sides_are_told():
    html = forest([("A − B", "seed 0", [Gap(5.0, 0.0, 10.0)]), ("A − C", "", [Gap(-4.0, -6.0, -2.0)])])
    lefts = [float(x) for x in re.findall(r"<b style=\"left:([\d.]+)%", html)]
    assert lefts[0] > 50 > lefts[1]
    assert re.findall(r'<li class="(\w+)"', html) == ["open", "below"]
    wide = forest([("a", "", [Gap(90.0, -100.0, 100.0)]), ("b", "", [Gap(0.0, 0.0, 0.0)])])
    assert all(0 <= float(x) <= 100 for x in re.findall(r"left:([\d.]+)%", wide))
    assert "left:50.0%" in forest([("a", "", [Gap(0.0, 0.0, 0.0)])])  # no division by zero


def test_every_run_has_its_bar():
    html = forest([("a", "", [Gap(4.0, 1.0, 7.0), Gap(2.0, 1.0, 3.0)])])
    assert html.count("<b ") == 2
    assert re.findall(r"<b style=\"left:[\d.]+%;top:([\d.]+)%", html) == ["25.0", "75.0"]
    assert "+3.0 <small>mean of 2 runs</small>" in html
    assert 'class="above"' in html


def circles(svg: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', svg)]


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
    for x, y in circles(svg):
        assert LEFT <= x <= WIDTH - RIGHT
        assert TOP <= y <= HEIGHT - BOTTOM
    for ends in re.findall(r'd="M[\d.]+ ([\d.]+)V([\d.]+)"', svg):
        assert all(TOP <= float(end) <= HEIGHT - BOTTOM for end in ends)
    assert "tree, 4: 35.0 ± 7.1" in svg
    high, low, _ = circles(svg)
    assert high[1] < low[1]
    assert "<polyline" in lines("R@1", "removed", [Line("flat", [(0, Value((0.0,)))], "learned")])


def test_points_keep_their_places():
    images, recipes = [[0.0, 0.0], [10.0, 5.0]], [[1.0, 0.0], [10.0, 10.0]]
    assert bounds(images, recipes) == (0.0, 0.0, 10.0)
    svg = scatter("T", ["a <b>", "b"], images, recipes)
    assert "<title>a &lt;b&gt;</title>" in svg
    first, near, _, top = circles(svg)
    assert first == (EDGE, SIDE - EDGE)  # the lower left corner
    assert top == (SIDE - EDGE, EDGE)  # the upper right corner
    assert near[0] - first[0] == round((SIDE - 2 * EDGE) / 10, 1)
    (x1, y1), (x2, y2) = circles(scatter("T", ["a"], [[0, 0]], [[100, 1]]))
    assert round((y1 - y2) / (x2 - x1), 2) == 0.01  # both axes have one scale
    assert circles(scatter("T", ["a"], [[3, 3]], [[3, 3]])) == [(EDGE, SIDE - EDGE)] * 2


def example(**query):
    swap = from_json(SwapExample, made.swap("chicken->beef"), "")
    return replace(swap, query=replace(swap.query, **query))


def test_dishes_say_whether_they_have_the_new_ingredient():
    html = draw("gallery", [example()])
    assert html.count('class="yes"') == 4
    assert html.count("has beef") == 4
    assert html.count('class="no"') == 6
    assert "<s>chicken</s> → beef" in html
    assert "A &lt;dish&gt;" in html
    assert html.count(f'src="{made.PHOTO}"') == 11
    assert html.count('class="seen"') == 2
    assert "seen in training" not in html
    assert "seen in training" in draw("gallery", [example(seen=True)])
    assert '<span class="nophoto">' in draw("gallery", [example(photo=None)])


def drawn(times=1):
    return from_json(DrawnTree, made.drawn_tree("ingredients", made.LIST * times, [0]), "")


def test_the_marked_leaf_is_in_colour():
    html = tree_cards([drawn()])
    assert 'fill="#c00" font-weight="bold">chicken_breasts</text>' in html
    assert html.count('fill="#c00"') == 1
    assert "Rice &amp; &lt;chicken&gt;" in html
    assert f'src="{made.PHOTO}"' in html
    assert "<img" not in tree_cards([replace(drawn(), photo=None)])


def test_a_wide_tree_gets_the_whole_width_and_may_shrink():
    narrow, wide = (tree_cards([drawn(times)]) for times in (1, 3))
    assert 'class="treecard"' in narrow
    assert 'class="treecard whole"' in wide
    assert "max-width:" in wide
    assert " height=" not in wide.split("<title>")[0]
