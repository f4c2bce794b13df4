"""The retrieval protocol (Tables 1 and S1): two matrices in, medR and R@K with intervals out.

Full set, 10 folds of 1k and 10 folds of 10k where there are enough pairs, both directions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chef.errors import ChefError
from chef.measure.folds import SIZES, folds
from chef.measure.intervals import intervals
from chef.measure.paired import paired
from chef.measure.ranks import Floats, Integers, Ranks, norms, rank_pairs
from chef.measure.scores import mean_scores, score

DIRECTIONS = ("image-to-recipe", "recipe-to-image")


@dataclass(frozen=True, slots=True)
class RetrievalRanks:
    """The ranks of one model on one population: what tables and paired tests are made from.

    members: for "full", "1k", "10k" the folds, each the positions in `ids`; ranks: for each direction and
    then the same keys, the ranks of each fold's members within that fold.
    """

    ids: tuple[str, ...]
    seed: int
    members: dict[str, list[Integers]]
    ranks: dict[str, dict[str, list[Ranks]]]


def retrieval(images: Floats, recipes: Floats, ids: Sequence[str], seed: int) -> dict[str, Any]:
    """The "retrieval" part of a result.

    images, recipes: (n, dimension), L2-normalised, row i of both belongs to ids[i]. The answer maps each
    direction to "full" (and "1k", "10k") cells {"n", "medR", "R@1", "R@5", "R@10", "ci"}, and "folds" to the
    ids of every fold's members. Fold values are means over folds, medR the mean of the fold medians.

    >>> retrieval(images, recipes, ids, seed=0)["image-to-recipe"]["1k"]["R@1"]
    """
    return summary(retrieval_ranks(images, recipes, ids, seed))


def retrieval_ranks(
    images: Floats, recipes: Floats, ids: Sequence[str], seed: int, sizes: Mapping[str, int] = SIZES
) -> RetrievalRanks:
    """The ranks of every query in the full set and in every fold, in both directions."""
    for name, vectors in (("image", images), ("recipe", recipes)):
        _check(name, vectors, len(ids))
    members = {"full": [np.arange(len(ids))]}
    for name, size in sizes.items():
        if found := folds(ids, size, seed):
            members[name] = found
    ranks: dict[str, dict[str, list[Ranks]]] = {direction: {} for direction in DIRECTIONS}
    for name, samples in members.items():
        # The full set is used as it is: a copy of it would cost as much memory as all the rest.
        whole = name == "full"
        both = [
            rank_pairs(*(images, recipes) if whole else (images[sample], recipes[sample]))
            for sample in samples
        ]
        for place, direction in enumerate(DIRECTIONS):
            ranks[direction][name] = [pair[place] for pair in both]
    return RetrievalRanks(tuple(ids), seed, members, ranks)


def summary(measured: RetrievalRanks) -> dict[str, Any]:
    """The cells of `retrieval` for ranks already computed."""
    result: dict[str, Any] = {
        direction: {name: _cell(measured, direction, name) for name in measured.members}
        for direction in DIRECTIONS
    }
    result["folds"] = {
        name: [[measured.ids[position] for position in sample] for sample in samples]
        for name, samples in measured.members.items()
        if name != "full"
    }
    return result


def compare(first: RetrievalRanks, second: RetrievalRanks) -> dict[str, Any]:
    """Paired tests, first minus second, for each direction and each of "full", "1k", "10k".

    >>> compare(tree_model, attention_model)["image-to-recipe"]["1k"]["R@1"]["p"]
    """
    if (first.ids, first.seed) != (second.ids, second.seed):
        raise ChefError(
            "the two models were measured on different folds", "use the same data and the same seed"
        )
    return {
        direction: {
            name: paired(members, first.ranks[direction][name], second.ranks[direction][name], first.seed)
            for name, members in first.members.items()
        }
        for direction in DIRECTIONS
    }


def _cell(measured: RetrievalRanks, direction: str, name: str) -> dict[str, Any]:
    members, ranks = measured.members[name], measured.ranks[direction][name]
    values = mean_scores([score(fold) for fold in ranks])
    return {"n": len(members[0]), **values, "ci": intervals(members, ranks, measured.seed)}


def _check(name: str, vectors: Floats, count: int) -> None:
    if vectors.ndim != 2 or len(vectors) != count or count == 0:
        raise ChefError(f"{count} ids but {name} vectors of shape {vectors.shape}", "give one vector per id")
    lengths = norms(vectors)
    row = int(np.argmax(np.abs(lengths - 1)))
    if abs(lengths[row] - 1) > 0.01:  # half-precision vectors are normalised to about 0.001
        raise ChefError(
            f"{name} vector {row} has length {lengths[row]:.3g}, not 1", "L2-normalise the vectors"
        )
