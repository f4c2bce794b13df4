"""What could replace an ingredient in a recipe: by its role, by its kind and by the embedding space.

What cooks use for its role in this dish comes first, in the order of `substitutes.tsv`, with scores from 0.5
on. The rest is other food of its kind or role, scored lower by the weighted mean of features from 0 to 1,
each of which can be given as evidence:

kind     the same kind of food, or the same role in a dish (`kinds.tsv`)
words    means nearly the same to the model: the cosine of the two word vectors
space    the dish hardly moves: the cosine of the recipe before and after, read along the same trees
near     there are real recipes with it, and without the old one, near the changed one
common   is often used, in the collection and elsewhere
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from chef.food import groups
from chef.food.kinds import family, food_of, kind_of
from chef.food.substitutes import Use
from chef.index.catalogue import Catalogue
from chef.index.conditions import Has, IdIn
from chef.index.filters import IngredientResolver, check_diet, group_named
from chef.index.on_disk import DiskCatalogue
from chef.index.values import Value
from chef.model import edit
from chef.recipe import Recipe
from chef.rewrite.replacement import line_token, matching_tokens, read_recipe, with_relatives

if TYPE_CHECKING:
    from chef.index import Index
    from chef.model.recipe_model import RecipeModel

Numbers = np.ndarray[Any, np.dtype[np.float32]]

# Of each feature; chosen on common swaps in text recipes (docs/rewrite.md).
WEIGHTS = {"kind": 0.25, "words": 0.25, "space": 0.1, "near": 0.05, "common": 0.1}
_SAME_ROLE, _UNKNOWN_KIND = 0.6, 0.15  # where the same kind counts 1
_MAX_EMBEDDED = 60  # candidates that are embedded in the recipe: the best by all other features
_AN_EXAMPLE = 0.1  # similarity of a dish that is named; a farther one is no example
_SIMILAR_WORDS = 0.5  # cosine of word vectors that is worth a sentence

_ANIMAL = ("meat", "fish", "shellfish", "dairy", "eggs")


@dataclass(frozen=True, slots=True)
class Suggestion(Value):
    """One possible replacement; the score is between 0 and 1."""

    token: str
    score: float
    evidence: list[str]


def suggest(
    index: Index,
    recipe: Recipe,
    from_: str,
    k: int = 10,
    *,
    without: Sequence[str] = (),
    diet: str | None = None,
) -> list[Suggestion]:
    """The k best replacements of an ingredient in a recipe, best first, with the evidence.

    without: ingredients and groups that none may be of or made with. diet: vegetarian, vegan or pescatarian.

    >>> suggest(open_cookbook(), recipe, "butter", k=1, diet="vegan")[0].token
    'olive_oil'
    """
    without = [
        *(group_named(word) or word for word in without),
        *(groups.DIETS[check_diet(diet)] if diet is not None else ()),
    ]
    return index.with_catalogue(
        lambda catalogue: _Suggester(catalogue, index.chef, recipe, from_, without).best(k)
    )


class _Suggester:
    """Ranks all candidates for one ingredient of one recipe."""

    def __init__(
        self,
        catalogue: Catalogue | DiskCatalogue,
        model: RecipeModel,
        recipe: Recipe,
        from_: str,
        without: Sequence[str] = (),
    ) -> None:
        self._text, self._model = read_recipe(model, recipe), model
        self._catalogue, self._counts = catalogue, catalogue.tokens.counts
        self._listed = listed = [line_token(item) for item in self._text.recipe.ingredients if item.name]
        self._old = matching_tokens(from_, listed, model.texts.canonical)
        self._others = [token for token in dict.fromkeys(listed) if token not in self._old]
        foods = {food_of(token) for token in self._old}
        relatives = with_relatives(self._old, listed)  # a fish may replace another
        relatives = {token for token in relatives if family(token) != "fish" or food_of(token) in foods}
        self._ruled_out = set(listed) | relatives
        self._without = without
        self._old_kinds = [kind for token in self._old if (kind := kind_of(token))]
        self._old_roles = frozenset[str]().union(*(kind.roles for kind in self._old_kinds))

    def best(self, k: int) -> list[Suggestion]:
        """The k best, best first."""
        tokens, reasons = self._candidates()
        if not tokens:
            return []
        features = self._cheap_features(tokens)
        order = np.argsort(-_scores(tokens, reasons, features), kind="stable")[: max(_MAX_EMBEDDED, k)]
        tokens = [tokens[at] for at in order]
        features = {name: values[order] for name, values in features.items()}
        original = self._model.encoder.encode([self._text])
        # The recipe with each candidate in it, read along the original's trees.
        words = with_relatives(self._old, [word for sentence in self._text.sentences for word in sentence])
        words -= set(self._others)
        edits = [edit.replace(self._text, original.trees[0], dict.fromkeys(words, token)) for token in tokens]
        vectors = self._model.encoder.embed([new for new, _ in edits], [kept for _, kept in edits])
        nearest = self._nearest_recipes(tokens, vectors)
        before, lengths = original.vectors[0], np.linalg.norm(vectors, axis=1)
        features["space"] = np.clip(vectors @ before / (lengths * np.linalg.norm(before)), 0, 1)
        features["near"] = np.array([max(0.0, score) for _, score in nearest], np.float32)
        scores = _scores(tokens, reasons, features)
        best_of_food: dict[str, int] = {}  # not several cuts of one food
        for at in np.argsort(-scores, kind="stable").tolist():
            best_of_food.setdefault(food_of(tokens[at]), at)
        suggestions = []
        for at in list(best_of_food.values())[:k]:
            values = {name: float(column[at]) for name, column in features.items()}
            evidence = [*reasons.get(tokens[at], ()), *self._evidence(tokens[at], values, nearest[at][0])]
            suggestions.append(Suggestion(tokens[at], round(float(scores[at]), 4), evidence))
        return suggestions

    def _candidates(self) -> tuple[list[str], dict[str, list[str]]]:
        """All that may be suggested; and what cooks use for its role here, best first, with the reason."""
        vocabulary, canonical = self._model.vocabulary, self._model.texts.canonical
        rows = [
            {
                token: [f"here as {row.role}" + (f": {note}" if note else "")]
                for name, note in row.names.items()
                if (token := canonical.token(name))
            }
            for row in Use(self._text.recipe, self._old).substitutes()
        ]
        # A token that the map lacks is one author's name for something.
        seen = [token for token in sorted(self._counts) if token in canonical]
        more = [token for token in canonical.tokens if token in vocabulary]
        pool = dict.fromkeys([*(token for row in rows for token in row), *seen, *more])
        resolver = IngredientResolver(canonical, pool)
        barred = self._ruled_out.union(*(resolver.resolve(word, derived=True) for word in self._without))
        allowed = ({token: row[token] for token in row if token not in barred} for row in rows)
        reasons = next(filter(None, allowed), {})
        # A dish without meat or eggs rather stays so.
        new = [group for group in _ANIMAL if not any(groups.has(group, token) for token in self._listed)]
        order = sorted(reasons, key=lambda token: any(groups.has(group, token) for group in new))
        reasons = {token: reasons[token] for token in order}
        least = 1.0 if reasons else _SAME_ROLE if self._old_kinds else 0.0
        rest = [token for token in [*seen, *more] if token not in barred and self._kind_score(token) >= least]
        if not least:  # of its kind and role nothing is known
            similarity = self._word_similarity(rest)
            rest = [token for token, one in zip(rest, similarity, strict=True) if one >= _SIMILAR_WORDS]
        return list(dict.fromkeys([*reasons, *rest])), reasons

    def _cheap_features(self, tokens: Sequence[str]) -> dict[str, Numbers]:
        """The features for which no recipe is embedded, one number per token."""
        # In the collection, and in the recipes that the map was made from.
        everywhere = self._model.texts.canonical.count
        frequency = np.array([self._counts.get(token, 0) + everywhere(token) for token in tokens], np.float32)
        return {
            "kind": np.array([self._kind_score(token) for token in tokens], np.float32),
            "words": self._word_similarity(tokens),
            "common": np.log1p(frequency) / np.log1p(max(1.0, float(frequency.max(initial=0)))),
        }

    def _kind_score(self, token: str) -> float:
        """1 for the same kind of food as one of the old ones, less for the same role, 0 for another."""
        kind = kind_of(token)
        if kind is None:
            return _UNKNOWN_KIND
        if any(kind.name == old.name for old in self._old_kinds):
            return 1.0
        return _SAME_ROLE if kind.roles & self._old_roles else 0.0

    def _word_similarity(self, tokens: Sequence[str]) -> Numbers:
        """The cosine of each token's word vector and the old one's; 0 for words that the model lacks."""
        vocabulary = self._model.vocabulary
        ids = torch.tensor([vocabulary.ids([token]) for token in (*tokens, *self._old)])
        with torch.no_grad():
            vectors = self._model.model.recipe.words(ids)[:, 0]
        vectors = torch.nn.functional.normalize(vectors, dim=-1).numpy()
        cosines = (vectors[: len(tokens)] @ vectors[len(tokens) :].T).max(axis=1)
        is_known = np.array([token in vocabulary for token in tokens])
        similarity: Numbers = np.where(is_known, np.clip(cosines, 0, 1), 0).astype(np.float32)
        return similarity

    def _nearest_recipes(self, tokens: Sequence[str], vectors: Numbers) -> list[tuple[int | None, float]]:
        """For each candidate the real recipe nearest to the changed one that has it and not the old one."""
        is_other = ~Has("tokens", self._old) & ~IdIn([self._text.recipe.id])
        wanted = (Has("tokens", [token]) & is_other for token in tokens)
        catalogue = self._near = self._catalogue.near(vectors, wanted)
        without = ~catalogue.tokens.mask(self._old)
        without[catalogue.rows([self._text.recipe.id])] = False
        nearest: list[tuple[int | None, float]] = []
        for token, vector in zip(tokens, vectors, strict=True):
            rows, scores = catalogue.recipe_vectors.top(vector, 1, catalogue.tokens.mask([token]) & without)
            nearest.append((int(rows[0]), float(scores[0])) if len(rows) else (None, 0.0))
        return nearest

    def _evidence(self, token: str, features: dict[str, float], row: int | None) -> list[str]:
        """Reasons of a few words, the weightiest first."""
        evidence, kind = [], kind_of(token)
        if kind is not None and features["kind"] == 1:
            evidence.append(f"the same kind of food: {kind.name}")
        elif kind is not None and features["kind"] >= _SAME_ROLE:
            evidence.append(f"plays the same role: {min(kind.roles & self._old_roles)}")
        if count := self._counts.get(token):
            evidence.append(f"in {count} of {self._catalogue.recipes} recipes here")
        evidence.append(f"the dish stays near where it was ({features['space']:.2f})")
        if features["words"] >= _SIMILAR_WORDS:
            evidence.append(f"almost a synonym to the model ({features['words']:.2f})")
        if row is not None and features["near"] >= _AN_EXAMPLE:
            evidence.append(f"as in {self._near.titles[row].as_py()!r} ({features['near']:.2f})")
        return evidence


def _scores(tokens: Sequence[str], reasons: Collection[str], features: dict[str, Numbers]) -> Numbers:
    """(n,) from 0.5 to 1 what there is a reason for, in that order; below it the rest."""
    places = {token: len(reasons) - 1 - at for at, token in enumerate(reasons)}
    total = sum(WEIGHTS[name] for name in features)
    mean: Numbers = np.sum([WEIGHTS[name] / total * values for name, values in features.items()], axis=0)
    scores = mean * np.float32(0.5)
    for at, token in enumerate(tokens):
        if token in places:
            scores[at] = 0.5 + (places[token] / 2 + scores[at]) / len(places)
    return scores
