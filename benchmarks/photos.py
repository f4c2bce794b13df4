"""Real photos against real collections: how often the right recipe is among the first hits.

    python benchmarks/photos.py OPEN_RECIPES [--model NAME] [--split test] [--json]

The photos of a split are looked for in collections of recipes without their photos: one of that split alone,
where the share must be the model's recall as `chef evaluate` counts it, one of all recipes, and one of those
that the data had first (its README: numbers under 20,000 at the end of an id).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import chef
from chef.measure.retrieval import retrieval_ranks, summary
from chef.recipe import Recipe

K = 10
LATER = 20_000  # ids of the second collection have such numbers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recipes", help="recipes with photos and splits")
    parser.add_argument("--model", help="a bundled model, or a folder; the best bundled one if not given")
    parser.add_argument("--split", default="test")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    told = measure(list(chef.read(given.recipes)), given.model, given.split)
    if given.json:
        print(json.dumps(told, indent=2))
    else:
        print(
            f"{told['model']}: of {told['photos']} photos the right recipe is among the first {K} for "
            f"{told['alone']:.1f} % in a collection of these recipes alone (recall {told['recall']:.1f}), "
            f"for {told['all']:.1f} % in one of all {told['recipes']}, "
            f"for {told['first']:.1f} % in one of the first {told['first_recipes']}"
        )
    return 0


def measure(recipes: Sequence[Recipe], model: str | None, split: str) -> dict[str, Any]:
    """The shares of photos whose recipe is among the first ten, in percent."""
    asked = [recipe for recipe in recipes if recipe.split == split and recipe.images]
    with tempfile.TemporaryDirectory() as folder:
        alone, everything = (chef.Index(str(Path(folder) / name), model=model) for name in ("alone", "all"))
        for index, some in ((alone, asked), (everything, recipes)):
            index.add([replace(recipe, images=()) for recipe in some])
        photos = alone.chef.embed_images([recipe.images[0] for recipe in asked])
        texts = alone.chef.embed_recipes(asked)
        ids = [recipe.id for recipe in asked]
        shares = {name: _share(index, photos, ids) for name, index in (("alone", alone), ("all", everything))}
        later = [recipe.id for recipe in recipes if int(recipe.id[-5:]) >= LATER]
        everything.remove(*later)
        shares["first"] = _share(everything, photos, ids)
        return {
            "model": alone.info().model,
            "photos": len(asked),
            "recipes": len(recipes),
            "first_recipes": len(recipes) - len(later),
            **shares,
            "recall": summary(retrieval_ranks(photos, texts, ids, seed=0, normalised=False))[
                "image-to-recipe"
            ]["full"][f"R@{K}"],
        }


def _share(index: chef.Index, photos: np.ndarray[Any, Any], ids: Sequence[str]) -> float:
    found = (
        wanted in {hit.id for hit in index.search(vector=photo, k=K)}
        for wanted, photo in zip(ids, photos, strict=True)
    )
    return 100 * sum(found) / len(ids)


if __name__ == "__main__":
    sys.exit(main())
