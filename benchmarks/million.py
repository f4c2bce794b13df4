"""A million recipes on one machine, in memory and on disk: what they take, how fast search is, how complete.

    python benchmarks/million.py PREPARED --sizes 100000,1000000        # both engines; about an hour
    python benchmarks/million.py PREPARED --sizes 3000000 --engines lance --vectors real.npz
    python benchmarks/million.py PREPARED --sizes 3000000 --engines lance --vectors real.npz --keep PLACE

PREPARED is a folder that `chef prepare` made; vectors are those of its recipes with noise, as in
benchmarks/search.py, and queries are its photos. Texts are those of the bundled cookbook without their steps,
again and again, and there are no thumbnails: the disk is for the vectors, which are stored in half precision.
Each step runs in a process of its own on one core, except the making of indexes, which takes all. A query is
all that a photo's vector takes: understanding the filter, ranking, the hits with reasons and probabilities. A
second process, which has answered a query before, then looks again and again for what another one writes.
--keep: collections stay in PLACE, and the next run does not build them again. Results go to
experiments/results/million-ENGINE-SIZE.json.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from search import (
    LEFT_ASIDE,
    SHARES,
    Job,
    K,
    Matrix,
    alone,
    drawn,
    kept,
    name_of,
    one_core,
    peak_mb,
    queries,
    recall,
    timed,
)

REAL = 4000  # recipes that are embedded, and photos at most
APPENDED = 16  # batches of vectors written together
WRITES = 5  # recipes that the second process waits for
STORED = 8  # batches of 256 that are stored one after another
RESULTS = Path(__file__).parents[1] / "experiments" / "results"


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


def texts(schema: Any) -> Any:
    """The rows of the bundled cookbook without steps, photos and vectors."""
    import pyarrow as pa

    from chef.bundled import COLLECTION
    from chef.index.snapshot import Frozen

    frozen = Frozen(COLLECTION)
    names = [name for name in schema.names if "vector" not in name and name in frozen.schema.names]
    table = frozen._table.select(names)
    short = [json.dumps({**json.loads(text), "steps": []}) for text in table["recipe"].to_pylist()]
    table = table.set_column(names.index("recipe"), "recipe", pa.array(short))
    empty = pa.nulls(len(table), pa.binary())
    return table.set_column(names.index("thumbnail"), "thumbnail", empty)


def rows(job: Job, schema: Any, start: int, vectors: Matrix, tags: dict[str, Any], base: Any) -> Any:
    """Recipes with these vectors as the collection stores them; the checksum is of the id alone."""
    import pyarrow as pa

    numbers = np.arange(start, start + len(vectors))
    ids = [name_of(number) for number in numbers.tolist()]
    own = [[name for name in SHARES if tags[name][number]] for number in numbers.tolist()]
    columns = {name: base[name].take(numbers % len(base)) for name in base.column_names}
    type = schema.field("vector").type
    flat = pa.array(vectors.astype(np.float16).reshape(-1))
    columns |= {
        "id": pa.array(ids),
        "tags": pa.array(own, pa.list_(pa.string())),
        "digest": pa.array(ids),
        "has_image": pa.array(np.zeros(len(ids), np.bool_)),
        "understood": pa.array(np.ones(len(ids), np.bool_)),
        "vector": pa.FixedSizeListArray.from_arrays(flat, type=type),
        "photo_vector": pa.nulls(len(ids), type),
        "checksum": pa.array([zlib.crc32(id.encode()) for id in ids], pa.uint32()),
    }
    return pa.Table.from_arrays([columns[name] for name in schema.names], schema=schema)


def build(job: Job, engine: str) -> dict[str, Any]:
    """Write the collection, batch by batch, and the indexes."""
    import pyarrow as pa

    import chef
    from chef.index import Index
    from chef.index.store import Store
    from chef.index.tidy import tidy
    from chef.index.values import schema

    model = chef.load(job.model)
    dimension = model.model.config.space
    metadata = {"model": job.model, "fingerprint": model.fingerprint, "dimension": dimension}
    store, made = Store(job.folder), schema(dimension, metadata, half=True)
    store.create(made)
    base, tags = texts(made), {name: kept(job, name) for name in SHARES}
    parts: list[Any] = []
    start, row = time.perf_counter(), 0
    for vectors in drawn(job):
        parts.append(rows(job, made, row, vectors, tags, base))
        row += len(vectors)
        if len(parts) == APPENDED or row == job.recipes:
            store.table.add(pa.concat_tables(parts))
            parts.clear()
    tidy(store, now=True)
    made_s, start = time.perf_counter() - start, time.perf_counter()
    Index(store).optimize(engine)
    indexed_s = time.perf_counter() - start
    tidy(store, now=True)  # without the files of older versions
    indexes = Path(job.folder).glob("*/_indices/*/*")
    return {
        "made_s": made_s,
        "disk_mb": (store.bytes() or 0) / 1e6,
        "indexed_s": indexed_s,
        "indexes_mb": sum(file.stat().st_size for file in indexes) / 1e6,
        "indexing_peak_mb": peak_mb(),
    }


def opened(job: Job) -> Any:
    """The collection as a service opens it: with its model."""
    from chef.index import Index

    index = Index(job.folder, create=False)
    _ = index.chef
    return index


def ask(index: Any, vector: Matrix, tags: list[str]) -> list[str]:
    """The ids that a photo with this vector finds."""
    from chef.index.filters import Filters
    from chef.index.match import Calibration
    from chef.index.query import Part, Query
    from chef.index.search import search

    query, calibration = (
        Query((Part("image", 1.0, vector),)),
        Calibration.load(index._model.photo_side().folder),
    )
    hits = index.with_catalogue(
        lambda found: search(found, index.resolver(found), query, Filters(tags=tags), [], K, calibration)
    )
    return [hit.id for hit in hits]


def searched(job: Job) -> dict[str, Any]:
    index, asked = opened(job), queries(job)
    before = rss_mb()
    start = time.perf_counter()
    ask(index, asked[0], [])
    found: dict[str, Any] = {"first_query_s": time.perf_counter() - start}
    for name in SHARES:
        tags = [] if name == "all" else [name]
        read = read_mb()
        found[name] = timed(lambda query, tags=tags: ask(index, query, tags), asked)
        found[name]["read_mb"] = (read_mb() - read) / (len(asked) + LEFT_ASIDE)
    return found | {"model_mb": before, "memory_mb": rss_mb(), "peak_mb": peak_mb()}


def exact(job: Job) -> dict[str, list[list[str]]]:
    """The best by numpy, batch by batch, of the vectors as they are stored."""
    asked, row = queries(job), 0
    best = {
        name: (np.full((len(asked), K), -9, np.float32), np.zeros((len(asked), K), int)) for name in SHARES
    }
    tags = {name: kept(job, name) for name in SHARES}
    for vectors in drawn(job):
        scores = asked @ vectors.astype(np.float16).astype(np.float32).T
        for name, (top, ids) in best.items():
            passing = np.flatnonzero(tags[name][row : row + len(vectors)])
            both = np.concatenate([top, scores[:, passing]], axis=1)
            where = np.concatenate([ids, np.tile(passing + row, (len(asked), 1))], axis=1)
            order = np.argpartition(-both, K - 1, axis=1)[:, :K]
            best[name] = np.take_along_axis(both, order, 1), np.take_along_axis(where, order, 1)
        row += len(vectors)
    return {name: [[name_of(id) for id in line] for line in ids.tolist()] for name, (_, ids) in best.items()}


def read_mb() -> float:
    """What this process has read so far, from the disk or from the system's memory of it."""
    return int(Path("/proc/self/io").read_text().split()[1]) / 1e6


