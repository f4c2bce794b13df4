"""What a dish can do without: `tables/spare.tsv` says what goes first and why.

`tables/signatures.tsv` lists what makes a dish of its name: no gazpacho without cucumber.
"""

from dataclasses import dataclass

from chef.files import rows
from chef.food.kinds import kind_of
from chef.food.substitutes import Use, is_a, names_any
from chef.recipe import Recipe
from chef.text.words import keys

_STAYS = "stays"


@dataclass(frozen=True, order=True)
class Spare:
    """An ingredient that may go; the least comes first."""

    rank: int
    grams: float
    token: str
    why: str


def least(recipe: Recipe, main: str | None) -> Spare | None:
    """What the recipe, parsed, can best do without; None where all that it has makes the dish.

    main: its main ingredient, which stays.

    >>> least(soup, "chicken").why
    'a garnish'
    """
    spares, title = [], recipe.title
    dishes = rows("chef.food", "signatures.tsv")
    signatures = [names.split("|") for dish, names in dishes if names_any(title, dish.split("|"))]
    for token in dict.fromkeys(item.token for item in recipe.ingredients if item.token):
        is_signature = any(is_a(token, name) for names in signatures for name in names)
        if token == main or is_signature or _is_in_title(token, title):
            continue
        use = Use(recipe, [token])
        for names, when, rank, why in rows("chef.food", "spare.tsv"):
            if (names == "*" or any(is_a(token, name) for name in names.split("|"))) and use.holds(when):
                if rank != _STAYS:
                    grams = sum(item.grams or 0 for item in recipe.ingredients if item.token == token)
                    spares.append(Spare(int(rank), grams, token, why))
                break
    return min(spares, default=None)


def _is_in_title(token: str, title: str) -> bool:
    """Whether the title has a word of its name, its kind or a role: the nuts of a nut cake."""
    kind = kind_of(token)
    kinds = [kind.name, *kind.roles] if kind else []
    return not {*keys(token), *kinds}.isdisjoint(keys(title))
