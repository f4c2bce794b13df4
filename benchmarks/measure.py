"""How fast ranks are measured, against the bare matrix product that any measure needs.

    python benchmarks/measure.py                # 10k x 10k against the product: goal at most 2x, under 1 GB
    python benchmarks/measure.py --full         # also 50k x 50k, in bounded memory
    python benchmarks/measure.py --json out.json

CPU only. Each size runs in a process of its own, so that its peak memory is its own; the vectors themselves,
which the caller owns, are part of it and shown apart too.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from chef.measure.ranks import rank_pairs

DIMENSION = 1024
REPEATS = 5  # the fastest counts: other work on the machine only ever slows a run down


def vectors(count: int, seed: int, near: np.ndarray | None = None) -> np.ndarray:
    """(count, DIMENSION) normalised vectors; close to the rows of `near`, as recipes are to their images."""
    found = np.random.default_rng(seed).standard_normal((count, DIMENSION), dtype=np.float32)
    if near is not None:
        found *= 0.25
        found += near
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure(count: int, with_product: bool) -> dict[str, Any]:
    images = vectors(count, 0)
    recipes = vectors(count, 1, near=images)
    ranks_s = [seconds(lambda: rank_pairs(images, recipes))]
    row: dict[str, Any] = {
        "pairs": count,
        "peak_mb": peak_mb(),  # before the bare product, whose result alone is count x count
        "vectors_mb": 2 * images.nbytes / 2**20,
    }
    if with_product:
        product_s = []
        for _ in range(REPEATS):  # in turn, so that other work on the machine slows both alike
            product_s.append(seconds(lambda: images @ recipes.T))
            ranks_s.append(seconds(lambda: rank_pairs(images, recipes)))
        row |= {"product_s": min(product_s), "ratio": min(ranks_s) / min(product_s)}
    return row | {"both_directions_s": min(ranks_s)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="also 50k x 50k")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    sizes = [(1_000, True), (10_000, True)] + ([(50_000, False)] if options.full else [])
    context = multiprocessing.get_context("spawn")
    rows = []
    print(f"{'pairs':>7} {'ranks, s':>9} {'product, s':>11} {'ratio':>6} {'peak, MB':>9} {'vectors, MB':>12}")
    for count, with_product in sizes:
        with context.Pool(1) as pool:
            row = pool.apply(measure, (count, with_product))
        rows.append(row)
        product, ratio = (f"{row[key]:.2f}" if key in row else "" for key in ("product_s", "ratio"))
        print(
            f"{count:>7} {row['both_directions_s']:>9.2f} {product:>11} {ratio:>6}"
            f" {row['peak_mb']:>9.0f} {row['vectors_mb']:>12.0f}"
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
