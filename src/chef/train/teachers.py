"""Teachers: trained models whose points of all training pairs a student learns from."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from chef.data.manifest import file_facts
from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.model.artefact import find, load, read_config
from chef.train.evaluate import embed_split


def teacher_points(
    names: str, data: Prepared, device: torch.device, workers: int = 0
) -> list[tuple[Tensor, Tensor]]:
    """Images and recipes of the training pairs, (n, space) each, as each of these models sees them.

    names: models or runs, parted by commas; trained on these data, so that they know the same words.
    """
    split, found = data.split("train"), []
    for name in (part.strip() for part in names.split(",")):
        folder = find(Path(name))
        if not reads_alike(folder, data):
            raise ChefError(
                f"the teacher {name!r} reads other words than these data hold",
                "give one that was trained on the same prepared data",
            )
        model = load(folder).model.to(device)
        pairs = PairDataset(split, model.tower.transform, training=False)
        images, recipes = embed_split(model, pairs, workers)
        found.append((torch.from_numpy(images), torch.from_numpy(recipes)))
    return found


def reads_alike(folder: Path, data: Prepared) -> bool:
    """Whether the model in this folder reads recipes to the very word numbers that the data hold."""
    config, known = read_config(folder), data.lengths
    files = all(
        config["files"].get(name) == file_facts(data.text_folder / name)["sha256"]
        for name in ("vocabulary.tsv", "canonical.tsv")
    )
    return files and all(known[name] == value for name, value in config["text"].items())
