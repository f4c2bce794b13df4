"""The artefact: a trained model as one folder that loads anywhere.

config.json       the model's configuration, text lengths, scores, checksums of the other files
vocabulary.tsv    words and their numbers
canonical.tsv     the canonical map that its recipes are read with
pieces.tsv        the word pieces of a model with MiniLM
weights-*.safetensors
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from chef.bundled import SHIPPED, best, shipped_folder
from chef.data.texts import PrepareSettings, reading
from chef.errors import ChefError
from chef.files import loading, staging_folder
from chef.model.encoder import one_thread
from chef.model.joint import JointModel
from chef.model.recipe_model import RecipeModel
from chef.model.registry import ModelConfig
from chef.model.words import PIECES
from chef.text.vocabulary import Vocabulary

FORMAT, VERSION = "chef-model", 2  # 2: weights may have 8 bits
MOST_BYTES = 14_000_000  # of the tensors in one file; the header comes on top
_BEST = "best"  # where a training run keeps its best model
_PART = "#"  # a tensor too large for one file is cut by rows: name#0, name#1 ...
_SCALE = "@scale"  # of the rows of a tensor in 8 bits
_SMALL = 10_000  # numbers: smaller tensors stay in half precision


def save_artefact(
    folder: Path,
    model: JointModel,
    vocabulary: Path,
    canonical: Path,
    text: PrepareSettings,
    about: dict[str, Any],
    pieces: Path | None = None,
    eight_bits: bool = False,
) -> None:
    """Write the model as an artefact, replacing the one in that folder.

    `vocabulary` and `canonical` are files of the prepared data, `pieces` one of the MiniLM's folder;
    `about` is what a reader should know about the model: scores, seed, data. eight_bits: see `save_weights`.
    """
    with staging_folder(folder, existing="replace") as new:
        shutil.copyfile(vocabulary, new / "vocabulary.tsv")
        shutil.copyfile(canonical, new / "canonical.tsv")
        if pieces is not None:
            shutil.copyfile(pieces, new / PIECES)
        weights = save_weights(new, model.state_dict(), eight_bits)
        config = {
            "format": FORMAT,
            "version": VERSION if eight_bits else 1,
            "model": model.config.to_json(),
            "text": reading(text.to_json()),
            "about": about,
            "weights": weights,
            "files": {file.name: _checksum(file) for file in sorted(new.iterdir())},
        }
        (new / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def load(name: str | Path | None = None) -> RecipeModel:
    """A bundled model by name, an artefact, or the best model of a training run, ready on the CPU.

    Without a name it is the best bundled model.

    >>> model = chef.load()
    >>> model.embed_images(["dish.jpg"]).shape
    (1, 1024)
    """
    folder = shipped_folder(best()) if name is None else find(Path(name))
    is_bundled = name is None or (str(name) in SHIPPED and not Path(name).exists())
    config = read_config(folder)
    with loading(), one_thread(), _reading(folder):
        for file, checksum in config["files"].items():
            if not (folder / file).is_file():
                raise ChefError(f"the model in {folder} lacks {file}", "fetch the model again")
            if _checksum(folder / file) != checksum:
                raise ChefError(f"{folder / file} is damaged", "fetch the model again")
        with torch.random.fork_rng(devices=[]):  # the random initial weights are not used
            model = JointModel(ModelConfig.from_json(config["model"]))
        state = load_weights(folder / file for file in config["weights"])
        try:
            model.load_state_dict(state, assign=True)  # no copy
        except RuntimeError as error:
            problem = f"the weights in {folder} belong to another model"
            raise ChefError(problem, "fetch the model again") from error
        # Recurrent layers look up their new weights now, not on first use by several threads at once.
        model.to("cpu")
        return RecipeModel(
            model.eval(),
            Vocabulary.load(folder / "vocabulary.tsv"),
            folder / "canonical.tsv",
            PrepareSettings(**config["text"]),
            config["about"],
            str(name or best()) if is_bundled else os.path.abspath(name or folder),
        )


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """A configuration that lacks something, or says it in another way, is an error in one line."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise ChefError(f"{folder / 'config.json'} is damaged: {error}", "fetch the model again") from error


def find(path: Path) -> Path:
    """The folder of an artefact: this one, that of a run's best model, or that of a bundled model."""
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
    with _reading(folder):
        is_newer = config["version"] > VERSION
        _ = config["model"]["variant"], config["text"], config["about"], config["weights"], config["files"]
    if is_newer:
        raise ChefError(f"the model in {folder} is from a newer version of chef", "update chef")
    return config


def _checksum(file: Path) -> str:
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def save_weights(folder: Path, tensors: dict[str, Tensor], eight_bits: bool = False) -> list[str]:
    """Write the tensors to weights-00001.safetensors and so on, each under 15 MB -> the names of the files.

    Floating-point numbers are stored in half precision, which moves an embedding by less than 1 %; with
    `eight_bits` those of large matrices in 8 bits, with a scale for each row.
    """
    from safetensors.torch import save_file

    files: list[dict[str, Tensor]] = [{}]
    size = 0  # of the last
    stored: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        tensor = tensor.detach().cpu()
        if eight_bits and tensor.is_floating_point() and tensor.dim() > 1 and tensor.numel() >= _SMALL:
            rows = tensor.float().flatten(1)
            scale = (rows.abs().amax(1) / 127).clamp(min=torch.finfo(torch.float32).tiny)
            stored[name + _SCALE] = scale
            tensor = (rows / scale[:, None]).round().to(torch.int8).view(tensor.shape)
        elif tensor.is_floating_point():
            tensor = tensor.half()
        stored[name] = tensor
    for name, tensor in sorted(stored.items()):
        tensor = tensor.contiguous().clone()
        pieces, count = {name: tensor}, -(-tensor.nbytes // MOST_BYTES)
        if count > 1 and tensor.dim():
            cuts = enumerate(tensor.tensor_split(count))
            pieces = {f"{name}{_PART}{number}": piece.clone() for number, piece in cuts}
        for key, piece in pieces.items():
            if files[-1] and size + piece.nbytes > MOST_BYTES:
                files.append({})
                size = 0
            files[-1][key] = piece
            size += piece.nbytes
    names = [f"weights-{number:05d}.safetensors" for number in range(1, len(files) + 1)]
    for name, file in zip(names, files, strict=True):
        save_file(file, folder / name)
    return names


def load_weights(files: Iterable[Path]) -> dict[str, Tensor]:
    """The tensors of the files, in single precision."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    pieces: dict[str, Tensor] = {}
    for file in files:
        try:
            pieces.update(load_file(file))
        except (SafetensorError, OSError) as error:
            raise ChefError(f"damaged or missing weights: {file.name}", "fetch the model again") from error
    parts: dict[str, list[tuple[int, Tensor]]] = {}
    for key, tensor in pieces.items():
        name, _, number = key.partition(_PART)
        parts.setdefault(name, []).append((int(number or 0), tensor))
    weights = {}
    for name, numbered in parts.items():
        tensors = [tensor for _, tensor in sorted(numbered, key=lambda part: part[0])]
        tensor = tensors[0] if len(tensors) == 1 else torch.cat(tensors)
        weights[name] = tensor.float() if tensor.is_floating_point() else tensor
    for name in [name for name in weights if name.endswith(_SCALE)]:
        scale, whole = weights.pop(name), weights[name.removesuffix(_SCALE)]
        weights[name.removesuffix(_SCALE)] = whole.float() * scale.view(-1, *[1] * (whole.dim() - 1))
    return weights
