"""The painter: same dish, same picture; other food, other picture."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from chef.data.kitchen import Dish, cook, generate, sheet
from chef.data.kitchen.tables import FAMILIES

SMALL = 96


def _pixels(made: Dish, view: int = 0, size: int = SMALL) -> np.ndarray:
    return np.asarray(made.paint(size, view), np.float32)


def _difference(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.abs(first - second).mean())


@pytest.fixture(scope="module")
def one_of_each() -> list[Dish]:
    """The first dish of every family."""
    firsts: dict[str, Dish] = {}
    for made in generate(200, seed=1):
        firsts.setdefault(made.family, made)
    return list(firsts.values())


def test_every_family_is_painted_in_light_and_colour_and_always_the_same(one_of_each: list[Dish]):
    assert len(one_of_each) == len(FAMILIES)
    for made in one_of_each:
        picture = made.paint(SMALL)
        assert (picture.size, picture.mode) == ((SMALL, SMALL), "RGB")
        assert picture.tobytes() == made.paint(SMALL).tobytes()
        pixels = np.asarray(picture, np.float32)
        assert 40 < pixels.mean() < 225, made.family
        assert pixels.std() > 20, made.family
        assert (pixels >= 250).all(axis=2).mean() < 0.1, made.family


def test_another_view_is_another_photo_and_size_is_free():
    made = cook(0, 3)
    assert _difference(_pixels(made), _pixels(made, view=1)) > 2
    assert [made.paint(size).size for size in (33, 300)] == [(33, 33), (300, 300)]


def test_different_dishes_look_different(one_of_each: list[Dish]):
    for one, other in combinations(map(_pixels, one_of_each[:12]), 2):
        assert _difference(one, other) > 8


@pytest.mark.parametrize("new", ["beef", "salmon", "apple", "pork"])
def test_another_main_ingredient_changes_the_picture(new: str):
    chickens = [made for made in generate(150) if made.main.startswith("chicken_") and new not in made.tokens]
    for made in chickens[:4]:
        layers = (replace(one, token=new) if one.token == made.main else one for one in made.layers)
        change = np.abs(_pixels(made) - _pixels(replace(made, layers=tuple(layers))))
        # The plate stays, the food on it changes.
        assert (change.max(axis=2) > 24).mean() > 0.02, made.family


def test_more_of_a_food_covers_more_of_the_plate():
    """A tray of beef cubes: the brown pixels grow with the grams."""
    made = next(m for m in generate(400) if m.family == "tray bake" and m.main in ("beef", "stewing_beef"))

    def brown(grams: float) -> int:
        layers = tuple(
            replace(item, grams=grams) if item.token == made.main else item for item in made.layers
        )
        red, green, blue = np.moveaxis(_pixels(replace(made, layers=layers)), 2, 0)
        return int(((red > 60) & (red < 150) & (green < 0.7 * red) & (blue < 0.8 * green)).sum())

    assert brown(200) < brown(1500)


def test_a_sheet_has_a_cell_for_every_dish(tmp_path: Path):
    sheet(list(generate(5)), 3, tmp_path / "sheet.png", size=48)
    with Image.open(tmp_path / "sheet.png") as picture:
        assert picture.size == (3 * 60, 2 * 60)
        assert len(picture.getcolors(1 << 20) or []) > 200
