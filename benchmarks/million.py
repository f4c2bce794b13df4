"""A million recipes on one machine: how they are written, what they take, and how a filtered query grows.

    python benchmarks/million.py PREPARED                       # 100,000 and 1,000,000; about half an hour
    python benchmarks/million.py PREPARED --sizes 10000,50000 --json out.json

PREPARED is a folder that `chef prepare` made. Its recipes, those without a photo too, are all stored, and
then varied by the generated kitchen until there are enough: in each copy one ingredient gives way to another
food of its kind. Vectors are those of real recipes with noise, queries are real photos, and the rest is as in
benchmarks/search.py: real collections on disk, one core, the exact answers by numpy, each step in a process
of its own whose peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from search import SHARES, Job, alone, by_numpy, drawn, kept, name_of, one_core, ours, peak_mb, recall

from chef.recipe import Ingredient, Recipe

REAL = 2000  # recipes that are embedded, and photos at most


@dataclass(frozen=True)
class Million(Job):
    """One size, and where its recipes come from."""

    prepared: str = ""


def embed(prepared: str, model: str, out: Path) -> dict[str, Any]:
    """Vectors of real recipes and photos; how fast they are made is told too."""
    import chef
    from chef.data.prepared import Prepared

    chosen, data = chef.load(model), Prepared(prepared)
    everything, photographed = data.split("train", with_image=False), data.split("val")
    rows = np.random.default_rng(0).permutation(len(everything))[:REAL]
    recipes = [everything.recipe(int(row)) for row in rows]
    start = time.perf_counter()
    vectors = chosen.embed_recipes(recipes)
    per_recipe = (time.perf_counter() - start) / len(recipes)
    photos = [photographed.image_bytes(row) for row in range(min(len(photographed), REAL))]
    start = time.perf_counter()
    found = chosen.encoder.embed_photos(photos)
    per_photo = (time.perf_counter() - start) / len(photos)
    np.savez(out, recipes=vectors, photos=found)
    return {"recipes": len(recipes), "photos": len(photos), "s_recipe": per_recipe, "s_photo": per_photo}


def recipes(job: Million) -> Iterator[Recipe]:
    """As many recipes as the job has, each with its number as id and the tags of the filters it passes."""
    from chef.data.prepared import Prepared

    split = Prepared(job.prepared).split("train", with_image=False)
    tags = {name: kept(job, name) for name in SHARES}
    for row in range(job.recipes):
        generator = np.random.default_rng([row])
        recipe = split.recipe(row % len(split))
        if row >= len(split):
            recipe = varied(recipe, generator)
        yield replace(
            recipe, id=name_of(row), images=(), tags=tuple(name for name, has in tags.items() if has[row])
        )


def varied(recipe: Recipe, generator: np.random.Generator) -> Recipe:
    """The recipe with one ingredient exchanged for another food of its kind, if the kitchen knows one."""
    from chef.data.kitchen import foods

    known = foods()
    places = [place for place, item in enumerate(recipe.ingredients) if item.token in known]
    if not places:
        return recipe
    place = int(generator.choice(places))
    old = recipe.ingredients[place]
    others = [food for food in known.values() if food.kind == known[old.token or ""].kind]
    new = others[int(generator.integers(len(others)))]
    items: list[Ingredient] = list(recipe.ingredients)
    items[place] = replace(old, line=new.many, name=new.many, token=new.token)
    return recipe.with_ingredients(items)


def build(job: Million) -> dict[str, Any]:
    """Write the collection as `Index.add` would, the model's work apart."""
    import chef
    from chef.index.store import Store
    from chef.index.tidy import tidy
    from chef.index.values import EncodedRecipe, Row, schema, table

    model = chef.load(job.model)
    dimension = model.model.config.space
    metadata = {"model": job.model, "fingerprint": model.fingerprint, "dimension": dimension}
    store, made = Store(job.folder), schema(dimension, metadata)
    store.create(made)
    seconds, stream = 0.0, recipes(job)
    for vectors in drawn(job):
        rows = []
        for recipe, vector in zip(islice(stream, len(vectors)), vectors, strict=True):
            main = next((item.token for item in recipe.ingredients if item.token), None)
            rows.append(Row(recipe, "", EncodedRecipe(recipe, main, ["stir", "fry"], vector), None, None))
        start = time.perf_counter()
        store.upsert(table(rows, made))
        tidy(store)
        seconds += time.perf_counter() - start
    start = time.perf_counter()
    tidy(store, now=True)
    seconds += time.perf_counter() - start
    return {
        "written_per_s": job.recipes / seconds,
        "disk_mb": (store.bytes() or 0) / 1e6,
        "writer_mb": peak_mb(),
    }


def measure(recipes: int, real: str, model: str, prepared: str, where: Path | None) -> dict[str, Any]:
    """The figures of one size."""
    folder = tempfile.mkdtemp(prefix="chef-million-", dir=where)
    job = Million(recipes, folder, real, model, prepared)
    try:
        built = alone(build, job)
        found, exact = alone(ours, job), alone(by_numpy, job)
    finally:
        shutil.rmtree(folder)
    for name in SHARES:
        ids = found[name].pop("ids")
        found[name] |= {"recall": recall(ids, exact[name]["ids"]), "numpy_ms": exact[name]["ms"]}
    return {"recipes": recipes, **built, **found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prepared", help="a folder that chef prepare made")
    parser.add_argument("--sizes", default="100000,1000000", help="how many recipes, separated by commas")
    parser.add_argument("--model", default=None, help="a bundled model, a folder or a run")
    parser.add_argument("--where", type=Path, help="a folder for the collections; 5 GB for a million")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    one_core()
    from chef.bundled import best

    model = options.model or best()
    with tempfile.TemporaryDirectory() as folder:
        real = Path(folder) / "real.npz"
        made = alone(embed, options.prepared, model, real)
        print(
            f"one core: {1000 * made['s_recipe']:.1f} ms a recipe, {1000 * made['s_photo']:.1f} ms a photo",
            flush=True,
        )
        results = []
        for size in (int(size) for size in options.sizes.split(",")):
            results.append(measure(size, str(real), model, options.prepared, options.where))
            told(results[-1])
    if options.json:
        options.json.write_text(json.dumps({"embedding": made, "sizes": results}, indent=2) + "\n")


def told(result: dict[str, Any]) -> None:
    """Print one size."""
    print(
        f"{result['recipes']:,} recipes: written {result['written_per_s']:,.0f}/s in"
        f" {result['writer_mb']:,.0f} MB, {result['disk_mb']:,.0f} MB on disk; searched in"
        f" {result['peak_mb']:,.0f} MB, first query after {result['first_query_s']:.1f} s"
    )
    for name in SHARES:
        row = result[name]
        print(
            f"  filter keeps {name:<9} {row['ms']:>7.1f} ms (95 %: {row['ms_95']:.1f}), recall@10"
            f" {row['recall']:.4f}; numpy {row['numpy_ms']:.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
