from pathlib import Path

import pytest

from chef.readers.markdown import split_front_matter
from chef.recipe import Step
from tests.conftest import cases
from tests.readers.helpers import lines_of, picture, read_all, texts_of, write

SAMPLES = Path(__file__).with_name("samples")
CHOWDOWN = (SAMPLES / "chowdown.md").read_text("utf-8")
BODY = (SAMPLES / "headings.md").read_text("utf-8")


def test_everything_in_the_front_matter(tmp_path: Path) -> None:
    write(tmp_path / "_recipes" / "corn.md", CHOWDOWN)
    image = write(tmp_path / "images" / "corn.jpg", picture())
    (got,), skipped = read_all(tmp_path)
    assert (got.id, got.title, got.tags) == ("_recipes/corn", "Corn salad", ("salad", "summer"))
    assert lines_of(got) == ["4 ears corn", "2 tbsp oil"]
    assert texts_of(got) == ["Boil the corn.", "Toss it."]
    assert got.images == (str(image),)
    assert skipped.total == skipped.notes.total == 0


def test_everything_in_the_body(tmp_path: Path) -> None:
    write(tmp_path / "leek.md", BODY)
    image = write(tmp_path / "img" / "leek.jpg", picture())
    (got,), _ = read_all(tmp_path)
    assert (got.title, got.tags, got.images) == ("Leek soup", ("soup",), (str(image),))
    assert lines_of(got) == ["2 leeks, sliced", "1 l stock (vegetable)", "chives", "4 slices bread"]
    assert got.steps == (
        Step("Fry the leeks until soft."),
        Step("Add the stock."),
        Step("Toast the bread. Cut it.", "To serve"),
        Step("Eat.", "To serve"),
    )


@pytest.mark.parametrize("text", cases("readers", "ways to write the same"))
def test_ways_to_write_the_same(tmp_path: Path, text: str) -> None:
    (got,), _ = read_all(write(tmp_path / "rice.md", text))
    assert got.title == "Rice"
    assert lines_of(got) == ["1 cup rice"]
    assert texts_of(got) == ["Boil it."]


@pytest.mark.parametrize("image", cases("readers", "images in the body"))
def test_images_in_the_body(tmp_path: Path, image: str) -> None:
    photo = write(tmp_path / "rice.jpg", picture())
    (got,), _ = read_all(write(tmp_path / "rice.md", f"# Rice\n{image}\n## Ingredients\n- rice\n"))
    assert got.images == (str(photo),)


def test_files_that_hold_no_recipe_and_a_readme_that_does(tmp_path: Path) -> None:
    write(tmp_path / "README.md", "# My cookbook\n\n- soups\n- pies\n")
    write(tmp_path / "empty.md", "")
    write(tmp_path / "steps-only.md", "# Build\n## Steps\n1. Run make.\n")
    write(tmp_path / "nameless.md", "## Ingredients\n- rice\n")
    write(tmp_path / "toast" / "README.md", "# Crème\n## Ingredients\n- 1 œuf, dés\n".encode("cp1252"))
    (got,), skipped = read_all(tmp_path)
    assert (got.title, lines_of(got)) == ("Crème", ["1 œuf, dés"])
    assert skipped.counts == {"no recipe in the file": 1, "no ingredients": 1, "no title": 1}


@pytest.mark.parametrize("mark", ["[", "{{", "**", "![", "# ", " ", "| ", "<img "])
def test_long_broken_lines_do_not_hang(tmp_path: Path, mark: str) -> None:
    text = f"---\na{mark * 20_000}\n---\n# Rice\n{mark * 20_000}x\n## Ingredients\n- rice {mark * 20_000}x\n"
    assert read_all(write(tmp_path / "a.md", text))[0][0].title == "Rice"


def test_almost_yaml_is_read_by_hand_and_nested_aliases_are_not_unfolded() -> None:
    text = 'title: Pie: the best\ndate: 2024-13-45\nimage: "pie.jpg"\ningredients:\n- 2 eggs: large\n  - salt'
    values, _ = split_front_matter(f"---\n{text}\n---\n")
    assert (values["title"], values["image"]) == ("Pie: the best", "pie.jpg")
    assert values["ingredients"] == ["2 eggs: large", "salt"]
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\ntitle: Pie"
    values, _ = split_front_matter(f"---\n{bomb}\n---\n")
    assert (values["title"], values["c"]) == ("Pie", "&c [*b, *b]")
