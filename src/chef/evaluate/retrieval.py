"""Retrieval (Tables 1 and S1): each photo finds its recipe, each recipe its photo.

The protocol (folds, ties, intervals, paired tests) is in `chef.measure.retrieval`; this adds the model.
"""

from __future__ import annotations

from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.results import BATCH_STATISTICS
from chef.measure.retrieval import RetrievalRanks, retrieval_ranks


def measure(subject: EvaluatedModel, seed: int) -> RetrievalRanks:
    """Ranks of all photos and recipes: the input of the table and of paired tests with other models."""
    return retrieval_ranks(subject.images, subject.recipes, subject.population.ids, seed)


def second_row(subject: EvaluatedModel) -> EvaluatedModel | None:
    """ACME again, with batch norm in training mode, where a photo's vector depends on its batch.

    ACME was published so, which is the paper's "mysterious case". Photos and recipes are batched alike, so a
    pair shares the statistics of the same other pairs: help that a search for one photo never has.
    """
    if subject.chef.model.variant.name != "acme":
        return None
    return EvaluatedModel(
        subject.name + BATCH_STATISTICS,
        subject.chef,
        subject.population,
        batch_statistics=True,
    )
