"""Writing a kitchen to a folder, in the same layout as the open recipes, plus the truth.

recipes.jsonl   id, title, ingredients, instructions, image (or images), source, license, tags
images/         ID.jpg, further photos of the same dish as ID_1.jpg, ID_2.jpg
splits.json     train, val, test -> ids (80/10/10; one title is in one split only)
truth.jsonl     id, main, grams, tokens (one per line), actions (one per sentence)
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from chef.data.kitchen.dish import Dish
from chef.data.kitchen.sample import cook
from chef.errors import ChefError

_QUALITY = 88
_POOL_FROM = 64  # below this many photos, starting processes costs more than it saves


def write_kitchen(
    out: Path,
    recipes: int,
    seed: int = 0,
    size: int = 256,
    images: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write `recipes` dishes with 1 to 3 photos each; `progress` hears how many are done.

    The folder appears whole or not at all. Same arguments, same bytes.
    """
    _check(out, recipes, size, images)
    out.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        (work / "images").mkdir()
        _write_all(work, recipes, seed, size, images, progress)
        work.chmod(0o755)
        _put_in_place(work, out)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


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


def _write_all(
    work: Path, recipes: int, seed: int, size: int, images: int, progress: Callable[[int], None] | None
) -> None:
    splits: dict[str, list[str]] = {"train": [], "val": [], "test": []}
    job = partial(_plated, seed, work / "images", size, images)
    with (
        (work / "recipes.jsonl").open("w", encoding="utf-8") as recipe_file,
        (work / "truth.jsonl").open("w", encoding="utf-8") as truth_file,
    ):
        for done, (recipe, truth) in enumerate(_cooked(job, recipes, recipes * images), start=1):
            recipe_file.write(json.dumps(recipe, ensure_ascii=False) + "\n")
            truth_file.write(json.dumps(truth, ensure_ascii=False) + "\n")
            splits[split_of(recipe["title"])].append(recipe["id"])
            if progress is not None:
                progress(done)
    (work / "splits.json").write_text(json.dumps(splits, indent=1) + "\n", "utf-8")


Cooked = tuple[dict[str, Any], dict[str, Any]]


def _cooked(job: Callable[[int], Cooked], recipes: int, photos: int) -> Iterator[Cooked]:
    workers = min(os.cpu_count() or 1, 61)  # Windows allows no more
    if photos < _POOL_FROM or workers == 1:
        yield from map(job, range(recipes))
        return
    # Fresh processes, not forks: the caller may hold threads (torch), and forks of those can hang.
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        # Chunk by chunk: the pool would otherwise queue a million dishes at once.
        for start in range(0, recipes, 2048):
            yield from pool.map(job, range(start, min(start + 2048, recipes)), chunksize=16)


def _plated(seed: int, folder: Path, size: int, images: int, index: int) -> Cooked:
    """Make one dish and write its photos; what goes into the two files comes back."""
    made = cook(seed, index)
    names = [f"{made.recipe.id}{f'_{view}' if view else ''}.jpg" for view in range(images)]
    for view, name in enumerate(names):
        made.paint(size, view).save(folder / name, "JPEG", quality=_QUALITY)
    return _recipe_row(made, names), _truth_row(made)


def _recipe_row(made: Dish, names: list[str]) -> dict[str, Any]:
    recipe = made.recipe
    paths = [f"images/{name}" for name in names]
    return {
        "id": recipe.id,
        "title": recipe.title,
        "ingredients": [item.line for item in recipe.ingredients],
        "instructions": [step.text for step in recipe.steps],
        **({"image": paths[0]} if len(paths) == 1 else {"images": paths}),
        "source": recipe.source,
        "license": recipe.licence,
        "tags": list(recipe.tags),
    }


def _truth_row(made: Dish) -> dict[str, Any]:
    return {
        "id": made.recipe.id,
        "main": made.main,
        "grams": made.grams,
        "tokens": list(made.tokens),
        "actions": list(made.actions),
    }


def split_of(title: str) -> str:
    """The split of a title, by its hash; letters and digits alone count."""
    plain = "".join(letter for letter in title.lower() if letter.isalnum())
    place = int.from_bytes(sha256(plain.encode()).digest()[:4], "big") % 10
    return "val" if place == 8 else "test" if place == 9 else "train"


def _put_in_place(work: Path, out: Path) -> None:
    if not out.exists():
        work.rename(out)
        return
    if not any(out.iterdir()):
        out.rmdir()
        work.rename(out)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{out.name}-old-", dir=out.parent))
    out.rename(old / out.name)
    work.rename(out)
    shutil.rmtree(old)
