"""How fast and how complete search is in collections of 1k to 300k recipes, beside numpy and usearch.

    python benchmarks/search.py                       # the cookbook's vectors; about half an hour
    python benchmarks/search.py --sizes 1000,10000 --source ../shared/data/open-recipes --json out.json

The vectors are those of real recipes with noise: each is a recipe's own, moved in a
random direction. Queries are photos of the source where it has some, else recipes moved once more. All
runs on one core. Collections are real ones, on disk, searched with `Index.search`: understanding the filter,
ranking, the hits and their reasons are all in the time. Recall is the share of the exact ten best that were
found; numpy computes them. usearch (HNSW, half floats) has no filters in Python: it is asked for as many more
as the filter leaves out, twice. Each size and way runs in a process of its own: its peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

K = 10
SHARES = {"all": 1.0, "1 in 2": 0.5, "1 in 10": 0.1, "1 in 100": 0.01}  # what the filters keep
NOISE = 0.5  # length of the random move; the vectors' own length is 1
QUERIES = 100
BATCH = 1024
LEFT_ASIDE = 16  # the first queries: they wait for files and caches

Matrix = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class Job:
    """One size, as every process of it is told."""

    recipes: int
    folder: str  # where the collection is
    real: str  # .npz: vectors of recipes and of photos
    model: str


def moved(vectors: Matrix, generator: np.random.Generator) -> Matrix:
    """Each vector moved in a random direction, of length 1 again."""
    steps = generator.standard_normal(vectors.shape, dtype=np.float32)
    found = vectors + np.float32(NOISE / np.sqrt(vectors.shape[1])) * steps
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))


def drawn(job: Job) -> Iterator[Matrix]:
    """The vectors of a collection, batch by batch, the same in every process."""
    real = np.load(job.real)["recipes"]
    for number, start in enumerate(range(0, job.recipes, BATCH)):
        generator = np.random.default_rng([job.recipes, number])
        rows = generator.integers(0, len(real), min(BATCH, job.recipes - start))
        yield moved(real[rows], generator)


def queries(job: Job) -> Matrix:
    found = np.load(job.real)
    generator = np.random.default_rng(1)
    pool = found["photos"] if len(found["photos"]) else moved(found["recipes"], generator)
    return np.asarray(pool[generator.permutation(len(pool))[:QUERIES]])


def kept(job: Job, name: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """(recipes,) which recipes have the tag of this share."""
    generator = np.random.default_rng([job.recipes, round(1 / SHARES[name])])
    return np.asarray(generator.random(job.recipes) < SHARES[name])


def name_of(row: int) -> str:
    return f"r{row:07d}"


def build(job: Job) -> dict[str, Any]:
    """Write the collection as `Index.add` would, the model's work apart."""
    import chef
    from chef.bundled import cookbook
    from chef.index.store import Store
    from chef.index.tidy import tidy
    from chef.index.values import EncodedRecipe, Row, schema, table

    model = chef.load(job.model)
    dimension = model.model.config.space
    metadata = {"model": job.model, "fingerprint": model.fingerprint, "dimension": dimension}
    store = Store(job.folder)
    made = schema(dimension, metadata)
    store.create(made)
    parsed = [model.read(recipe).recipe for recipe in cookbook()]
    tags = {name: kept(job, name) for name in SHARES}
    seconds, row = 0.0, 0
    for vectors in drawn(job):
        rows = []
        for vector in vectors:
            recipe = replace(
                parsed[row % len(parsed)],
                id=name_of(row),
                tags=tuple(name for name, has in tags.items() if has[row]),
            )
            main = next((item.token for item in recipe.ingredients if item.token), None)
            rows.append(Row(recipe, "", EncodedRecipe(recipe, main, ["stir", "fry"], vector), None, None))
            row += 1
        start = time.perf_counter()
        store.upsert(table(rows, made))
        seconds += time.perf_counter() - start
    start = time.perf_counter()
    tidy(store, now=True)
    seconds += time.perf_counter() - start
    return {"written_per_s": job.recipes / seconds, "disk_mb": (store.bytes() or 0) / 1e6}


def ours(job: Job) -> dict[str, Any]:
    from chef.index import Index

    index = Index(job.folder, create=False)
    asked = queries(job)
    start = time.perf_counter()
    index.search(vector=asked[0], k=K)
    found: dict[str, Any] = {"first_query_s": time.perf_counter() - start}
    for name in SHARES:
        tags = [] if name == "all" else [name]
        found[name] = timed(
            lambda q, tags=tags: [hit.id for hit in index.search(vector=q, tags=tags, k=K)], asked
        )
    return found | {"peak_mb": peak_mb()}


def by_numpy(job: Job) -> dict[str, Any]:
    """Exact: every product, then the ten best of those that pass. Rows that are out are not multiplied."""
    vectors, asked = np.concatenate(list(drawn(job))), queries(job)
    found: dict[str, Any] = {}
    for name in SHARES:
        rows = np.flatnonzero(kept(job, name))
        part = vectors if name == "all" else vectors[rows]

        def best(query: Matrix, part: Matrix = part, rows: Any = rows) -> list[str]:
            scores = part @ query
            top = np.argpartition(scores, len(scores) - K)[-K:] if len(scores) > K else np.arange(len(scores))
            return [name_of(row) for row in rows[top]]

        found[name] = timed(best, asked)
    return found | {"peak_mb": peak_mb()}


