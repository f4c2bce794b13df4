"""Edits of a recipe's text: removing ingredients, or replacing them.

An edit changes title, ingredient list, instructions and the trees over them together, so that a model can
encode the new recipe along the old structure. The recipe that the text was made from stays unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace as with_fields

from chef.data.texts import RecipeText
from chef.errors import ChefError
from chef.model.tree import RecipeTrees, Tree
from chef.text.vocabulary import SPECIAL

Edited = tuple[RecipeText, RecipeTrees | None]


def without(text: RecipeText, trees: RecipeTrees | None, leaves: Collection[int]) -> Edited:
    """The recipe without the ingredients at these positions of its list; one must stay.

    Their canonical tokens are removed from title and instructions too, unless a remaining line has the same
    token. In the trees the sibling takes a removed leaf's place; sentences left without words are removed.

    >>> shorter, kept = without(text, trees, [3, 5])
    """
    if not leaves:
        return text, trees
    stay = [token for position, token in enumerate(text.ingredients) if position not in leaves]
    if not stay:
        raise ChefError("a recipe needs at least one ingredient", "leave one")
    # <UNK> stands for any rare word: one in a sentence need not be this ingredient.
    gone = {text.ingredients[position] for position in leaves} - set(stay) - set(SPECIAL)
    removed = [[at for at, word in enumerate(words) if word in gone] for words in text.sentences]
    shorter = [[word for word in words if word not in gone] for words in text.sentences]
    edited = with_fields(
        text,
        title=[word for word in text.title if word not in gone],
        ingredients=stay,
        sentences=[words for words in shorter if words],
    )
    if trees is None:
        return edited, None
    emptied = [number for number, words in enumerate(shorter) if not words]
    sentences, instructions = trees.sentences, trees.instructions
    if sentences is not None:
        pairs = zip(sentences, removed, strict=True)
        sentences = tuple(prune_leaves(tree, at) for tree, at in pairs if len(at) < len(tree.tokens))
    if instructions and len(emptied) == len(instructions.tokens):
        # Without any sentence a model still reads one <UNK>, a lone leaf.
        instructions = Tree(instructions.tokens[:1], ())
    elif instructions:
        instructions = prune_leaves(instructions, emptied)
    ingredients = prune_leaves(trees.ingredients, leaves) if trees.ingredients else None
    return edited, RecipeTrees(ingredients=ingredients, sentences=sentences, instructions=instructions)


def replace(text: RecipeText, trees: RecipeTrees | None, tokens: Mapping[str, str]) -> Edited:
    """The recipe with other tokens in title, ingredients and instructions; the trees keep their shape.

    >>> swapped, kept = replace(text, trees, {"chicken": "beef", "chicken_breasts": "beef"})
    """

    def new(token: str) -> str:
        return tokens.get(token, token)

    edited = with_fields(
        text,
        title=[new(word) for word in text.title],
        ingredients=[new(word) for word in text.ingredients],
        sentences=[[new(word) for word in words] for words in text.sentences],
    )
    if trees is None:
        return edited, None
    return edited, RecipeTrees(
        ingredients=rename_leaves(trees.ingredients, new) if trees.ingredients else None,
        sentences=None if trees.sentences is None else tuple(rename_leaves(t, new) for t in trees.sentences),
        instructions=trees.instructions,  # its leaves are sentences, not words
    )


def prune_leaves(tree: Tree, leaves: Collection[int]) -> Tree:
    """The tree without the leaves at these positions; the rest merges in the same order as before.

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


def removal_order(tree: Tree) -> list[int]:
    """All leaves, the least important first: deepest, of equals those merged earlier, then listed later."""
    return sorted(
        range(len(tree.tokens)), key=lambda leaf: (-tree.depths[leaf], tree.leaf_orders[leaf], -leaf)
    )
