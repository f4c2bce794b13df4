"""The folder of a run and what a person sees of it.

RUN/settings.json           all settings, the defaults too
RUN/log.jsonl               one line an evaluation
RUN/checkpoint.safetensors  where it goes on after a stop; checkpoint.before.safetensors is the one before
RUN/best/                   the best model so far: an artefact that `chef.load` takes
RUN/tensorboard/            the same numbers as curves, where tensorboard is installed
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
from pathlib import Path
from typing import Any

from chef.atomic import write_whole
from chef.data.prepared import Prepared
from chef.data.settings import PrepareSettings
from chef.errors import ChefError
from chef.model.artefact import save_artefact
from chef.model.joint import JointModel
from chef.model.words import PIECES
from chef.train.hold import SETTINGS
from chef.train.places import folder, without_places
from chef.train.progress import Progress
from chef.train.settings import TrainSettings
from chef.train.world import World

# Settings that change how a run goes, not where it ends: they may differ when it goes on.
_FREE = {"workers", "checkpoint_every"}


class Run:
    """Writes what a run leaves behind. On all processes but the first it does nothing."""

    def __init__(self, out: Path, data: Prepared, settings: TrainSettings, world: World) -> None:
        self.out, self.data, self.settings, self.world = out, data, settings, world
        self._data = hashlib.sha256(data.manifest.to_bytes()).hexdigest()
        self.checkpoint = out / "checkpoint.safetensors"
        self.progress = Progress(settings, shown=world.first)
        facts = {"data": self._data, **settings.to_json()}
        if world.first:
            out.mkdir(parents=True, exist_ok=True)
            self._sweep()
            self._claim(facts)
        self._compare(facts)

    def _sweep(self) -> None:
        """Remove what a killed start left unfinished."""
        best, old = self.out / "best", self.out / ".best.old"
        if old.exists() and not best.exists():  # killed between the two moves that exchange them
            os.replace(old, best)
        for path in self.out.glob(f"{SETTINGS}.*"):
            path.unlink()
        for path in self.out.glob(".best.*"):
            shutil.rmtree(path)

    def _claim(self, facts: dict[str, Any]) -> None:
        """A folder belongs to one run: its settings and its data."""
        path = self.out / SETTINGS
        if path.exists():
            known = json.loads(path.read_text("utf-8"))
            for name, value in facts.items():
                if name not in _FREE and known.get(name) != value:
                    raise ChefError(
                        f"{self.out} holds a run with {name} {known.get(name)!r}, not {value!r}",
                        "choose another --out, or remove that folder",
                    )
        write_whole(path, (json.dumps(facts, indent=2) + "\n").encode())

    def _compare(self, facts: dict[str, Any]) -> None:
        """All machines train one model, on the same data, and see the same folder."""
        of_first = json.loads(self.world.share(json.dumps(facts).encode()))
        for name, value in facts.items():
            if name != "workers" and of_first[name] != value:
                raise ChefError(
                    f"{name} is {value!r} on this machine and {of_first[name]!r} on the first",
                    "give all machines the same command and the same data",
                )
        if not (self.out / SETTINGS).exists():
            raise ChefError(
                f"this machine does not see {self.out}, where the first one writes",
                "choose an --out that all machines share: any of them may have to go on with the run",
            )

    def resumed(self, epoch: int, batch: int = 0) -> None:
        """The run goes on from here: forget what was logged later, it will be logged again."""
        if not self.world.first:
            return
        if epoch >= 0:
            processes = f" in {self.world.size} processes" if self.world.size > 1 else ""
            self.progress.say(f"going on after epoch {epoch}, batch {batch}{processes}")
        if self._log.exists():
            lines = self._log.read_text("utf-8").splitlines(keepends=True)
            kept = [line for line in lines if _epoch_of(line) <= epoch]
            write_whole(self._log, "".join(kept).encode())

    def log(self, epoch: int, update: int, loss: float | None, values: dict[str, float]) -> None:
        """Write the epoch's line: its mean loss, if it has one, and the scores on the validation split."""
        if not self.world.first:
            return
        line = {"epoch": epoch, "update": update, **({} if loss is None else {"loss": loss}), **values}
        with open(self._log, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self._curves(epoch, line)
        self.progress.evaluated(epoch, loss, values)

    def keep_best(self, model: JointModel, epoch: int, values: dict[str, float]) -> None:
        """Write the model as the run's artefact."""
        if not self.world.first:
            return
        about = {
            "settings": without_places(self.settings.to_json()),
            "data": self._data,
            "epoch": epoch,
            "validation": values,
        }
        texts = self.data.text_folder
        pieces = Path(folder(self.settings.words)) / PIECES  # a table of words has none
        save_artefact(
            self.out / "best",
            model,
            texts / "vocabulary.tsv",
            texts / "canonical.tsv",
            PrepareSettings(**self.data.lengths),
            about,
            pieces=pieces if model.variant.has_minilm and pieces.is_file() else None,
        )

    @property
    def _log(self) -> Path:
        return self.out / "log.jsonl"

    def _curves(self, epoch: int, values: dict[str, Any]) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:  # not installed: the same numbers are in log.jsonl
            return
        with SummaryWriter(str(self.out / "tensorboard")) as writer:
            for name, value in values.items():
                if name != "epoch":
                    writer.add_scalar(name, value, epoch)


def _epoch_of(line: str) -> float:
    """The epoch that a line of the log tells of; half a line, as a power cut leaves it, tells of none."""
    return float(json.loads(line)["epoch"]) if line.endswith("}\n") else math.inf
