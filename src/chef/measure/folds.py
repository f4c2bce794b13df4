"""The folds of the retrieval protocol: 10 random samples of 1k and of 10k pairs, the same for every model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from chef.errors import ChefError
from chef.measure.ranks import Integers

FOLDS = 10
SIZES = {"1k": 1_000, "10k": 10_000}


def folds(ids: Sequence[str], size: int, seed: int, count: int = FOLDS) -> list[Integers]:
    """`count` samples of `size` positions in `ids`; none when there are fewer than `size` ids.

    The members depend on the seed and on the set of ids alone: not on their order, and (a hash in place of
    a random generator) not on the version of any library. Within a fold, members come in sorted order of id.

    >>> members = folds(ids, 1000, seed=0)[3]
    """
    if len(set(ids)) != len(ids):
        raise ChefError("two pairs have the same id", "give every pair an id of its own")
    if len(ids) < size:
        return []
    by_id = sorted(range(len(ids)), key=ids.__getitem__)
    return [_sample(ids, by_id, size, f"{seed}/{size}/{fold}/") for fold in range(count)]


def _sample(ids: Sequence[str], by_id: Sequence[int], size: int, salt: str) -> Integers:
    keys = [hashlib.sha256((salt + ids[position]).encode()).digest() for position in by_id]
    chosen = sorted(range(len(keys)), key=keys.__getitem__)[:size]
    return np.array([by_id[place] for place in sorted(chosen)], np.int64)
