"""Ids, what counts as a recipe, and where its images are found."""

import shutil
from pathlib import Path

import pytest

from chef.readers import Skipped, read
from tests.readers.helpers import picture, read_all, recipe, write, write_lines


def test_a_recipe_needs_a_title_and_ingredients_but_no_steps(tmp_path: Path) -> None:
    untitled = [recipe(title=None), recipe(title="  ")]
    empty = [recipe(ingredients=value) for value in ([], "  \n ", ["Sauce:"])]
    whole = [
        recipe(title=["x"], id="list"),
        recipe(title=1234, id="number"),
        recipe(instructions=None, id="c"),
    ]
    recipes, skipped = read_all(write_lines(tmp_path / "a.jsonl", *untitled, *empty, *whole))
    titles = [(got.id, got.title) for got in recipes]
    assert titles == [("list", "x"), ("number", "1234"), ("c", "Cheese toast")]
    assert recipes[-1].steps == ()
    assert skipped.counts == {"no title": 2, "no ingredients": 3}


def test_what_no_real_recipe_needs_is_cut_and_noted(tmp_path: Path) -> None:
    long = recipe(title="P" * 400, ingredients=["r" * 2000] * 600, instructions=["s" * 11_000] * 600)
    (cut, _), skipped = read_all(write_lines(tmp_path / "a.jsonl", long, recipe(id="2")))
    assert (len(cut.title), len(cut.ingredients), len(cut.steps)) == (300, 500, 500)
    assert (len(cut.ingredients[0].line), len(cut.steps[0].text)) == (1000, 10_000)
    assert skipped.notes.counts == {"too long, cut": 1}


def test_the_second_of_one_id_is_skipped(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", recipe(id=7), recipe(id="7", title="Other"), recipe(), recipe())
    recipes, skipped = read_all(tmp_path)
    assert recipes[0].id == "7"
    assert len(recipes) == 2
    assert skipped.counts == {"duplicate id": 2}


def test_files_of_one_name_in_several_sources_are_all_kept(tmp_path: Path) -> None:
    for folder, steps in (("A", "Boil."), ("B", "Fry."), ("C/B", "Bake.")):
        write(tmp_path / folder / "pie.md", f"# Pie\n## Ingredients\n- rice\n## Steps\n{steps}\n")
    lines = write_lines(tmp_path / "a.jsonl", recipe(id="pie"), recipe(id="other"))
    skipped, ids = Skipped(), list[set[int]]()
    sources = (tmp_path / "A/pie.md", tmp_path / "B", tmp_path / "A", tmp_path / "C/B/pie.md", lines)
    got = [one.id for source in sources for one in read(source, skipped, ids=ids)]
    assert got[:2] == ["pie", "B/pie"]
    assert got[2].startswith("pie-")
    assert got[3:] == ["other"]
    # The same file a second time, and an id that a source gives itself and that is taken.
    assert skipped.examples == {"duplicate id": ["pie.md: pie", "a.jsonl line 1: pie"]}


def test_links_out_of_the_source_are_not_followed(tmp_path: Path) -> None:
    private = write(tmp_path / "private" / "me.jpg", picture())
    write(tmp_path / "private" / "secret.json", recipe(title="Secret"))
    own = write(tmp_path / "book" / "own.jpg", picture())
    names = ["file.jpg", "folder/me.jpg", "inside.jpg"]
    write_lines(tmp_path / "book" / "a.jsonl", recipe(images=names))
    for name, target in (
        ("file.jpg", private), ("folder", private.parent), ("inside.jpg", own),
        ("secret.json", private.with_name("secret.json")),
    ):  # fmt: skip
        (tmp_path / "book" / name).symlink_to(target)
    write(tmp_path / "book" / "cloud" / "recipe.json", recipe(title="Cloud"))
    (tmp_path / "book" / "cloud" / "full.jpg").symlink_to(private)
    (tmp_path / "linked").symlink_to(tmp_path / "book")  # the source itself may be one
    for source in (tmp_path / "book", tmp_path / "linked"):
        recipes, skipped = read_all(source)
        assert [got.title for got in recipes] == ["Cheese toast", "Cloud"]
        assert [[Path(image).name for image in got.images] for got in recipes] == [["inside.jpg"], []]
        assert skipped.counts == {"link out of the source": 1}
        assert skipped.notes.counts == {"image outside the source": 3}


def test_ids_do_not_depend_on_the_machine_and_one_stem_gets_two(tmp_path: Path) -> None:
    first, page = tmp_path / "one", "# Apple\n## Ingredients\n- 2 apples\n"
    write_lines(first / "lines.jsonl", recipe(), recipe(title="Other"))
    for name in ("pies/apple.md", "pies/pear/index.md", "tart.markdown", "tart.md"):
        write(first / name, page)
    shutil.copytree(first, tmp_path / "deep" / "two")
    ids = [got.id for got in read_all(first)[0]]
    assert ids == [got.id for got in read_all(tmp_path / "deep" / "two")[0]]
    assert (ids[2], ids[4:]) == ("tart", ["pies/apple", "pies/pear"])
    assert ids[3].startswith("tart-")
    assert len(set(ids)) == 6
    assert len(ids[0]) == 16


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
def test_images_are_found_where_sites_keep_them(tmp_path: Path, name: str, place: str) -> None:
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
