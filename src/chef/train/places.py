"""Folders in settings: those below `$CHEF_WEIGHTS`, and how settings look elsewhere.

Settings travel with a model, so they should not tell where its maker keeps things.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from chef.errors import ChefError

VARIABLE = "CHEF_WEIGHTS"
_PLACES = ("init", "tower", "words", "distill")  # settings that may name folders


def folder(value: str) -> str:
    """The folder that a setting means: `$CHEF_WEIGHTS/NAME` is below the one that this variable names.

    >>> load_tower(folder("$CHEF_WEIGHTS/food-mobilenet"))
    """
    start, _, name = value.partition("/")
    if start != f"${VARIABLE}":
        return value
    if VARIABLE not in os.environ:
        raise ChefError(
            f"{value} is needed, and {VARIABLE} is not set",
            f"set {VARIABLE} to the folder of pre-trained weights (docs/training.md says which)",
        )
    found = Path(os.environ[VARIABLE]) / name
    if not found.is_dir():
        raise ChefError(f"no folder {found}", "docs/training.md says how to make it")
    return str(found)


def without_places(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with the last part of each absolute path in place of the whole."""
    return {
        name: ",".join(_last(part.strip()) for part in value.split(",")) if name in _PLACES else value
        for name, value in settings.items()
    }


def _last(path: str) -> str:
    return Path(path).name if Path(path).is_absolute() else path
