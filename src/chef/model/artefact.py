"""The artefact: a trained model as one folder that loads anywhere.

config.json       the model's configuration, text lengths, scores, checksums of the other files
vocabulary.tsv    words and their numbers
canonical.tsv     the canonical map that its recipes are read with
pieces.tsv        the word pieces of a model with MiniLM
photo.onnx        the graph of the photo side (`chef.model.photos`), in bundled models
weights-*.safetensors
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from chef.bundled import SHIPPED, best, shipped_folder
from chef.data.texts import PrepareSettings, reading
from chef.errors import ChefError
from chef.files import loading, staging_folder
from chef.model.eight_bits import is_fast, scale_of, to_eight_bits, use_eight_bits
from chef.model.encoder import one_thread
from chef.model.folder import (
    FORMAT,
    PART,
    SCALE,
    VERSION,
    Array,
    check_file,
    checksum_of,
    in_floats,
    read_weights,
    reading_config,
    stored_weights,
)
from chef.model.folder import find as find
from chef.model.folder import read_config as read_config
from chef.model.joint import JointModel
from chef.model.photos import PhotoSide
from chef.model.recipe_model import RecipeModel
from chef.model.registry import ModelConfig
from chef.model.words import PIECES
from chef.text.vocabulary import Vocabulary

MOST_BYTES = 14_000_000  # of the tensors in one file; the header comes on top
SMALL = 10_000  # numbers: smaller tensors stay in half precision


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
            "files": {file.name: checksum_of(file) for file in sorted(new.iterdir())},
        }
        (new / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def load(name: str | Path | None = None, *, eight_bits: bool = True) -> RecipeModel:
    """A bundled model by name, an artefact, or the best model of a training run, ready on the CPU.

    Without a name it is the best bundled model. eight_bits: whether weights that are stored in 8 bits stay so
    where that is faster (`chef.model.eight_bits`); such a model cannot be trained.

    >>> model = chef.load()
    >>> model.embed_images(["dish.jpg"]).shape
    (1, 1024)
    """
    folder = shipped_folder(best()) if name is None else find(Path(name))
    is_bundled = name is None or (str(name) in SHIPPED and not Path(name).exists())
    config = read_config(folder)
    with loading(), one_thread(), reading_config(folder):
        for file, checksum in config["files"].items():
            check_file(folder, file, checksum)
        with torch.random.fork_rng(devices=[]), _Unset():
            model = JointModel(ModelConfig.from_json(config["model"]))
        stored = stored_weights(folder / file for file in config["weights"])
        try:
            model.load_state_dict(_tensors(in_floats(stored)), assign=True)  # no copy
        except RuntimeError as error:
            problem = f"the weights in {folder} belong to another model"
            raise ChefError(problem, "fetch the model again") from error
        # Recurrent layers look up their new weights now, not on first use by several threads at once.
        model.to("cpu")
        if eight_bits and is_fast():
            use_eight_bits(model, _tensors(stored))
        return RecipeModel(
            model.eval(),
            Vocabulary.load(folder / "vocabulary.tsv"),
            folder / "canonical.tsv",
            PrepareSettings(**config["text"]),
            config["about"],
            str(name or best()) if is_bundled else os.path.abspath(name or folder),
            cache(lambda: PhotoSide(folder, config)) if "photo" in config else None,
        )


class _Unset(TorchFunctionMode):
    """Inside, a network's new weights are whatever the memory holds: those of a file replace them anyway."""

    _FILLS = (nn.init.kaiming_uniform_, nn.init.uniform_, nn.init.normal_, Tensor.uniform_, Tensor.normal_)

    def __torch_function__(
        self, function: Any, types: Any, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        named = kwargs or {}
        if function in self._FILLS:
            return [*args, *named.values()][0]
        if function is torch.linalg.qr:  # makes random weights orthogonal
            return args[0], args[0]
        return function(*args, **named)


def save_weights(folder: Path, tensors: dict[str, Tensor], eight_bits: bool = False) -> list[str]:
    """Write the tensors to weights-00001.safetensors and so on, each under 15 MB -> the names of the files.

    Floating-point numbers are stored in half precision, which moves an embedding by less than 1 %; with
    `eight_bits` those of large matrices in 8 bits, with a scale for each row. Convolutions, whose few
    numbers are used at every place of a photo, stay in half precision.
    """
    from safetensors.torch import save_file

    files: list[dict[str, Tensor]] = [{}]
    size = 0  # of the last
    stored: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        tensor = tensor.detach().cpu()
        if eight_bits and tensor.is_floating_point() and tensor.dim() == 2 and tensor.numel() >= SMALL:
            stored[name + SCALE] = scale_of(tensor.float())
            tensor = to_eight_bits(tensor.float(), stored[name + SCALE])
        elif tensor.is_floating_point():
            tensor = tensor.half()
        stored[name] = tensor
    for name, tensor in sorted(stored.items()):
        tensor = tensor.contiguous().clone()
        pieces, count = {name: tensor}, -(-tensor.nbytes // MOST_BYTES)
        if count > 1 and tensor.dim():
            cuts = enumerate(tensor.tensor_split(count))
            pieces = {f"{name}{PART}{number}": piece.clone() for number, piece in cuts}
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
    return _tensors(read_weights(files))


def _tensors(arrays: dict[str, Array]) -> dict[str, Tensor]:
    return {name: torch.from_numpy(array) for name, array in arrays.items()}
