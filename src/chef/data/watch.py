"""How a long piece of work tells what it is doing. This one is silent; a command may show a bar."""

from __future__ import annotations


class Watch:
    """Hears of stages, of progress within them, and of things worth a line."""

    def stage(self, name: str, total: int | None = None) -> None:
        """A new stage begins; `total` is its size where that is known."""

    def advance(self, steps: int = 1) -> None:
        """So much more of the stage is done."""

    def say(self, message: str) -> None:
        """Something the user should know."""
