"""Understanding a recipe: what it could become with another ingredient, or without some.

>>> swap(chef.load(), recipe, "chicken", "beef").recipe.title
'Beef soup'
"""

from chef.understand.neighbours import neighbours
from chef.understand.one import one_recipe
from chef.understand.prune import Pruned, prune
from chef.understand.suggest import Suggestion, suggest
from chef.understand.swap import Change, Swapped, swap

__all__ = [
    "Change",
    "Pruned",
    "Suggestion",
    "Swapped",
    "neighbours",
    "one_recipe",
    "prune",
    "suggest",
    "swap",
]
