"""How fast `chef prepare` is beside a plain loop doing the same work, and how much memory it takes.

    python benchmarks/prepare.py speed my-recipes/ --recipes 1500
    python benchmarks/prepare.py memory recipes.jsonl.gz --recipes 7000 --recipes 70000

The source is a JSON-lines file, or a folder with recipes.jsonl and images. Both ways start in a fresh process
and take turns; their results are compared file by file, so that the work is surely the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from chef.data.prepared import Files, Manifest
from chef.data.preparing import prepare
from chef.data.preparing.parts import CANONICAL, make_part
from chef.data.preparing.plan import WORD_VECTORS, make_plan, make_shard, make_vectors
from chef.data.preparing.source import Source
from chef.data.texts import PrepareSettings
from chef.food.canonical import CanonicalMap
from chef.readers.base import open_file
from chef.storage import open_store


def subset(source: Path, recipes: int, folder: Path) -> Path:
    """The first recipes of a source as a source of their own, with copies of its photos."""
    lines = source / "recipes.jsonl" if source.is_dir() else source
    folder.mkdir()
    with open_file(lines) as stream:
        (folder / "recipes.jsonl").write_bytes(b"".join(islice(stream, recipes)))
    if (lines.parent / "splits.json").exists():
        (folder / "splits.json").write_bytes((lines.parent / "splits.json").read_bytes())
    if (lines.parent / "images").is_dir():
        shutil.copytree(lines.parent / "images", folder / "images")  # links out of a source are not followed
    return folder


def plain(source: Path, out: Path) -> dict[str, Any]:
    """What anyone would write first: one process, one thing after the other. Gives the files' checksums."""
    settings, store, canonical = PrepareSettings(), open_store(out), CanonicalMap.load()
    store.write(CANONICAL, canonical.to_bytes())
    digests = []
    for chunk in Source(source, settings.part_recipes).chunks():
        make_part(store, chunk, settings, canonical.digest)
        digests.append(chunk.digest)
    plan = make_plan(store, digests, settings)
    files: Files = {}
    for name in WORD_VECTORS:
        files |= make_vectors(store, name, settings)[1]
    for shard in plan.shards:
        files |= make_shard(store, shard, plan.vocabulary)[1]
    return files


def timed(way: str, source: Path, out: Path) -> float:
    """Seconds that one way takes in a process of its own."""
    start = time.perf_counter()
    subprocess.run([sys.executable, __file__, way, str(source), str(out)], check=True)
    return time.perf_counter() - start


def speed(source: Path, recipes: int, repeats: int) -> dict[str, Any]:
    """Median seconds of both ways, taking turns."""
    seconds: dict[str, list[float]] = {"plain": [], "chef": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = subset(source, recipes, folder / "source")
        for turn in range(repeats):
            for way in seconds:
                seconds[way].append(timed(way, small, folder / f"{way}-{turn}"))
        files = json.loads((folder / "plain-0" / "files.json").read_text())
        ours = Manifest.load(folder / "chef-0").files
        same = all(ours[path] == facts for path, facts in files.items())
    medians = {way: statistics.median(values) for way, values in seconds.items()}
    return {
        "recipes": recipes,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "seconds": seconds,
        "medians": medians,
        "speed-up": medians["plain"] / medians["chef"],
        "same files": same,
    }


def tree(root: int) -> Iterator[int]:
    """A process and all that come from it."""
    yield root
    try:
        tasks = Path(f"/proc/{root}/task").iterdir()
        children = [child for task in tasks for child in (task / "children").read_text().split()]
    except OSError:  # it has ended
        return
    for child in children:
        yield from tree(int(child))


def peak(process: int) -> int:
    """The most memory a process has held so far, in bytes."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


def memory(source: Path, recipes: int) -> dict[str, Any]:
    """Peak memory of the parent and of the largest worker."""
    peaks: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = subset(source, recipes, folder / "source")
        run = subprocess.Popen([sys.executable, __file__, "once", str(small), str(folder / "out")])
        start = time.perf_counter()
        while run.poll() is None:
            for process in tree(run.pid):
                peaks[process] = max(peaks.get(process, 0), peak(process))
            time.sleep(0.2)
        if run.returncode:
            sys.exit(run.returncode)
        manifest = Manifest.load(folder / "out")
    workers = [size for process, size in peaks.items() if process != run.pid]
    return {
        "recipes": manifest.recipes,
        "parent MB": peaks[run.pid] / 1e6,
        "largest worker MB": max(workers) / 1e6,
        "vocabulary": manifest.vocabulary,
        "seconds": time.perf_counter() - start,
    }


def show(rows: list[dict[str, Any]]) -> None:
    """The figures as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*rows[0])
    for row in rows:
        table.add_row(*(f"{value:.2f}" if isinstance(value, float) else str(value) for value in row.values()))
    Console(width=160).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("speed", "memory", "plain", "chef", "once"))
    parser.add_argument("source", type=Path)
    parser.add_argument(
        "out", type=Path, nargs="?", help="for plain, chef and once, which speed and memory start"
    )
    parser.add_argument("--recipes", type=int, action="append")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    told = parser.parse_args()
    if told.what == "plain":
        (told.out / "files.json").write_text(json.dumps(plain(told.source, told.out)))
    elif told.what == "chef":
        prepare(told.source, told.out)
    elif told.what == "once":  # memory does not depend on the rounds of word2vec
        prepare(told.source, told.out, replace(PrepareSettings(), epochs=1))
    else:
        rows = (
            [speed(told.source, count, told.repeats) for count in told.recipes or [1500]]
            if told.what == "speed"
            else [memory(told.source, count) for count in told.recipes or [7000, 70000]]
        )
        print(json.dumps(rows)) if told.json else show(rows)


if __name__ == "__main__":
    main()
