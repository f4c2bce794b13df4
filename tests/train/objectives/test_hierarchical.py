from __future__ import annotations

from itertools import permutations

import pytest
import torch
from torch.nn import functional as F

from chef.model.recipe_encoder import RecipeEncoding
from chef.train.objectives.hierarchical import Hierarchical
from tests.train.loss_oracle import triplet
from tests.train.objectives.pieces import objective, small_model, step


def by_hand(own: Hierarchical, encoding: RecipeEncoding, groups: list[int] | None) -> torch.Tensor:
    parts = {
        "title": encoding.title,
        "ingredients": encoding.ingredients,
        "instructions": encoding.instructions,
    }
    total = torch.zeros(()).double()
    for number, (a, b) in enumerate(permutations(parts, 2)):
        layer = own.projections[number]
        guess = parts[a].vector @ layer.weight.T + layer.bias
        total = total + triplet(
            F.normalize(guess, dim=1), F.normalize(parts[b].vector, dim=1), "all", 0.3, groups=groups
        )
    return total / 6


@pytest.mark.parametrize("groups", [None, [0, 1, 2, 3, 3, 4, 5, 6]])
def test_recipe_loss_by_hand(groups: list[int] | None) -> None:
    model = small_model("h-t")
    own = objective(model)
    encoding = model.encode_recipes(step().batch.recipes)
    found = own.recipe_loss(encoding, None if groups is None else torch.tensor(groups))
    assert found > 0.01
    torch.testing.assert_close(found, by_hand(own, encoding, groups))


def test_the_whole_is_pairs_their_recipes_and_texts() -> None:
    model = small_model("h-t")
    own = objective(model)
    given = step()
    images = model.embed_images(given.batch.images)
    recipes = model.embed_recipes(given.batch.recipes)
    groups = given.groups.tolist()
    wanted = triplet(images, recipes, "all", 0.3, groups=groups)
    wanted = wanted + by_hand(own, model.encode_recipes(given.batch.recipes), groups)
    wanted = wanted + by_hand(own, model.encode_recipes(given.texts), None)
    torch.testing.assert_close(own(model, given), wanted)


def test_texts_teach_the_recipe_side_alone() -> None:
    model = small_model("h-t")
    own = objective(model)
    own.recipe_loss(model.encode_recipes(step().texts)).backward()
    taught = {name.split(".")[0] for name, value in model.named_parameters() if value.grad is not None}
    assert taught == {"recipe"}
