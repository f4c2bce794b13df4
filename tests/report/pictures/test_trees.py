"""Drawn trees."""

from __future__ import annotations

from chef.report.pictures.trees import tree_card
from tests.report.made import LIST, PHOTO, drawn_tree


def test_the_marked_leaf_is_in_colour():
    html = tree_card(drawn_tree("ingredients", LIST, [0]))
    assert 'fill="#c00" font-weight="bold">chicken_breasts</text>' in html
    assert html.count('fill="#c00"') == 1


def test_title_is_escaped_and_the_photo_is_inside():
    html = tree_card(drawn_tree("ingredients", LIST, [0]))
    assert "Rice &amp; &lt;chicken&gt;" in html
    assert f'src="{PHOTO}"' in html


def test_a_tree_without_photo_has_none():
    assert "<img" not in tree_card(drawn_tree("sentence", ["stir"], []) | {"photo": None})


def test_a_wide_tree_gets_the_whole_width_and_may_shrink():
    narrow, wide = (tree_card(drawn_tree("ingredients", LIST * times, [])) for times in (1, 3))
    assert 'class="treecard"' in narrow
    assert 'class="treecard whole"' in wide
    assert "max-width:" in wide
    assert " height=" not in wide.split("<title>")[0]
