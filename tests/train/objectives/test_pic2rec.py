from __future__ import annotations

import math

import pytest
import torch

from chef.train.gather import Gallery
from chef.train.objectives.pic2rec import Pic2Rec, _shifts
from tests.train.loss_oracle import embeddings

COUNT = 7


def own(classes: list[int] | None = None) -> Pic2Rec:
    torch.manual_seed(0)
    labels = torch.tensor(classes or [0] * COUNT)
    return Pic2Rec(4, labels, 3, margin=0.1, mismatches=4, class_weight=0.01).double()


@pytest.mark.parametrize("groups", [None, [0, 1, 2, 2, 3, 4, 4]])
def test_cosine_embedding_loss_by_hand(groups: list[int] | None) -> None:
    images, recipes = embeddings(COUNT, 4, 0)
    shifts = _shifts((5, 1), COUNT, 4)
    terms = []
    for i in range(COUNT):
        terms.append(1 - images[i] @ recipes[i])
        for shift in shifts:
            j = (i + shift) % COUNT
            same = groups is not None and groups[i] == groups[j]
            terms.append(torch.zeros(()).double() if same else (images[i] @ recipes[j] - 0.1).clamp(min=0))
    assert len(terms) == 5 * COUNT  # 80 % mismatches
    gallery = Gallery(images, recipes, groups=None if groups is None else torch.tensor(groups))
    torch.testing.assert_close(own().pairs(images, gallery, (5, 1)), sum(terms) / len(terms))


def test_mismatches_are_others_and_change_with_the_step() -> None:
    drawn = [tuple(_shifts((0, 0, number), 40, 4)) for number in range(20)]
    assert all(len(set(shifts)) == 4 and min(shifts) >= 1 and max(shifts) < 40 for shifts in drawn)
    assert len(set(drawn)) > 15
    assert drawn[3] == tuple(_shifts((0, 0, 3), 40, 4))
    assert sorted(_shifts((0,), 3, 4)) == [1, 2]  # a small batch has no more


def test_class_loss_by_hand() -> None:
    objective = own()
    points, _ = embeddings(4, 4, 0)
    labels = [2, 0, 1, 2]
    losses = []
    for point, label in zip(points, labels, strict=True):
        scores = (objective.classifier.weight @ point + objective.classifier.bias).exp().detach()
        if label:  # no class teaches nothing
            losses.append(-math.log(scores[label] / scores.sum()))
    wanted = torch.tensor(sum(losses) / 3, dtype=torch.float64)
    torch.testing.assert_close(objective.told(points, torch.tensor(labels)).detach(), wanted)


def test_a_batch_without_classes_costs_nothing() -> None:
    points, _ = embeddings(4, 4, 0)
    assert own().told(points, torch.zeros(4).long()) == 0
