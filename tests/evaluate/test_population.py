import json
import shutil

import pytest

from chef.data.kitchen import write_kitchen
from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.evaluate.population import open_population
from chef.food.canonical import CanonicalMap


def test_the_recipes_of_a_split_in_sorted_order(prepared):
    found = open_population(prepared, "test")
    split = Prepared(prepared).split("test")
    assert list(found.ids) == sorted(split.ids)
    assert [recipe.id for recipe in found.recipes] == list(found.ids)
    assert set(found.splits) == {"test"}
    assert len(found) == len(split)
    assert found.all_splits == ("train", "val", "test")
    for row, name in enumerate(found.ids):
        assert found.photos(row) == split.image_bytes(split.ids.index(name))
    whole = open_population(prepared, "test", everything=True)
    assert (whole.split, len(whole), list(whole.ids)) == ("test", 100, sorted(whole.ids))
    for name in ("train", "val", "test"):
        ids = [one for one, split in zip(whole.ids, whole.splits, strict=True) if split == name]
        assert ids == sorted(Prepared(prepared).split(name).ids)


def test_a_source_gives_the_same_population_as_its_prepared_form(prepared):
    folders = prepared, prepared.parent / "source"
    there, back = (open_population(folder, "test", everything=True) for folder in folders)
    assert (there.ids, there.splits, there.canonical) == (back.ids, back.splits, back.canonical)
    for row, (one, other) in enumerate(zip(there.recipes, back.recipes, strict=True)):
        assert (one.title, one.ingredients, one.steps) == (other.title, other.ingredients, other.steps)
        assert there.photos(row) == back.photos(row)
    assert open_population(prepared.parent / "source", "val").ids == open_population(prepared, "val").ids


def test_a_generated_kitchen_is_a_source(tmp_path):
    write_kitchen(tmp_path / "kitchen", 40, seed=1, size=64)
    found = open_population(tmp_path / "kitchen", "train")
    assert sorted(json.loads((tmp_path / "kitchen" / "splits.json").read_text())["train"]) == list(found.ids)
    assert all(recipe.ingredients[0].grams for recipe in found.recipes)


def test_a_source_is_read_with_the_map_it_is_given(prepared, tmp_path):
    shipped = CanonicalMap.load()
    small = CanonicalMap(entry for entry in shipped if "chicken" not in entry.token)
    found = open_population(prepared.parent / "source", "test", canonical=small)
    assert found.canonical == small.digest != shipped.digest
    tokens = {item.name: item.token for recipe in found.recipes for item in recipe.ingredients}
    assert tokens["chicken"] is None
    assert tokens["beef"] == "beef"


def test_recipes_without_a_photo_that_can_be_read_are_left_out_and_counted(prepared, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(prepared.parent / "source", source)
    whole = open_population(source, "test", everything=True)
    (source / "images" / "r0.jpg").unlink()
    (source / "images" / "r1.jpg").write_bytes(b"not a picture")
    lines = (source / "recipes.jsonl").read_text().splitlines()
    lines[2] = lines[2].replace('"image": "images/r2.jpg"', '"tags": []')
    (source / "recipes.jsonl").write_text("\n".join(lines))
    found = open_population(source, "test", everything=True)
    assert set(whole.ids) - set(found.ids) == {"r0", "r1", "r2"}
    assert sum(found.left_out.values()) == 3
    assert found.left_out["unreadable photo"] >= 1


def test_unknown_splits_and_missing_data_are_errors(prepared, tmp_path):
    for folder in (prepared, prepared.parent / "source"):
        with pytest.raises(ChefError, match=r"no split 'tset'.*train, val, test"):
            open_population(folder, "tset")
    with pytest.raises(ChefError, match="no such file or folder"):
        open_population(tmp_path / "nowhere", "test")


def test_a_split_without_photos_is_an_error(tmp_path):
    recipe = {"id": "1", "title": "Toast", "ingredients": ["1 slice bread"], "split": "test"}
    (tmp_path / "recipes.jsonl").write_text(json.dumps(recipe))
    with pytest.raises(ChefError, match=r"no recipe of split 'test'.*has a photo"):
        open_population(tmp_path, "test")
