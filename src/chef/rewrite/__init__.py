"""Understanding a recipe: what it could become with another ingredient, or without some.

>>> swap(chef.load(), recipe, "chicken", "beef").recipe.title
'Beef soup'
"""

from chef.rewrite.neighbours import neighbours
from chef.rewrite.one import one_recipe
from chef.rewrite.prune import Pruned, prune
from chef.rewrite.suggest import Suggestion, suggest
from chef.rewrite.swap import Change, Swapped, swap

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
