"""Galleries of substitutions."""

from __future__ import annotations

from chef.report.pictures.gallery import swap
from tests.report.made import PHOTO
from tests.report.made import swap as made


def test_dishes_say_whether_they_have_the_new_ingredient():
    html = swap(made("chicken->beef"))
    assert html.count('class="yes"') == 4
    assert html.count("has beef") == 4
    assert html.count('class="no"') == 6
    assert "<s>chicken</s> → beef" in html


def test_seen_recipes_are_marked():
    entry = made("chicken->beef")
    assert swap(entry).count('class="seen"') == 2
    assert "seen in training" not in swap(entry)
    entry["query"] = entry["query"] | {"seen": True}
    assert "seen in training" in swap(entry)


def test_titles_are_escaped_and_photos_are_inside():
    html = swap(made("chicken->beef"))
    assert "A &lt;dish&gt;" in html
    assert html.count(f'src="{PHOTO}"') == 11


def test_a_dish_without_photo_keeps_its_place():
    entry = made("chicken->beef")
    entry["query"] = entry["query"] | {"photo": None}
    assert '<span class="nophoto">' in swap(entry)
