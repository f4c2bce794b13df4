"""What training on a CPU gains from half precision and from memory that is kept.

    python benchmarks/train_cpu.py PREPARED --made OUT [--row base] [--json FILE]

Steps of a row of experiments/base.json, with the networks and labels of `experiments/base.py --stage prepare
OUT`, in a process of its own for each way, all ways in turn, `--rounds` times. Pairs a second are the
median's; `times` is the first way's by each other's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import torch
from train_throughput import loader, row_settings, seconds_for

import chef.train.loop
from chef.data.prepared import Prepared
from chef.train.distributed import join_processes
from chef.train.loop import Trainer
from chef.train.optimizer import freeze
from chef.train.run import Run
from chef.train.settings import make_settings

KEPT, RETURNED, SINGLE = "as it is", "freed memory goes back", "float32"


def measure(way: str, given: argparse.Namespace) -> float:
    """Pairs a second."""
    if way == RETURNED:
        chef.train.loop.keep_freed_memory = lambda: None
    values = {**row_settings(given.row, given.made), "batch": given.batch, "workers": 0}
    if way == SINGLE:
        values["precision"] = "float32"
    settings, data = make_settings(values), Prepared(given.prepared)
    with tempfile.TemporaryDirectory() as scratch, join_processes() as processes:
        trainer = Trainer(data, settings, Run(Path(scratch) / "run", data, settings, processes))
        freeze(trainer.model, tower=settings.freeze_tower, words=False)
        trainer.both.train()
        batches = loader(trainer, given.steps + given.warm_up, 0, given.batch)
        seconds, pairs = seconds_for(trainer, batches, given.warm_up)
    return pairs / seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("prepared", type=Path, help="a folder that chef prepare made")
    parser.add_argument("--made", type=Path, required=True, help="the folder of experiments/base.py")
    parser.add_argument("--row", default="base")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--warm-up", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="a file for the result")
    parser.add_argument("--way", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.way:
        print(measure(given.way, given))
        return 0
    found: dict[str, list[float]] = {KEPT: [], RETURNED: [], SINGLE: []}
    for _ in range(given.rounds):
        for way, speeds in found.items():
            call = [sys.executable, *sys.argv, "--way", way]
            run = subprocess.run(call, capture_output=True, text=True, check=True)
            speeds.append(float(run.stdout.split()[-1]))
    medians = {way: median(speeds) for way, speeds in found.items()}
    result: dict[str, Any] = {
        "row": given.row,
        "batch": given.batch,
        "cores": torch.get_num_threads(),
        "pairs a second": found,
        "times": {way: medians[KEPT] / speed for way, speed in medians.items()},
    }
    for way, speed in medians.items():
        print(f"{way}: {speed:.1f} pairs/s, {result['times'][way]:.2f} times as long")
    if given.json:
        given.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
