"""A tiny source of recipes with pictures, made by code, and its prepared form."""

import json
import random
from pathlib import Path

import torch
from PIL import Image

from chef.data.preparing import prepare
from chef.data.texts import PrepareSettings
from chef.model.words import SPECIAL_PIECES, ContextWords, WordPieces
from experiments.make_minilm import save_words

FOODS = {
    "chicken": (230, 200, 150), "beef": (120, 50, 40), "carrots": (240, 140, 30), "tomatoes": (220, 30, 30),
    "rice": (245, 245, 235), "green beans": (40, 160, 60), "potatoes": (220, 200, 120),
    "apples": (200, 220, 80),
}  # fmt: skip


def write_source(folder: Path, recipes: int = 60, texts: int = 0) -> Path:
    """Recipes of three foods each; the picture shows the foods' colours. The last `texts` have none."""
    draw = random.Random(0)
    (folder / "images").mkdir(parents=True)
    lines = []
    for number in range(recipes):
        first, second, third = draw.sample(list(FOODS), 3)
        picture = Image.new("RGB", (72, 72), FOODS[first])
        picture.paste(FOODS[second], (0, 0, 36, 30))
        picture.paste(FOODS[third], (44, 44, 72, 72))
        with_picture = number < recipes - texts
        if with_picture:
            picture.save(folder / "images" / f"r{number}.jpg")
        recipe = {
            "id": f"r{number}",
            "title": f"{first} with {second} and {third}",
            "ingredients": [f"500 g {first}", f"200 g {second}", f"1 cup {third}", "1 tsp salt"],
            "instructions": [f"Chop the {first} and fry.", f"Add {second} and {third}. Serve with salt."],
        }
        if with_picture:
            recipe["image"] = f"images/r{number}.jpg"
        lines.append(json.dumps(recipe) + "\n")
    (folder / "recipes.jsonl").write_text("".join(lines))
    return folder


def write_prepared(folder: Path, recipes: int = 60, texts: int = 0) -> Path:
    """The source, prepared with short word vectors."""
    return prepare_small(write_source(folder / "source", recipes, texts), folder / "prepared")


def prepare_small(source: Path, out: Path) -> Path:
    """Prepare a source with short word vectors."""
    prepare(source, out, PrepareSettings(dimension=16, epochs=1), workers=1)
    return out


def write_words(folder: Path) -> Path:
    """A MiniLM of 8 numbers a word that nobody has trained; it knows a few foods and all letters."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    known = "chicken beef rice salt green bean ##s the and with".split()
    pieces = WordPieces((*SPECIAL_PIECES, *known, *letters, *(f"##{letter}" for letter in letters)))
    sizes = {"pieces": len(pieces), "width": 8, "layers": 2, "heads": 2, "middle": 12, "positions": 40}
    torch.manual_seed(0)
    state = ContextWords(2, most=1, **sizes).state_dict()
    state.pop("table")
    save_words(folder, sizes, state, pieces, about="untrained")
    return folder
