"""Weights on disk: half-precision safetensors in files under 15 MB. No pickle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import torch
from torch import Tensor

from chef.errors import ChefError

MOST_BYTES = 14_000_000  # a file's tensors; its header comes on top
_PART = "#"  # a tensor too large for one file is cut by rows: name#0, name#1 ...


def save_weights(folder: Path, tensors: dict[str, Tensor]) -> list[str]:
    """Write the tensors as weights-00001.safetensors and so on; returns the files' names.

    Floating-point numbers become half precision, which moves an embedding by less than 1 %.
    """
    from safetensors.torch import save_file

    names = []
    for number, group in enumerate(_groups(_pieces(tensors)), start=1):
        names.append(f"weights-{number:05d}.safetensors")
        save_file(group, folder / names[-1])
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
    joined = {name: _join(found) for name, found in parts.items()}
    return {name: tensor.float() if tensor.is_floating_point() else tensor for name, tensor in joined.items()}


def _join(parts: list[tuple[int, Tensor]]) -> Tensor:
    tensors = [tensor for _, tensor in sorted(parts, key=lambda part: part[0])]
    return tensors[0] if len(tensors) == 1 else torch.cat(tensors)


def _pieces(tensors: dict[str, Tensor]) -> Iterator[tuple[str, Tensor]]:
    for name, tensor in sorted(tensors.items()):
        tensor = tensor.detach().cpu()
        tensor = (tensor.half() if tensor.is_floating_point() else tensor).contiguous().clone()
        count = -(-_bytes(tensor) // MOST_BYTES)
        if count == 1 or not tensor.dim():
            yield name, tensor
        else:
            for number, part in enumerate(tensor.tensor_split(count)):
                yield f"{name}{_PART}{number}", part.clone()


def _groups(pieces: Iterable[tuple[str, Tensor]]) -> Iterator[dict[str, Tensor]]:
    group: dict[str, Tensor] = {}
    size = 0
    for name, tensor in pieces:
        if group and size + _bytes(tensor) > MOST_BYTES:
            yield group
            group, size = {}, 0
        group[name] = tensor
        size += _bytes(tensor)
    if group:
        yield group


def _bytes(tensor: Tensor) -> int:
    return tensor.numel() * tensor.element_size()
