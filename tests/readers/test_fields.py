from typing import Any

import pytest

from chef.readers import fields
from tests.conftest import cases


@pytest.mark.parametrize(("data", "wanted"), cases("readers", "is recipe"))
def test_is_recipe(data: dict[str, Any], wanted: bool) -> None:
    assert fields.is_recipe(data) is wanted


def test_recipes_are_found_in_any_wrapping() -> None:
    pie, tart = {"@type": "Recipe", "name": "Pie"}, {"title": "Tart", "ingredients": ["x"]}
    assert list(fields.recipes_in({"@graph": [{"@type": "WebSite"}, pie]})) == [pie]
    assert list(fields.recipes_in([[pie], {"recipes": [tart]}])) == [pie, tart]
    assert list(fields.recipes_in({"@type": "WebPage", "mainEntity": pie})) == [pie]
    assert list(fields.recipes_in("pie")) == []


def test_only_web_addresses_are_links() -> None:
    link = "https://example.org/a"
    assert fields.url({"url": "javascript:alert(1)", "orgURL": link}) == link
    assert fields.url({"url": 5}) is None
