"""`read` itself: which reader, which order, which errors."""

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
    write(folder / "b.json", recipe(title="Object"))
    write(folder / "sub" / "c.md", "# Markdown\n## Ingredients\n- rice\n")
    write(folder / "sub" / "photo.JPG", picture())
    write(folder / "a sub" / "notes.xyz", "buy rice")
    write(folder / ".hidden" / "d.md", "# Hidden\n## Ingredients\n- rice\n")
    write(folder / ".e.json", recipe(title="Hidden"))
    write(folder / "r1m" / "layer1.json", [{"id": "m", "title": "M", "ingredients": [{"text": "rice"}]}])
    write(folder / "r1m" / "det_ingrs.json", "[]")
    write(folder / "r1m" / "layer2.json", "[]")


def test_a_mixed_folder_in_a_fixed_order(tmp_path: Path) -> None:
    mixed(tmp_path)
    recipes, skipped = read_all(tmp_path)
    assert [got.id for got in recipes] == ["b", "line", "m", "sub/c"]
    assert skipped.counts == {"unknown format": 1}
    assert skipped.examples["unknown format"] == ["a sub/notes.xyz"]


def test_one_kind_alone(tmp_path: Path) -> None:
    mixed(tmp_path)
    recipes, skipped = read_all(tmp_path, kind="markdown")
    assert [got.id for got in recipes] == ["sub/c"]
    assert skipped.total == 0
    text = write(tmp_path / "lines.txt", json.dumps(recipe(id="x")))
    assert [got.id for got in read_all(text, kind="jsonl")[0]] == ["x"]
    with pytest.raises(ChefError, match=r"unknown recipe format 'word'.*jsonl"):
        read(tmp_path, kind="word")


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_every_kind_survives_every_other_kind_of_file(tmp_path: Path, kind: str) -> None:
    contents = {"empty": b"", "noise": bytes(range(256)) * 9, "object": recipe(), "list": [1, 2]}
    for name, content in contents.items():
        recipes, skipped = read_all(write(tmp_path / name, content), kind=kind)
        assert recipes or skipped.total or name == "empty"


def test_errors_come_at_once_and_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    assert read_all(tmp_path)[0] == []
    wrong = {tmp_path / "gone": "no such file or folder: .*gone", "": "no such file or folder"}
    for source, message in {**wrong, tmp_path / "a.jsonl": "not a file or folder"}.items():
        with pytest.raises(ChefError, match=message):
            read(source)


def test_counts_are_full_examples_few_and_nothing_read_is_one_line(tmp_path: Path) -> None:
    for number in range(9):
        write(tmp_path / f"{number}.xyz", "x")
    write(tmp_path / "a.jsonl", "not JSON")
    skipped = Skipped()
    assert list(read(tmp_path, skipped)) == []
    assert (skipped.counts, skipped.total) == ({"unknown format": 9, "not JSON": 1}, 10)
    assert skipped.examples["unknown format"] == [f"{number}.xyz" for number in range(5)]
    assert "unknown format (9), not JSON (1); first: 0.xyz" in str(skipped.nothing_from(tmp_path))
    assert "\n" not in str(skipped.nothing_from(tmp_path))
    assert "no recipe could be read from b" in str(Skipped().nothing_from("b"))


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


def test_one_recipe_of_a_file(tmp_path: Path) -> None:
    assert one_recipe(write(tmp_path / "soup.json", recipe(title="Soup"))).title == "Soup"
    file = tmp_path / "all.jsonl"
    write_lines(file, *(recipe(id=name, title=name.upper()) for name in "abc"))
    assert one_recipe(file, "b").title == "B"
    broken = write(tmp_path / "bad.json", "{")
    for path, id, message in [
        (file, None, "more than one recipe .name one with --id"),
        (file, "x", "no recipe 'x'"),
        (tmp_path / "none.json", None, "no such file"),
        (broken, None, "no recipe could be read"),
    ]:
        with pytest.raises(ChefError, match=message):
            one_recipe(path, id)
