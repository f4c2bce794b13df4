"""What could take an ingredient's place in a recipe: from the company it keeps, and from the embedding space.

A suggestion's score is a weighted mean of figures from 0 to 1, each of which can be told as evidence:

kind      the same kind of food, or the same role in a dish (`kinds.tsv`)
company   keeps the same company in the collection as what leaves, and is seldom seen beside it
fit       is seen with the other ingredients of this recipe
words     means nearly the same to the model: the cosine of the two word vectors
space     the dish stays where it is: the cosine of the recipe before and after, read along the same trees
near      there are real recipes with it, and without what leaves, near the changed one
common    is often used, in the collection and elsewhere
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from chef.food.kinds import food_of, kind_of
from chef.model import edit
from chef.recipe import Recipe
from chef.rewrite.coming import leaving, relatives
from chef.rewrite.company import company_of
from chef.rewrite.reading import Reading
from chef.rewrite.tokens import token_of_line

if TYPE_CHECKING:
    from chef.index import Index
    from chef.index.catalogue import Catalogue

Numbers = np.ndarray[Any, np.dtype[np.float32]]

# What each figure counts; chosen on common swaps in text recipes (docs/rewrite.md).
WEIGHTS = {
    "kind": 0.25,
    "words": 0.25,
    "company": 0.15,
    "fit": 0.1,
    "space": 0.1,
    "near": 0.05,
    "common": 0.1,
}
_SAME_ROLE, _UNKNOWN = 0.6, 0.15  # of a kind's full 1
_TRIED = 60  # candidates that are tried out in the recipe itself: the best by all that costs less
_BESIDE = 1.0  # affinity at which two ingredients certainly go together, so that neither replaces the other
_MEANS = 0.5  # cosine of word vectors that is worth a sentence
_NAMED = 3  # other ingredients named in a sentence


@dataclass(frozen=True)
class Suggestion:
    """One ingredient that could come in; the score lies in 0..1."""

    token: str
    score: float
    evidence: list[str]

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary."""
        return {"token": self.token, "score": self.score, "evidence": self.evidence}


def suggest(index: Index, recipe: Recipe, from_: str, k: int = 10) -> list[Suggestion]:
    """The k best replacements of an ingredient in a recipe, best first, with the evidence.

    >>> suggest(open_cookbook(), recipe, "butter", k=1)[0].token
    'margarine'
    """
    return index._ask(lambda catalogue: _Suggester(catalogue, Reading(index.chef, recipe), from_).best(k))


