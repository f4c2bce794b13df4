"""The progress bar of training: pairs per second, loss and time left."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from chef.train.settings import TrainSettings

if TYPE_CHECKING:
    from torch import Tensor

_REDRAW = 0.2  # seconds between updates of the bar


class Progress:
    """On a terminal one line that is rewritten, elsewhere one line per evaluation."""

    def __init__(self, settings: TrainSettings, shown: bool) -> None:
        self.settings = settings
        self.shown = shown
        self.live = shown and sys.stderr.isatty()
        self._loss: Tensor | float = 0.0
        self._drawn = 0.0
        self._pairs = self._batch = self._batches = self._epoch = self._steps = 0
        self._began = self._epoch_began = time.monotonic()

    @property
    def loss(self) -> float:
        """This process's share of the epoch's losses so far, summed over its batches."""
        return float(self._loss)

    @property
    def mean_loss(self) -> float:
        """This process's share of the epoch's mean loss so far."""
        return self.loss / self._batch if self._batch else float("nan")

    def start_epoch(self, epoch: int, batches: int, done: int, loss: float = 0.0) -> None:
        """An epoch begins, or resumes after `done` batches whose losses summed to `loss`."""
        self._epoch, self._batches, self._batch = epoch, batches, done
        self._loss, self._steps, self._pairs = loss, 0, 0
        self._epoch_began = time.monotonic()

    def step(self, loss: Tensor, pairs: int) -> None:
        """One more batch is done. Its loss stays on the device, because reading it would block the host."""
        self._loss = self._loss + loss
        self._steps += 1
        self._batch += 1
        self._pairs += pairs
        if self.live and time.monotonic() > self._drawn + _REDRAW:
            self._draw()

    def evaluated(self, epoch: int, loss: float | None, values: dict[str, float]) -> None:
        """Print the scores on the validation split; there is no loss before the first step."""
        if not self.shown:
            return
        scores = "  ".join(f"{name} {values[name]:.1f}" for name in ("medR", "R@1", "R@5", "R@10"))
        trained = "" if loss is None else f"loss {loss:.4f}  "
        line = f"epoch {epoch}/{self.settings.epochs}  {trained}{scores}  {self._speed()}"
        print(("\r\x1b[K" if self.live else "") + line, file=sys.stderr, flush=True)

    def say(self, message: str) -> None:
        """Print a message for the user."""
        if self.shown:
            print(message, file=sys.stderr, flush=True)

    def _speed(self) -> str:
        seconds = max(time.monotonic() - self._epoch_began, 1e-9)
        return f"{self._pairs / seconds:.0f} pairs/s"

    def _draw(self) -> None:
        seconds = time.monotonic() - self._epoch_began
        epochs_left = self.settings.epochs - self._epoch - self._batch / self._batches
        left = seconds / max(self._steps, 1) * self._batches * epochs_left
        filled = round(20 * self._batch / self._batches)
        bar = "█" * filled + "░" * (20 - filled)
        line = f"epoch {self._epoch + 1}/{self.settings.epochs} {bar} {self._speed()}"
        line += f"  loss {self.mean_loss:.4f}"
        print(f"\r\x1b[K{line}  {_clock(left)} left", end="", file=sys.stderr, flush=True)
        self._drawn = time.monotonic()


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
