from __future__ import annotations

import torch

from tests.train.loss_oracle import triplet
from tests.train.objectives.pieces import objective, small_model, step
from tests.train.objectives.test_recipe_parts import by_hand


def test_the_whole_is_pairs_their_recipes_and_texts() -> None:
    model = small_model("h-t")
    own = objective(model)
    given = step()
    images = model.embed_images(given.batch.images)
    recipes = model.embed_recipes(given.batch.recipes)
    groups = given.groups.tolist()
    (parts,) = own.additions
    wanted = triplet(images, recipes, "all", 0.3, groups=groups)
    wanted = wanted + by_hand(parts, model.encode_recipes(given.batch.recipes), groups)
    wanted = wanted + by_hand(parts, model.encode_recipes(given.texts), None)
    torch.testing.assert_close(own(model, given), wanted)
