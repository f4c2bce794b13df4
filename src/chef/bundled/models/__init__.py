"""The models that come with the package, by name."""

from __future__ import annotations

from pathlib import Path

from chef.errors import ChefError

SHIPPED = ("chef-base", "chef-ttl")  # the best first
FOLDER = Path(__file__).parent


def shipped() -> dict[str, Path]:
    """The folders of the models that this installation has, the best model first.

    >>> list(shipped())
    ['chef-base', 'chef-ttl']
    """
    return {name: FOLDER / name for name in SHIPPED if (FOLDER / name / "config.json").is_file()}


def best() -> str:
    """The best model of this installation.

    >>> best()
    'chef-base'
    """
    if not (names := list(shipped())):
        raise ChefError("no model came with this installation of chef", "install chef from its wheel")
    return names[0]


def shipped_folder(name: str) -> Path:
    """The folder of one of the models that come with the package."""
    try:
        return shipped()[name]
    except KeyError:
        raise ChefError(
            f"{name} is not in this installation of chef", "install chef from its wheel, or name a folder"
        ) from None
