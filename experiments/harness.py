"""What base.py and trees.py share: every row of a grid is trained with every seed, scored, and tabulated.

OUT/runs/    the runs, in a folder each
OUT/scores/  what was measured of each run, one file each: a run that has one is not repeated
OUT/logs/    the output of each run
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, stdev
from threading import Event, Thread
from typing import Any

from chef.data.prepared import Prepared
from chef.files import write_atomic
from chef.train.loop import train
from chef.train.settings import make_settings

_A_MINUTE = 60.0


def arguments(about: str, stages: Sequence[str], needs_stage: bool = True) -> argparse.ArgumentParser:
    """The command line that both have."""
    parser = argparse.ArgumentParser(description=about.split("\n")[0])
    parser.add_argument("--stage", choices=stages, required=needs_stage)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("CHEF_DATA", "../shared/data")))
    parser.add_argument("--rows", help="separated by commas; all if not given")
    parser.add_argument("--together", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="start no run after this long")
    return parser


def run_name(*parts: str | int) -> str:
    """The name of a run in all folders.

    >>> run_name("dev", "chef base", 0)
    'dev-chef-base-0'
    """
    return "-".join(map(str, parts)).replace(" ", "-")


def score_file(out: Path, name: str) -> Path:
    return out / "scores" / f"{name}.json"


def train_row(data: Prepared, values: Mapping[str, Any], folder: Path) -> tuple[Path, dict[str, Any]]:
    """Train one model -> the best one, and the seconds and the log of its training."""
    with stopwatch(folder.parent / f"{folder.name}.seconds") as seconds:
        best = train(data, make_settings(dict(values)), folder)
    log = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    return best, {"seconds": seconds(), "log": log}


@contextmanager
def stopwatch(file: Path) -> Iterator[Callable[[], float]]:
    """The seconds spent inside, those of earlier runs that were stopped added up; they are kept in the file.

    >>> with stopwatch(out / "train.seconds") as seconds:
    ...     train()
    >>> seconds()
    """
    before = float(file.read_text("utf-8")) if file.exists() else 0.0
    began, stopped = time.monotonic(), Event()

    def seconds() -> float:
        return round(before + time.monotonic() - began, 1)

    def keep() -> None:  # a process that is killed loses no more than a minute
        while not stopped.wait(_A_MINUTE):
            write_atomic(file, str(seconds()).encode())

    file.parent.mkdir(parents=True, exist_ok=True)
    keeper = Thread(target=keep, daemon=True)
    keeper.start()
    try:
        yield seconds
    finally:
        stopped.set()
        keeper.join()
        write_atomic(file, str(seconds()).encode())


def write_scores(out: Path, name: str, result: Mapping[str, Any]) -> None:
    file = score_file(out, name)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(result) + "\n", "utf-8")


def read_scores(out: Path) -> list[dict[str, Any]]:
    """What was measured of every run, in the order of the seeds."""
    scores = [json.loads(path.read_text("utf-8")) for path in sorted((out / "scores").glob("*.json"))]
    return sorted(scores, key=lambda one: one["seed"])


def run_all(
    given: argparse.Namespace,
    rows: Iterable[str],
    seeds: Iterable[str],
    part: str = "",
    passed_on: Sequence[str] = (),
    **options: Any,
) -> int:
    """Call stage `one` for every row and seed that has no scores yet, several at a time."""
    out, calls = given.paths[-1], {}
    for seed in seeds:
        for row in given.rows.split(",") if given.rows else rows:
            name = run_name(*([part] if part else []), row, seed)
            call = [*map(str, given.paths), "--rows", row, "--seeds", seed, *passed_on]
            if not score_file(out, name).exists():
                calls[name] = [sys.executable, sys.argv[0], "--stage", "one", *call]
    return run_together(calls, out / "logs", given.together, given.minutes, **options)


def run_together(
    calls: Mapping[str, Sequence[str]],
    logs: Path,
    together: int,
    minutes: float,
    say: Callable[[str], str] = lambda name: "done",
) -> int:
    """Run commands, each in a process of its own with a log -> 0 if all have ended well, else 1.

    calls: by name; minutes: none is started later; say: what to print of one that has ended well. They share
    the cores: threads that wait for each other on the same core take many times as long.
    """
    threads = max(1, (os.cpu_count() or 1) // max(1, min(together, len(calls))))
    environment = {"OMP_NUM_THREADS": str(threads), **os.environ}
    waiting, busy = list(calls.items()), dict[str, subprocess.Popen[bytes]]()
    failed, deadline = 0, time.monotonic() + 60 * minutes
    logs.mkdir(parents=True, exist_ok=True)
    while waiting or busy:
        while waiting and len(busy) < together and time.monotonic() < deadline:
            name, call = waiting.pop(0)
            with (logs / f"{name}.log").open("wb") as log:
                busy[name] = subprocess.Popen(call, stdout=log, stderr=subprocess.STDOUT, env=environment)
        if not busy:
            break
        time.sleep(0.2)
        for name in [name for name, process in busy.items() if process.poll() is not None]:
            is_bad = busy.pop(name).returncode != 0
            failed += is_bad
            print(f"{name}: {'FAILED' if is_bad else say(name)}", flush=True)
    return int(failed > 0 or bool(waiting))


def over_seeds(figures: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Mean and spread of each figure over the seeds that have it."""
    names = dict.fromkeys(name for one in figures for name in one)
    return {name: spread([one[name] for one in figures if name in one]) for name in names}


def spread(values: Sequence[float]) -> dict[str, Any]:
    deviation = round(stdev(values), 3) if len(values) > 1 else None
    rounded = [round(value, 3) for value in values]
    return {"mean": round(mean(values), 3), "spread": deviation, "values": rounded}


def seeds_and_settings(seeds: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the runs of a row are: their seeds, and the settings that they share."""
    settings = {name: value for name, value in seeds[0]["settings"].items() if name != "seed"}
    return {"seeds": [one["seed"] for one in seeds], "settings": settings}


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A Markdown table."""
    print(f"| {' | '.join(head)} |\n" + "|---" * len(head) + "|")
    for row in rows:
        print(f"| {' | '.join(row)} |")
