"""Runs the steps of a grid: several at a time, each in its own process, and none twice.

A step is done when a file in OUT/done says so: it holds the command of the step and the checksums of its
inputs. A step is repeated only if one of them has changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from grid import expand
from steps import Argument, Step

from chef.data.pool import RETRIES, Ray, RayPool
from chef.files import write_atomic

_POLL = 0.1  # seconds
# Otherwise glibc returns memory that the next training step asks for again: a fifth of its time.
_KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": "2000000000", "MALLOC_MMAP_THRESHOLD_": "2000000000"}


class Process(Protocol):
    """A command that runs somewhere."""

    def poll(self) -> int | None: ...
    def wait(self) -> int: ...
    def terminate(self) -> None: ...


@dataclass(frozen=True)
class Machine:
    """The resources that the steps share: how many run at a time, on how many cores and GPUs."""

    together: int
    cores: int
    gpus: int

    @classmethod
    def here(cls, together: int | None) -> Machine:
        """This machine; by default one step at a time for each GPU, or for each core."""
        import torch

        cores, gpus = os.cpu_count() or 1, torch.cuda.device_count()
        return cls(together or gpus or cores, cores, gpus)

    @property
    def settings(self) -> list[str]:
        """Settings for this machine that the grid does not fix; they do not affect the experiment."""
        workers = max(1, self.cores // self.together - 4)  # a few cores are left for the step itself
        return ["--set=precision=bf16", f"--set=workers={workers}"] if self.gpus else []

    def start(self, slot: int, command: list[str], log: Path, lock: int) -> Process:
        """Start a command; `lock` stays open as long as it runs."""
        with open(log, "ab") as file:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=self.environment(slot),
                pass_fds=[lock],  # OUT is free again when the last of them is gone
            )

    def environment(self, slot: int) -> dict[str, str]:
        """The environment of the step in this slot: its share of the cores, and a GPU."""
        share = {**_KEEP_MEMORY, "OMP_NUM_THREADS": str(max(1, self.cores // self.together))}
        if self.gpus > 1:
            share["CUDA_VISIBLE_DEVICES"] = str(slot % self.gpus)
        return {**share, **os.environ}


@dataclass(frozen=True)
class Cluster(Machine):
    """The machines of a Ray, which all see OUT at the same path. A step whose machine dies is run again."""

    pool: RayPool
    gpus_per_step: float

    @classmethod
    def at(cls, address: str, together: int | None, gpus_per_step: float) -> Cluster:
        """By default one step at a time for each share of a GPU, or for each core."""
        pool = RayPool(Ray(address, gpus_per_step))
        # Workers cannot import this module: what they need of it goes along.
        pool.engine.cloudpickle.register_pickle_by_value(sys.modules[__name__])
        cores, gpus = pool.workers, int(pool.engine.cluster_resources().get("GPU", 0))
        together = together or (int(gpus / gpus_per_step) if gpus_per_step else cores)
        return cls(together, cores, gpus if gpus_per_step else 0, pool, gpus_per_step)

    def start(self, slot: int, command: list[str], log: Path, lock: int) -> Process:
        run = self.pool.engine.remote(_run_step).options(
            num_cpus=max(1, self.cores // self.together), num_gpus=self.gpus_per_step, max_retries=RETRIES
        )
        share = {**_KEEP_MEMORY, "OMP_NUM_THREADS": str(max(1, self.cores // self.together))}
        return RayProcess(self.pool.engine, run.remote(command, log, share))


class RayProcess:
    """A step that a worker of a Ray runs."""

    def __init__(self, engine: Any, task: Any) -> None:
        self._ray, self._task = engine, task

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        return self.wait() if self._ray.wait([self._task], timeout=0)[0] else None

    def wait(self) -> int:
        try:
            return int(self._ray.get(self._task))
        except self._ray.exceptions.RayError as error:
            say(str(error))
            return 1

    def terminate(self) -> None:
        self._ray.cancel(self._task)


def _run_step(command: list[str], log: Path, environment: dict[str, str]) -> int:
    with open(log, "ab") as file:
        call = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, env={**os.environ, **environment}, **call)
        try:
            return process.wait()
        finally:  # cancelled
            process.terminate()
            process.wait()


@dataclass(frozen=True)
class Running:
    """A step that is running."""

    step: Step
    process: Process
    began: float
    fingerprint: dict[str, Any]  # as it was when it began


class Executor:
    """Runs steps. Use it once: `Executor(...).run()`."""

    def __init__(self, steps: Sequence[Step], out: Path, machine: Machine, deadline: float) -> None:
        self.out, self.machine, self.deadline = out, machine, deadline
        self.count = len(steps)
        self.waiting = list(steps)
        self.makers = {step.makes: step.name for step in steps}
        self.busy: dict[int, Running] = {}  # by slot
        self.done: set[str] = set()
        self.failed: set[str] = set()

    def run(self) -> bool:
        """Run the remaining steps; True when all are done."""
        with alone(self.out) as lock:
            try:
                while time.monotonic() < self.deadline and (self._start_ready(lock) or self.busy):
                    time.sleep(_POLL)
                    self._collect()
            finally:
                self._stop()
        return len(self.done) == self.count

    def _start_ready(self, lock: int) -> bool:
        """Start steps in free slots; False when no waiting step can ever run."""
        again = True
        while again:  # a step that turns out to be done may make others ready
            again = False
            for step in [step for step in self.waiting if self._needs(step) <= self.done]:
                known_by = fingerprint(step, self.out)
                if self._is_done(step, known_by):
                    self.waiting.remove(step)
                    self.done.add(step.name)
                    again = True
                elif len(self.busy) < self.machine.together:
                    self.waiting.remove(step)
                    self._start(step, known_by, lock)
        return any(not self._needs(step) & self._lost() for step in self.waiting)

    def _needs(self, step: Step) -> set[str]:
        return {self.makers[file] for file in step.reads if file in self.makers}

    def _lost(self) -> set[str]:
        """The failed steps, and those that depend on them."""
        lost = set(self.failed)
        for step in self.waiting:  # in topological order
            if self._needs(step) & lost:
                lost.add(step.name)
        return lost

    def _is_done(self, step: Step, known_by: Mapping[str, Any]) -> bool:
        if not (step.makes.exists() and self._mark(step).exists()):
            return False
        mark = json.loads(self._mark(step).read_text("utf-8"))
        return {name: mark.get(name) for name in known_by} == known_by

    def _mark(self, step: Step) -> Path:
        return self.out / "done" / f"{step.name}.json"

    def _start(self, step: Step, known_by: dict[str, Any], lock: int) -> None:
        slot = next(number for number in range(self.machine.together) if number not in self.busy)
        log = self._log(step)
        log.parent.mkdir(exist_ok=True)
        log.touch()
        call = [str(item) if isinstance(item, Path) else expand(item) for item in step.call]
        if step.trains:
            call += [text for text in self.machine.settings if not _named(text, call)]
        self._mark(step).unlink(missing_ok=True)
        process = self.machine.start(slot, [sys.executable, "-m", "chef", *call], log, lock)
        say(f"{step.name} ...")
        self.busy[slot] = Running(step, process, time.monotonic(), known_by)

    def _log(self, step: Step) -> Path:
        return self.out / "logs" / f"{step.name}.log"

    def _collect(self) -> None:
        """Record the steps that have ended."""
        for slot, one in list(self.busy.items()):
            if (code := one.process.poll()) is None:
                continue
            del self.busy[slot]
            step, seconds = one.step, time.monotonic() - one.began
            if code == 0 and step.makes.exists():
                mark = {**one.fingerprint, "seconds": round(seconds, 1)}
                write_atomic(self._mark(step), (json.dumps(mark, indent=1) + "\n").encode())
                self.done.add(step.name)
                say(f"{step.name}: {seconds:.0f} s ({len(self.done)} of {self.count} done)")
            else:
                self.failed.add(step.name)
                say(f"{step.name} FAILED ({code}): {last_line(self._log(step))} [{self._log(step)}]")

    def _stop(self) -> None:
        """Terminate running steps; their checkpoints stay."""
        for one in self.busy.values():
            one.process.terminate()
        for one in self.busy.values():
            one.process.wait()


@contextmanager
def alone(out: Path) -> Iterator[int]:
    """Lock OUT for one grid at a time, and wait for the processes that a killed one left behind."""
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "lock", "ab") as file:
        if not _lock(file, fcntl.LOCK_NB):
            say(
                f"others are at work in {out}, perhaps left over from a run that was killed: waiting for them"
            )
            _lock(file)
        yield file.fileno()


def _lock(file: IO[bytes], how: int = 0) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | how)
    except BlockingIOError:
        return False
    return True


def fingerprint(step: Step, out: Path) -> dict[str, Any]:
    """The command of a step and the checksums of its inputs; OUT itself may move."""

    def name(item: Argument) -> str:
        return item.relative_to(out).as_posix() if isinstance(item, Path) else item

    files = {name(item): item if isinstance(item, Path) else Path(expand(item)) for item in step.reads}
    return {
        "call": [name(item) for item in step.call],
        "reads": {key: _checksum(file) for key, file in files.items()},
    }


def _checksum(file: Path) -> str | None:
    if not file.is_file():
        return None  # chef reports it better
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _named(setting: str, call: Sequence[str]) -> bool:
    return any(text.startswith(setting.rpartition("=")[0] + "=") for text in call)


def last_line(log: Path) -> str:
    """The last line of a log."""
    lines = [line.strip() for line in log.read_text("utf-8", "replace").splitlines()]
    return next((line for line in reversed(lines) if line), "it said nothing")


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
