"""The folder of a model, read without torch: where it is, its configuration, its weights as arrays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from chef.bundled import SHIPPED, shipped_folder
from chef.errors import ChefError

FORMAT, VERSION = "chef-model", 2  # 2: weights may have 8 bits
PART = "#"  # a tensor too large for one file is cut by rows: name#0, name#1 ...
SCALE = "@scale"  # of the rows of a tensor in 8 bits
_BEST = "best"  # where a training run keeps its best model

Array = np.ndarray[Any, Any]


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
    with reading_config(folder):
        is_newer = config["version"] > VERSION
        _ = config["model"]["variant"], config["text"], config["about"], config["weights"], config["files"]
    if is_newer:
        raise ChefError(f"the model in {folder} is from a newer version of chef", "update chef")
    return config


@contextmanager
def reading_config(folder: Path) -> Iterator[None]:
    """A configuration that lacks something, or says it in another way, is an error in one line."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise ChefError(f"{folder / 'config.json'} is damaged: {error}", "fetch the model again") from error


def check_file(folder: Path, file: str, checksum: str) -> None:
    """Raise ChefError unless a file of a model is there and whole."""
    if not (folder / file).is_file():
        raise ChefError(f"the model in {folder} lacks {file}", "fetch the model again")
    if checksum_of(folder / file) != checksum:
        raise ChefError(f"{folder / file} is damaged", "fetch the model again")


def checksum_of(file: Path) -> str:
    """sha256."""
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def read_weights(files: Iterable[Path], wanted: set[str] | None = None) -> dict[str, Array]:
    """The tensors of the files, in single precision; with `wanted`, only those."""
    return in_floats(stored_weights(files, wanted))


def stored_weights(files: Iterable[Path], wanted: set[str] | None = None) -> dict[str, Array]:
    """The tensors of the files; those of 8 bits as they are, and the scales of their rows apart (`SCALE`)."""
    from safetensors import SafetensorError, safe_open

    parts: dict[str, list[tuple[int, Array]]] = {}
    for file in files:
        try:
            with safe_open(file, "numpy") as opened:
                keys = opened.keys()
                for key in keys:
                    name, _, number = key.partition(PART)
                    if wanted is None or name.removesuffix(SCALE) in wanted:
                        parts.setdefault(name, []).append((int(number or 0), opened.get_tensor(key)))
        except (SafetensorError, OSError) as error:
            raise ChefError(f"damaged or missing weights: {file.name}", "fetch the model again") from error
    weights = {}
    for name, numbered in parts.items():
        arrays = [array for _, array in sorted(numbered, key=lambda part: part[0])]
        array = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
        weights[name] = array.astype(np.float32) if array.dtype == np.float16 else array
    return weights


def in_floats(stored: dict[str, Array]) -> dict[str, Array]:
    """`stored_weights` in single precision."""
    weights = {name: array for name, array in stored.items() if not name.endswith(SCALE)}
    for name in stored.keys() - weights.keys():
        scale, whole = stored[name], weights[name.removesuffix(SCALE)]
        weights[name.removesuffix(SCALE)] = whole * scale.reshape(-1, *[1] * (whole.ndim - 1))
    return weights
