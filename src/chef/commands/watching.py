"""Progress on standard error; nothing where that is not a terminal."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from chef.data.watch import Watch


class _Speed(ProgressColumn):
    """How many steps a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:.1f}/s" if speed else "")


class RichWatch(Watch):
    """A bar for each stage, with its speed and, where the end is known, the time left."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            _Speed(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._task: TaskID | None = None
        self._progress.start()

    def stage(self, name: str, total: int | None = None) -> None:
        self._end_stage()
        self._task = self._progress.add_task(name, total=total)

    def advance(self, steps: int = 1) -> None:
        if self._task is not None:
            self._progress.advance(self._task, steps)

    def say(self, message: str) -> None:
        if self._progress.disable:
            print(message, file=sys.stderr)
        else:
            self._progress.console.print(message, markup=False, highlight=False)

    def _end_stage(self) -> None:
        if self._task is not None:
            done = self._progress.tasks[self._task].completed
            self._progress.update(self._task, total=max(done, 1), completed=max(done, 1))

    def close(self) -> None:
        """Take the bars down."""
        self._progress.stop()
