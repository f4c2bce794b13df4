"""Preparing and adding through Ray: how fast is it, and what do killed workers and machines cost?

    python benchmarks/ray_cluster.py ../shared/data/open-recipes --recipes 1500 --rounds 10 [--json out.json]

First plainly and with `--ray`, two workers each. Then on a cluster of two nodes of this machine, each with
one core, anew in every round: a worker in the middle of a task, or the whole second node, is killed with -9
while `chef prepare` runs, and again while `chef index add` does. The files of the prepared data and what
`chef index export` prints are compared with those of the plain run. The exit status is 1 where they differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from prepare import subset

CHEF = [sys.executable, "-m", "chef"]
RAY = [sys.executable, "-m", "ray.scripts.scripts", "start", "--disable-usage-stats", "--num-cpus", "1"]
PORT = 6401


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
        first = self.raylets()
        subprocess.run([*RAY, "--address", f"127.0.0.1:{PORT}"], **quiet)
        self.second = self.raylets() - first
        return self

    def raylets(self) -> set[int]:
        return processes(b"raylet/raylet") & self.own()

    def own(self) -> set[int]:
        return processes(self.env["RAY_TMPDIR"].encode())

    def kill_node(self) -> bool:
        for process in self.second:
            os.kill(process, signal.SIGKILL)
        return bool(self.second)

    def kill_worker(self) -> bool:
        parents = self.raylets()
        for process in processes(b"ray::_call"):
            try:
                parent = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
                if parent in parents:
                    os.kill(process, signal.SIGKILL)
                    return True
            except OSError:
                continue
        return False

    def __exit__(self, *_: object) -> None:
        for process in self.own():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        shutil.rmtree(self.env["RAY_TMPDIR"], ignore_errors=True)


def seconds(*call: str | Path) -> float:
    start = time.perf_counter()
    subprocess.run([*CHEF, *map(str, call)], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def disturbed(env: dict[str, str], kill: Callable[[], bool], begun: Callable[[], bool], *call: Any) -> bool:
    """Run a command and kill something once it has begun; whether that was in time."""
    process = subprocess.Popen([*CHEF, *map(str, call)], env=env, stdout=subprocess.DEVNULL)
    killed = False
    while process.poll() is None:
        if not killed and begun():
            killed = kill()
        time.sleep(0.05)
    if process.returncode:
        raise SystemExit(f"chef {call[0]} failed")
    return killed


def digests(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def exported(collection: Path) -> str:
    printed = subprocess.run([*CHEF, "index", "export", str(collection)], stdout=subprocess.PIPE, check=True)
    return hashlib.sha256(printed.stdout).hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="recipes in any format that chef reads")
    parser.add_argument("--recipes", type=int, default=1500, help="the first of them; more than two batches")
    parser.add_argument("--rounds", type=int, default=10, help="two kills each")
    parser.add_argument("--model", default="chef-ttl")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    found: dict[str, Any] = {"recipes": options.recipes, "kills": {"worker": 0, "node": 0}, "different": 0}
    with tempfile.TemporaryDirectory(prefix="chef-ray-") as name:
        place = Path(name)
        source = subset(options.source, options.recipes, place / "source")
        ways: dict[str, list[str]] = {"plain": [], "ray": ["--ray"]}
        for way, more in ways.items():
            prepared, collection = place / way / "prepared", place / way / "collection"
            found[f"{way}_prepare_s"] = seconds("prepare", source, prepared, "--workers", "2", *more)
            add = ("index", "add", collection, prepared, "--workers", "2", "--model", options.model)
            found[f"{way}_add_s"] = seconds(*add, *more)
            print(f"{way}: {found[f'{way}_prepare_s']:.0f} s, {found[f'{way}_add_s']:.0f} s", flush=True)
        wanted = digests(place / "plain/prepared"), exported(place / "plain/collection")
        same = [(digests(place / "ray/prepared"), exported(place / "ray/collection")) == wanted]
        for number in range(options.rounds):
            what, here = ("worker", "node")[number % 2], place / str(number)
            address = f"127.0.0.1:{PORT}"
            with Cluster() as cluster:
                kill = cluster.kill_worker if what == "worker" else cluster.kill_node
                parts = here / "prepared/work/parts"
                found["kills"][what] += disturbed(
                    cluster.env, kill, lambda parts=parts: len(list(parts.glob("*.json"))) > 2,
                    "prepare", source, here / "prepared", "--ray", address,
                )  # fmt: skip
            with Cluster() as cluster:
                kill = cluster.kill_worker if what == "worker" else cluster.kill_node
                found["kills"][what] += disturbed(
                    cluster.env, kill, lambda: bool(processes(b"ray::_call")),
                    "index", "add", here / "collection", here / "prepared",
                    "--model", options.model, "--ray", address,
                )  # fmt: skip
            same.append((digests(here / "prepared"), exported(here / "collection")) == wanted)
            print(f"round {number}, {what}: {'the same' if same[-1] else 'NOT the same'}", flush=True)
    found["different"] = same.count(False)
    print(json.dumps(found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    return 1 if found["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
