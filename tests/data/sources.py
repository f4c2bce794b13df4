"""Small sources of recipes, made up for the tests."""

import hashlib
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from chef.data.texts import PrepareSettings
from chef.food.canonical import CanonicalMap, Entry
from chef.storage import open_store

# Everything small: seconds, not minutes.
QUICK = PrepareSettings(
    image_size=32, minimum_count=1, dimension=8, epochs=1, shard_recipes=7, part_recipes=4
)

_FOODS = ("green beans", "carrots", "white rice", "black olives", "leeks", "walnuts")
_DISHES = ("soup", "salad", "bake", "stew", "pie")


def canonical_map() -> CanonicalMap:
    """A map that knows the foods of these recipes, and no leeks."""
    return CanonicalMap(Entry(name.replace(" ", "_"), name, 10, "name") for name in _FOODS if name != "leeks")


def picture(width: int = 48, height: int = 40, seed: int = 0) -> Image.Image:
    """A smooth picture, different for each seed."""
    small = np.random.default_rng(seed).integers(0, 256, (4, 4, 3), np.uint8)
    return Image.fromarray(small).resize((width, height), Image.Resampling.BICUBIC)


def encoded(image: Image.Image, kind: str = "JPEG", **options: Any) -> bytes:
    """The bytes of an image file."""
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def recipe(number: int) -> dict[str, Any]:
    """A made-up recipe as a line of recipes.jsonl."""
    first, second = _FOODS[number % 6], _FOODS[(number // 2 + 1) % 6]
    return {
        "id": f"made-{number:03d}",
        "title": f"{first.title()} {_DISHES[number % 5]} no. {number}",
        "ingredients": [f"{number % 3 + 1} cups {first}, chopped", f"100 g {second}", "1 tsp salt"],
        "instructions": [
            f"Wash the {first}. Cut them small.",
            f"Cook with {second} for {number + 5} minutes.",
        ],
        "image": f"images/{number:03d}.jpg",
    }


def write_source(folder: Path, recipes: int = 30) -> Path:
    """A folder with recipes.jsonl and images, one photo for each recipe."""
    (folder / "images").mkdir(parents=True)
    lines = [recipe(number) for number in range(recipes)]
    for number, line in enumerate(lines):
        (folder / str(line["image"])).write_bytes(encoded(picture(seed=number)))
    write_lines(folder, lines)
    return folder


def content(place: str | Path) -> dict[str, str]:
    """Every file of a place and its checksum."""
    store = open_store(place)
    return {name: hashlib.sha256(store.read(name)).hexdigest() for name in store.listing()}


def write_lines(folder: Path, lines: list[dict[str, Any]]) -> None:
    """Write the recipes of a source."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "recipes.jsonl").write_text(text, encoding="utf-8")
