"""Recipes prepared, embedded and indexed through an S3 server and through a folder: is the result the same?

    python benchmarks/bucket.py ../shared/data/open-recipes [--ray] [--workers 2] [--json out.json]

The server is moto's, in a process of its own on loopback (tests/s3_server.py). With --ray there is a third
way: through the server, with the workers of a Ray. The collections are compared by what `chef index export`
prints, byte by byte. The exit status is 1 where they differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.s3_server import running


def seconds(env: dict[str, str], *call: str) -> float:
    """How long a command takes."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "chef", *call], env=env, check=True)
    return time.perf_counter() - start


def through(place: str, source: str, options: list[str], env: dict[str, str]) -> dict[str, Any]:
    """All three steps at one place."""
    prepared, collection = f"{place}/prepared", f"{place}/collection"
    found: dict[str, Any] = {
        "prepare_s": seconds(env, "prepare", source, prepared, *options),
        "add_s": seconds(env, "index", "add", collection, prepared, *options),
    }
    export = [sys.executable, "-m", "chef", "index", "export", collection]
    printed = subprocess.run(export, env=env, stdout=subprocess.PIPE, check=True).stdout
    return found | {
        "recipes": printed.count(b"\n"),
        "bytes": len(printed),
        "sha256": hashlib.sha256(printed).hexdigest(),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", help="recipes in any format that chef reads")
    parser.add_argument("--workers", type=int, default=2, help="worker processes")
    parser.add_argument("--ray", action="store_true", help="also with the workers of a Ray")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory(prefix="chef-bucket-") as folder, running() as server:
        workers = ["--workers", str(options.workers)]
        ways = {"folder": (folder, workers), "S3 server": (server.bucket(), workers)}
        if options.ray:
            ways["S3, Ray"] = server.bucket(), [*workers, "--ray"]
        found = {
            name: through(place, options.source, given, {**env, **server.environment})
            for name, (place, given) in ways.items()
        }
    for name, row in found.items():
        print(
            f"{name:<10} {row['recipes']:,} recipes, prepared in {row['prepare_s']:.0f} s, added in"
            f" {row['add_s']:.0f} s; exported {row['bytes']:,} bytes, sha256 {row['sha256'][:16]}"
        )
    same = len({row["sha256"] for row in found.values()}) == 1
    print("the same, byte for byte" if same else "NOT the same")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
