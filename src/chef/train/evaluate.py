"""A model's embeddings of a whole split, and its score on the validation split."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import torch

from chef.data.batches import recipe_batch
from chef.data.pairs import PairDataset
from chef.measure.ranks import mean_scores, score
from chef.measure.retrieval import retrieval_ranks
from chef.model.encoder import Encoder
from chef.model.joint import JointModel
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.model.tree_lstm.health import choices
from chef.train.distributed import fill_rows
from chef.train.features import FeaturePairs, own_batches

_LOOK_AT = 64  # recipes of the validation split whose trees are logged, and as many sentences


def embed_split(
    model: JointModel, pairs: PairDataset | FeaturePairs, workers: int = 0
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Images and recipes of a split as two matrices (n, space), float32, row by row.

    Where several processes train together all of them must call this: each embeds its share of the rows.
    """
    was_training = model.training
    encoder = Encoder(model)  # in evaluation mode
    images, recipes = torch.zeros(2, len(pairs), model.config.space)
    for rows, batch in own_batches(pairs, workers):
        images[rows] = encoder.embed_tensor(batch.images)
        recipes[rows] = encoder.embed_batch(batch.recipes)
    for matrix in (images, recipes):
        fill_rows(matrix)
    model.train(was_training)
    return images.numpy(), recipes.numpy()


def validate(model: JointModel, pairs: PairDataset | FeaturePairs, workers: int = 0) -> dict[str, float]:
    """medR, R@1, R@5, R@10 of image-to-recipe on a split: the mean of 10 folds of 1k if it is large enough.

    `score` is R@1 + R@5 + R@10, by which the best model is chosen.
    """
    return scores(*embed_split(model, pairs, workers), pairs.split.ids)


def scores(
    images: np.ndarray[Any, Any], recipes: np.ndarray[Any, Any], ids: Sequence[str]
) -> dict[str, float]:
    """The scores of `validate`, from embeddings and the ids of their rows."""
    folds = retrieval_ranks(images, recipes, ids, 0, {"1k": 1000}, normalised=False).ranks["image-to-recipe"]
    values = mean_scores([score(fold) for fold in folds.get("1k", folds["full"])])
    return {**values, "score": values["R@1"] + values["R@5"] + values["R@10"]}


@torch.no_grad()
def parser_health(model: JointModel, pairs: PairDataset | FeaturePairs) -> dict[str, float]:
    """`trees.PART.entropy` and `trees.PART.noise_ratio` of the model's trees over a split's first recipes.

    At an entropy of 1 the noise decides every merge. `chef evaluate` says more.
    """
    parts = {
        name.removesuffix(".lstm"): module
        for name, module in model.recipe.named_modules()
        if isinstance(module, GumbelTreeLSTM) and not name.startswith("others.")
    }
    seen: dict[str, tuple[Any, ...]] = {}
    texts = [pairs.split.tokens(row) for row in range(min(_LOOK_AT, len(pairs)))]
    with ExitStack() as stack:
        for name, lstm in parts.items():
            handle = lstm.register_forward_pre_hook(
                lambda _, arguments, name=name: seen.__setitem__(name, arguments)
            )
            stack.callback(handle.remove)
        Encoder(model).embed_batch(recipe_batch(texts))
    health = {}
    for name, (x, lengths, *_) in seen.items():
        lstm = parts[name]
        cell = lstm.cell.single()
        leaves, lengths = lstm.leaf(x[:_LOOK_AT]).float(), lengths[:_LOOK_AT].to(x.device)
        levels = [*choices(cell, leaves, lengths)]
        for what, values in zip(("entropy", "noise_ratio"), zip(*levels, strict=True), strict=False):
            health[f"trees.{name}.{what}"] = float(torch.cat(values).mean())
    return health