def rss_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def written(job: Job) -> dict[str, Any]:
    """How soon a second process finds what this one writes, and no longer what it removes."""
    from chef.index.store import Store

    store, number = Store(job.folder), job.recipes
    made = store.schema
    base, vectors = texts(made), np.tile(queries(job)[:WRITES], (STORED * 256 // WRITES + 2, 1))
    tags = {name: np.zeros(number + len(vectors), np.bool_) for name in SHARES}
    command = [sys.executable, __file__, "--follow", json.dumps(vars(job))]
    reader = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert reader.stdout is not None
    seen: list[dict[str, float]] = []
    try:
        assert reader.stdout.readline() == "ready\n"
        for at in range(WRITES):
            start = time.time()
            store.upsert(rows(job, made, number + at, vectors[at : at + 1], tags, base))
            stored = time.time()
            at_last = float(reader.stdout.readline())
            seen.append({"stored_s": stored - start, "found_s": max(0.0, at_last - stored)})
        stored = time.time()
        store.delete([name_of(number + WRITES - 1)])
        removed = time.time()
        gone = float(reader.stdout.readline()) - removed
    finally:
        reader.kill()
        reader.wait()
    start, first = time.perf_counter(), WRITES
    for at in range(STORED):
        part = slice(first + 256 * at, first + 256 * (at + 1))
        store.upsert(rows(job, made, number + part.start, vectors[part], tags, base))
    rate = STORED * 256 / (time.perf_counter() - start)
    store.delete([name_of(number + row) for row in range(first + 256 * STORED)])
    return {"writes": seen, "removed_s": removed - stored, "gone_s": max(0.0, gone), "stored_per_s": rate}


def follow(job: Job) -> None:
    """Look for each write of `written` until it is found, say when, and when the last is gone."""
    index, vectors = opened(job), queries(job)[:WRITES]
    ask(index, vectors[0], [])
    print("ready", flush=True)
    for at, vector in enumerate(vectors):
        while name_of(job.recipes + at) not in ask(index, vector, []):
            time.sleep(0.01)
        print(time.time(), flush=True)
    while name_of(job.recipes + WRITES - 1) in ask(index, vectors[-1], []):
        time.sleep(0.01)
    print(time.time(), flush=True)


def measure(job: Job, engine: str, cores: set[int], keep: bool) -> dict[str, Any]:
    """The figures of one size and engine."""
    told = Path(f"{job.folder}.json")
    try:
        os.sched_setaffinity(0, cores)
        if told.exists():
            built = json.loads(told.read_text("utf-8"))
        else:
            built = alone(build, job, engine)
            if keep:
                told.write_text(json.dumps(built), "utf-8")
        one_core()
        found, best = alone(searched, job), alone(exact, job)
        os.sched_setaffinity(0, cores)
        found |= alone(written, job)
    finally:
        if not keep:
            shutil.rmtree(job.folder)
    for name in SHARES:
        found[name]["recall"] = recall(found[name].pop("ids"), best[name])
    return {"recipes": job.recipes, "engine": engine, **built, **found}


def told(result: dict[str, Any]) -> Iterator[str]:
    """One size and engine as lines."""
    size = {name: f"{result[name]:,.0f} MB" for name in result if name.endswith("_mb")}
    yield f"{result['recipes']:,} recipes, {result['engine']}: {size['disk_mb']} on disk with indexes"
    yield (
        f"  indexes in {result['indexed_s']:,.0f} s, {size['indexes_mb']}, peak {size['indexing_peak_mb']};"
        f" searched in {size['memory_mb']}, peak {size['peak_mb']}, of which the model {size['model_mb']};"
        f" first query after {result['first_query_s']:.2f} s"
    )
    for name in SHARES:
        row = result[name]
        times = f"{row['ms']:>7.1f} ms (95 %: {row['ms_95']:.1f})"
        yield f"  keeps {name:<9} {times}, recall@10 {row['recall']:.4f}"
    found, stored = ([write[name] for write in result["writes"]] for name in ("found_s", "stored_s"))
    yield (
        f"  a write takes {np.median(stored):.2f} s; another process finds it after {np.median(found):.2f} s"
        f" (at most {max(found):.2f}), a removal after {result['gone_s']:.2f} s;"
        f" {result['stored_per_s']:,.0f} recipes/s in batches of 256"
    )


def table(results: Path) -> Iterator[str]:
    """All results as a table in Markdown."""
    found = [json.loads(file.read_text()) for file in results.glob("million-*.json")]
    found.sort(key=lambda one: (one["recipes"], one["engine"] == "lance"))

    def times(one: dict[str, Any], name: str) -> str:
        return f"{one[name]['ms']:.0f} ({one[name]['ms_95']:.0f}) ms"

    def seen(one: dict[str, Any]) -> str:
        seconds = [write["found_s"] for write in one["writes"]]
        return f"{np.median(seconds):.2f} ({max(seconds):.2f}) s"

    def made(one: dict[str, Any]) -> str:
        return (
            f"{one['indexed_s']:,.0f} s, {one['indexing_peak_mb'] / 1000:.1f} GB" if one["indexes_mb"] else ""
        )

    def reads(one: dict[str, Any]) -> str:
        return ", ".join(f"{one[name]['read_mb']:.1f}" for name in SHARES if "read_mb" in one[name])

    engines = {"memory": "in memory", "lance": "on disk"}
    rows: dict[str, Callable[[dict[str, Any]], str]] = {
        "": lambda one: f"{one['recipes']:,}, {engines[one['engine']]}",
        "---": lambda _: "---",
        "on disk, of which indexes": lambda one: f"{one['disk_mb']:,.0f} MB, {one['indexes_mb']:,.0f}",
        "indexes made in": made,
        "memory of a search": lambda one: f"{one['memory_mb']:,.0f} MB",
        "first query after a start": lambda one: f"{one['first_query_s']:.1f} s",
        "query, median (95 %)": partial(times, name="all"),
        "filter that keeps 1 in 2": partial(times, name="1 in 2"),
        "1 in 10": partial(times, name="1 in 10"),
        "1 in 100": partial(times, name="1 in 100"),
        "recall@10, with these filters": lambda one: ", ".join(
            f"{one[name]['recall']:.3f}" for name in SHARES
        ),
        "MB read for a query, with these filters": reads,
        "a write of another process is found after (at most)": seen,
        "it no longer finds a removed one after": lambda one: f"{one['gone_s']:.2f} s",
        "stored in batches of 256": lambda one: f"{one['stored_per_s']:,.0f}/s",
    }
    for name, tell in rows.items():
        yield f"| {name} | {' | '.join(map(tell, found))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prepared", nargs="?", help="a folder that chef prepare made")
    parser.add_argument("--sizes", default="100000,1000000", help="how many recipes, separated by commas")
    parser.add_argument("--engines", default="memory,lance", help="which, separated by commas")
    parser.add_argument("--vectors", type=Path, help="keep the real vectors in this file, for the next run")
    parser.add_argument("--model", default=None, help="a bundled model, a folder or a run")
    parser.add_argument("--where", type=Path, help="a folder for the collections; 5 GB for a million")
    parser.add_argument("--keep", type=Path, help="a folder in which collections stay, for the next run")
    parser.add_argument("--results", type=Path, default=RESULTS, help="a folder for the figures")
    parser.add_argument("--table", action="store_true", help="only print the results that there are")
    parser.add_argument("--follow", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.follow:
        follow(Job(**json.loads(options.follow)))
        return
    if options.table:
        print("\n".join(table(options.results)))
        return
    from chef.bundled import best

    model, cores = options.model or best(), os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as folder:
        real, about = options.vectors or Path(folder) / "real.npz", {}
        if not real.exists():
            about = {"embedding": alone(embed, options.prepared, model, real)}
        for size in (int(size) for size in options.sizes.split(",")):
            for engine in options.engines.split(","):
                kept_in = options.keep and str(options.keep / f"{engine}-{size}")
                place = kept_in or tempfile.mkdtemp(prefix="chef-million-", dir=options.where)
                job = Job(size, place, str(real), model)
                result = measure(job, engine, cores, bool(options.keep)) | about
                print("\n".join(told(result)), flush=True)
                text = json.dumps(result, indent=2) + "\n"
                (options.results / f"million-{engine}-{size}.json").write_text(text)


if __name__ == "__main__":
    main()
