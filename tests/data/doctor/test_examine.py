"""Sources made by code: a clean one, and the same with every kind of problem planted in it."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from chef.data.doctor import Report, examine
from chef.errors import ChefError

_FOODS = "leek carrot barley trout plum almond spinach lentil fennel quince turnip millet".split()
_TOOLS = "pan pot bowl dish tray kettle basket mortar".split()
_GREETING = (
    "Thank you for reading this far and do not forget to tell all of your friends about my kitchen blog today"
)


def _photo(seed: int) -> Image.Image:
    coarse = np.random.default_rng(seed).integers(0, 256, (7, 9, 3), np.uint8)
    return Image.fromarray(coarse).resize((200, 160), Image.Resampling.BICUBIC)


class Source:
    """A folder in the JSON-lines layout, with one recipe per call of `add`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "images").mkdir()
        self.recipes: list[dict[str, Any]] = []
        self.splits: dict[str, list[str]] = {"train": [], "test": []}

    def add(self, split: str = "train", photo: Image.Image | bytes | None = None, **changes: Any) -> str:
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
            self._write(self.folder / recipe["image"], _photo(number) if photo is None else photo)
        return str(recipe["id"])

    def _write(self, path: Path, photo: Image.Image | bytes) -> None:
        if isinstance(photo, bytes):
            path.write_bytes(photo)
        else:
            photo.save(path)

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


def _found(report: Report) -> dict[str, tuple[int, tuple[Any, ...]]]:
    return {problem.kind: (problem.count, problem.examples) for problem in report.problems}


def test_a_clean_source_has_no_problems(source: Source) -> None:
    report = source.examine()
    assert _found(report) == {}
    assert (report.recipes, report.with_image, report.splits) == (30, 30, {"train": 20, "test": 10})


def _png_header(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + head
        + struct.pack(">I", zlib.crc32(head))
        + b"\0\0\1\0IDAT"
    )


def _card() -> Image.Image:
    card = Image.new("RGB", (200, 160), "white")
    ImageDraw.Draw(card).multiline_text((10, 10), "\n".join(["one cup of milk"] * 8), fill="black")
    return card


@pytest.mark.parametrize(
    ("photo", "kind"),
    [
        (_photo(500).resize((119, 140)), "tiny-image"),
        (_photo(500).resize((500, 130)), "odd-aspect"),
        (Image.new("RGB", (200, 200), "white"), "flat-image"),
        (_png_header(20_000, 20_000), "huge-image"),
        (_card(), "drawing-or-text-card"),
    ],
)
def test_a_bad_photo(source: Source, photo: Image.Image | bytes, kind: str) -> None:
    bad = source.add(photo=photo)
    assert _found(source.examine()) == {kind: (1, (bad,))}


def test_an_unreadable_photo(source: Source) -> None:
    bad = source.add(photo=b"no picture at all")
    assert _found(source.examine()) == {"unreadable-image": (1, ((bad, "not a picture"),))}


def test_no_photo_and_a_missing_one(source: Source) -> None:
    none = source.add(image=None)
    lost = source.add()
    (source.folder / "images" / f"{lost}.png").unlink()
    found = _found(source.examine())
    assert found["no-image"] == (2, (none, lost))
    assert found["missing-image"][0] == 1


def test_a_photo_on_the_web_is_not_fetched(source: Source) -> None:
    far = source.add(image=None)
    source.recipes[-1]["image"] = "https://example.org/plums.jpg"
    assert _found(source.examine()) == {"image-on-the-web": (1, (far,))}


def test_photos_that_repeat(source: Source) -> None:
    # The train photo r03 again in test, smaller; the test photo r25 twice more in test.
    across = source.add("test", photo=_photo(3).resize((150, 125)))
    again = [source.add("test", photo=_photo(25)) for _ in range(2)]
    assert _found(source.examine()) == {
        "near-duplicate-photo-across-splits": (1, (("r03", across),)),
        "near-duplicate-photo-within-split": (2, (("r25", again[0]), ("r25", again[1]))),
    }


def test_texts_that_repeat(source: Source) -> None:
    first, last = source.recipes[4], source.recipes[25]
    # The instructions again under another title; then the title and the ingredients with other steps.
    across = source.add("test", instructions=["Wash your hands.", *first["instructions"]])
    within = source.add("test", title=last["title"].upper(), ingredients=[*last["ingredients"], "salt"])
    assert _found(source.examine()) == {
        "near-duplicate-text-across-splits": (1, ((first["id"], across),)),
        "near-duplicate-text-within-split": (1, ((last["id"], within),)),
    }


def test_odd_texts(source: Source) -> None:
    empty = source.add(instructions=[])
    foreign = source.add(
        instructions=["Die Linsen mit dem Lauch in einen Topf geben und bei kleiner Hitze kochen lassen."]
    )
    lines = {
        "heading-as-ingredient": "SAUCE",
        "long-ingredient-line": "1 cup of " + "very " * 50 + "ripe plums",
        "ingredient-without-words": "1/2",
        "sentence-as-ingredient": "Any plums will do here. My aunt has always used the small ones.",
        "instruction-as-ingredient": "Stir in the plums until soft",
    }
    odd = source.add(ingredients=["2 cups leek", *lines.values()])
    greeted = [source.add() for _ in range(5)]
    for recipe in source.recipes[-5:]:
        recipe["instructions"].append(_GREETING)
    found = _found(source.examine())
    assert found["no-steps"] == (1, (empty,))
    assert found["not-english"] == (1, ((foreign, "German"),))
    for kind, line in lines.items():
        assert found[kind][0] == 1
        assert found[kind][1][0][0] == odd
        assert found[kind][1][0][1][:20] == line[:20]
    count, ((name, text),) = found["template-step"]
    assert (count, name, text[:40]) == (5, greeted[0], _GREETING[:40])
    assert set(found) == {"no-steps", "not-english", "template-step", *lines}


def test_what_the_reader_skips_is_a_problem(source: Source) -> None:
    source.add(id="r05")
    source.add(title="  ")
    source.add(ingredients=[])
    report = source.examine()
    (source.folder / "recipes.jsonl").open("a").write('{"id": "cut", "title": "Plum\n')
    found = _found(examine(source.folder))
    assert report.recipes == 30
    assert {kind: count for kind, (count, _) in found.items()} == {
        "duplicate-id": 1,
        "blank-title": 1,
        "no-ingredients": 1,
        "not-json": 1,
    }


def test_the_limit_is_on_examples_not_on_counts(source: Source) -> None:
    for _ in range(4):
        source.add(image=None)
    assert _found(source.examine(limit=2)) == {"no-image": (4, ("r30", "r31"))}


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "recipes.jsonl").write_text("[]\n")
    with pytest.raises(ChefError, match="no recipe could be read"):
        examine(tmp_path)


@pytest.mark.slow
def test_the_open_recipes(chef_data: Path) -> None:
    report = examine(chef_data / "open-recipes")
    found = _found(report)
    assert report.recipes == report.with_image == sum(report.splits.values())
    # Its makers took out every photo within three bits of another, and what is tiny, broken or flat.
    for kind in ("near-duplicate-photo-across-splits", "tiny-image", "flat-image", "unreadable-image"):
        assert kind not in found
    assert "drawing-or-text-card" in found
