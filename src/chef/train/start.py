"""The model a run starts from: fresh weights, or a trained model to fine-tune on your own recipes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from chef.data.prepared import Prepared, Reread, bytes_facts
from chef.errors import ChefError
from chef.model.artefact import find, load, read_config
from chef.model.joint import JointModel
from chef.model.pretrained_towers import load_tower
from chef.model.registry import ModelConfig, variant
from chef.model.words import Words, WordVectors, load_words
from chef.train.settings import TrainSettings, resolve_folder

# Of fine-tuning: few, small steps, because there is much to lose. Heads and encoders first; tower and words,
# which know the most, follow later and slower.
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
# Settings of the loss that a model was trained with and keeps, if its artefact records them.
_KEPT = ("loss", "margin", "miner", "intra_modal", "temperature")

FEW, LEAST = 50, 8  # training pairs: fewer than FEW is worth a warning, fewer than LEAST an error


def build_model(data: Prepared, settings: TrainSettings) -> JointModel:
    """A model with fresh weights over a pre-trained tower and words (a MiniLM, or the data's vectors)."""
    tower = load_tower(resolve_folder(settings.tower))
    if settings.image_size:
        crop = settings.image_crop or settings.image_size
        tower.use_size(settings.image_size, crop, whole=settings.image_views == 2)
    chosen = variant(settings.model)
    minilm = load_words(Path(resolve_folder(settings.words)), data.vocabulary) if chosen.has_minilm else None
    context = minilm if chosen.context else None
    words: Words = WordVectors(len(data.vocabulary), settings.word)
    own_vectors = minilm is None or chosen.context  # a MiniLM below the encoders brings its own
    if minilm is not None and not own_vectors:
        words = minilm
    config = ModelConfig(
        variant=settings.model,
        vocabulary=len(data.vocabulary),
        tower=tower.description,
        words=words.description,
        context=context.description if context else {},
        word=words.width,
        hidden=settings.hidden,
        space=settings.space,
        dropout=settings.dropout,
        image_views=settings.image_views,
        trees=settings.trees,
        taught=settings.main_weight > 0 or settings.action_weight > 0,
    )
    model = JointModel(config, tower, words, context)
    if own_vectors:
        model.set_word_vectors(narrowed(data.vectors, settings.word))
    return model


def narrowed(vectors: np.ndarray, width: int) -> np.ndarray:
    """Word vectors of at most this width: their principal components."""
    if width >= vectors.shape[1]:
        return vectors
    centred = vectors - vectors.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)  # the widest last
    projected: np.ndarray = (centred @ axes[:, ::-1][:, :width]).astype(vectors.dtype)
    return projected


def settings_for(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run that starts from a model: the user's, and defaults for the rest.

    The settings that shape the network are the model's and cannot be changed.

    >>> make_settings(settings_for("chef-base", {"epochs": 10}))
    """
    folder = find(Path(name))
    config = read_config(folder)
    model = ModelConfig.from_json(config["model"])
    chosen = variant(model.variant)
    own = {
        "model": model.variant,
        "tower": str(folder),
        "image_size": 0,  # the model's own
        "image_crop": 0,
        "words": str(folder) if chosen.has_minilm else "",
        "word": model.word,
        "hidden": model.hidden,
        "space": model.space,
        "dropout": model.dropout,
        "image_views": model.image_views,
        "trees": model.trees,
        "querybank": model.querybank,
    }
    for setting in own.keys() & values.keys():
        if values[setting] != own[setting]:
            raise ChefError(
                f"setting {setting!r} cannot be {values[setting]!r}: the model {name} fixes it",
                "leave it out",
            )
    before = config["about"].get("settings", {})
    kept = {} if chosen.objective else {key: before[key] for key in _KEPT if key in before}
    return {**DEFAULTS, **kept, **values, **own, "init": name}


def start_from(name: str, data: Prepared) -> tuple[JointModel, Prepared]:
    """The trained model, and the data encoded with its vocabulary."""
    folder = find(Path(name))
    model = load(folder, eight_bits=False).model
    model.tower.pretrained = True
    if not same_vocabulary(folder, data):
        data = Reread(data.folder, folder, read_config(folder)["text"])
    return model, data


def same_vocabulary(folder: Path, data: Prepared) -> bool:
    """Whether the model in this folder encodes recipes to the same word numbers as the data."""
    config, known = read_config(folder), data.lengths
    files = all(
        config["files"].get(name) == bytes_facts((data.text_folder / name).read_bytes())["sha256"]
        for name in ("vocabulary.tsv", "canonical.tsv")
    )
    return files and all(known[name] == value for name, value in config["text"].items())


def check_enough(pairs: int, say: Callable[[str], None]) -> None:
    """Warn about few training pairs, and refuse very few."""
    if pairs < LEAST:
        raise ChefError(
            f"{pairs} training pairs are too few to fine-tune a model on",
            f"prepare at least {LEAST} recipes with photos for training, better a few hundred",
        )
    if pairs < FEW:
        say(f"only {pairs} training pairs: expect little (it begins to pay at about {FEW})")
