"""Swapper: one model reads recipes in which one family of ingredients has become another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from chef.evaluate.evaluated_model import EvaluatedModel
from chef.food.families import family, members, word_for
from chef.model.edit import Edited, replace
from chef.model.encoder import Vectors

Swap = tuple[int, str, str]  # a recipe's position, the family that goes, the family that comes


class Swapper:
    """Makes and embeds the changed recipes of a subject's population.

    >>> Swapper(subject).kept([(4, "chicken", "beef"), (17, "pork", "apple")]).shape
    (2, 1024)
    """

    def __init__(self, subject: EvaluatedModel) -> None:
        self._subject = subject
        self.words = {name: word_for(name, subject.chef.vocabulary) for name in members()}
        """The token that stands for each family; None where the model knows no word of it."""

    @cached_property
    def _tokens(self) -> dict[str, frozenset[str]]:
        """All tokens of each family: those of the file, and those that only this model's map has."""
        met = {token for text in self._subject.texts for token in text.ingredients}
        return {
            name: frozenset(listed) | {token for token in met if family(token) == name}
            for name, listed in members().items()
        }

    def edits(self, swaps: Sequence[Swap]) -> list[Edited]:
        """Each recipe with every token of the one family turned into the word of the other, and its trees."""
        found = []
        for row, a, b in swaps:
            word = self.words[b]
            if word is None:
                raise ValueError(f"the model knows no word for {b}")
            tokens = dict.fromkeys(self._tokens[a], word)
            found.append(replace(self._subject.texts[row], self._subject.trees[row], tokens))
        return found

    def kept(self, swaps: Sequence[Swap]) -> Vectors:
        """(m, space) the changed recipes, read along the trees of the unchanged ones."""
        edits = self.edits(swaps)
        return self._subject.embed([text for text, _ in edits], [trees for _, trees in edits])

    def anew(self, swaps: Sequence[Swap]) -> Vectors:
        """(m, space) the changed recipes, their trees chosen anew; without trees nothing differs."""
        return self._subject.embed([text for text, _ in self.edits(swaps)])
