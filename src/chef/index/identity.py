"""Which model a collection was made with: vectors of two models do not compare."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import torch

from chef.bundled.models import SHIPPED, best
from chef.errors import ChefError
from chef.model.artefact import load as load_model
from chef.model.recipe_model import RecipeModel

_NAMELESS = ""
# What was loaded here by name, so that a model that is handed on as an object still has one.
_names: dict[str, str] = {}


def fingerprint(chef: RecipeModel) -> str:
    """sha256 of all that shapes what a model says: weights, words, canonical map, lengths.

    Field by field, not the settings as a whole: a collection must outlive a version of chef that adds one.
    """
    config, text = chef.model.config, chef.texts.settings
    lengths = (text.max_words, text.max_ingredients, text.max_sentences)
    found = hashlib.sha256(repr((config.variant, config.image_views, lengths)).encode())
    found.update("\n".join(chef.vocabulary.words).encode())
    found.update(chef.texts.canonical.digest.encode())
    for name, value in sorted(chef.model.state_dict().items()):
        found.update(name.encode())
        found.update(value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
    return found.hexdigest()


def load(model: str | Path | RecipeModel | None) -> RecipeModel:
    """The model of a name or folder, or as it was given; without any, the best in the box."""
    if isinstance(model, RecipeModel):
        return model
    if model == _NAMELESS:
        raise ChefError(
            "the collection's model was given as an object and has no name", "give the model again"
        )
    chef = load_model(model)
    _names[fingerprint(chef)] = model_name(model)
    return chef


def model_name(model: str | Path | RecipeModel | None) -> str:
    """How a collection names its model: a model in the box by name, any other by its whole path."""
    if isinstance(model, RecipeModel):
        return _names.get(fingerprint(model), _NAMELESS)
    if model is None:
        return best()
    if str(model) in SHIPPED and not Path(model).exists():
        return str(model)
    return os.path.abspath(model)
