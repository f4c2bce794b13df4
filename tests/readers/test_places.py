"""Images named in recipes: found where sites keep them, never outside the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.helpers import picture, read_all, recipe, write, write_lines


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("pie.jpg", "book/pie.jpg"),
        ("pie.jpg", "book/images/pie.jpg"),
        ("images/pie.jpg", "book/images/pie.jpg"),
        ("old/place/pie.jpg", "book/images/pie.jpg"),
        ("/images/pie.jpg", "images/pie.jpg"),
        ("../images/pie.jpg", "images/pie.jpg"),
        ("pie.jpg", "images/pie.jpg"),
        ("/photos/pie.jpg", "static/photos/pie.jpg"),
        ("apple%20pie.jpg?w=300", "book/apple pie.jpg"),
        (r"images\pie.jpg", "book/images/pie.jpg"),
    ],
)
def test_found(tmp_path: Path, name: str, place: str) -> None:
    image = write(tmp_path / place, picture())
    write_lines(tmp_path / "book" / "recipes.jsonl", recipe(image=name))
    (got,), skipped = read_all(tmp_path)
    assert got.images == (str(image),)
    assert not skipped.notes.counts


@pytest.mark.parametrize(
    "name", ["../secret.jpg", "../../secret.jpg", "images/../../secret.jpg", "{root}/secret.jpg"]
)
def test_the_source_folder_is_never_left(tmp_path: Path, name: str) -> None:
    write(tmp_path / "secret.jpg", picture())
    write_lines(tmp_path / "source" / "recipes.jsonl", recipe(image=name.format(root=tmp_path)))
    (got,), skipped = read_all(tmp_path / "source")
    assert got.images == ()
    reason = "image outside the source" if ".." in name else "missing image"
    assert skipped.notes.counts == {reason: 1}


def test_missing_images_are_noted_and_the_recipe_stays(tmp_path: Path) -> None:
    names = ["gone.jpg", "data:image/png;base64,AAAA", "x" * 5000, "https://example.org/a.jpg"]
    write_lines(tmp_path / "recipes.jsonl", recipe(images=names))
    (got,), skipped = read_all(tmp_path)
    assert got.images == ("https://example.org/a.jpg",)
    assert skipped.notes.counts == {"missing image": 3}
    assert "gone.jpg" in skipped.notes.examples["missing image"][0]
    assert skipped.counts == {}
