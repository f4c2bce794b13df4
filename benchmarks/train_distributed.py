"""Several training processes on this machine: their gradients, their pairs a second, and one that is killed.

    python benchmarks/train_distributed.py [PREPARED] [--processes 2 4] [--json out.json]

For each number of processes, started by torchrun, against one process alone:

- gradients: those of the first update in float64 and float32, the greatest difference by the greatest value,
  and whether all processes hold the same bits;
- pairs a second, reading included, over the same batches (the batch is that of all processes together);
- one worker is killed with -9 in the middle of an epoch: the seconds until training goes on, and the greatest
  difference of the weights at the end from those of a run by one process that nobody killed.

Without PREPARED it makes 400 recipes of the generated kitchen. It reads /proc, so it runs on Linux.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from chef.data.prepared import Prepared
from chef.train.distributed import join_processes
from chef.train.loop import Trainer
from chef.train.optimizer import freeze
from chef.train.run import Run
from chef.train.settings import make_settings

SIZES = {"model": "t+t+l", "hidden": 128, "space": 256, "batch": 32, "freeze_epochs": 0}
SMALL = {
    **SIZES,
    "hidden": 24,
    "space": 32,
    "batch": 16,
    "precision": "float64",
    "epochs": 2,
    "checkpoint_every": 2,
}
CHECKPOINT = "checkpoint.safetensors"


def torchrun(processes: int, *call: str) -> list[str]:
    options = ["--standalone", "--nproc-per-node", str(processes), "--max-restarts", "3"]
    return [sys.executable, "-m", "torch.distributed.run", *options, *call]


def work(prepared: Path, out: Path, steps: int) -> None:
    """What each process does: an update whose gradients it keeps, in both precisions; steps against time."""
    data = Prepared(prepared)
    with join_processes() as processes:
        for precision in ("float64", "float32"):
            settings = make_settings({**SIZES, "precision": precision})
            trainer = Trainer(data, settings, Run(out / precision, data, settings, processes))
            freeze(trainer.model, tower=False, words=False)
            trainer.both.train()
            kept = _keep_gradients(trainer, out / f"{precision}-{processes.rank}.safetensors")
            trainer._step(*next(iter(trainer._load(0, 0))))
            kept.remove()
        pairs, began = 0, 0.0
        epochs = (trainer._load(epoch, 0) for epoch in itertools.count(1))
        for number, (batch, _) in enumerate(itertools.chain.from_iterable(epochs)):
            if number == 2:  # the first ones warm up
                processes.wait()
                pairs, began = 0, time.perf_counter()
            if number == steps + 2:
                break
            trainer.position.batch = 0
            trainer._step(batch)
            pairs += len(batch)
        processes.wait()
        speed = processes.total(pairs) / (time.perf_counter() - began)
        if processes.first:
            (out / "speed.json").write_text(json.dumps(speed))


def _keep_gradients(trainer: Trainer, path: Path) -> Any:
    def keep(*_: Any) -> None:
        found = trainer.both.named_parameters()
        save_file({name: item.grad.clone() for name, item in found if item.grad is not None}, path)

    return trainer.optimizer.register_step_pre_hook(keep)


def measure(prepared: Path, processes: int, scratch: Path, steps: int) -> Path:
    """The folder with the gradients and the speed of so many processes."""
    out = scratch / f"work-{processes}"
    out.mkdir()
    call = [__file__, str(prepared), "--work", str(out), "--steps", str(steps)]
    subprocess.run(torchrun(processes, *call), env=_environment(), check=True, stderr=subprocess.DEVNULL)
    return out


def difference(found: Path, wanted: Path) -> float:
    """The greatest difference between two files of tensors, by the greatest value in the second."""
    one, two = load_file(wanted), load_file(found)
    if one.keys() != two.keys():
        raise SystemExit(f"{found} and {wanted} hold different tensors")
    greatest = max(float(value.abs().max()) for value in one.values() if value.is_floating_point())
    return max(float((two[name].double() - one[name].double()).abs().max()) for name in one) / greatest


def train(prepared: Path, out: Path, processes: int, killed: bool) -> dict[str, Any]:
    """A whole run; one worker of it is killed in the middle of the second epoch, if wanted."""
    settings = [f"--set={name}={value}" for name, value in SMALL.items()]
    call = torchrun(processes, "-m", "chef", "train", str(prepared), "--out", str(out), *settings)
    said = out.with_suffix(".txt")
    row: dict[str, Any] = {}
    with (
        said.open("w") as file,
        subprocess.Popen(call, env=_environment(), stderr=file, stdout=file) as process,
    ):
        if killed:
            _wait(lambda: _place(out) >= (1, 4), process)
            os.kill(_workers(process.pid)[-1], signal.SIGKILL)
            row["killed_at"], began = _place(out), time.monotonic()
            # It goes on from a checkpoint; what it saves next is progress.
            _wait(lambda: "resuming after" in said.read_text() and _place(out) > row["killed_at"], process)
            row["seconds_to_go_on"] = time.monotonic() - began
    if process.returncode:
        raise SystemExit(f"the run ended with {process.returncode}:\n{said.read_text()}")
    return row


def _wait(condition: Any, process: subprocess.Popen[bytes]) -> None:
    while not condition():
        if process.poll() is not None:
            raise SystemExit("the run ended before it could be watched: give more recipes")
        time.sleep(0.02)


def _place(run: Path) -> tuple[int, int]:
    """Epoch and batch of the last checkpoint."""
    try:
        with (run / CHECKPOINT).open("rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    except FileNotFoundError:
        return -1, -1
    position = json.loads(header["__metadata__"]["position"])
    return position["epoch"], position["batch"]


def _workers(parent: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            continue
        if int(fields[1]) == parent:
            found.append(int(folder.name))
    return sorted(found)


def _environment() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1"}


def make_kitchen(scratch: Path) -> Path:
    """400 recipes of the generated kitchen, prepared."""
    for call in (
        ["kitchen", str(scratch / "kitchen"), "--recipes", "400", "--size", "72"],
        ["prepare", str(scratch / "kitchen"), str(scratch / "prepared"), "--image-size", "64"],
    ):
        subprocess.run([sys.executable, "-m", "chef", *call], check=True, capture_output=True)
    return scratch / "prepared"


def compare(prepared: Path, processes: int, one: Path, scratch: Path, steps: int) -> dict[str, Any]:
    """The row of so many processes against the folder of one."""
    out = measure(prepared, processes, scratch, steps)
    row: dict[str, Any] = {"processes": processes, "pairs_per_second": speed(out)}
    for precision in ("float64", "float32"):
        files = [out / f"{precision}-{rank}.safetensors" for rank in range(processes)]
        row[f"gradients_{precision}"] = difference(files[0], one / files[0].name)
        row[f"same_bits_{precision}"] = all(difference(file, files[0]) == 0 for file in files)
    killed = scratch / f"killed-{processes}"
    row |= train(prepared, killed, processes, killed=True)
    return row | {"weights": difference(killed / CHECKPOINT, scratch / "undisturbed" / CHECKPOINT)}


def speed(out: Path) -> float:
    return float(json.loads((out / "speed.json").read_text()))


def show(row: dict[str, Any]) -> None:
    same = row["same_bits_float64"] and row["same_bits_float32"]
    print(f"{row['processes']} processes: {row['pairs_per_second']:.1f} pairs/s")
    print(
        f"  gradients differ by {row['gradients_float64']:.1e} in float64, {row['gradients_float32']:.1e} in"
        f" float32; the same bits on all processes: {'yes' if same else 'no'}"
    )
    print(
        f"  one killed at epoch {row['killed_at'][0]}, batch {row['killed_at'][1]}: all go on after"
        f" {row['seconds_to_go_on']:.0f} s; the weights differ by {row['weights']:.1e} at the end",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path, nargs="?", help="a folder that chef prepare made")
    parser.add_argument("--processes", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--steps", type=int, default=12, help="batches against time")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)  # one of the processes
    options = parser.parse_args()
    if options.work:
        work(options.prepared, options.work, options.steps)
        return
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        prepared = options.prepared or make_kitchen(scratch)
        one = measure(prepared, 1, scratch, options.steps)
        rows: list[dict[str, Any]] = [{"processes": 1, "pairs_per_second": speed(one)}]
        print(f"{cores} cores, torch {torch.__version__}, batches of {SIZES['batch']} pairs")
        print(f"1 process: {speed(one):.1f} pairs/s", flush=True)
        train(prepared, scratch / "undisturbed", 1, killed=False)
        for processes in options.processes:
            rows.append(compare(prepared, processes, one, scratch, options.steps))
            show(rows[-1])
    if options.json:
        options.json.write_text(json.dumps({"cores": cores, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
