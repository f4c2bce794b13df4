"""The artefact: a trained model as one folder that loads anywhere.

config.json       the model's configuration, text lengths, scores, checksums of the other files
vocabulary.tsv    words and their numbers
canonical.tsv     the canonical map that its recipes are read with
pieces.tsv        the word pieces that a model with MiniLM spells words with
weights-*.safetensors
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from chef.bundled.models import SHIPPED, best, shipped_folder
from chef.data.settings import PrepareSettings
from chef.errors import ChefError
from chef.loading import loading
from chef.model.blank import blank
from chef.model.config import ModelConfig
from chef.model.encoder import one_thread
from chef.model.joint import JointModel
from chef.model.recipe_model import RecipeModel
from chef.model.weights import load_weights, save_weights
from chef.model.words import PIECES
from chef.text.vocabulary import Vocabulary

FORMAT, VERSION = "chef-model", 1
_BEST = "best"  # where a training run keeps its best model


def save_artefact(
    folder: Path,
    model: JointModel,
    vocabulary: Path,
    canonical: Path,
    text: PrepareSettings,
    about: dict[str, Any],
    pieces: Path | None = None,
) -> None:
    """Write the model as an artefact, in place of the one that was there.

    `vocabulary` and `canonical` are the files of the prepared data, `pieces` that of its MiniLM's folder;
    `about` is what a reader should know of the model: scores, seed, data.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        shutil.copyfile(vocabulary, new / "vocabulary.tsv")
        shutil.copyfile(canonical, new / "canonical.tsv")
        if pieces is not None:
            shutil.copyfile(pieces, new / PIECES)
        weights = save_weights(new, model.state_dict())
        config = {
            "format": FORMAT,
            "version": VERSION,
            "model": model.config.to_json(),
            "text": {name: value for name, value in text.to_json().items() if name.startswith("max_")},
            "about": about,
            "weights": weights,
            "files": {file.name: _checksum(file) for file in sorted(new.iterdir())},
        }
        (new / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        os.chmod(new, 0o755)
        old = folder.with_name(f".{folder.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            os.replace(folder, old)
        os.replace(new, folder)
        shutil.rmtree(old, ignore_errors=True)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def load(name: str | Path | None = None) -> RecipeModel:
    """A model that comes with the package, of an artefact, or of a training run (its best), ready on the CPU.

    Without a name it is the best of those that come with the package.

    >>> model = chef.load()
    >>> model.embed_images(["dish.jpg"]).shape
    (1, 1024)
    """
    folder = shipped_folder(best()) if name is None else find(Path(name))
    with loading(), one_thread():
        return _load(folder)


def _load(folder: Path) -> RecipeModel:
    config = read_config(folder)
    _check_files(folder, config)
    with blank():
        model = JointModel(ModelConfig.from_json(config["model"]))
    state = load_weights(folder / file for file in config["weights"])
    try:
        model.load_state_dict(state, assign=True)  # the tensors themselves: no copy
    except RuntimeError as error:
        raise ChefError(f"the weights in {folder} are of another model", "fetch the model again") from error
    # Recurrent layers find their new weights here, and not on first use: that may be by two threads at once.
    model.to("cpu")
    return RecipeModel(
        model.eval(),
        Vocabulary.load(folder / "vocabulary.tsv"),
        folder / "canonical.tsv",
        PrepareSettings(**config["text"]),
        config["about"],
    )


def find(path: Path) -> Path:
    """The folder of the artefact: this one, that of the run's best model, or of the shipped one so named."""
    for folder in (path, path / _BEST):
        if (folder / "config.json").is_file():
            return folder
    if str(path) in SHIPPED:
        return shipped_folder(str(path))
    raise ChefError(
        f"no model in {str(path)!r}", "give a model's folder, or a run's (chef models lists them)"
    )


def read_config(folder: Path) -> dict[str, Any]:
    """The artefact's `config.json`: `model`, `text`, `about`. No weights are read."""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ChefError(f"{folder / 'config.json'} cannot be read", "fetch the model again") from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise ChefError(f"{folder} is not a chef model", "give a folder that chef train wrote")
    if config["version"] > VERSION:
        raise ChefError(f"the model in {folder} is from a newer version of chef", "update chef")
    return config


def _check_files(folder: Path, config: dict[str, Any]) -> None:
    for name, checksum in config["files"].items():
        file = folder / name
        if not file.is_file():
            raise ChefError(f"the model in {folder} lacks {name}", "fetch the model again")
        if _checksum(file) != checksum:
            raise ChefError(f"{file} is damaged", "fetch the model again")


def _checksum(file: Path) -> str:
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
