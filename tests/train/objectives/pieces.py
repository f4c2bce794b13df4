"""Small models and batches in float64, whole or a share of them, for the tests of the objectives."""

import torch

from chef.data.batches import PairBatch, recipe_batch
from chef.model.joint import JointModel
from chef.model.noise import SampleNoise
from chef.train.loss import InfoNCE
from chef.train.objectives import Objective, StepInput
from chef.train.objectives.acme import Acme
from chef.train.objectives.base import Retrieval
from chef.train.objectives.pic2rec import Pic2Rec
from chef.train.objectives.recipe_parts import Hierarchical, RecipeParts
from tests.model.small_words import config_of, fill_table
from tests.model.test_joint import numbers

WORDS, PAIRS, TEXTS = 30, 8, 6
INGREDIENTS = [2, 3, 5, 7, 11]


def small_model(name: str) -> JointModel:
    torch.manual_seed(0)
    tower = {"kind": "small-cnn", "size": 32}
    model = JointModel(config_of(name, vocabulary=WORDS, tower=tower, word=6, hidden=8, space=12))
    if model.recipe.context is not None:
        fill_table(model.recipe.context)
    return model.double()


def objective(model: JointModel) -> Objective:
    """A peer's objective with the settings of its registry entry, or that of a variant."""
    torch.manual_seed(1)
    settings = dict(model.variant.objective)
    if not settings:  # one of the paper's variants, with all that can be added to its loss
        additions = [(0.5, RecipeParts(model.recipe, InfoNCE()))]
        return Retrieval(InfoNCE(), additions).double()
    kind = settings.pop("kind")
    if kind == "pic2rec":
        return Pic2Rec(12, torch.arange(PAIRS) % 3, 3, **settings).double()
    if kind == "acme":
        return Acme(model, INGREDIENTS, **settings).double()
    return Hierarchical(model.recipe, **settings).double()


def step(pairs: slice = slice(None), texts: slice = slice(None)) -> StepInput:
    """The same batch every time, or a share of it."""
    generator = torch.Generator().manual_seed(2)
    images = torch.randn(PAIRS, 3, 32, 32, generator=generator, dtype=torch.float64)
    index = torch.arange(PAIRS)
    batch = PairBatch(recipe_batch(numbers(WORDS, PAIRS)[pairs]), images[pairs], index[pairs])
    groups = torch.tensor([0, 1, 2, 3, 3, 4, 5, 6])[pairs]
    alone = recipe_batch(numbers(WORDS, TEXTS, seed=9)[texts])
    texts_noise = SampleNoise(torch.arange(TEXTS)[texts], 4)
    noise = SampleNoise(batch.index, 3)
    return StepInput(batch, noise, PAIRS, groups, alone, texts_noise, seeds=(0, 1, 2))


def gradients(model: JointModel, own: Objective) -> dict[str, torch.Tensor]:
    both = torch.nn.ModuleDict({"model": model, "objective": own})
    return {name: value.grad for name, value in both.named_parameters() if value.grad is not None}
