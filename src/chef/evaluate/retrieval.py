"""Retrieval (Tables 1 and S1): each photo finds its recipe, each recipe its photo.

The protocol (folds, ties, intervals, paired tests) is in `chef.measure.retrieval`; this brings the model.
"""

from __future__ import annotations

from typing import Any

from chef.evaluate.evaluated_model import EvaluatedModel
from chef.measure.retrieval import RetrievalRanks, retrieval_ranks, summary

# Published with batch norm in training mode at test: the paper's "mysterious case". It gets a second row.
_BATCH_STATISTICS = "acme"


def measure(subject: EvaluatedModel, seed: int) -> RetrievalRanks:
    """Ranks of all photos and recipes: the table is made of them, and a paired test with another model."""
    return retrieval_ranks(subject.images, subject.recipes, subject.population.ids, seed)


def retrieval_task(subject: EvaluatedModel, seed: int) -> dict[str, Any]:
    """The "retrieval" part of a result.

    >>> retrieval_task(subject, seed=0)["image-to-recipe"]["1k"]["R@1"]
    """
    return summary(measure(subject, seed))


def second_row(subject: EvaluatedModel) -> EvaluatedModel | None:
    """ACME once more with batch norm in training mode, where a photo's place depends on its batch.

    Photos and recipes are batched alike, so a pair shares the statistics of the same other pairs: a help that
    a search for one photo never has.
    """
    if subject.chef.model.variant.name != _BATCH_STATISTICS:
        return None
    return EvaluatedModel(
        f"{subject.name} (batch statistics)",
        subject.chef,
        subject.population,
        batch_statistics=True,
    )
