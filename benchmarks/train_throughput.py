"""Pairs a second of training T+T+L with a ResNet-50 at 224 pixels, end to end, from prepared shards.

    python benchmarks/train_throughput.py PREPARED [--json FILE]
    python benchmarks/train_throughput.py PREPARED --row base --made OUT  # chef-base as it is trained

It is the trainer itself that runs: JPEG decoding and augmentation in worker processes, both towers, the
batch-hard triplet loss, the optimizer, nothing frozen. The ResNet-50 starts from random weights, which takes
the same time. `gpu_waits` is the share of the time in which the GPU waits for data: 1 less the time of the
same steps over batches that lie ready in memory, by the time of the steps that load theirs. --row: a row of
experiments/base.json instead, with the networks and labels of `experiments/base.py --stage prepare OUT`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader

from chef.data.batches import PairBatch, collate
from chef.data.images import ImageTransform
from chef.data.prepared import Prepared
from chef.model.towers import ResNet
from chef.train.distributed import join_processes
from chef.train.loop import Trainer
from chef.train.optimizer import freeze
from chef.train.run import Run
from chef.train.settings import make_settings


def write_tower(folder: Path) -> None:
    """A ResNet-50 with random weights, as a folder that `chef train --tower` takes."""
    from safetensors.torch import save_file

    transform = ImageTransform()
    tower = ResNet({}, transform)
    config = {"model_type": "resnet", "layer_type": "bottleneck", **tower.shape}
    preprocessor = {
        "size": {"shortest_edge": transform.size},
        "crop_size": {"height": transform.crop, "width": transform.crop},
        "image_mean": transform.mean,
        "image_std": transform.std,
        "rescale_factor": transform.scale,
    }
    folder.mkdir()
    save_file(
        {f"resnet.{name}": value for name, value in tower.state_dict().items()}, folder / "model.safetensors"
    )
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "preprocessor_config.json").write_text(json.dumps(preprocessor))


def row_settings(row: str, made: Path) -> dict[str, Any]:
    """The settings of a row of experiments/base.json."""
    grid = json.loads((Path(__file__).parents[1] / "experiments" / "base.json").read_text("utf-8"))
    values = {**grid["settings"], **grid["rows"][row], "labels": str(made / "labels-0.safetensors")}
    folders = {name: made / "weights" / values[name] for name in ("tower", "words")}
    return values | {name: str(folder) for name, folder in folders.items()}


def seconds_for(trainer: Trainer, batches: Iterable[PairBatch], warm_up: int) -> tuple[float, int]:
    """The time of all steps after the first ones, and the number of pairs in them."""
    pairs, began = 0, 0.0
    for number, batch in enumerate(batches):
        if number == warm_up:
            _wait()
            began, pairs = time.perf_counter(), 0
        trainer.position.batch = 0
        trainer._step(batch)
        pairs += len(batch)
    _wait()
    return time.perf_counter() - began, pairs


def loader(trainer: Trainer, steps: int, workers: int, batch: int) -> Iterable[PairBatch]:
    """As the trainer loads them, epoch after epoch without a pause."""
    epochs = (trainer.batches.epoch(epoch) for epoch in itertools.count())
    whole = (rows.tolist() for rows in itertools.chain.from_iterable(epochs))
    rows = list(itertools.islice((found for found in whole if len(found) >= batch // 2), steps))
    return DataLoader(
        trainer.pairs, batch_sampler=rows, collate_fn=collate, num_workers=workers,
        pin_memory=trainer.processes.device.type == "cuda",
    )  # fmt: skip


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    cuda = torch.cuda.is_available()
    with tempfile.TemporaryDirectory() as scratch, join_processes() as processes:
        if arguments.row:
            values = row_settings(arguments.row, arguments.made)
        else:
            values = {"model": "t+t+l", "tower": str(Path(scratch) / "resnet-50"), "freeze_epochs": 0}
            values |= {"batch": arguments.batch, "precision": "bf16" if cuda else "float32"}
            write_tower(Path(values["tower"]))
        settings = make_settings({**values, "workers": arguments.workers})
        arguments.batch = settings.batch
        data = Prepared(arguments.prepared)
        trainer = Trainer(data, settings, Run(Path(scratch) / "run", data, settings, processes))
        freeze(trainer.model, tower=settings.freeze_tower, words=False)
        trainer.both.train()
        steps, warm = arguments.steps + arguments.warm_up, arguments.warm_up
        loaded, pairs = seconds_for(trainer, loader(trainer, steps, arguments.workers, arguments.batch), warm)
        some = list(loader(trainer, 8, arguments.workers, arguments.batch))
        ready, again = seconds_for(trainer, itertools.islice(itertools.cycle(some), steps), warm)
        only = time.perf_counter()
        count = sum(
            len(batch) for batch in loader(trainer, arguments.steps, arguments.workers, arguments.batch)
        )
        loading = count / (time.perf_counter() - only)
    return {
        "device": torch.cuda.get_device_name() if cuda else f"CPU, {torch.get_num_threads()} threads",
        "model": arguments.row or "t+t+l with a ResNet-50",
        "batch": arguments.batch,
        "workers": arguments.workers,
        "pairs_per_second": pairs / loaded,
        "pairs_per_second_ready": again / ready,
        "pairs_per_second_loading": loading,
        "loss": float(trainer.loss) / (2 * steps),
        "gpu_waits": max(0.0, 1 - (ready / again) / (loaded / pairs)),
    }


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("prepared", type=Path, help="a folder that chef prepare made")
    parser.add_argument("--row", help="a row of experiments/base.json")
    parser.add_argument("--made", type=Path, help="the folder of experiments/base.py")
    parser.add_argument("--batch", type=int, default=160)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--warm-up", type=int, default=15)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--json", type=Path, help="a file for the result")
    arguments = parser.parse_args()
    result = measure(arguments)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    print(f"{result['device']}: {result['pairs_per_second']:.0f} pairs/s end to end;", end=" ")
    print(f"{result['pairs_per_second_ready']:.0f} with the data ready in memory,", end=" ")
    print(
        f"{result['pairs_per_second_loading']:.0f} loading alone with {result['workers']} workers;", end=" "
    )
    print(f"the GPU waits for data {100 * result['gpu_waits']:.0f} % of the time")


if __name__ == "__main__":
    main()
