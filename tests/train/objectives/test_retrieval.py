from __future__ import annotations

import torch

from chef.model.joint import JointModel
from chef.model.separate_heads import halves
from chef.train.gather import Gallery
from chef.train.loss import build_loss
from chef.train.objectives.base import Retrieval
from tests.model.words.small import config_of, fill_table
from tests.train.objectives.pieces import WORDS, step


def test_two_in_one_learn_apart() -> None:
    """The loss is the mean of both members' own, not that of their mean cosines."""
    torch.manual_seed(0)
    tower = {"kind": "small-cnn", "size": 32}
    config = config_of("chef-base", vocabulary=WORDS, tower=tower, word=6, hidden=8, space=12)
    model = JointModel(config).double().eval()
    fill_table(model.recipe.context)
    given, loss = step(), build_loss("infonce").double()
    images = model.embed_images(given.batch.images)
    recipes = model.embed_recipes(given.batch.recipes)
    pairs = list(zip(halves(images), halves(recipes), strict=True))
    apart = [loss(ours, theirs, Gallery(ours, theirs, 0, given.groups)) for ours, theirs in pairs]
    found = Retrieval(loss)(model, given)
    torch.testing.assert_close(found, torch.stack(apart).mean())
    assert not torch.isclose(found, loss(images, recipes, Gallery(images, recipes, 0, given.groups)))
