"""Sources made by code: a clean one, and the same with every kind of problem planted in it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from chef.data.doctor import Report, examine
from chef.errors import ChefError
from tests.data.doctor.test_photo_checks import photo
from tests.data.doctor.test_text_checks import GREETING

_FOODS = "leek carrot barley trout plum almond spinach lentil fennel quince turnip millet".split()
_TOOLS = "pan pot bowl dish tray kettle basket mortar".split()


class Source:
    """A folder in the JSON-lines layout, with one recipe per call of `add`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "images").mkdir()
        self.recipes: list[dict[str, Any]] = []
        self.splits: dict[str, list[str]] = {"train": [], "test": []}

    def add(self, split: str = "train", picture: Image.Image | None = None, **changes: Any) -> str:
        """A recipe like no other, with `changes`; its id."""
        number = len(self.recipes)
        chance = np.random.default_rng(1000 + number)
        foods = chance.choice(_FOODS, 5, replace=False).tolist()
        recipe = {
            "id": f"r{number:02}",
            "title": f"{foods[0]} with {foods[1]} number {number}",
            "ingredients": [f"{chance.integers(1, 9)} cups {food}" for food in foods],
            "instructions": [
                f"Put {chance.choice(foods)} in a {chance.choice(_TOOLS)} for {chance.integers(99)} minutes."
                for _ in range(6)
            ],
            "image": f"images/r{number:02}.png",
            **changes,
        }
        self.recipes.append(recipe)
        self.splits[split].append(recipe["id"])
        if recipe["image"] is not None:
            (picture or photo(number, (200, 160))).save(self.folder / recipe["image"])
        return str(recipe["id"])

    def image(self, name: str) -> Path:
        return self.folder / "images" / f"{name}.png"

    def problems(self, **options: Any) -> dict[str, tuple[int, tuple[Any, ...]]]:
        return _problems(self.examine(**options))

    def examine(self, **options: Any) -> Report:
        lines = [json.dumps(recipe) for recipe in self.recipes]
        (self.folder / "recipes.jsonl").write_text("\n".join(lines) + "\n")
        (self.folder / "splits.json").write_text(json.dumps(self.splits))
        return examine(self.folder, **options)


@pytest.fixture
def source(tmp_path: Path) -> Source:
    made = Source(tmp_path)
    for number in range(30):
        made.add("train" if number < 20 else "test")
    return made


def _problems(report: Report) -> dict[str, tuple[int, tuple[Any, ...]]]:
    return {problem.kind: (problem.count, problem.examples) for problem in report.problems}


def test_a_clean_source_has_no_problems(source: Source) -> None:
    report = source.examine()
    assert report.problems == ()
    assert (report.recipes, report.with_image, report.splits) == (30, 30, {"train": 20, "test": 10})


def test_bad_and_missing_photos(source: Source) -> None:
    blank = source.add(picture=Image.new("RGB", (200, 200), "white"))
    broken, none, lost, far = source.add(), source.add(image=None), source.add(), source.add(image=None)
    source.image(broken).write_bytes(b"no picture at all")
    source.image(lost).unlink()
    source.recipes[-1]["image"] = "https://example.org/plums.jpg"  # it is not fetched
    problems = source.problems()
    assert problems.pop("missing-image")[0] == 1
    assert problems == {
        "flat-image": (1, (blank,)),
        "unreadable-image": (1, ((broken, "not an image"),)),
        "no-image": (2, (none, lost)),
        "image-on-the-web": (1, (far,)),
    }


def test_photos_that_repeat(source: Source) -> None:
    # The train photo r03 again in test, smaller; the test photo r25 twice more in test.
    across = source.add("test", photo(3, (200, 160)).resize((150, 125)))
    again = [source.add("test", photo(25, (200, 160))) for _ in range(2)]
    assert source.problems() == {
        "near-duplicate-photo-across-splits": (1, (("r03", across),)),
        "near-duplicate-photo-within-split": (2, (("r25", again[0]), ("r25", again[1]))),
    }


def test_texts_that_repeat(source: Source) -> None:
    first, last = source.recipes[4], source.recipes[25]
    # The instructions again under another title; then the title and the ingredients with other steps.
    across = source.add("test", instructions=["Wash your hands.", *first["instructions"]])
    within = source.add("test", title=last["title"].upper(), ingredients=[*last["ingredients"], "salt"])
    assert source.problems() == {
        "near-duplicate-text-across-splits": (1, ((first["id"], across),)),
        "near-duplicate-text-within-split": (1, ((last["id"], within),)),
    }


def test_odd_texts(source: Source) -> None:
    empty = source.add(instructions=[])
    foreign = source.add(
        instructions=["Die Linsen mit dem Lauch in einen Topf geben und bei kleiner Hitze kochen lassen."]
    )
    odd = source.add(ingredients=["2 cups leek", "SAUCE", "1/2", "Stir in the plums until soft"])
    greeted = [source.add() for _ in range(5)]
    for recipe in source.recipes[-5:]:
        recipe["instructions"].append(GREETING)
    problems = source.problems()
    count, ((name, text),) = problems.pop("template-step")
    assert (count, name, text[:40]) == (5, greeted[0], GREETING[:40])
    assert problems == {
        "no-steps": (1, (empty,)),
        "not-english": (1, ((foreign, "German"),)),
        "heading-as-ingredient": (1, ((odd, "SAUCE"),)),
        "ingredient-without-words": (1, ((odd, "1/2"),)),
        "instruction-as-ingredient": (1, ((odd, "Stir in the plums until soft"),)),
    }


def test_what_the_reader_skips_is_a_problem(source: Source) -> None:
    source.add(id="r05")
    source.add(title="  ")
    source.add(ingredients=[])
    assert source.examine().recipes == 30
    (source.folder / "recipes.jsonl").open("a").write('{"id": "cut", "title": "Plum\n')
    counts = {kind: count for kind, (count, _) in _problems(examine(source.folder)).items()}
    assert counts == {"duplicate-id": 1, "blank-title": 1, "no-ingredients": 1, "not-json": 1}


def test_the_limit_is_on_examples_not_on_counts(source: Source) -> None:
    for _ in range(4):
        source.add(image=None)
    assert source.problems(limit=2) == {"no-image": (4, ("r30", "r31"))}


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "recipes.jsonl").write_text("[]\n")
    with pytest.raises(ChefError, match="no recipe could be read"):
        examine(tmp_path)


@pytest.mark.slow
def test_the_open_recipes(chef_data: Path) -> None:
    report = examine(chef_data / "open-recipes")
    kinds = {problem.kind for problem in report.problems}
    assert report.recipes == report.with_image == sum(report.splits.values())
    # Its makers took out every photo within three bits of another, and what is tiny, broken or flat.
    gone = {"near-duplicate-photo-across-splits", "tiny-image", "flat-image", "unreadable-image"}
    assert not kinds & gone
    assert "drawing-or-text-card" in kinds
