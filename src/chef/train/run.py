"""The folder of a run and what a person sees of it.

RUN/settings.json           all settings, the defaults too
RUN/log.jsonl               one line an evaluation
RUN/checkpoint.safetensors  where it goes on after a stop
RUN/best/                   the best model so far: an artefact that `chef.load` takes
RUN/tensorboard/            the same numbers as curves, where tensorboard is installed
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from chef.atomic import write_whole
from chef.data.prepared import Prepared
from chef.data.settings import PrepareSettings
from chef.errors import ChefError
from chef.model.artefact import save_artefact
from chef.model.joint import JointModel
from chef.model.words.build import PIECES
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
        if world.first:
            out.mkdir(parents=True, exist_ok=True)
            self._claim()
        world.wait()

    def _claim(self) -> None:
        """A folder belongs to one run: its settings and its data."""
        facts = {"data": self._data, **self.settings.to_json()}
        path = self.out / "settings.json"
        if path.exists():
            known = json.loads(path.read_text("utf-8"))
            for name, value in facts.items():
                if name not in _FREE and known.get(name) != value:
                    raise ChefError(
                        f"{self.out} holds a run with {name} {known.get(name)!r}, not {value!r}",
                        "choose another --out, or remove that folder",
                    )
        elif any(self.out.iterdir()):
            raise ChefError(f"{self.out} is not empty and holds no run", "choose another --out")
        write_whole(path, (json.dumps(facts, indent=2) + "\n").encode())

    def resumed(self, epoch: int) -> None:
        """Forget what was logged after the checkpoint: it will be logged again."""
        if not self.world.first or not self._log.exists():
            return
        lines = self._log.read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in lines if json.loads(line)["epoch"] <= epoch]
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
