"""What a person sees while a model trains: a bar with pairs a second and the time left."""

from __future__ import annotations

import sys
import time

from chef.train.settings import TrainSettings


class Progress:
    """One line that is written over on a terminal, one line an evaluation elsewhere."""

    def __init__(self, settings: TrainSettings, shown: bool) -> None:
        self.settings = settings
        self.shown = shown
        self.live = shown and sys.stderr.isatty()
        self._losses: list[float] = []
        self._pairs = self._batch = self._batches = self._epoch = 0
        self._began = self._epoch_began = time.monotonic()

    @property
    def mean_loss(self) -> float:
        """Of this epoch's steps since the run was started."""
        return sum(self._losses) / len(self._losses) if self._losses else float("nan")

    def start_epoch(self, epoch: int, batches: int, done: int) -> None:
        """An epoch begins, or goes on after `done` batches."""
        self._epoch, self._batches, self._batch = epoch, batches, done
        self._losses, self._pairs = [], 0
        self._epoch_began = time.monotonic()

    def step(self, loss: float, pairs: int) -> None:
        """One more batch is done."""
        self._losses.append(loss)
        self._batch += 1
        self._pairs += pairs
        if self.live:
            self._draw()

    def evaluated(self, epoch: int, values: dict[str, float]) -> None:
        """The model was scored on the validation split."""
        if not self.shown:
            return
        scores = "  ".join(f"{name} {values[name]:.1f}" for name in ("medR", "R@1", "R@5", "R@10"))
        line = f"epoch {epoch}/{self.settings.epochs}  loss {self.mean_loss:.4f}  {scores}  {self._speed()}"
        print(("\r\x1b[K" if self.live else "") + line, file=sys.stderr, flush=True)

    def say(self, message: str) -> None:
        """Something the user should know."""
        if self.shown:
            print(message, file=sys.stderr, flush=True)

    def _speed(self) -> str:
        seconds = max(time.monotonic() - self._epoch_began, 1e-9)
        return f"{self._pairs / seconds:.0f} pairs/s"

    def _draw(self) -> None:
        seconds = time.monotonic() - self._epoch_began
        epochs_left = self.settings.epochs - self._epoch - self._batch / self._batches
        left = seconds / max(len(self._losses), 1) * self._batches * epochs_left
        filled = round(20 * self._batch / self._batches)
        bar = "█" * filled + "░" * (20 - filled)
        line = f"epoch {self._epoch + 1}/{self.settings.epochs} {bar} {self._speed()}"
        line += f"  loss {self._losses[-1]:.4f}"
        print(f"\r\x1b[K{line}  {_clock(left)} left", end="", file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
