"""A few recipes of our own, photos of one colour, and an untrained model: everything in a second."""

import json
from io import BytesIO
from pathlib import Path

import torch
from PIL import Image

from chef.data.texts import PrepareSettings
from chef.food.canonical.map import SHIPPED
from chef.index import Index
from chef.model.artefact import save_artefact
from chef.model.joint import JointModel
from chef.model.registry import ModelConfig
from chef.recipe import Ingredient, Recipe, Step
from chef.text.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parents[2]
WORDS = """
the a and with fry boil bake add stir serve soup cake curry salad until soft chicken chicken_thighs rice onion
chicken_broth butter flour eggs sugar milk walnuts beef coconut_milk red_onion tomatoes salt water potatoes
""".split()
SPACE = 24


def untrained(words: list[str], variant: str = "t+t+l", seed: int = 0) -> tuple[JointModel, Vocabulary]:
    vocabulary = Vocabulary.build(dict.fromkeys(words, 1), minimum=1)
    torch.manual_seed(seed)
    sizes = {"vocabulary": len(vocabulary), "word": 16, "hidden": 12, "space": SPACE}
    config = ModelConfig(variant, tower={"kind": "small-cnn", "size": 64}, **sizes)
    return JointModel(config).eval(), vocabulary


def write_model(folder: Path, variant: str = "t+t+l", seed: int = 0, words: list[str] = WORDS) -> Path:
    """An untrained model as a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    model, vocabulary = untrained(words, variant, seed)
    vocabulary.save(folder / "vocabulary.tsv")
    names = folder / "vocabulary.tsv", SHIPPED, PrepareSettings()
    save_artefact(folder / "model", model, *names, {"seed": seed})
    return folder / "model"


def recipe(id: str, title: str, lines: list[str], steps: list[str] | None = None, **more: object) -> Recipe:
    steps = steps or ["Fry all and serve."]
    return Recipe(id, title, tuple(map(Ingredient, lines)), tuple(map(Step, steps)), **more)  # type: ignore[arg-type]


def recipes() -> list[Recipe]:
    """Six dishes in no order."""
    cake = ["1 cup walnuts", "2 eggs", "1 cup sugar", "2 cups flour", "1 cup milk"]
    curry = ["500 g beef", "1 can coconut milk", "1 red onion"]
    soup, rice = (
        ["2 chicken thighs", "4 cups chicken broth", "1 onion"],
        ["1 whole chicken", "1 cup basmati rice"],
    )
    return [
        recipe("soup", "Chicken Soup", soup, tags=("Soup",)),
        recipe("rice", "Chicken Rice", [*rice, "1 tsp salt"], tags=("quick",)),
        recipe("cake", "Walnut Cake", cake),
        recipe("curry", "Beef Curry", curry, tags=("quick", "hot")),
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
