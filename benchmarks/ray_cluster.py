"""Preparing and adding with Ray and through a bucket: the same bytes? How fast, and what if machines die?

    python benchmarks/ray_cluster.py ../shared/data/open-recipes [--json out.json]     # half an hour

A source and a third of it are prepared and added plainly and with `--ray`, two workers each: what the whole
takes longer is the time of its recipes, the rest that of starting. The third also on a cluster of two nodes
of this machine, each with one core, anew for each command: at a moment drawn by a seed a worker in the middle
of a task, or all processes of the second node, are killed with -9. The whole also with four workers of a Ray,
and through an S3 server (moto's, on loopback: tests/s3_server.py). What `chef index export` prints, and in
folders the prepared files, are compared with those of the plain way; the exit status is 1 where they differ.
Seconds of a core are those of all processes, which others on the machine do not lengthen. Linux only (/proc).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from prepare import subset, tree
from serve_load import idle, used

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.s3_server import running

CHEF = [sys.executable, "-m", "chef"]
RAY = [sys.executable, "-m", "ray.scripts.scripts", "start", "--disable-usage-stats", "--num-cpus", "1"]
PORT = 6401
WAYS: dict[str, list[str]] = {"plain": [], "ray": ["--ray"]}


def processes(words: bytes) -> set[int]:
    """The running processes with these words in their command line."""
    found = set()
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdecimal() and words in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
        except OSError:  # it has ended
            continue
    return found


class Cluster:
    """Two nodes on this machine, for as long as the block lasts."""

    def __enter__(self) -> Cluster:
        token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
        self.env = {**os.environ, **token, "RAY_TMPDIR": tempfile.mkdtemp(prefix="r")}
        quiet = {"env": self.env, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        head = ["--head", "--port", str(PORT), "--include-dashboard=false"]
        subprocess.run([*RAY, *head, "--temp-dir", self.env["RAY_TMPDIR"]], **quiet)
        self.first = self._raylets()
        subprocess.run([*RAY, "--address", f"127.0.0.1:{PORT}"], **quiet)
        self.second, self.struck = self._raylets() - self.first, list[float]()
        return self

    def _raylets(self) -> set[int]:
        return processes(b"raylet/raylet") & self._own()

    def _own(self) -> set[int]:
        return processes(self.env["RAY_TMPDIR"].encode()) | processes(f":{PORT}".encode())

    def _at_work(self, raylets: set[int]) -> set[int]:
        """Processes of these nodes in the middle of a task."""
        return processes(b"ray::_call") & {process for raylet in raylets for process in tree(raylet)}

    def strike(self, what: str, moment: float, now: float) -> None:
        """Once the moment has come and there is one at work, kill a worker, or all of the second node."""
        if now < moment or self.struck:
            return
        if working := self._at_work(self.second if what == "node" else self.first | self.second):
            node = {process for raylet in self.second for process in tree(raylet)}
            _kill(node if what == "node" else {min(working)})
            self.struck.append(now)

    def __exit__(self, *_: object) -> None:
        _kill(self._own())
        shutil.rmtree(self.env["RAY_TMPDIR"], ignore_errors=True)


def _kill(those: set[int]) -> None:
    for process in those:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue


def run(*call: Any, env: dict[str, str] | None = None, then: Callable[[float], None] = lambda _: None) -> Any:
    """Run a command -> its seconds, and those of a core that all its processes, itself, and others took.

    then: called again and again while it runs, with the seconds since it was started.
    """
    start, spare, cpu = time.perf_counter(), idle(), dict[int, float]()
    process = subprocess.Popen([*CHEF, *map(str, call)], env=env, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        for one in tree(process.pid):
            try:
                cpu[one] = used(one)
            except OSError:  # it has ended
                continue
        then(time.perf_counter() - start)
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(f"chef {call[0]} failed")
    seconds, own = time.perf_counter() - start, sum(cpu.values())
    others = len(os.sched_getaffinity(0)) * seconds - (idle() - spare) - own
    return {"s": seconds, "cpu_s": own, "own_cpu_s": cpu[process.pid], "others_cpu_s": max(0.0, others)}


def digests(place: str | Path) -> dict[str, str]:
    files = (path for path in Path(place).rglob("*") if path.is_file())
    return {str(path.relative_to(place)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


class Bench:
    """Runs both commands in some way, and compares what they make with what the first way made."""

    def __init__(self, model: str) -> None:
        self.model, self._wanted = model, dict[Path, tuple[str, dict[str, str]]]()

    def add(self, collection: Any, prepared: Any, *more: str) -> list[Any]:
        return ["index", "add", collection, prepared, "--model", self.model, *more]

    def both(self, source: Path, place: str | Path, *more: str) -> dict[str, Any]:
        """Prepare and add a source at a place."""
        prepared, collection = f"{place}/prepared", f"{place}/collection"
        row = {"prepare": run("prepare", source, prepared, *more)}
        row["add"] = run(*self.add(collection, prepared, *more))
        return row | self.look(source, place)

    def look(self, source: Path, place: str | Path) -> dict[str, Any]:
        """What is at a place, and whether it is the same as at the first place."""
        command = [*CHEF, "index", "export", f"{place}/collection"]
        printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        sha256, files = hashlib.sha256(printed).hexdigest(), digests(f"{place}/prepared")
        wanted = self._wanted.setdefault(source, (sha256, files))
        shutil.rmtree(place, ignore_errors=True)
        same = (sha256, files or wanted[1]) == wanted
        return {"recipes": printed.count(b"\n"), "sha256": sha256, "same": same}


def killed(bench: Bench, source: Path, place: Path, draw: random.Random, usual: Any) -> dict[str, Any]:
    """Both commands on clusters of two nodes; in one a worker is killed, in the other the second node."""
    kills, prepared = list[str](), place / "prepared"
    address, victims = ["--ray", f"127.0.0.1:{PORT}"], draw.sample(("worker", "node"), 2)
    calls = {"prepare": ["prepare", source, prepared, *address]}
    calls["add"] = bench.add(place / "collection", prepared, *address)
    for (name, call), what in zip(calls.items(), victims, strict=True):
        with Cluster() as cluster:
            moment = draw.uniform(0.1, 0.6) * usual[name]["s"]
            run(*call, env=cluster.env, then=partial(cluster.strike, what, moment))
            kills += [f"{what} in {name} after {now:.0f} s" for now in cluster.struck]
    return {"kills": kills, **bench.look(source, place)}


def table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """The results in Markdown, and what they come to on more cores."""
    yield "| way | recipes | prepared in: seconds, of cores | added in | cores that others took | the same |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        if "kills" not in row:
            both = [row["prepare"], row["add"]]
            times = " | ".join(f"{one['s']:.0f}, {one['cpu_s']:.0f}" for one in both)
            others = sum(one["others_cpu_s"] for one in both) / sum(one["s"] for one in both)
            same = "yes" if row["same"] else "NO"
            yield f"| {row['way']} | {row['recipes']:,} | {times} | {others:.1f} | {same} |"
    kills = [row for row in rows if "kills" in row]
    count = Counter(kill.split()[0] for row in kills for kill in row["kills"])
    same = sum(row["same"] for row in kills)
    yield (
        f"\nKilled with -9: {count['worker']} workers, {count['node']} nodes;"
        f" {same} of {len(kills)} results the same.\n"
    )
    yield "| of a core | start | a recipe | of which the command itself | recipes/s on 64 cores |"
    yield "|---|---|---|---|---|"
    for step in ("prepare", "add"):
        for way in WAYS:
            small, large = (
                next(row for row in rows if row["way"] == way and row["recipes"] == size)
                for size in sorted({row["recipes"] for row in rows})
            )
            more = large["recipes"] - small["recipes"]
            slope, own = ((large[step][name] - small[step][name]) / more for name in ("cpu_s", "own_cpu_s"))
            start = small[step]["cpu_s"] - slope * small["recipes"]
            yield (
                f"| {step}, {way} | {start:.0f} s | {1000 * slope:.0f} ms | {1000 * max(own, 0):.1f} ms |"
                f" {64 / slope:,.0f} |"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, nargs="?", help="recipes in any format that chef reads")
    parser.add_argument("--recipes", type=int, default=900, help="the first; a third is over a batch")
    parser.add_argument("--turns", type=int, default=1, help="of plain and --ray")
    parser.add_argument("--rounds", type=int, default=5, help="two kills each")
    parser.add_argument("--model", default="chef-ttl")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--table", type=Path, help="only print the figures of such a file")
    options = parser.parse_args()
    if options.table:
        print("\n".join(table(json.loads(options.table.read_text()))))
        return 0
    # Ray gives its workers the least of a busy machine, unless told otherwise.
    os.environ.update({"OMP_NUM_THREADS": "1", "RAY_worker_niceness": "0"})
    bench, draw, two = Bench(options.model), random.Random(0), ["--workers", "2"]
    rows: list[dict[str, Any]] = []

    def note(way: str, row: dict[str, Any]) -> None:
        rows.append({"way": way, **row})
        times = [f"{name} {row[name]['s']:.0f} s" for name in ("prepare", "add") if name in row]
        same = "the same" if row["same"] else "NOT the same"
        print(
            f"{way}, {row['recipes']:,} recipes: {', '.join([*times, *row.get('kills', ()), same])}",
            flush=True,
        )
        if options.json:
            options.json.write_text(json.dumps(rows, indent=2) + "\n")

    with tempfile.TemporaryDirectory(prefix="chef-ray-") as name:
        place = Path(name)
        whole = subset(options.source, options.recipes, place / "whole")
        third = subset(options.source, options.recipes // 3, place / "third")
        for way, more in WAYS.items():
            note(way, bench.both(third, place / "out", *two, *more))
        for _ in range(options.rounds):
            note("killed", killed(bench, third, place / "out", draw, rows[1]))
        for _ in range(options.turns):
            for way, more in WAYS.items():
                note(way, bench.both(whole, place / "out", *two, *more))
        note("ray, 4 workers", bench.both(whole, place / "out", "--workers", "4", "--ray"))
        with running() as server:
            os.environ.update(server.environment)
            for way, more in WAYS.items():
                note(f"S3, {way}", bench.both(whole, server.bucket(), *two, *more))
    return 0 if all(row["same"] and len(row.get("kills", "12")) == 2 for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
