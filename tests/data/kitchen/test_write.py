"""Writing a kitchen: whole or not at all, and the same every time."""

import json
from pathlib import Path

import pytest
from PIL import Image

from chef.data.kitchen import cook, write, write_kitchen
from chef.data.kitchen.write import split_of
from chef.errors import ChefError
from tests.data.sources import content


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_files_and_fields(tmp_path: Path):
    write_kitchen(tmp_path / "k", 6, seed=3, size=32)
    recipes, truth = _rows(tmp_path / "k/recipes.jsonl"), _rows(tmp_path / "k/truth.jsonl")
    fields = ["id", "title", "ingredients", "instructions", "image", "source", "license", "tags"]
    assert [list(row) for row in recipes] == [fields] * 6
    assert [list(row) for row in truth] == [["id", "main", "grams", "tokens", "actions"]] * 6
    made = cook(3, 2)
    assert recipes[2]["title"] == made.recipe.title
    assert truth[2]["main"] == made.main
    assert truth[2]["tokens"] == list(made.tokens)
    for row in recipes:
        with Image.open(tmp_path / "k" / str(row["image"])) as picture:
            assert picture.format == "JPEG"
            assert picture.size == (32, 32)
    splits = json.loads((tmp_path / "k/splits.json").read_text())
    assert sorted(name for names in splits.values() for name in names) == [row["id"] for row in recipes]


def test_same_arguments_same_bytes_with_a_pool_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write_kitchen(tmp_path / "a", 5, seed=1, size=32)
    write_kitchen(tmp_path / "b", 5, seed=1, size=32)
    monkeypatch.setattr(write, "_POOL_FROM", 1)
    monkeypatch.setattr(write, "_BATCH", 2)
    write_kitchen(tmp_path / "pool", 5, seed=1, size=32)
    assert content(tmp_path / "a") == content(tmp_path / "b") == content(tmp_path / "pool")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "pool"]


def test_several_photos_of_a_dish(tmp_path: Path):
    write_kitchen(tmp_path / "k", 2, size=32, images=3)
    for row in _rows(tmp_path / "k/recipes.jsonl"):
        photos = [(tmp_path / "k" / name).read_bytes() for name in row["images"]]  # type: ignore[attr-defined]
        assert len(set(photos)) == 3


def test_an_empty_folder_is_used_and_an_older_kitchen_replaced(tmp_path: Path):
    (tmp_path / "k").mkdir()
    for recipes in (4, 2):
        write_kitchen(tmp_path / "k", recipes, size=32)
        assert len(_rows(tmp_path / "k/recipes.jsonl")) == recipes
        assert len(list((tmp_path / "k/images").iterdir())) == recipes
    assert [path.name for path in tmp_path.iterdir()] == ["k"]


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path):
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(ChefError, match="not a generated kitchen"):
        write_kitchen(tmp_path, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


@pytest.mark.parametrize("wrong", [{"recipes": 0}, {"size": 4}, {"images": 4}])
def test_impossible_wishes_are_refused(tmp_path: Path, wrong: dict[str, int]):
    with pytest.raises(ChefError):
        write_kitchen(tmp_path / "k", **{"recipes": 1, **wrong})
    assert not any(tmp_path.iterdir())


def test_a_failure_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def broken(seed: int, index: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(write, "cook", broken)
    with pytest.raises(OSError, match="disk full"):
        write_kitchen(tmp_path / "k", 2, size=32)
    assert not any(tmp_path.iterdir())


def test_one_title_is_in_one_split():
    assert split_of("Apple Pie") == split_of("apple pie!")
    share = [split_of(f"dish {k}") for k in range(4000)]
    assert 0.77 < share.count("train") / 4000 < 0.83
    assert 0.08 < share.count("val") / 4000 < 0.12
