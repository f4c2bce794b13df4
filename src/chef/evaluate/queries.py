"""The queries of the substitution experiments: which recipes are changed, the same for every model.

A recipe is a query for A -> B when A is its main ingredient and its ingredients contain nothing of B. The
main ingredient is decided by one tree model: a leaf of A's family is the shallowest of the ingredient tree,
or tied for it. Without a tree model it is the heaviest ingredient other than water.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from chef.data.texts import gold
from chef.errors import ChefError
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.population import Population
from chef.food.families import families_in, family, members
from chef.measure.ranks import Booleans

ENOUGH = 20  # queries that a success rate needs


@dataclass(frozen=True)
class Queries:
    """Chosen once from a population; recipes are rows of it.

    >>> queries = choose_queries(population, tree_model)
    >>> queries.pairs["chicken", "beef"][:3]
    (4, 17, 30)
    """

    chooser: str  # the tree model's name, or "gold"
    ids: tuple[str, ...]  # of the population
    pairs: dict[tuple[str, str], tuple[int, ...]]  # (A, B): the recipes where A is main and B is absent
    contains: dict[str, Booleans]  # family: (n,) whether each recipe's ingredients contain one of it

    @property
    def short(self) -> bool:
        """Whether most pairs have too few queries; then all splits should be the gallery."""
        few = sum(len(rows) < ENOUGH for rows in self.pairs.values())
        return 2 * few > len(self.pairs)


def choose_queries(population: Population, chooser: EvaluatedModel | None) -> Queries:
    """The queries for every ordered pair of families; chooser: the tree model that names main ingredients."""
    if chooser is not None and chooser.population.ids != population.ids:
        raise ChefError("the queries are chosen by a model on other recipes", "give it the same population")
    families = [families_in(recipe) for recipe in population.recipes]
    contains = {name: np.array([name in one for one in families], bool) for name in members()}
    if chooser is None:
        golds = [gold(recipe, water=False) for recipe in population.recipes]
        main = [{family(token)} if token else set() for token in golds]
    else:
        main = [{family(tree.tokens[leaf]) for leaf in tree.shallowest} for tree in chooser.ingredient_trees]
    pairs = {
        (a, b): tuple(row for row, names in enumerate(main) if a in names and not contains[b][row])
        for a, b in permutations(members(), 2)
    }
    return Queries("gold" if chooser is None else chooser.name, population.ids, pairs, contains)
