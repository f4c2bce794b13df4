from itertools import permutations

import pytest
import torch
from torch.nn import functional as F

from chef.model.joint import RecipeEncoding
from chef.train.loss import InfoNCE, TripletLoss
from chef.train.objectives.recipe_parts import RecipeParts
from tests.train.loss_oracle import info_nce, triplet
from tests.train.objectives.pieces import objective, small_model, step

LOSSES = {"triplet": lambda: TripletLoss(0.3, "all"), "infonce": lambda: InfoNCE(0.1)}


def by_hand(own: RecipeParts, encoding: RecipeEncoding, groups: list[int] | None) -> torch.Tensor:
    readings = [[part.title, part.ingredients, part.instructions] for part in (encoding, *encoding.others)]
    parts = [[part.vector for part in reading] for reading in readings]
    pairs = [pair for reading in (*parts, encoding.context) for pair in permutations(reading, 2)]
    total = torch.zeros(()).double()
    for number, (a, b) in enumerate(pairs):
        layer = own.projections[number]
        guess = F.normalize(a @ layer.weight.T + layer.bias, dim=1)
        truth = F.normalize(b, dim=1)
        if isinstance(own.loss, InfoNCE):
            total = total + info_nce(guess, truth, own.loss.log_scale.exp(), groups)
        else:
            total = total + triplet(guess, truth, "all", 0.3, groups=groups)
    return total / len(pairs)


@pytest.mark.parametrize("groups", [None, [0, 1, 2, 3, 3, 4, 5, 6]])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("name", ["h-t", "t+l+l", "chef-base"])
def test_recipe_loss_by_hand(name: str, loss: str, groups: list[int] | None) -> None:
    model = small_model(name).eval()
    own = RecipeParts(model.recipe, LOSSES[loss]()).double()
    encoding = model.encode_recipes(step().batch.recipes)
    value = own.of(encoding, None if groups is None else torch.tensor(groups))
    assert value > 0.01
    torch.testing.assert_close(value, by_hand(own, encoding, groups))


def test_h_t_is_the_sum_of_pairs_their_recipes_and_texts() -> None:
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
