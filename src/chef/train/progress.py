"""What a person sees while a model trains: a bar with loss, pairs per second and the time left."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from chef.progress import ConsoleProgress, Progress
from chef.train.settings import TrainSettings

if TYPE_CHECKING:
    from torch import Tensor

_REDRAW = 0.2  # seconds between two looks at the loss


class TrainingProgress:
    """One bar over all epochs, a line per evaluation, and the running loss; silent unless `shown`."""

    def __init__(self, settings: TrainSettings, shown: bool) -> None:
        self.settings = settings
        self.display = ConsoleProgress() if shown else Progress()
        self._loss: Tensor | float = 0.0
        self._drawn = 0.0
        self._pairs = self._batch = self._epoch = self._pending = 0
        self._started = False
        self._epoch_began = time.monotonic()

    @property
    def loss(self) -> float:
        """This process's share of the epoch's losses so far, summed over its batches."""
        return float(self._loss)

    @property
    def mean_loss(self) -> float:
        """This process's share of the epoch's mean loss so far."""
        return self.loss / self._batch if self._batch else float("nan")

    def start_epoch(self, epoch: int, batches: int, done: int, loss: float = 0.0) -> None:
        """An epoch begins, or continues after `done` batches, whose losses add up to `loss`."""
        if not self._started:
            self.display.stage("training", batches * self.settings.epochs, batches * epoch + done)
            self._started = True
        self._epoch, self._batch, self._loss, self._pairs = epoch, done, loss, 0
        self._epoch_began = time.monotonic()

    def step(self, loss: Tensor, pairs: int) -> None:
        """One more batch is done. Its loss stays on its device: reading it would make the host wait."""
        self._loss = self._loss + loss
        self._batch += 1
        self._pairs += pairs
        self._pending += 1
        if self.display.live and time.monotonic() > self._drawn + _REDRAW:
            place = f"epoch {self._epoch + 1}/{self.settings.epochs}"
            detail = f"{place}  {self._speed()}  loss {self.mean_loss:.4f}"
            self.display.advance(self._pending, detail)
            self._drawn, self._pending = time.monotonic(), 0

    def evaluated(self, epoch: int, loss: float | None, values: dict[str, float]) -> None:
        """The model was scored on the validation split; it has no loss before its first step."""
        scores = "  ".join(f"{name} {values[name]:.1f}" for name in ("medR", "R@1", "R@5", "R@10"))
        trained = "" if loss is None else f"loss {loss:.4f}  "
        self.say(f"epoch {epoch}/{self.settings.epochs}  {trained}{scores}  {self._speed()}")

    def say(self, message: str) -> None:
        """Show a message on a line of its own."""
        self.display.say(message)

    def close(self) -> None:
        """Stop drawing."""
        self.display.close()

    def _speed(self) -> str:
        seconds = max(time.monotonic() - self._epoch_began, 1e-9)
        return f"{self._pairs / seconds:.0f} pairs/s"
