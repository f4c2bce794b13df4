from __future__ import annotations

from chef.model.recipe_model import SentenceExplanation, action_word
from chef.model.tree import Tree


def test_the_action_is_the_verb_nearest_the_root() -> None:
    words = ["carrots", "then", "simmer", "and", "stir"]
    tree = Tree.right(words)  # carrots stand nearest, but are not done
    assert tree.depths[0] == min(tree.depths)
    assert action_word(Tree.right(["melt", "the", "butter", "and", "stir"])) == "melt"
    assert action_word(Tree.left(["melt", "the", "butter", "and", "stir"])) == "stir"
    assert SentenceExplanation("", tree).action == "simmer"


def test_a_sentence_without_a_verb_has_its_shallowest_leaf() -> None:
    tree = Tree.right(["the", "sauce"])
    assert action_word(tree) is None
    assert SentenceExplanation("", tree).action == "the"
    assert SentenceExplanation("", None).action is None
