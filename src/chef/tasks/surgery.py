"""Tree surgery: leaves leave a tree, and the sibling of each takes its place."""

from __future__ import annotations

from collections.abc import Callable, Collection

from chef.errors import ChefError
from chef.model.tree import Tree


def prune_leaves(tree: Tree, leaves: Collection[int]) -> Tree:
    """The tree without the leaves at these positions; what is left merges in the same order as before.

    >>> tree = Tree.from_merges(["flour", "eggs", "milk", "salt"], [1, 0, 0])  # ((flour (eggs milk)) salt)
    >>> prune_leaves(tree, [1]).to_json() == Tree.left(["flour", "milk", "salt"]).to_json()
    True
    """
    gone = set(leaves)
    if not gone <= set(range(len(tree.tokens))):
        raise ChefError(f"the tree of {len(tree.tokens)} leaves has no leaf {max(gone, key=abs)}")
    alive = [leaf not in gone for leaf in range(len(tree.tokens))]
    if not any(alive):
        raise ChefError("a tree needs at least one leaf", "leave one")
    tokens = tuple(token for token, stays in zip(tree.tokens, alive, strict=True) if stays)
    merges = []
    for position in tree.merges:
        left, right = alive[position : position + 2]
        if left and right:
            merges.append(sum(alive[:position]))  # where the pair stands among the nodes that are left
        alive[position : position + 2] = [left or right]
    return Tree(tokens, tuple(merges))


def rename_leaves(tree: Tree, name: Callable[[str], str]) -> Tree:
    """The same tree over other words."""
    return Tree(tuple(name(token) for token in tree.tokens), tree.merges)
