"""Dishes in memory, and untrained models that read them: an EvaluatedModel in a second."""

import random
from io import BytesIO

import numpy as np
import torch
from PIL import Image

from chef.data.texts import PrepareSettings, RecipeText
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.population import Population
from chef.food.canonical import CanonicalMap
from chef.food.canonical.map import SHIPPED
from chef.model.joint import JointModel
from chef.model.recipe_model import RecipeModel
from chef.model.registry import ModelConfig
from chef.recipe import Ingredient, Recipe, Step
from chef.text.vocabulary import Vocabulary

MAINS = ["chicken", "chicken_wings", "beef", "steak", "pork", "pork_chops", "fish", "tuna", "apples"]
SIDES = ["rice", "carrots", "potatoes", "onion", "garlic", "salt", "butter", "cream", "chicken_broth"]


def name(number: int) -> str:
    """A word of its own for each number."""
    return "q" + "".join("abcdefghij"[int(digit)] for digit in f"{number:03}")


def dish(number: int, main: str, sides: list[str]) -> Recipe:
    """A recipe, main ingredient first, each side named in the steps; its name sets it apart."""
    words = {token: token.replace("_", " ") for token in [main, *sides]}
    lines = [Ingredient(f"500 g {words[main]}", words[main], 500.0, "gram", 500.0, main)]
    lines += [Ingredient(f"50 g {words[side]}", words[side], 50.0, "gram", 50.0, side) for side in sides]
    steps = [Step(f"Fry the {words[main]} in a pan.")]
    steps += [Step(f"Add the {words[side]} and stir well.") for side in sides]
    title = f"Fried {words[main]}" + (f" with {words[sides[0]]}" if sides else "") + f" {name(number)}"
    return Recipe(f"dish-{number:03}", title, tuple(lines), tuple(steps))


def dishes(count: int = 90, seed: int = 0) -> list[Recipe]:
    """Dishes with 1 to 8 ingredients, each main ingredient in turn."""
    draw = random.Random(seed)
    return [
        dish(number, MAINS[number % len(MAINS)], draw.sample(SIDES, draw.randint(0, 7)))
        for number in range(count)
    ]


def population(recipes: list[Recipe], splits: list[str] | None = None, split: str = "test") -> Population:
    """The recipes, each with a photo of one colour."""

    def photo(row: int) -> bytes:
        out = BytesIO()
        Image.new("RGB", (48, 48), (row * 37 % 256, row * 91 % 256, row * 53 % 256)).save(out, "JPEG")
        return out.getvalue()

    return Population(
        name="dishes",
        split=split,
        ids=tuple(recipe.id for recipe in recipes),
        recipes=tuple(recipes),
        splits=tuple(splits or [split] * len(recipes)),
        photos=photo,
        canonical=CanonicalMap.load().digest,
        all_splits=("train", "test"),
    )


def evaluated(variant: str, among: Population, *, unknown: tuple[str, ...] = ()) -> EvaluatedModel:
    """An untrained model of this variant; the words `unknown` are not in its vocabulary."""
    said = [*"fried with fry the in a pan add and stir well".split(), *map(name, range(len(among)))]
    words = {word: 1 for word in [*MAINS, *SIDES, *said] if word not in unknown}
    vocabulary = Vocabulary.build(words, minimum=1)
    torch.manual_seed(0)
    config = ModelConfig(variant, vocabulary=len(vocabulary), word=16, hidden=12, space=24)
    chef = RecipeModel(JointModel(config).eval(), vocabulary, SHIPPED, PrepareSettings(), {})
    return EvaluatedModel(variant, chef, among)


def embedded(model: EvaluatedModel, text: RecipeText) -> np.ndarray:
    """A recipe embedded alone: the obvious way."""
    with torch.no_grad():
        return model.chef.model.embed_recipes(model.chef.encoder.batch([text]))[0].double().numpy()
