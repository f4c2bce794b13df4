"""The retrieval protocol (Tables 1 and S1): two matrices in, medR and R@K with intervals out.

Full set, 10 folds of 1k and 10 folds of 10k where there are enough pairs, both directions.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from chef.errors import ChefError
from chef.measure.bootstrap import PairedTest, intervals, paired
from chef.measure.ranks import Floats, Integers, Ranks, Scores, mean_scores, norms, rank_pairs, score
from chef.typed_json import inline

FOLDS = 10
SIZES = {"1k": 1_000, "10k": 10_000}
DIRECTIONS = ("image-to-recipe", "recipe-to-image")


@dataclass(frozen=True, kw_only=True)
class RetrievalScores:
    """For each direction the scores of "full", "1k" and "10k"; for the latter the member ids of every fold.

    Scores of folds are means over folds, medR the mean of the fold medians.
    """

    directions: dict[str, dict[str, Scores]] = inline("image-to-recipe|recipe-to-image")
    folds: dict[str, list[list[str]]] = field(default_factory=dict)

    def __getitem__(self, direction: str) -> dict[str, Scores]:
        return self.directions[direction]


@dataclass(frozen=True, slots=True)
class RetrievalRanks:
    """The ranks of one model on one population: the input of tables and paired tests.

    members: the folds of "full", "1k" and "10k", as positions in `ids`; ranks: by direction and by the same
    keys, the ranks of each fold's members within that fold.
    """

    ids: tuple[str, ...]
    seed: int
    members: dict[str, list[Integers]]
    ranks: dict[str, dict[str, list[Ranks]]]


def folds(ids: Sequence[str], size: int, seed: int) -> list[Integers]:
    """10 samples of `size` positions in `ids`; none when there are fewer than `size` ids.

    The members depend only on the seed and the set of ids: not on their order, and (thanks to a hash instead
    of a random generator) not on the version of any library. Within a fold, members are sorted by id.

    >>> members = folds(ids, 1000, seed=0)[3]
    """
    if len(set(ids)) != len(ids):
        raise ChefError("two pairs have the same id", "give every pair an id of its own")
    if len(ids) < size:
        return []
    by_id = sorted(range(len(ids)), key=ids.__getitem__)
    samples = []
    for fold in range(FOLDS):
        salt = f"{seed}/{size}/{fold}/"
        keys = [hashlib.sha256((salt + ids[position]).encode()).digest() for position in by_id]
        chosen = sorted(range(len(keys)), key=keys.__getitem__)[:size]
        samples.append(np.array([by_id[place] for place in sorted(chosen)], np.int64))
    return samples


def retrieval_ranks(
    images: Floats,
    recipes: Floats,
    ids: Sequence[str],
    seed: int,
    sizes: Mapping[str, int] = SIZES,
    normalised: bool = True,
) -> RetrievalRanks:
    """The ranks of every query in the full set and in every fold, in both directions.

    images, recipes: (n, dimension), row i of both belongs to ids[i]. normalised: False for a model whose
    points are not all of length 1; otherwise they must be.

    >>> summary(retrieval_ranks(images, recipes, ids, seed=0))["image-to-recipe"]["1k"]["R@1"]
    """
    for name, vectors in (("image", images), ("recipe", recipes)):
        if vectors.ndim != 2 or len(vectors) != len(ids) or not ids:
            problem = f"{len(ids)} ids but {name} vectors of shape {vectors.shape}"
            raise ChefError(problem, "give one vector per id")
        lengths = norms(vectors)
        row = int(np.argmax(np.abs(lengths - 1)))
        # Half-precision vectors are normalised to about 0.001.
        if normalised and abs(lengths[row] - 1) > 0.01:
            problem = f"{name} vector {row} has length {lengths[row]:.3g}, not 1"
            raise ChefError(problem, "L2-normalise the vectors")
    members = {"full": [np.arange(len(ids))]}
    for name, size in sizes.items():
        if samples := folds(ids, size, seed):
            members[name] = samples
    ranks: dict[str, dict[str, list[Ranks]]] = {direction: {} for direction in DIRECTIONS}
    for name, samples in members.items():
        if name == "full":  # not indexed: a copy would cost as much memory as everything else
            both = [rank_pairs(images, recipes)]
        else:
            both = [rank_pairs(images[sample], recipes[sample]) for sample in samples]
        for column, direction in enumerate(DIRECTIONS):
            ranks[direction][name] = [pair[column] for pair in both]
    return RetrievalRanks(tuple(ids), seed, members, ranks)


def summary(measured: RetrievalRanks, *, with_intervals: bool = True) -> RetrievalScores:
    """The scores of ranks already computed."""
    directions: dict[str, dict[str, Scores]] = {direction: {} for direction in DIRECTIONS}
    for direction, galleries in directions.items():
        for name, members in measured.members.items():
            ranks = measured.ranks[direction][name]
            values = mean_scores([score(fold) for fold in ranks])
            ci = intervals(members, ranks, measured.seed) if with_intervals else None
            galleries[name] = Scores(n=len(members[0]), values=values, ci=ci)
    folds = {
        name: [[measured.ids[position] for position in sample] for sample in samples]
        for name, samples in measured.members.items()
        if name != "full"
    }
    return RetrievalScores(directions=directions, folds=folds)


def compare(first: RetrievalRanks, second: RetrievalRanks) -> dict[str, dict[str, dict[str, PairedTest]]]:
    """Paired tests, first minus second, for each direction and each of "full", "1k", "10k".

    >>> compare(tree_model, attention_model)["image-to-recipe"]["1k"]["R@1"].p
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
