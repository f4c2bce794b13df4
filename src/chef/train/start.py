"""Starting from a trained model: fine-tuning on recipes and photos of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from chef.data.prepared import Prepared
from chef.data.reread import Reread
from chef.errors import ChefError
from chef.model.artefact import find, load, read_config
from chef.model.config import ModelConfig
from chef.model.joint import JointModel
from chef.model.registry import variant
from chef.train.teachers import reads_alike

# Small steps, few of them: there is much to lose. Heads and encoders first; tower and words, which know
# the most, follow later and slower.
DEFAULTS: dict[str, Any] = {
    "epochs": 30,
    "batch": 64,
    "learning_rate": 1e-4,
    "tower_rate": 0.1,
    "words_rate": 0.1,
    "weight_decay": 0.01,
    "clip": 1.0,
    "schedule": "cosine",
    "freeze_epochs": 10,
    "patience": 6,
}
# What a model was trained to do it goes on doing, where its artefact says what that was.
_KEPT = ("loss", "margin", "miner", "intra_modal", "temperature")

FEW, LEAST = 50, 8  # training pairs: below, the user is told; below, there is nothing to learn from


def settings_for(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run that starts from a model: what the user wants, and defaults for the rest.

    What shapes the network is the model's own, and cannot be wanted otherwise.

    >>> make_settings(settings_for("chef-base", {"epochs": 10}))
    """
    folder = find(Path(name))
    config = read_config(folder)
    model = ModelConfig.from_json(config["model"])
    chosen = variant(model.variant)
    own = {
        "model": model.variant,
        "tower": str(folder),
        "image_size": 0,  # as the model has them
        "image_crop": 0,
        "words": str(folder) if chosen.has_minilm else "",
        "word": model.word,
        "hidden": model.hidden,
        "space": model.space,
        "dropout": model.dropout,
        "image_views": model.image_views,
    }
    for setting in own.keys() & values.keys():
        if values[setting] != own[setting]:
            raise ChefError(
                f"setting {setting!r} cannot be {values[setting]!r}: the model in {name} is there already",
                "leave it out",
            )
    before = config["about"].get("settings", {})
    kept = {} if chosen.objective else {key: before[key] for key in _KEPT if key in before}
    return {**DEFAULTS, **kept, **values, **own, "init": name}


def start_from(name: str, data: Prepared) -> tuple[JointModel, Prepared]:
    """The model to go on with, and the data as it reads them."""
    folder = find(Path(name))
    model = load(folder).model.float()
    model.tower.pretrained = True
    if not reads_alike(folder, data):
        data = Reread(data.folder, folder, read_config(folder)["text"])
    return model, data


def check_enough(pairs: int, say: Callable[[str], None]) -> None:
    """Few pairs are worth a word, and very few no attempt."""
    if pairs < LEAST:
        raise ChefError(
            f"{pairs} training pairs are too few to fine-tune a model on",
            f"prepare at least {LEAST} recipes with photos for training, better some hundred",
        )
    if pairs < FEW:
        say(f"only {pairs} training pairs: expect little of it (from {FEW} on it begins to pay)")