def by_usearch(job: Job) -> dict[str, Any]:
    from usearch.index import Index

    asked = queries(job)
    index, start, row = Index(ndim=asked.shape[1], metric="ip", dtype="f16"), time.perf_counter(), 0
    for vectors in drawn(job):
        index.add(np.arange(row, row + len(vectors)), vectors, threads=1)
        row += len(vectors)
    found: dict[str, Any] = {"built_per_s": job.recipes / (time.perf_counter() - start)}
    for name, share in SHARES.items():
        passing, count = kept(job, name), min(job.recipes, round(2 * K / share) if share < 1 else K)

        def best(query: Matrix, passing: Any = passing, count: int = count) -> list[str]:
            keys = index.search(query, count, threads=1).keys.astype(np.int64)
            return [name_of(key) for key in keys[passing[keys]][:K]]

        found[name] = timed(best, asked)
    return found | {"peak_mb": peak_mb()}


def timed(search: Callable[[Matrix], list[str]], asked: Matrix) -> dict[str, Any]:
    for query in asked[:LEFT_ASIDE]:
        search(query)
    times, answers = [], []
    for query in asked:
        start = time.perf_counter()
        answers.append(search(query))
        times.append(1000 * (time.perf_counter() - start))
    return {"ms": float(np.median(times)), "ms_95": float(np.percentile(times, 95)), "ids": answers}


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def recall(found: list[list[str]], exact: list[list[str]]) -> float:
    pairs = zip(found, exact, strict=True)
    return float(np.mean([len(set(ours) & set(best)) / max(len(best), 1) for ours, best in pairs]))


def embed(source: str | None, model: str, most: int, out: Path) -> dict[str, Any]:
    """The real vectors: recipes, and photos where there are some; how fast they are made is told too."""
    import chef
    from chef.bundled import cookbook
    from chef.readers import Skipped, image_bytes

    chosen = chef.load(model)
    recipes = list(islice(cookbook() if source is None else chef.read(source, Skipped()), most))
    photos = [image_bytes(recipe.images[0]) for recipe in recipes[: 2 * QUERIES] if recipe.images]
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        index = chef.Index(folder, chosen)
        index.add([replace(recipe, images=()) for recipe in recipes])
        seconds = time.perf_counter() - start
    vectors = chosen.embed_recipes(recipes)
    np.savez(out, recipes=vectors, photos=chosen.encoder.embed_photos(photos))
    return {"recipes": len(recipes), "photos": len(photos), "added_per_s": len(recipes) / seconds}


def alone(call: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """In a process of its own, on one core."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(call, arguments)


def one_core() -> None:
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def measure(recipes: int, real: str, model: str, with_usearch: bool) -> list[dict[str, Any]]:
    """The rows of one size."""
    folder = tempfile.mkdtemp(prefix="chef-search-")
    job = Job(recipes, folder, real, model)
    try:
        built = alone(build, job)
        found = {"chef": alone(ours, job) | built, "numpy": alone(by_numpy, job)}
    finally:
        shutil.rmtree(folder)
    if with_usearch:
        found["usearch"] = alone(by_usearch, job)
    rows = []
    for way, result in found.items():
        for name in SHARES:
            result[name]["recall"] = recall(result[name]["ids"], found["numpy"][name]["ids"])
        for name in SHARES:
            exact = {key: value for key, value in result[name].items() if key != "ids"}
            rows.append({"recipes": recipes, "way": way, "kept": name, **exact})
        rows[-len(SHARES)] |= {key: value for key, value in result.items() if key not in SHARES}
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--sizes", default="1000,10000,100000,300000", help="how many recipes, separated by commas"
    )
    parser.add_argument("--source", help="recipes whose vectors are drawn from; else chef's own cookbook")
    parser.add_argument("--recipes", type=int, default=2000, help="how many of them to embed, at most")
    parser.add_argument("--model", help="a bundled model, a folder or a run; else the best bundled one")
    parser.add_argument(
        "--usearch-most", type=int, default=300_000, help="the largest size usearch is built for"
    )
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    one_core()
    from chef.bundled import best as best_model

    model = options.model or best_model()
    with tempfile.TemporaryDirectory() as folder:
        real = Path(folder) / "real.npz"
        made = alone(embed, options.source, model, options.recipes, real)
        print(f"real: {made['recipes']} recipes, {made['photos']} photos; added {made['added_per_s']:.1f}/s")
        print(f"{'recipes':>8} {'way':<8} {'kept':<9} {'recall':>7} {'ms':>8} {'ms, 95 %':>9}  more")
        rows = []
        for size in (int(size) for size in options.sizes.split(",")):
            for row in measure(size, str(real), model, size <= options.usearch_most):
                rows.append(row)
                told = {"recipes", "way", "kept", "recall", "ms", "ms_95"}
                more = ", ".join(f"{key} {value:,.1f}" for key, value in row.items() if key not in told)
                print(
                    f"{row['recipes']:>8} {row['way']:<8} {row['kept']:<9} {row['recall']:>7.4f}"
                    f" {row['ms']:>8.2f} {row['ms_95']:>9.2f}  {more}",
                    flush=True,
                )
    if options.json:
        options.json.write_text(json.dumps({"embedding": made, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
