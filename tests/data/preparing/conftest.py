"""Runs that are heard or stopped."""

import pytest

from chef.progress import Progress


class Heard(Progress):
    """Keeps what a run says."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.stages: list[str] = []

    def stage(self, name, total=None, done=0):
        self.stages.append(name)

    def say(self, message):
        self.said.append(message)


class Stop(Progress):
    """Stops a run after so many steps of its parts, or before the stage of this name."""

    def __init__(self, after: int = 3, before: str = "-") -> None:
        self.after, self.before = after, before

    def stage(self, name, total=None, done=0):
        if self.before in name:
            raise KeyboardInterrupt

    def advance(self, steps=1, detail=""):
        self.after -= steps
        if self.after <= 0:
            raise KeyboardInterrupt


@pytest.fixture
def interrupted(prepare_quick):
    """`prepare`, stopped on the way."""

    def run(source, out, stop: Stop | None = None, **options) -> None:
        with pytest.raises(KeyboardInterrupt):
            prepare_quick(source, out, progress=stop or Stop(), **options)

    return run
