"""What a recipe could become: with another ingredient, or without some.

>>> swap(chef.load(), recipe, "chicken", "beef").recipe.title
'Beef soup'
"""

from chef.rewrite.prune import Pruned, prune
from chef.rewrite.scale import scaled
from chef.rewrite.suggest import Suggestion, suggest
from chef.rewrite.swap import Change, Swapped, neighbours, swap

__all__ = ["Change", "Pruned", "Suggestion", "Swapped", "neighbours", "prune", "scaled", "suggest", "swap"]
