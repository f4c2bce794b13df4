"""Progress of long-running work: silent by default, bars on a terminal, one line per stage elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

_REFRESH = 0.2  # seconds between two calls of a function that makes the detail


class Progress:
    """Receives stages, steps within a stage, and messages. This one ignores them all.

    >>> with ConsoleProgress() as progress:
    ...     progress.stage("reading recipes", total=3)
    ...     progress.advance()
    """

    live = False  # whether a bar is being drawn

    def stage(self, name: str, total: int | None = None, done: int = 0) -> None:
        """Start a new stage of `total` steps, where that is known; `done` of them are done already."""

    def advance(self, steps: int = 1, detail: str | Callable[[], str] = "") -> None:
        """Count steps of the current stage; `detail` is shown next to the bar.

        A function that makes the detail, where that is costly, is called a few times a second at most.
        """

    def say(self, message: str) -> None:
        """Show a message on a line of its own."""

    def close(self) -> None:
        """Stop drawing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ConsoleProgress(Progress):
    """On standard error: a bar per stage with its speed and the time left, or lines if it is no terminal."""

    def __init__(self) -> None:
        self._bars = _bars()
        self.live = not self._bars.disable
        self._task: TaskID | None = None
        self._refreshed = 0.0

    def stage(self, name: str, total: int | None = None, done: int = 0) -> None:
        if not self.live:
            self.say(name if total is None else f"{name} ({total:,})")
            return
        self._bars.start()  # only now: an error before the first stage must not hide the cursor
        if self._task is not None:  # fill the bar of the stage that has ended
            done_before = max(self._bars.tasks[self._task].completed, 1)
            self._bars.update(self._task, total=done_before, completed=done_before)
        self._task = self._bars.add_task(name, total=total, completed=done, detail="", counted=total)

    def advance(self, steps: int = 1, detail: str | Callable[[], str] = "") -> None:
        if self._task is None:
            return
        self._bars.update(self._task, advance=steps, counted=True)
        if not callable(detail):
            self._bars.update(self._task, detail=detail)
        elif time.monotonic() > self._refreshed + _REFRESH:
            self._bars.update(self._task, detail=detail())
            self._refreshed = time.monotonic()

    def say(self, message: str) -> None:
        if self.live:
            self._bars.console.print(message, markup=False, highlight=False)
        else:
            print(message, file=sys.stderr, flush=True)

    def close(self) -> None:
        self._bars.stop()


def _bars() -> Bars:
    from rich import progress as rich
    from rich.console import Console
    from rich.text import Text

    class Counts(rich.ProgressColumn):
        """Steps done, of how many, and how many a second; nothing for a stage that counts no steps."""

        def render(self, task: rich.Task) -> Text:
            if not task.fields["counted"]:
                return Text("")
            speed = task.finished_speed or task.speed
            total = "?" if task.total is None else f"{task.total:.0f}"
            return Text(f"{task.completed:.0f}/{total}" + (f" {speed:.1f}/s" if speed else ""))

    console = Console(stderr=True)
    return rich.Progress(
        rich.SpinnerColumn(),
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        Counts(),
        rich.TextColumn("{task.fields[detail]}", markup=False),
        rich.TimeElapsedColumn(),
        rich.TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
