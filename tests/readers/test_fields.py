from __future__ import annotations

from typing import Any

import pytest

from chef.readers import fields


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ({"@type": "Recipe"}, True),
        ({"@type": ["Thing", "https://schema.org/Recipe"]}, True),
        ({"@type": "schema:Recipe"}, True),
        ({"@type": "Article", "name": "Pie", "ingredients": ["x"]}, False),
        ({"@type": 5}, False),
        ({"name": "Pie", "recipe_ingredient": ["x"]}, True),
        ({"name": "Pie"}, False),
        ({"ingredients": ["x"]}, False),
    ],
)
def test_is_recipe(data: dict[str, Any], wanted: bool) -> None:
    assert fields.is_recipe(data) is wanted


def test_recipes_are_found_in_any_wrapping() -> None:
    pie, tart = {"@type": "Recipe", "name": "Pie"}, {"title": "Tart", "ingredients": ["x"]}
    assert list(fields.recipes_in({"@graph": [{"@type": "WebSite"}, pie]})) == [pie]
    assert list(fields.recipes_in([[pie], {"recipes": [tart]}])) == [pie, tart]
    assert list(fields.recipes_in({"@type": "WebPage", "mainEntity": pie})) == [pie]
    assert list(fields.recipes_in("pie")) == []


def test_tags_come_once_and_commas_part_strings_only() -> None:
    data = {
        "keywords": "quick, Easy ,",
        "recipeCategory": ["easy", "salt, sweet"],
        "recipeCuisine": "French",
        "tags": [{"name": "winter", "slug": "w"}, 3, None],
    }
    assert fields.tags(data) == ("winter", "3", "quick", "Easy", "salt, sweet", "French")


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("a.jpg", ["a.jpg"]),
        (["a.jpg", {"@type": "ImageObject", "url": "b.jpg"}], ["a.jpg", "b.jpg"]),
        ({"contentUrl": ["c.jpg"]}, ["c.jpg"]),
        ({"width": 5}, []),
        (7, []),
        (None, []),
    ],
)
def test_image_names(value: Any, wanted: list[str]) -> None:
    assert list(fields.image_names(value)) == wanted


def test_only_web_addresses_are_links() -> None:
    link = "https://example.org/a"
    assert fields.url({"url": "javascript:alert(1)", "orgURL": link}) == link
    assert fields.url({"url": 5}) is None
