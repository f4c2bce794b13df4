from __future__ import annotations

import numpy as np
import pytest

from chef.errors import ChefError
from chef.model.edit import prune_leaves, rename_leaves
from chef.model.tree import Tree

LETTERS = "abcdefghijkl"


def cut(node, gone):
    """The slow way: walk the nodes; one that loses a child becomes its other child."""
    if "token" in node:
        return None if node["token"] in gone else node
    left, right = cut(node["left"], gone), cut(node["right"], gone)
    if left is None or right is None:
        return left or right
    return {"order": node["order"], "left": left, "right": right}


def orders(node):
    return [] if "token" in node else [node["order"], *orders(node["left"]), *orders(node["right"])]


def renumbered(node, numbers, depth=0):
    """Orders 1, 2, 3 ... without gaps, and depths as they are now."""
    if "token" in node:
        return {"token": node["token"], "depth": depth}
    return {
        "order": numbers.index(node["order"]) + 1,
        "left": renumbered(node["left"], numbers, depth + 1),
        "right": renumbered(node["right"], numbers, depth + 1),
    }


@pytest.mark.parametrize("seed", range(60))
def test_pruning_equals_cutting_the_nodes_one_by_one(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, len(LETTERS) + 1))
    tree = Tree.random(list(LETTERS[:count]), rng)
    leaves = rng.permutation(count)[: rng.integers(0, count)].tolist()
    shorter = cut(tree.to_json(), {LETTERS[leaf] for leaf in leaves})
    assert prune_leaves(tree, leaves).to_json() == renumbered(shorter, sorted(orders(shorter)))


def test_the_sibling_takes_the_place():
    # ((flour eggs) (breadcrumbs oil)), beans last: the paper's figure of deep-fried green beans
    tree = Tree.from_merges(["beans", "flour", "eggs", "breadcrumbs", "oil"], [1, 2, 1, 0])
    assert prune_leaves(tree, [2]) == Tree.from_merges(["beans", "flour", "breadcrumbs", "oil"], [2, 1, 0])
    assert prune_leaves(tree, [1, 2]) == Tree.right(["beans", "breadcrumbs", "oil"])
    assert prune_leaves(tree, [1, 2, 3, 4]) == Tree(("beans",), ())
    assert prune_leaves(tree, []) == tree


def test_one_leaf_must_stay_and_leaves_must_exist():
    tree = Tree.left(["salt", "oil"])
    with pytest.raises(ChefError, match="at least one leaf"):
        prune_leaves(tree, [0, 1])
    with pytest.raises(ChefError, match="no leaf 2"):
        prune_leaves(tree, [2])
    with pytest.raises(ChefError, match="no leaf -1"):
        prune_leaves(tree, [-1])


def test_renaming_keeps_the_shape():
    tree = Tree.from_merges(["salt", "chicken", "oil"], [1, 0])
    assert rename_leaves(tree, {"chicken": "beef", "salt": "salt", "oil": "oil"}.__getitem__) == Tree(
        ("salt", "beef", "oil"), (1, 0)
    )
