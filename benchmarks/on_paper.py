"""What 1, 10 and 100 million recipes with photos come to, from measured results: docs/scale.md has the table.

    python benchmarks/on_paper.py

Read are results of benchmarks/ray_cluster.py (what a recipe takes of a core: a line through two sizes),
benchmarks/million.py (a power of the size, through the two largest collections on disk) and
benchmarks/durability.py (bytes of a recipe with its photo). Sizes that were run come from their own results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from math import log
from typing import Any

from million import RESULTS

SIZES = (1_000_000, 10_000_000, 100_000_000)
PARTITION, PROBES, REFINED = 4096, 64, 800  # of chef.index
VECTOR = 2 * 1024  # bytes of a vector in half precision


def per_recipe(rows: list[dict[str, Any]], step: str) -> float:
    """Seconds of a core that one more recipe takes."""
    plain = sorted((row for row in rows if row["way"] == "plain"), key=lambda row: row["recipes"])
    more = plain[-1]["recipes"] - plain[0]["recipes"]
    return float(plain[-1][step]["cpu_s"] - plain[0][step]["cpu_s"]) / more


def power(results: list[dict[str, Any]], get: Callable[[dict[str, Any]], float], size: int) -> float:
    """A figure at some size: measured, or where the line through the logarithms of the last two leads."""
    for one in results:
        if one["recipes"] == size:
            return get(one)
    (small, large), last = (get(one) for one in results[-2:]), results[-1]["recipes"]
    return large * (size / last) ** (log(large / small) / log(last / results[-2]["recipes"]))


def time(seconds: float) -> str:
    for unit, name, below in ((1, "s", 120), (60, "min", 120), (3600, "hours", 72)):
        if seconds < below * unit:
            return f"{seconds / unit:,.0f} {name}"
    return f"{seconds / 86400:,.0f} days"


def gigabytes(count: float) -> str:
    return f"{count / 1e9:,.1f} GB" if count < 1e11 else f"{count / 1e12:,.1f} TB"


def table() -> Iterator[str]:
    """The rows in Markdown."""
    files = (json.loads(file.read_text()) for file in RESULTS.glob("million-lance-*.json"))
    lance = sorted(files, key=lambda one: int(one["recipes"]))
    workers = json.loads((RESULTS / "ray-cluster.json").read_text())
    stored = json.loads((RESULTS / "durability.json").read_text())["updates"]
    with_photo = stored["bytes"][0] / stored["recipes"] - 2 * VECTOR  # two vectors, there in full precision
    code = 1e6 * lance[-1]["indexes_mb"] / lance[-1]["recipes"]
    embed, prepare = (per_recipe(workers, step) for step in ("add", "prepare"))
    rows: dict[str, Callable[[int], str]] = {
        "recipes, each with a photo": lambda size: f"{size // 1_000_000} million",
        "---": lambda _: "---",
        "preparing, one core; 64": lambda size: f"{time(prepare * size)}; {time(prepare * size / 64)}",
        "embedding, one core; 64": lambda size: f"{time(embed * size)}; {time(embed * size / 64)}",
        "storing, one writer": lambda size: time(size / lance[-1]["stored_per_s"]),
        "making the indexes, two cores": lambda size: time(power(lance, lambda one: one["indexed_s"], size)),
        "collection, of which indexes": lambda size: (
            f"{gigabytes((with_photo + code) * size)}, {gigabytes(code * size)}"
        ),
        "a query, median": lambda size: f"{power(lance, lambda one: one['all']['ms'], size):.0f} ms",
        "memory of a service": lambda size: gigabytes(1e6 * power(lance, lambda one: one["memory_mb"], size)),
        "read for a query if nothing is in memory": lambda _: (
            f"{(PROBES * PARTITION * code + REFINED * VECTOR) / 1e6:.0f} MB"
        ),
    }
    for name, tell in rows.items():
        yield f"| {name} | {' | '.join(map(tell, SIZES))} |"


if __name__ == "__main__":
    print("\n".join(table()))
