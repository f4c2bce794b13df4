from __future__ import annotations

import json

import pytest

from chef.errors import ChefError
from chef.rewrite.one import one_recipe


def write(path, *titles):
    recipes = [{"id": title.lower(), "title": title, "ingredients": ["1 cup rice"]} for title in titles]
    path.write_text("\n".join(map(json.dumps, recipes)))
    return path


def test_one_object_needs_no_id(tmp_path):
    file = tmp_path / "soup.json"
    file.write_text(json.dumps({"title": "Soup", "ingredients": ["salt"], "instructions": ["Boil."]}))
    assert one_recipe(file).id == "soup"


def test_of_several_the_one_asked_for(tmp_path):
    file = write(tmp_path / "all.jsonl", "A", "B", "C")
    assert one_recipe(file, "b").title == "B"
    with pytest.raises(ChefError, match=r"more than one recipe .name one with --id"):
        one_recipe(file)
    with pytest.raises(ChefError, match="no recipe 'x'"):
        one_recipe(file, "x")


def test_no_recipe_at_all(tmp_path):
    with pytest.raises(ChefError, match="no such file"):
        one_recipe(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(ChefError, match="no recipe could be read"):
        one_recipe(tmp_path / "bad.json")
