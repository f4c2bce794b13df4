import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.readers.helpers import lines_of, picture, read_all, texts_of, write

SPLITS = ("train", "val", "test")


def texts(*lines: str) -> list[dict[str, str]]:
    return [{"text": line} for line in lines]


def miniature(folder: Path, count: int = 12, *, tree: str = "", shuffled: bool = False) -> None:
    """A copy of Recipe1M's layout: every second recipe has images, every third ingredient is not valid."""
    layer1: list[dict[str, Any]] = []
    layer2: list[dict[str, Any]] = []
    names: list[dict[str, Any]] = []
    for number in range(count):
        id, split = f"{number:010x}", SPLITS[number % 3]
        about = {
            "id": id,
            "title": f"Dish {number}",
            "partition": split,
            "url": f"http://example.org/{number}",
        }
        lines = texts(*(f"{n} cups of food {n}" for n in range(1, 4)))
        layer1.append({**about, "ingredients": lines, "instructions": texts("Mix.", "Bake.")})
        foods = texts("food 1", "food 2", "food 3")
        names.append({"id": id, "valid": [True, True, False], "ingredients": foods})
        if number % 2 == 0:
            image = f"{number * 7:04x}ab{number}.jpg"
            layer2.append({"id": id, "images": [{"id": image, "url": "http://example.org/x.jpg"}]})
            write(folder / tree.format(split=split) / "/".join(image[:4]) / image, picture())
    if shuffled:
        random.Random(1).shuffle(layer2)
        random.Random(2).shuffle(names)
    for name, value in (("layer1", layer1), ("layer2", layer2), ("det_ingrs", names)):
        write(folder / f"{name}.json", json.dumps(value, indent=1))


@pytest.mark.parametrize("tree", ["", "images", "{split}", "images/{split}"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_all_is_joined_in_any_order(tmp_path: Path, tree: str, shuffled: bool) -> None:
    miniature(tmp_path, tree=tree, shuffled=shuffled)
    recipes, skipped = read_all(tmp_path)
    assert [got.id for got in recipes] == [f"{number:010x}" for number in range(12)]
    assert [got.split for got in recipes] == list(SPLITS * 4)
    assert [len(got.images) for got in recipes] == [1, 0] * 6
    assert all(Path(image).is_file() for got in recipes for image in got.images)
    third = recipes[3]
    assert (third.title, third.url) == ("Dish 3", "http://example.org/3")
    assert lines_of(third) == ["1 cups of food 1", "2 cups of food 2", "3 cups of food 3"]
    assert [item.name for item in third.ingredients] == ["food 1", "food 2", None]
    assert texts_of(third) == ["Mix.", "Bake."]
    assert skipped.total == skipped.notes.total == 0


def test_a_cut_layer_is_told_and_the_rest_used(tmp_path: Path) -> None:
    miniature(tmp_path)
    for name in ("layer1", "layer2"):
        text = (tmp_path / f"{name}.json").read_text()
        write(tmp_path / f"{name}.json", text[: len(text) // 2])
    recipes, skipped = read_all(tmp_path)
    assert 0 < len(recipes) < 12
    assert 0 < sum(len(got.images) for got in recipes) < len(recipes)
    assert skipped.counts == {"cut short": 2}
    assert "layer2.json: the file ends in the middle" in skipped.examples["cut short"][0]


def test_missing_side_files_and_images_are_notes(tmp_path: Path) -> None:
    miniature(tmp_path)
    (tmp_path / "det_ingrs.json").unlink()
    next(tmp_path.rglob("*.jpg")).unlink()
    recipes, skipped = read_all(tmp_path)
    assert len(recipes) == 12
    assert recipes[0].ingredients[0].name is None
    assert skipped.notes.counts == {"missing file": 1, "missing image": 1}


def test_image_names_cannot_lead_out(tmp_path: Path) -> None:
    source = tmp_path / "source"
    miniature(source, 1)
    write(tmp_path / "secret.jpg", picture())
    layer2 = [{"id": "0" * 10, "images": [{"id": "../../../../../secret.jpg"}, {"id": 5}, None]}]
    write(source / "layer2.json", json.dumps(layer2))
    (got,), skipped = read_all(source)
    assert got.images == ()
    assert skipped.notes.counts == {"image outside the source": 3}


def test_objects_of_wrong_types(tmp_path: Path) -> None:
    write(tmp_path / "layer1.json", [5, {"id": "a", "title": "A", "ingredients": "1 egg"}, {"id": None}])
    write(tmp_path / "layer2.json", [None, {"id": "a", "images": 7}])
    write(tmp_path / "det_ingrs.json", [{"id": "a", "valid": 1, "ingredients": None}])
    (got,), skipped = read_all(tmp_path)
    assert lines_of(got) == ["1 egg"]
    assert skipped.counts == {"not an object": 2, "no title": 1}
