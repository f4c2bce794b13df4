"""The main ingredient of a recipe by mass: what trees are held to, and may be taught."""

from __future__ import annotations

from collections import defaultdict

from chef.recipe import Recipe

KNOWN = 0.9  # the share of lines that must have grams
WATER = frozenset(
    "water boiling_water cold_water hot_water ice_water lukewarm_water warm_water ice ice_cubes".split()
)


def gold(recipe: Recipe, *, water: bool = True) -> str | None:
    """The canonical ingredient with the largest mass; water is left out of the running if not wanted.

    None where fewer than 90 % of the lines have grams, where two ingredients share the largest mass (then
    neither is "the" main one), and where the heaviest line has no canonical ingredient.
    """
    known = [item for item in recipe.ingredients if item.grams is not None]
    if not known or len(known) / len(recipe.ingredients) < KNOWN:
        return None
    masses: dict[tuple[str | None, str], float] = defaultdict(float)
    for item in known:
        if water or item.token not in WATER:
            masses[item.token, "" if item.token else item.line] += item.grams or 0.0
    heaviest = max(masses.values(), default=0.0)
    winners = [token for (token, _), grams in masses.items() if grams >= heaviest * (1 - 1e-9)]
    return winners[0] if len(winners) == 1 else None