class _Suggester:
    """One recipe, what leaves it, and all that could come."""

    def __init__(self, catalogue: Catalogue, reading: Reading, from_: str) -> None:
        self._reading, self._chef = reading, reading.chef
        self._catalogue, self._company = catalogue, company_of(catalogue)
        here = [token_of_line(item) for item in reading.recipe.ingredients if item.name]
        self._gone = leaving(from_, here, self._chef.texts.canonical)
        self._others = [token for token in dict.fromkeys(here) if token not in self._gone]
        self._out = set(here) | relatives(self._gone, here)

    def best(self, k: int) -> list[Suggestion]:
        """The k best, best first."""
        tokens = self._candidates()
        figures = self._cheap(tokens)
        order = np.argsort(-_mean(figures), kind="stable")[: max(_TRIED, k)]
        tokens = [tokens[place] for place in order]
        figures = {name: values[order] for name, values in figures.items()}
        vectors = self._tried(tokens)
        rows = self._nearest(tokens, vectors)
        figures["space"] = np.clip(vectors @ self._reading.vector, 0, 1)
        figures["near"] = np.array([max(0.0, score) for _, score in rows], np.float32)
        scores = _mean(figures)
        return [
            Suggestion(
                tokens[place],
                round(float(scores[place]), 4),
                self._evidence(
                    tokens[place], {name: float(v[place]) for name, v in figures.items()}, rows[place][0]
                ),
            )
            for place in _each_food_once(tokens, np.argsort(-scores, kind="stable").tolist())[:k]
        ]

    def _candidates(self) -> list[str]:
        """What the collection has, and what else the model knows of the same role in a dish."""
        roles = {role for token in self._gone if (kind := kind_of(token)) for role in kind.roles}
        vocabulary, canonical = self._chef.vocabulary, self._chef.texts.canonical
        more = (
            token
            for token in canonical.tokens
            if token in vocabulary and (kind := kind_of(token)) and kind.roles & roles
        )
        # A token that no map knows is one author's name for something.
        seen = (token for token in self._company.tokens if token in canonical)
        return [token for token in dict.fromkeys([*seen, *more]) if token not in self._out]

    def _cheap(self, tokens: Sequence[str]) -> dict[str, Numbers]:
        """The figures for which no recipe is embedded, one number a token."""
        company, places = self._company, [self._company.places.get(token, -1) for token in tokens]

        def of(values: Numbers, unseen: float) -> Numbers:
            return np.append(values, np.float32(unseen))[places]  # -1: never seen in this collection

        affinity = np.max([company.affinity_to(token) for token in self._gone], axis=0)
        apart = np.clip(1 - affinity / _BESIDE, 0, 1)
        return {
            "kind": np.array([_kind(token, self._gone) for token in tokens], np.float32),
            "company": of(company.likeness(self._gone) * apart, 0.0),
            "fit": np.clip((1 + of(company.fit(self._others), 0.0)) / 2, 0, 1),  # unseen: who knows
            "words": self._words(tokens),
            "common": self._common(tokens),
        }

    def _common(self, tokens: Sequence[str]) -> Numbers:
        """1 for the candidate most used, in the collection and in the recipes that the map was made from."""
        everywhere = self._chef.texts.canonical.count
        counts = np.array([self._company.count(token) + everywhere(token) for token in tokens], np.float32)
        found: Numbers = np.log1p(counts) / np.log1p(max(1.0, float(counts.max(initial=0))))
        return found

    def _words(self, tokens: Sequence[str]) -> Numbers:
        """The cosine of each token's word vector and that of what leaves; 0 for words the model has not."""
        known = self._chef.vocabulary
        ids = torch.tensor([known.ids([token]) for token in (*tokens, *self._gone)])
        with torch.no_grad():
            vectors = self._chef.model.recipe.words(ids)[:, 0]
        vectors = torch.nn.functional.normalize(vectors, dim=-1).numpy()
        cosines = (vectors[: len(tokens)] @ vectors[len(tokens) :].T).max(axis=1)
        is_known = np.array([token in known for token in tokens])
        found: Numbers = np.where(is_known, np.clip(cosines, 0, 1), 0).astype(np.float32)
        return found

    def _tried(self, tokens: Sequence[str]) -> Numbers:
        """(n, space) the recipe with each candidate in it, read along the original's trees."""
        text, trees = self._reading.text, self._reading.trees
        words = relatives(self._gone, [word for sentence in text.sentences for word in sentence])
        words -= set(self._others)
        edits = [edit.replace(text, trees, dict.fromkeys(words, token)) for token in tokens]
        return self._reading.embed([one for one, _ in edits], [kept for _, kept in edits])

    def _nearest(self, tokens: Sequence[str], vectors: Numbers) -> list[tuple[int | None, float]]:
        """For each candidate the real recipe that has it, and not what leaves, nearest to the changed one."""
        catalogue = self._catalogue
        without = ~catalogue.tokens.mask(self._gone)
        without[catalogue.rows([self._reading.recipe.id])] = False
        found: list[tuple[int | None, float]] = []
        for token, vector in zip(tokens, vectors, strict=True):
            rows, scores = catalogue.recipes.top(vector, 1, catalogue.tokens.mask([token]) & without)
            found.append((int(rows[0]), float(scores[0])) if len(rows) else (None, 0.0))
        return found

    def _evidence(self, token: str, figures: dict[str, float], row: int | None) -> list[str]:
        """Short sentences, what weighs most first."""
        said = []
        kind = kind_of(token)
        if kind is not None and figures["kind"] == 1:
            said.append(f"the same kind of food: {kind.name}")
        elif kind is not None and figures["kind"] >= _SAME_ROLE:
            roles = kind.roles & {
                role for one in self._gone if (other := kind_of(one)) for role in other.roles
            }
            said.append(f"plays the same role: {min(roles)}")
        count = self._company.count(token)
        if count:
            shared = self._company.often_with(token, self._others)[:_NAMED]
            here = f"in {count} of {self._company.recipes} recipes here"
            said.append(here + (f", also with {_listed(shared)}" if shared else ""))
        said.append(f"the dish stays near where it was ({figures['space']:.2f})")
        if figures["words"] >= _MEANS:
            said.append(f"nearly the same word to the model ({figures['words']:.2f})")
        if row is not None:
            said.append(f"as in {self._catalogue.titles[row].as_py()!r} ({figures['near']:.2f})")
        return said


def _kind(token: str, gone: Sequence[str]) -> float:
    """1 for the same kind of food as one of those that leave, less for the same role, 0 for another."""
    kind = kind_of(token)
    if kind is None:
        return _UNKNOWN
    others = [other for one in gone if (other := kind_of(one))]
    if any(kind.name == other.name for other in others):
        return 1.0
    return _SAME_ROLE if any(kind.roles & other.roles for other in others) else 0.0


def _each_food_once(tokens: Sequence[str], places: list[int]) -> list[int]:
    """The places in their order without further cuts of a food that came before."""
    first: dict[str, int] = {}
    for place in places:
        first.setdefault(food_of(tokens[place]), place)
    return list(first.values())


def _mean(figures: dict[str, Numbers]) -> Numbers:
    total = sum(WEIGHTS[name] for name in figures)
    found: Numbers = np.sum([WEIGHTS[name] / total * values for name, values in figures.items()], axis=0)
    return found


def _readable(token: str) -> str:
    return token.replace("_", " ")


def _listed(tokens: Sequence[str]) -> str:
    names = [_readable(token) for token in tokens]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}"
