from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chef.readers import limits
from chef.recipe import Ingredient, Recipe, Step
from tests.readers.helpers import lines_of, picture, read_all, recipe, texts_of, write, write_lines


def test_the_layout_with_images_and_splits(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path / "images" / f"{name}.jpg", picture())
    write_lines(
        tmp_path / "recipes.jsonl",
        *(recipe(id=name, title=name.upper(), image=f"images/{name}.jpg", path="x.md") for name in "abcd"),
    )
    write(tmp_path / "splits.json", json.dumps({"train": ["a", "b"], "test": ["c"]}))
    write(tmp_path / "README.md", "# Recipes\nWhere they are from.\n")
    recipes, skipped = read_all(tmp_path)
    assert [(got.id, got.split) for got in recipes] == [
        ("a", "train"),
        ("b", "train"),
        ("c", "test"),
        ("d", None),
    ]
    assert recipes[0].images == (str(tmp_path / "images" / "a.jpg"),)
    assert lines_of(recipes[0]) == ["2 slices bread", "50 g cheddar"]
    assert texts_of(recipes[0]) == ["Toast the bread.", "Melt the cheddar on it."]
    assert skipped.counts == {}  # a README without a recipe is no loss
    assert skipped.notes.counts == {"missing image": 1}


def test_gzipped(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl.gz", gzip.compress(json.dumps(recipe(id="a")).encode()))
    assert [got.id for got in read_all(tmp_path / "a.jsonl.gz")[0]] == ["a"]


def test_a_gzipped_file_that_was_cut_gives_what_it_can(tmp_path: Path) -> None:
    rows = b"\n".join(json.dumps(recipe(id=n, title=f"{n * 7919:x}")).encode() for n in range(5000))
    packed = gzip.compress(rows)
    write(tmp_path / "a.jsonl.gz", packed[: len(packed) // 2])
    write(tmp_path / "b.jsonl.gz", b"not gzip at all")
    recipes, skipped = read_all(tmp_path)
    assert 0 < len(recipes) < 5000
    assert skipped.counts == {"cut short": 1, "cannot be read": 1}


def test_our_own_lines_come_back_equal(tmp_path: Path) -> None:
    image = write(tmp_path / "pie.jpg", picture())
    own = Recipe(
        "x1",
        "Pie",
        (
            Ingredient("2 cups green beans", "green beans", 2.0, "cup", 220.0, "green_beans"),
            Ingredient("salt"),
        ),
        (Step("Roll.", "Crust"), Step("Bake.")),
        (str(image), "https://example.org/pie.jpg"),
        ("sweet", "winter, spring"),
        "a book",
        "CC0",
        "https://example.org/pie",
        "train",
    )
    write_lines(tmp_path / "own.jsonl", own.to_json())
    assert read_all(tmp_path)[0] == [own]


def test_bad_lines_are_counted_and_the_others_read(tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "a.jsonl",
        b"\xef\xbb\xbf" + json.dumps(recipe(id="bom")).encode(),
        "{not json",
        "[1, 2]",
        "null",
        '"text"',
        "",
        "[" * 100_000,
        '{"id": 1' + "0" * 5000 + "}",
        json.dumps(recipe(id="caf\u00e9"), ensure_ascii=False).encode("latin-1"),
        '{"id": "nan", "title": "Pie", "rating": NaN, "ingredients": ["2 apples", NaN]}',
        recipe(id="after", foreign={"deep": [1]}),
    )
    recipes, skipped = read_all(source)
    assert [got.id for got in recipes] == ["bom", "café", "nan", "after"]
    assert skipped.counts == {"not JSON": 3, "not an object": 3}
    assert "a.jsonl line 2" in skipped.examples["not JSON"][0]


def test_a_line_without_end_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LINE", 1000)
    source = write_lines(tmp_path / "a.jsonl", recipe(id="a"), "x" * 5000, recipe(id="b"), "y" * 1001)
    recipes, skipped = read_all(source)
    assert [got.id for got in recipes] == ["a", "b"]
    assert skipped.counts == {"too large": 2}


def test_json_ld_may_come_in_lines(tmp_path: Path) -> None:
    graph = {
        "@graph": [{"@type": "WebSite"}, {"@type": "Recipe", "name": "Pie", "recipeIngredient": ["2 apples"]}]
    }
    (got,), _ = read_all(write_lines(tmp_path / "a.jsonl", graph))
    assert got.title == "Pie"


@pytest.mark.parametrize("splits", ["{", "[]", '{"train": 5}', "7"])
def test_splits_that_are_none_are_noted(tmp_path: Path, splits: str) -> None:
    write(tmp_path / "splits.json", splits)
    (got,), skipped = read_all(write_lines(tmp_path / "a.jsonl", recipe(id="a")))
    assert got.split is None
    assert skipped.notes.counts == {"splits not read": 1}


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
names = st.sampled_from(
    "id title name ingredients instructions image images tags text line quantity unit food note section "
    "@type @graph itemListElement Recipe url split".split()
)
anything = st.recursive(
    scalars | names,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(names | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=12,
)
objects = st.dictionaries(names, anything, max_size=8)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(anything | objects, min_size=1, max_size=5))
def test_any_json_is_read_or_skipped(tmp_path: Path, values: list[Any]) -> None:
    """Never an exception; every line is either recipes or counted; what is read can be stored."""
    for name, text in (
        ("a.jsonl", "\n".join(json.dumps(value) for value in values)),
        ("b.json", json.dumps(values)),
        ("c.json", json.dumps(values[0])),
    ):
        recipes, skipped = read_all(write(tmp_path / name, text))
        if name == "a.jsonl":
            assert len(recipes) + skipped.total >= len(values)
        for got in recipes:
            assert got.title
            assert got.ingredients
            stored = json.dumps(got.to_json(), ensure_ascii=False).encode()
            assert Recipe.from_json(json.loads(stored)) == got


def test_the_open_recipes_are_all_there(chef_data: Path) -> None:
    recipes, skipped = read_all(chef_data / "open-recipes")
    assert len(recipes) == 6165
    assert all(len(got.images) == 1 and got.split and got.ingredients and got.steps for got in recipes)
    assert skipped.counts == {}
    assert skipped.notes.counts == {}


@pytest.mark.slow
def test_the_text_recipes_are_all_there(chef_data: Path) -> None:
    recipes, skipped = read_all(chef_data / "text")
    assert (len(recipes), skipped.total) == (5245 + 71719, 0)
