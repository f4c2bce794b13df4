"""What comes with the package: trained models by name, and a cookbook."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from chef.errors import ChefError
from chef.recipe import Recipe

SHIPPED = ("chef-base", "chef-ttl")  # the best model first
MODELS, COOKBOOK = Path(__file__).parent / "models", Path(__file__).parent / "cookbook"
COLLECTION = Path(__file__).parent / "cookbook.arrow"  # made by scripts/make_cookbook.py
SOURCE, LICENCE = "chef cookbook", "Apache-2.0"


def shipped() -> dict[str, Path]:
    """The folders of the models that this installation has, the best model first.

    >>> list(shipped())
    ['chef-base', 'chef-ttl']
    """
    return {name: MODELS / name for name in SHIPPED if (MODELS / name / "config.json").is_file()}


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


def cookbook() -> Iterator[Recipe]:
    """Well-known dishes of many cuisines, written for CHEF, cuisine by cuisine.

    >>> next(cookbook()).source
    'chef cookbook'
    """
    for text in _cuisines():
        for entry in json.loads(text):
            yield replace(Recipe.from_json(entry), source=SOURCE, licence=LICENCE)


def cookbook_digest() -> str:
    """sha256 of the cookbook: another one means other recipes."""
    return hashlib.sha256("\0".join(_cuisines()).encode()).hexdigest()


def _cuisines() -> list[str]:
    return [file.read_text("utf-8") for file in sorted(COOKBOOK.glob("*.json"))]
