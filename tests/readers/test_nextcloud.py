from __future__ import annotations

import json
from pathlib import Path

from chef.recipe import Step
from tests.readers.helpers import lines_of, picture, read_all, write

STEW = {
    "@context": "http://schema.org",
    "@type": "Recipe",
    "name": "Bean stew",
    "image": "https://example.org/old.jpg",
    "recipeIngredient": ["## Base", "1 onion", "2 cups beans"],
    "recipeInstructions": ["## Base", "Fry the onion.", "Add the beans."],
    "recipeCategory": "Main",
    "keywords": "warm,cheap",
}


def test_a_folder_for_each_recipe(tmp_path: Path) -> None:
    for number, name in enumerate(("Bean stew", "Lentil stew")):
        write(tmp_path / name / "recipe.json", json.dumps({**STEW, "name": name, "id": str(number)}))
        write(tmp_path / name / "full.jpg", picture())
        write(tmp_path / name / "thumb.jpg", picture())
    recipes, skipped = read_all(tmp_path)
    assert [(got.id, got.title) for got in recipes] == [("0", "Bean stew"), ("1", "Lentil stew")]
    assert recipes[0].images == (str(tmp_path / "Bean stew" / "full.jpg"),)
    assert lines_of(recipes[0]) == ["1 onion", "2 cups beans"]
    assert recipes[0].steps == (Step("Fry the onion.", "Base"), Step("Add the beans.", "Base"))
    assert recipes[0].tags == ("warm", "cheap", "Main")
    assert skipped.total == skipped.notes.total == 0


def test_the_folder_names_a_recipe_without_id(tmp_path: Path) -> None:
    write(tmp_path / "Stew" / "recipe.json", json.dumps(STEW))
    write(tmp_path / "Stew" / "thumb.jpg", picture())
    (got,), _ = read_all(tmp_path)
    assert got.id == "Stew"
    assert got.images == (str(tmp_path / "Stew" / "thumb.jpg"),)
    (alone,), _ = read_all(tmp_path / "Stew" / "recipe.json")
    assert alone.id == "Stew"


def test_without_a_photo_the_web_address_is_left(tmp_path: Path) -> None:
    (got,), _ = read_all(write(tmp_path / "recipe.json", json.dumps(STEW)))
    assert got.images == ("https://example.org/old.jpg",)
