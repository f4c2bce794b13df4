"""The generated kitchen: recipes and painted plates made by code, with the ground truth about all of them.

>>> from chef.data.kitchen import generate
>>> for dish in generate(3, seed=0):
...     dish.paint(256).save(f"{dish.recipe.id}.jpg")

Tests and the smoke run of every experiment use it. It is never evidence of quality on real food.
"""

from chef.data.kitchen.sample import Dish, cook, generate
from chef.data.kitchen.tables import SWAP_FAMILIES, foods
from chef.data.kitchen.write import sheet, write_kitchen

__all__ = ["SWAP_FAMILIES", "Dish", "cook", "foods", "generate", "sheet", "write_kitchen"]
