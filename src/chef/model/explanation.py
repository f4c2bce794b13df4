"""What a model says about one recipe: its main ingredient and action words, read off the trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chef.model.tree import RecipeTrees, Tree
from chef.text.tokens import sentences, tokenise
from chef.text.verbs import verbs

if TYPE_CHECKING:
    from chef.data.texts import RecipeText


@dataclass(frozen=True)
class SentenceExplanation:
    """One sentence of the instructions."""

    text: str
    tree: Tree | None  # None: the model has no sentence trees

    @property
    def action(self) -> str | None:
        """The action word: the verb nearest the root; the shallowest leaf where no word is used as a verb."""
        return None if self.tree is None else action_word(self.tree) or _shallowest(self.tree)


@dataclass(frozen=True)
class Explanation:
    """One recipe."""

    tree: Tree | None  # of the ingredients; None: the model has no such tree
    steps: tuple[SentenceExplanation, ...]

    @property
    def main_ingredient(self) -> str | None:
        """The main ingredient: the shallowest leaf, of equals the one listed first."""
        return _shallowest(self.tree)

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary: `main_ingredient`, `ingredients`, `tree`, `steps`."""
        leaves = zip(self.tree.tokens, self.tree.depths, strict=True) if self.tree else ()
        return {
            "main_ingredient": self.main_ingredient,
            "ingredients": [{"token": token, "depth": depth} for token, depth in leaves],
            "tree": self.tree.to_json() if self.tree else None,
            "steps": [
                {"text": step.text, "action": step.action, "tree": step.tree.to_json() if step.tree else None}
                for step in self.steps
            ],
        }


def action_word(tree: Tree) -> str | None:
    """The verb nearest the root of a sentence's tree, of equals the first; None where there is no verb.

    The paper takes the shallowest leaf, whatever it is, and `chef evaluate` measures that. But "carrots"
    does not tell a cook what to do.
    """
    places = verbs(tree.tokens)
    return tree.tokens[min(places, key=lambda place: tree.depths[place])] if places else None


def explain(text: RecipeText, trees: RecipeTrees) -> Explanation:
    """What the trees of a recipe say of it."""
    written = [part for step in text.recipe.steps for part in sentences(step.text) if tokenise(part)]
    of_sentences = trees.sentences or (None,) * len(text.sentences)
    return Explanation(
        tree=trees.ingredients if text.ingredients else None,
        steps=tuple(
            SentenceExplanation(part, tree if words else None)
            for part, words, tree in zip(written, text.sentences, of_sentences, strict=False)
        ),
    )


def _shallowest(tree: Tree | None) -> str | None:
    return None if tree is None else tree.tokens[tree.depths.index(min(tree.depths))]
