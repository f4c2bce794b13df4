"""A few recipes of our own, photos of one colour, and an untrained model: everything in a second."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import torch
from PIL import Image

from chef.data.settings import PrepareSettings
from chef.food.canonical.map import SHIPPED
from chef.index import Index
from chef.model.artefact import save_artefact
from chef.model.joint import JointModel
from chef.model.registry import ModelConfig
from chef.recipe import Ingredient, Recipe, Step
from chef.text.vocabulary import Vocabulary

WORDS = """
the a and with fry boil bake add stir serve soup cake curry salad until soft chicken chicken_thighs rice onion
chicken_broth butter flour eggs sugar milk walnuts beef coconut_milk red_onion tomatoes salt water potatoes
""".split()
SPACE = 24


def write_model(folder: Path, variant: str = "t+t+l", seed: int = 0) -> Path:
    """An untrained model as a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = Vocabulary.build(dict.fromkeys(WORDS, 1), minimum=1)
    vocabulary.save(folder / "vocabulary.tsv")
    torch.manual_seed(seed)
    config = ModelConfig(
        variant,
        vocabulary=len(vocabulary),
        word=16,
        hidden=12,
        space=SPACE,
        tower={"kind": "small-cnn", "size": 64},
    )
    save_artefact(
        folder / "model",
        JointModel(config).eval(),
        folder / "vocabulary.tsv",
        SHIPPED,
        PrepareSettings(),
        {"seed": seed},
    )
    return folder / "model"


def recipe(id: str, title: str, lines: list[str], steps: list[str] | None = None, **more: object) -> Recipe:
    steps = steps or ["Fry all and serve."]
    return Recipe(id, title, tuple(map(Ingredient, lines)), tuple(map(Step, steps)), **more)  # type: ignore[arg-type]


def recipes() -> list[Recipe]:
    """Six dishes in no order."""
    return [
        recipe(
            "soup", "Chicken Soup", ["2 chicken thighs", "4 cups chicken broth", "1 onion"], tags=("Soup",)
        ),
        recipe(
            "rice", "Chicken Rice", ["1 whole chicken", "1 cup basmati rice", "1 tsp salt"], tags=("quick",)
        ),
        recipe(
            "cake", "Walnut Cake", ["1 cup walnuts", "2 eggs", "1 cup sugar", "2 cups flour", "1 cup milk"]
        ),
        recipe(
            "curry", "Beef Curry", ["500 g beef", "1 can coconut milk", "1 red onion"], tags=("quick", "hot")
        ),
        recipe("salad", "tomato salad", ["3 tomatoes", "1 red onion", "1 tsp salt"], ["Slice and serve."]),
        recipe("toast", "Toast", ["2 slices bread", "1 tbsp butter"], ["Toast the bread. Butter it."]),
    ]


def photo(colour: str, size: tuple[int, int] = (90, 70), kind: str = "JPEG") -> bytes:
    buffer = BytesIO()
    Image.new("RGB", size, colour).save(buffer, kind)
    return buffer.getvalue()


def export(url: str | Path) -> str:
    """A collection as `chef index export` prints it."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in Index(url, create=False).export())
