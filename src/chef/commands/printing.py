"""Printing tables and trees for a person."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType


def out(*parts: RenderableType) -> None:
    """Print the parts; a pipe has no width, so lines are not cut at 80 columns there."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 140)
    for part in parts:
        console.print(part)
