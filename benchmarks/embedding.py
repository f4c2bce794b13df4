"""How fast recipes with photos become vectors, on a GPU or on a machine's cores, and where the time goes.

    python benchmarks/embedding.py PREPARED [--model chef-base] [--recipes 100000] [--workers N] [--json OUT]

It is the embedding stage of `chef index add`, without storing: worker processes take batches of prepared
recipes, read their texts as the model does, decode their photos, and embed both on the GPU, if there is one.
The recipes of PREPARED that have a photo come again and again. `shares`: of the time of all workers.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any

from chef.data.pool import Pool
from chef.data.prepared import Prepared
from chef.index.ingest import WithPhotos, shard_recipes
from chef.model.recipe_model import RecipeModel

BATCH = 512


@lru_cache(maxsize=1)
def loaded(name: str) -> RecipeModel:
    import torch

    import chef

    torch.set_num_threads(1)
    return chef.load(name).to("cuda:0" if torch.cuda.is_available() else "cpu")


def embed(name: str, given: list[WithPhotos]) -> Counter[str]:
    """Embed a batch; the seconds that each part took."""
    began = time.perf_counter()
    spent: Counter[str] = Counter()

    def took(part: str) -> None:
        nonlocal began
        now = time.perf_counter()
        spent[part] += now - began
        began = now

    model = loaded(name)
    took("loading the model")
    texts = [model.texts.from_parsed(recipe) for recipe, _ in given]
    took("reading texts")
    vectors = model.encoder.encode(texts).vectors
    took("embedding recipes")
    pictures = [model.model.tower.transform.evaluate(photos[0]) for _, photos in given]
    took("decoding photos")
    seen = model.encoder.embed_images(pictures)
    took("embedding photos")
    assert len(vectors) == len(seen) == len(given)
    return spent


def batches(prepared: str, count: int) -> Iterator[list[WithPhotos]]:
    data = Prepared(prepared)
    shards = [shard for split in data.splits for shard in data.shards(split)]
    again = chain.from_iterable(repeat(shards))
    recipes = (one for shard in again for one in shard_recipes(data.store, shard) if one[1])
    stream = islice(recipes, count)
    while batch := list(islice(stream, BATCH)):
        yield batch


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    import torch

    cuda = torch.cuda.is_available()
    with Pool(arguments.workers) as pool:
        # Every worker loads the model and compiles kernels once, before the clock starts.
        first = next(batches(arguments.prepared, BATCH))
        for _ in pool.run(partial(embed, arguments.model, first[:64]) for _ in range(4 * arguments.workers)):
            pass
        total: Counter[str] = Counter()
        began = time.perf_counter()
        tasks = (
            partial(embed, arguments.model, one) for one in batches(arguments.prepared, arguments.recipes)
        )
        for spent in pool.run(tasks):
            total.update(spent)
        seconds = time.perf_counter() - began
    return {
        "device": torch.cuda.get_device_name() if cuda else "CPU",
        "model": arguments.model,
        "workers": arguments.workers,
        "recipes": arguments.recipes,
        "seconds": seconds,
        "recipes_and_photos_per_second": arguments.recipes / seconds,
        "shares": {part: spent / total.total() for part, spent in total.most_common()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("prepared", help="a folder that chef prepare made")
    parser.add_argument("--model", default="chef-base", help="a bundled model, a folder or a run")
    parser.add_argument("--recipes", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--json", type=Path, help="a file for the result")
    arguments = parser.parse_args()
    result = measure(arguments)
    print(f"{result['device']}, {result['workers']} workers:", end=" ")
    print(f"{result['recipes_and_photos_per_second']:.0f} recipes with photos a second")
    for part, share in result["shares"].items():
        print(f"{100 * share:5.1f} %  {part}")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
