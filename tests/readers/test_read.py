"""`read` itself: which reader, which order, which errors."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from chef.errors import ChefError
from chef.readers import KINDS, Skipped, one_recipe, read
from tests.readers.helpers import picture, read_all, recipe, write, write_lines


def mixed(folder: Path) -> None:
    """A folder with several formats and much beside them."""
    write_lines(folder / "z.jsonl", recipe(id="line"))
    write(folder / "b.json", json.dumps(recipe(title="Object")))
    write(folder / "sub" / "c.md", "# Markdown\n## Ingredients\n- rice\n")
    write(folder / "sub" / "photo.JPG", picture())
    write(folder / "a sub" / "notes.txt", "buy rice")
    write(folder / ".hidden" / "d.md", "# Hidden\n## Ingredients\n- rice\n")
    write(folder / ".e.json", json.dumps(recipe(title="Hidden")))
    write(
        folder / "r1m" / "layer1.json",
        json.dumps([{"id": "m", "title": "M", "ingredients": [{"text": "rice"}]}]),
    )
    write(folder / "r1m" / "det_ingrs.json", "[]")
    write(folder / "r1m" / "layer2.json", "[]")


def test_a_mixed_folder_in_a_fixed_order(tmp_path: Path) -> None:
    mixed(tmp_path)
    recipes, skipped = read_all(tmp_path)
    assert [got.id for got in recipes] == ["b", "line", "m", "sub/c"]
    assert skipped.counts == {"unknown format": 1}
    assert skipped.examples["unknown format"] == ["a sub/notes.txt"]


def test_one_kind_alone(tmp_path: Path) -> None:
    mixed(tmp_path)
    recipes, skipped = read_all(tmp_path, kind="markdown")
    assert [got.id for got in recipes] == ["sub/c"]
    assert skipped.total == 0
    text = write(tmp_path / "lines.txt", json.dumps(recipe(id="x")))
    assert [got.id for got in read_all(text, kind="jsonl")[0]] == ["x"]
    with pytest.raises(ChefError, match=r"unknown recipe format 'csv'.*jsonl"):
        read(tmp_path, kind="csv")


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_every_kind_survives_every_other_kind_of_file(tmp_path: Path, kind: str) -> None:
    files = [
        write(tmp_path / "empty", b""),
        write(tmp_path / "noise", bytes(range(256)) * 9),
        write(tmp_path / "object", json.dumps(recipe())),
        write(tmp_path / "list", "[1, 2]"),
    ]
    for path in files:
        recipes, skipped = read_all(path, kind=kind)
        assert recipes or skipped.total or path.name == "empty"


def test_errors_come_at_once(tmp_path: Path) -> None:
    with pytest.raises(ChefError, match=r"no such file or folder: .*gone"):
        read(tmp_path / "gone")
    with pytest.raises(ChefError, match="no such file or folder"):
        read("")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ChefError, match="not a file or folder"):
        read(tmp_path / "pipe")


def test_a_pipe_in_a_folder_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    assert read_all(tmp_path)[0] == []


def test_nothing_recognised_is_for_the_caller_to_tell(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "x")
    skipped = Skipped()
    assert list(read(tmp_path, skipped)) == []
    assert "unknown format (1); first: a.txt" in str(skipped.nothing_from(tmp_path))


def test_recipes_come_one_at_a_time(tmp_path: Path) -> None:
    """The second line is not even parsed before it is asked for."""
    skipped = Skipped()
    recipes = read(write_lines(tmp_path / "a.jsonl", recipe(id="a"), "{", recipe(id="b")), skipped)
    assert next(recipes).id == "a"
    assert skipped.total == 0
    assert next(recipes).id == "b"
    assert skipped.total == 1


def test_a_source_given_relative_gives_full_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = write(tmp_path / "book" / "pie.jpg", picture())
    write_lines(tmp_path / "book" / "a.jsonl", recipe(image="pie.jpg"))
    monkeypatch.chdir(tmp_path)
    (got,), _ = read_all("book")
    assert got.images == (str(image),)


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/caf\xe9.json", "wb") as stream:
        stream.write(json.dumps(recipe(image="https://example.org/a.jpg")).encode())
    (got,), _ = read_all(tmp_path)
    assert got.id == "caf"


def test_one_recipe_of_one_object_needs_no_id(tmp_path):
    write(tmp_path / "soup.json", json.dumps(recipe(title="Soup")))
    assert one_recipe(tmp_path / "soup.json").title == "Soup"


def test_one_recipe_of_several(tmp_path):
    file = tmp_path / "all.jsonl"
    write_lines(file, *(recipe(id=name, title=name.upper()) for name in "abc"))
    assert one_recipe(file, "b").title == "B"
    with pytest.raises(ChefError, match=r"more than one recipe .name one with --id"):
        one_recipe(file)
    with pytest.raises(ChefError, match="no recipe 'x'"):
        one_recipe(file, "x")


def test_no_recipe_at_all(tmp_path):
    with pytest.raises(ChefError, match="no such file"):
        one_recipe(tmp_path / "none.json")
    write(tmp_path / "bad.json", "{")
    with pytest.raises(ChefError, match="no recipe could be read"):
        one_recipe(tmp_path / "bad.json")
