"""What the teacher says of many recipes, for trees to learn from: the main ingredient and the action words.

Labels are soft where they can be: how likely each ingredient is the main one, and how sure the teacher is of
the action of each sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from chef.data.prepared import Prepared, PreparedSplit
from chef.data.texts import PrepareSettings, RecipeText, TextMaker
from chef.errors import ChefError
from chef.teacher.actions import SURE, ActionTagger, taught_actions
from chef.teacher.main_ingredient import Candidate, candidates, probabilities, weights
from chef.text.tokens import sentences, tokenise

_IDS = "ids"


@dataclass(frozen=True)
class Teacher:
    """What was learned of main ingredients, and of actions."""

    main: Mapping[str, float]
    actions: ActionTagger

    @classmethod
    def bundled(cls) -> Teacher:
        """The teacher that learned from all labels: never score a tree that it taught on those."""
        return cls(weights(), taught_actions())


@dataclass(frozen=True)
class TreeLabels:
    """Labels of recipes, in the order of their ids."""

    ids: list[str]
    main: NDArray[np.float16]  # (recipes, longest list) how likely each leaf is the main ingredient
    actions: NDArray[np.int16]  # (sentences of all recipes,) the place of the action in each; -1: none known
    first: NDArray[np.int64]  # (recipes + 1,) where the sentences of each recipe begin

    def save(self, path: Path) -> None:
        """Write a file that `load` reads."""
        ids = np.frombuffer("\n".join(self.ids).encode(), np.uint8)
        save_file({_IDS: ids, "main": self.main, "actions": self.actions, "first": self.first}, path)

    @classmethod
    def load(cls, path: Path) -> TreeLabels:
        """The labels that `save` wrote."""
        if not path.is_file():
            raise ChefError(f"no such file of labels: {path}")
        arrays = load_file(path)
        ids = arrays.pop(_IDS).tobytes().decode().split("\n")
        return cls(ids, **arrays)


def label(data: Prepared, split: PreparedSplit, teachers: Iterable[Teacher]) -> list[TreeLabels]:
    """What each teacher says of a split of the data.

    >>> label(data, data.split("train"), [Teacher.bundled()])[0].save(Path("labels.safetensors"))
    """
    known, texts = list(teachers), TextMaker(data.canonical, PrepareSettings(**data.lengths))
    main: list[list[list[float]]] = [[] for _ in known]
    actions: list[list[int]] = [[] for _ in known]
    first = [0]
    for row in range(len(split)):
        text = texts.from_parsed(split.recipe(row))
        found, spoken = candidates(text.recipe), _sentences(text)
        for at, teacher in enumerate(known):
            main[at].append(_of_leaves(text, found, teacher.main))
            actions[at] += [_place(words, raw, teacher.actions) for words, raw in spoken]
        first.append(first[-1] + len(spoken))
    width = max((len(leaves) for leaves in main[0]), default=1)
    return [
        TreeLabels(
            split.ids,
            np.array([leaves + [0.0] * (width - len(leaves)) for leaves in main[at]], np.float16),
            np.array(actions[at], np.int16),
            np.array(first),
        )
        for at in range(len(known))
    ]


def _of_leaves(text: RecipeText, found: list[Candidate], weights: Mapping[str, float]) -> list[float]:
    by_line = dict(zip((one.line for one in found), probabilities(found, weights)[0], strict=True))
    lines = [line for line, item in enumerate(text.recipe.ingredients) if item.name]  # as `named` has them
    return [by_line.get(line, 0.0) for line in lines[: len(text.ingredients)]]


def _sentences(text: RecipeText) -> list[tuple[list[str], str]]:
    """The words of each sentence as the model reads them, and the sentence as written."""
    raw = [one for step in text.recipe.steps for one in sentences(step.text) if tokenise(one)]
    return list(zip(text.sentences, raw, strict=False)) or [([], "")]  # the model reads one <UNK> then


def _place(words: list[str], sentence: str, tagger: ActionTagger) -> int:
    action = tagger(sentence)
    if action is None or action.confidence < SURE:
        return -1
    return next((at for at, word in enumerate(words) if word == action.word), -1)
