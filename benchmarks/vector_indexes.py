"""LanceDB's kinds of vector index on the same vectors: time and room to make them, recall and time to search.

    python benchmarks/vector_indexes.py real.npz                 # 200,000 vectors; some minutes
    python benchmarks/vector_indexes.py real.npz --recipes 50000 --kinds IVF_RQ,IVF_PQ

real.npz is what benchmarks/million.py keeps with `--vectors`. Vectors are in half precision, there are 4,096
in a partition, and 500 of the nearest are compared exactly; one core searches, all make the index.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from million import RESULTS, exact
from search import SHARES, Job, K, Matrix, alone, drawn, kept, name_of, one_core, recall, timed

PROBES = (16, 64)
REFINED = 500


def measure(job: Job, kind: str) -> dict[str, Any]:
    """One kind of index."""
    import lancedb
    import pyarrow as pa
    from lancedb import index as kinds
    from search import queries

    config: Any = {"IVF_RQ": kinds.IvfRq, "IVF_PQ": kinds.IvfPq, "IVF_SQ": kinds.IvfSq}.get(kind)
    options: dict[str, Any] = {
        "num_partitions": job.recipes // 4096 + 1,
        "sample_rate": 64,
        "max_iterations": 20,
    }
    if kind == "IVF_PQ":
        options["num_sub_vectors"] = 128  # as many bytes as IVF_RQ has
    if config is None:
        config, options["num_partitions"] = kinds.IvfHnswSq, job.recipes // 65_536 + 1
    tags = {name: kept(job, name) for name in SHARES}
    database = lancedb.connect(job.folder, session=lancedb.Session(512 << 20, 16 << 20))
    table, row = None, 0
    for vectors in drawn(job):
        numbers = range(row, row + len(vectors))
        part = pa.table(
            {
                "id": [name_of(number) for number in numbers],
                "tags": [[name for name in SHARES if tags[name][number]] for number in numbers],
                "vector": pa.FixedSizeListArray.from_arrays(
                    pa.array(vectors.astype(np.float16).reshape(-1)), vectors.shape[1]
                ),
            }
        )
        row += len(vectors)
        table = database.create_table("recipes", part) if table is None else (table.add(part), table)[1]
    assert table is not None
    table.optimize()
    table.create_index("tags", config=kinds.LabelList())
    before, start = size_mb(job), time.perf_counter()
    table.create_index("vector", config=config(distance_type="dot", **options))
    found: dict[str, Any] = {"kind": kind, "made_s": time.perf_counter() - start, "mb": size_mb(job) - before}
    one_core()
    for probes in PROBES:
        for name, share in SHARES.items():
            where = None if name == "all" else f"array_has_any(tags, ['{name}'])"

            def ask(
                query: Matrix, where: str | None = where, probes: int = round(probes / share)
            ) -> list[str]:
                asked = table.search(query, vector_column_name="vector").distance_type("dot").limit(K)
                asked = asked.nprobes(probes).refine_factor(REFINED // K).select(["id", "_distance"])
                ids: list[str] = (asked.where(where) if where else asked).to_arrow()["id"].to_pylist()
                return ids

            found[f"{probes} probes, {name}"] = timed(ask, queries(job))
    return found


def size_mb(job: Job) -> float:
    return sum(file.stat().st_size for file in Path(job.folder).glob("*/_indices/*/*")) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("real", help="vectors of real recipes and photos")
    parser.add_argument("--recipes", type=int, default=200_000)
    parser.add_argument("--kinds", default="IVF_RQ,IVF_PQ,IVF_SQ,IVF_HNSW_SQ", help="separated by commas")
    parser.add_argument("--where", type=Path, help="a folder for the tables")
    options = parser.parse_args()
    cores, results, best = os.sched_getaffinity(0), [], None
    for kind in options.kinds.split(","):
        with tempfile.TemporaryDirectory(dir=options.where) as folder:
            job = Job(options.recipes, folder, options.real, "")
            best = best or alone(exact, job)
            os.sched_setaffinity(0, cores)
            result = alone(measure, job, kind)
        print(f"{kind}: made in {result['made_s']:.0f} s, {result['mb']:.0f} MB", flush=True)
        for name, row in result.items():
            if isinstance(row, dict):
                row["recall"] = recall(row.pop("ids"), best[name.partition(", ")[2]])
                print(f"  {name:<20} recall@10 {row['recall']:.3f}, {row['ms']:.0f} ms", flush=True)
        results.append(result)
    text = json.dumps({"recipes": options.recipes, "kinds": results}, indent=2) + "\n"
    (RESULTS / "vector-indexes.json").write_text(text)


if __name__ == "__main__":
    main()
