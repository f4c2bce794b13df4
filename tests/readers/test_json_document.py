from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from chef.recipe import Step
from tests.readers.helpers import lines_of, picture, read_all, recipe, texts_of, write

SOUP: dict[str, Any] = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Pea soup",
    "recipeIngredient": ["400 g peas", "1 onion"],
    "recipeInstructions": "Boil the peas.\nBlend them.",
    "keywords": "green, quick",
    "recipeCuisine": "British",
    "image": {"@type": "ImageObject", "url": "https://example.org/soup.jpg"},
    "url": "https://example.org/soup",
}


def put(folder: Path, name: str, value: Any) -> Path:
    return write(folder / name, json.dumps(value))


def test_one_plain_recipe_is_named_after_its_file(tmp_path: Path) -> None:
    write(tmp_path / "toast.jpg", picture())
    (got,), _ = read_all(put(tmp_path, "toast.json", recipe(image="toast.jpg")))
    assert (got.id, got.title) == ("toast", "Cheese toast")
    assert got.images == (str(tmp_path / "toast.jpg"),)


def test_schema_org(tmp_path: Path) -> None:
    (got,), _ = read_all(put(tmp_path, "soup.jsonld", SOUP))
    assert got.title == "Pea soup"
    assert lines_of(got) == ["400 g peas", "1 onion"]
    assert texts_of(got) == ["Boil the peas.", "Blend them."]
    assert got.tags == ("green", "quick", "British")
    assert got.images == ("https://example.org/soup.jpg",)
    assert got.url == "https://example.org/soup"


def test_graph_and_sections(tmp_path: Path) -> None:
    sections = [
        {
            "@type": "HowToSection",
            "name": "Base",
            "itemListElement": [{"@type": "HowToStep", "text": "Boil."}],
        }
    ]
    graph = {"@graph": [{"@type": "Person", "name": "x"}, {**SOUP, "recipeInstructions": sections}]}
    (got,), skipped = read_all(put(tmp_path, "soup.json", graph))
    assert got.steps == (Step("Boil.", "Base"),)
    assert skipped.total == 0


def test_an_array_is_read_item_by_item(tmp_path: Path) -> None:
    values = [
        recipe(title="A"),
        5,
        recipe(title="B"),
        {"@type": "WebSite"},
        {"x": 1},
        recipe(title="C", id="c"),
    ]
    recipes, skipped = read_all(put(tmp_path, "all.json", values))
    assert [got.title for got in recipes] == ["A", "B", "C"]
    assert len({got.id for got in recipes}) == 3
    assert skipped.counts == {"not a recipe": 2}
    assert skipped.examples["not a recipe"] == ["all.json item 2", "all.json item 5"]


def test_an_array_that_was_cut_is_told(tmp_path: Path) -> None:
    text = json.dumps([recipe(title="A"), recipe(title="B")])
    recipes, skipped = read_all(write(tmp_path / "all.json", text[:-20]))
    assert [got.title for got in recipes] == ["A"]
    assert skipped.counts == {"cut short": 1}
    assert "after 1 recipes" in skipped.examples["cut short"][0]


def test_files_without_a_recipe(tmp_path: Path) -> None:
    put(tmp_path, "package.json", {"name": "site", "version": 1})
    put(tmp_path, "tags.json", ["a", "b"])
    write(tmp_path / "empty.json", "")
    write(tmp_path / "broken.json", "{")
    recipes, skipped = read_all(tmp_path)
    assert recipes == []
    assert skipped.counts == {"no recipe in the file": 2, "not JSON": 2}


def test_json_lines_under_another_name(tmp_path: Path) -> None:
    text = "\n".join(json.dumps(recipe(title=title)) for title in "AB")
    assert [got.title for got in read_all(write(tmp_path / "all.json", text))[0]] == ["A", "B"]


def test_utf_16(tmp_path: Path) -> None:
    source = write(
        tmp_path / "a.json", json.dumps(recipe(title="Crème"), ensure_ascii=False).encode("utf-16")
    )
    assert read_all(source)[0][0].title == "Crème"
