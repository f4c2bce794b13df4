"""Writing a kitchen to a folder, in the same layout as the open recipes, plus the ground truth.

recipes.jsonl   id, title, ingredients, instructions, image (or images), source, license, tags
images/         ID.jpg, further photos of the same dish as ID_1.jpg, ID_2.jpg
splits.json     train, val, test -> ids (80/10/10; one title is in one split only)
truth.jsonl     id, main, grams, tokens (one per line), actions (one per sentence)
"""

import json
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from PIL import Image

from chef.data.kitchen.sample import Dish, cook
from chef.data.pool import Pool
from chef.errors import ChefError
from chef.files import staging_folder
from chef.progress import Progress

_QUALITY = 88
_POOL_FROM = 64  # photos
_BATCH = 16  # dishes per task
Rows = tuple[dict[str, Any], dict[str, Any]]  # a dish's row of recipes.jsonl and of truth.jsonl


def write_kitchen(
    out: Path, recipes: int, seed: int = 0, size: int = 256, images: int = 1, progress: Progress | None = None
) -> None:
    """Write `recipes` dishes with 1 to 3 photos each; `progress` counts them.

    The folder appears whole or not at all. Same arguments, same bytes.
    """
    _check(out, recipes, size, images)
    progress = progress or Progress()
    progress.stage("cooking", recipes)
    with staging_folder(out, existing="replace") as new:
        (new / "images").mkdir()
        splits: dict[str, list[str]] = {"train": [], "val": [], "test": []}
        # For a few photos, starting processes costs more than it saves.
        with (
            Pool(None if recipes * images >= _POOL_FROM else 1) as pool,
            (new / "recipes.jsonl").open("w", encoding="utf-8") as recipe_file,
            (new / "truth.jsonl").open("w", encoding="utf-8") as truth_file,
        ):
            make = partial(_plates, seed, new / "images", size, images)
            numbers = range(recipes)
            tasks = (partial(make, numbers[first : first + _BATCH]) for first in numbers[::_BATCH])
            for recipe, truth in (row for rows in pool.run(tasks, in_order=True) for row in rows):
                recipe_file.write(json.dumps(recipe, ensure_ascii=False) + "\n")
                truth_file.write(json.dumps(truth, ensure_ascii=False) + "\n")
                splits[split_of(recipe["title"])].append(recipe["id"])
                progress.advance()
        (new / "splits.json").write_text(json.dumps(splits, indent=1) + "\n", "utf-8")


def _check(out: Path, recipes: int, size: int, images: int) -> None:
    if recipes < 1:
        raise ChefError(f"cannot write {recipes} recipes", "ask for at least 1")
    if not 16 <= size <= 2048:
        raise ChefError(f"cannot paint photos of {size} pixels", "choose 16 to 2048")
    if not 1 <= images <= 3:
        raise ChefError(f"cannot paint {images} photos of one dish", "choose 1, 2 or 3")
    if out.exists() and not out.is_dir():
        raise ChefError(f"{out} is a file", "name a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / "truth.jsonl").is_file():
        raise ChefError(
            f"{out} holds something that is not a generated kitchen", "name a new or empty folder"
        )


def _plates(seed: int, folder: Path, size: int, images: int, numbers: range) -> list[Rows]:
    """Make some dishes and write their photos -> their rows for the two files."""
    return [_plate(cook(seed, number), folder, size, images) for number in numbers]


def _plate(dish: Dish, folder: Path, size: int, images: int) -> Rows:
    recipe = dish.recipe
    names = [f"{recipe.id}{f'_{view}' if view else ''}.jpg" for view in range(images)]
    for view, name in enumerate(names):
        dish.paint(size, view).save(folder / name, "JPEG", quality=_QUALITY)
    paths = [f"images/{name}" for name in names]
    row = {
        "id": recipe.id,
        "title": recipe.title,
        "ingredients": [item.line for item in recipe.ingredients],
        "instructions": [step.text for step in recipe.steps],
        **({"image": paths[0]} if len(paths) == 1 else {"images": paths}),
        "source": recipe.source,
        "license": recipe.licence,
        "tags": list(recipe.tags),
    }
    truth = {"id": recipe.id, "main": dish.main, "grams": dish.grams}
    return row, truth | {"tokens": list(dish.tokens), "actions": list(dish.actions)}


def split_of(title: str) -> str:
    """The split of a title, by its hash; only letters and digits count."""
    plain = "".join(letter for letter in title.lower() if letter.isalnum())
    digit = int.from_bytes(sha256(plain.encode()).digest()[:4], "big") % 10
    return {8: "val", 9: "test"}.get(digit, "train")


def sheet(dishes: Sequence[Dish], columns: int, path: Path, size: int = 256) -> None:
    """Write a contact sheet, a PNG with the dishes in rows of `columns`."""
    cell = size + 12
    picture = Image.new("RGB", (columns * cell, -(-len(dishes) // columns) * cell), (250, 249, 246))
    for k, dish in enumerate(dishes):
        picture.paste(dish.paint(size), (k % columns * cell + 6, k // columns * cell + 6))
    picture.save(path)
