"""The generated kitchen: a small world made by code, with the truth about everything in it.

>>> from chef.data.kitchen import generate
>>> for dish in generate(3, seed=0):
...     dish.paint(256).save(f"{dish.recipe.id}.jpg")

Tests and the smoke run of every experiment use it. It is never evidence of quality on real food.
"""

from chef.data.kitchen.dish import Dish, Layer
from chef.data.kitchen.sample import cook, generate, swap
from chef.data.kitchen.sheet import sheet
from chef.data.kitchen.world import SWAP_FAMILIES, foods, surface_forms, swap_family
from chef.data.kitchen.write import write_kitchen

__all__ = [
    "SWAP_FAMILIES",
    "Dish",
    "Layer",
    "cook",
    "foods",
    "generate",
    "sheet",
    "surface_forms",
    "swap",
    "swap_family",
    "write_kitchen",
]
