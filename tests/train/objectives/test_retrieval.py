from __future__ import annotations

import torch

from chef.model.separate_heads import shares
from chef.train.gather import Gallery
from chef.train.loss import build_loss
from chef.train.objectives.base import Retrieval
from tests.train.objectives.pieces import small_model, step


def test_several_in_one_learn_apart() -> None:
    """The loss is the mean of the members' own, not that of their mean cosines."""
    model = small_model("chef-base").eval()
    given, loss = step(), build_loss("infonce").double()
    images = model.embed_images(given.batch.images)
    recipes = model.embed_recipes(given.batch.recipes)
    pairs = list(zip(shares(images, 4), shares(recipes, 4), strict=True))
    apart = [loss(ours, theirs, Gallery(ours, theirs, 0, given.groups)) for ours, theirs in pairs]
    found = Retrieval(loss)(model, given)
    torch.testing.assert_close(found, torch.stack(apart).mean())
    assert not torch.isclose(found, loss(images, recipes, Gallery(images, recipes, 0, given.groups)))
