"""CHEF pairs dish photos with recipes in one space.

>>> import chef
>>> model = chef.load()
>>> model.embed_recipes(chef.read("my-recipes/")).shape
(1200, 1024)

Importing this package is cheap: torch loads only when a model does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from chef.errors import ChefError as ChefError
    from chef.index import Index as Index
    from chef.model.artefact import load as load
    from chef.readers import read as read
    from chef.recipe import Ingredient as Ingredient
    from chef.recipe import Recipe as Recipe
    from chef.recipe import Step as Step

# What `chef.NAME` gives, and the module it comes from on first use.
_PUBLIC = {
    "Recipe": "chef.recipe",
    "Ingredient": "chef.recipe",
    "Step": "chef.recipe",
    "read": "chef.readers",
    "load": "chef.model.artefact",
    "ChefError": "chef.errors",
    "Index": "chef.index",
}

__all__ = ["ChefError", "Index", "Ingredient", "Recipe", "Step", "__version__", "load", "read"]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'chef' has no attribute {name!r}")
    from chef.files import loading

    with loading():
        return getattr(import_module(_PUBLIC[name]), name)
