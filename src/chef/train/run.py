"""The folder of a run and its log.

RUN/settings.json           all settings, including defaults
RUN/log.jsonl               one line per evaluation
RUN/checkpoint.safetensors  where it resumes after a stop; checkpoint.before.safetensors is the previous one
RUN/best/                   the best model so far: an artefact that `chef.load` reads
RUN/tensorboard/            the same numbers as curves, if tensorboard is installed
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chef.data.prepared import Prepared
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.files import try_lock, write_atomic
from chef.model.artefact import save_artefact
from chef.model.joint import JointModel
from chef.model.words import PIECES
from chef.progress import ConsoleProgress, Progress
from chef.train.distributed import Processes
from chef.train.settings import TrainSettings, resolve_folder, without_paths

SETTINGS = "settings.json"
_LOCK = ".lock"
# Seconds to wait for the lock of a killed run: its data loaders end within seconds, but a file server
# notices the loss of a machine only after 90.
_PATIENCE = 100
# Settings that do not affect the result: they may differ when a run resumes.
_FREE = {"workers", "checkpoint_every"}


@contextmanager
def run_lock(out: Path, processes: Processes) -> Iterator[None]:
    """Keep other runs out of this folder inside the block. All processes of a run call it.

    A second run is easily started, when somebody repeats the command or a machine comes back, and two that
    write the same files would corrupt them.
    """
    if not processes.first:
        yield
        return
    if out.exists() and not out.is_dir():
        raise ChefError(f"{out} is a file", "choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    # A run that was killed before it wrote its settings leaves the lock and perhaps a part of them.
    foreign = (path for path in out.iterdir() if path.name != _LOCK and not path.name.startswith(SETTINGS))
    if not (out / SETTINGS).exists() and any(foreign):
        raise ChefError(f"{out} is not empty and holds no run", "choose another --out")
    with (out / _LOCK).open("wb") as lock:
        try:
            for second in range(_PATIENCE):
                if try_lock(lock):
                    break
                if not second:
                    _warn(f"another process trains in {out}: waiting for its end")
                time.sleep(1)
            else:
                raise ChefError(
                    f"another process trains in {out}", "wait for its end, or choose another --out"
                )
        except OSError as error:
            _warn(f"{out} cannot be locked ({error.strerror}): make sure that no other run uses it")
        yield


def _warn(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


class Run:
    """Writes the files of a run, on the first process only."""

    def __init__(self, out: Path, data: Prepared, settings: TrainSettings, processes: Processes) -> None:
        self.out, self.data, self.settings, self.processes = out, data, settings, processes
        self.data_checksum = hashlib.sha256(data.manifest.to_bytes()).hexdigest()
        self.checkpoint, self._log = out / "checkpoint.safetensors", out / "log.jsonl"
        self.progress = ConsoleProgress() if processes.first else Progress()
        facts = {"data": self.data_checksum, **settings.to_json()}
        if processes.first:
            out.mkdir(parents=True, exist_ok=True)
            self._claim(facts)
        self._compare(facts)

    def _claim(self, facts: dict[str, Any]) -> None:
        """Clean up after a killed process; the folder belongs to one run, with its settings and data."""
        best, old = self.out / "best", self.out / ".best.old"
        if old.exists() and not best.exists():  # killed between the two renames that swap them
            os.replace(old, best)
        for path in self.out.glob(f"{SETTINGS}.*"):
            path.unlink()
        for path in self.out.glob(".best.*"):
            shutil.rmtree(path)
        path = self.out / SETTINGS
        if path.exists():
            known = json.loads(path.read_text("utf-8"))
            for name, value in facts.items():
                before = known.get(name, getattr(TrainSettings, name, None))  # older than the setting
                if name not in _FREE and before != value:
                    raise ChefError(
                        f"{self.out} holds a run with {name} {before!r}, not {value!r}",
                        "choose another --out, or remove that folder",
                    )
        write_atomic(path, (json.dumps(facts, indent=2) + "\n").encode())

    def _compare(self, facts: dict[str, Any]) -> None:
        """Check that all machines have the same settings and data and see the same folder."""
        of_first = json.loads(self.processes.share(json.dumps(facts).encode()))
        for name, value in facts.items():
            if name != "workers" and of_first[name] != value:
                raise ChefError(
                    f"{name} is {value!r} on this machine and {of_first[name]!r} on the first",
                    "give all machines the same command and the same data",
                )
        if not (self.out / SETTINGS).exists():
            raise ChefError(
                f"this machine does not see {self.out}, where the first one writes",
                "choose an --out that all machines share: any of them may have to resume the run",
            )

    def resumed(self, epoch: int, batch: int = 0) -> None:
        """The run resumes here: remove later log lines, they will be written again."""
        if not self.processes.first:
            return
        if epoch >= 0:
            count = self.processes.size
            where = f" in {count} processes" if count > 1 else ""
            self.progress.say(f"resuming after epoch {epoch}, batch {batch}{where}")
        if self._log.exists():
            lines = self._log.read_text("utf-8").splitlines(keepends=True)
            # A power cut leaves a half-written line.
            kept = [line for line in lines if line.endswith("}\n") and json.loads(line)["epoch"] <= epoch]
            write_atomic(self._log, "".join(kept).encode())

    def log(
        self, epoch: int, update: int, loss: float | None, values: dict[str, float], pairs_per_second: float
    ) -> None:
        """Log an epoch: its mean loss, if it has one, and the scores on the validation split."""
        if not self.processes.first:
            return
        line = {"epoch": epoch, "update": update, **({} if loss is None else {"loss": loss}), **values}
        with open(self._log, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self._curves(epoch, line)
        scores = "  ".join(f"{name} {values[name]:.1f}" for name in ("medR", "R@1", "R@5", "R@10"))
        trained = "" if loss is None else f"loss {loss:.4f}  "
        where = f"epoch {epoch}/{self.settings.epochs}"
        self.progress.say(f"{where}  {trained}{scores}  {pairs_per_second:.0f} pairs/s")

    def keep_best(self, model: JointModel, epoch: int, values: dict[str, float]) -> None:
        """Write the model as the run's artefact."""
        if not self.processes.first:
            return
        about = {
            "settings": without_paths(self.settings.to_json()),
            "data": self.data_checksum,
            "epoch": epoch,
            "validation": values,
        }
        texts = self.data.text_folder
        pieces = Path(resolve_folder(self.settings.words)) / PIECES  # a table of words has none
        save_artefact(
            self.out / "best",
            model,
            texts / "vocabulary.tsv",
            texts / "canonical.tsv",
            PrepareSettings(**self.data.lengths),
            about,
            pieces=pieces if model.variant.has_minilm and pieces.is_file() else None,
        )

    def _curves(self, epoch: int, values: dict[str, Any]) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:  # not installed; log.jsonl has the same numbers
            return
        with SummaryWriter(str(self.out / "tensorboard")) as writer:
            for name, value in values.items():
                if name != "epoch":
                    writer.add_scalar(name, value, epoch)
