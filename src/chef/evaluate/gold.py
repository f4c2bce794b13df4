"""What a cook says: main ingredients and action words against labels that a person gave by hand.

A file of labels has one JSON object a line: `id`, `main` and `ok` (places in the list of ingredients, from 0:
right, and still accepted), `actions` (`stepN`: the words, as written, that name what the cook does there).
The word of a step is that of its first sentence. Labels read at most 220 characters of a step, so a word
behind that cut is not scored.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chef.data.texts import RecipeText
from chef.errors import ChefError
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.results import CannotDo, Gold
from chef.measure.bootstrap import percent_scores
from chef.measure.ranks import Doubles
from chef.model.tree import Tree
from chef.recipe import Recipe
from chef.text.keys import spelled
from chef.text.tokens import sentences, tokenise
from chef.text.verbs import verbs

_CUT = 220  # characters of a step that were labelled
_DRAWS = 10  # random trees per recipe

# Text, ingredient tree, and for each leaf its place in the list -> the leaves chosen.
Way = Callable[[RecipeText, Tree, Sequence[int]], Sequence[int]]


@dataclass(frozen=True)
class Labels:
    """What a cook says of one recipe."""

    main: frozenset[int]
    ok: frozenset[int]
    actions: Mapping[int, frozenset[str]]  # by step


def read_labels(path: Path) -> dict[str, Labels]:
    """The labels of a file, by recipe id."""
    labels = {}
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            fields = json.loads(line)
            actions = {
                int(step.removeprefix("step")): frozenset(word.lower() for word in words)
                for step, words in fields.get("actions", {}).items()
            }
            labels[fields["id"]] = Labels(frozenset(fields["main"]), frozenset(fields.get("ok", ())), actions)
    except FileNotFoundError as error:
        raise ChefError(f"no such file of labels: {path}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ChefError(f"not a file of labels: {path}", "see docs/evaluate.md") from error
    return labels


def gold_main(model: EvaluatedModel, labels: Mapping[str, Labels], seed: int) -> Gold:
    """Main ingredient against the labels: `strict` and `accepted` of the tree and each control.

    >>> gold_main(model, read_labels(path), seed=0).model["strict"]
    """
    orders = model.orders or [list(range(len(tree.tokens))) for tree in model.ingredient_trees]
    chosen = []
    for text, tree, order in zip(model.texts, model.ingredient_trees, orders, strict=True):
        if text.recipe.id in labels and tree.tokens:
            named = [place for place, item in enumerate(text.recipe.ingredients) if item.name]
            chosen.append((text, tree, [named[place] for place in order], labels[text.recipe.id]))
    if not chosen:
        raise CannotDo("no recipe has a label")
    generator = np.random.default_rng(seed)

    def scored(places: Way) -> Doubles:
        """(recipes, 2) how often a place is right, and accepted; several places count in equal parts."""
        rows = []
        for text, tree, lines, label in chosen:
            answers = [lines[leaf] for leaf in places(text, tree, lines)]
            right = [line in label.main for line in answers]
            accepted = [line in label.main | label.ok for line in answers]
            rows.append((np.mean(right), np.mean(accepted)))
        return np.array(rows)

    ways: dict[str, Way] = {
        "model": lambda text, tree, lines: [tree.shallowest[0]],
        "first-listed": lambda text, tree, lines: [0],
        "heaviest": lambda text, tree, lines: [
            int(np.argmax([text.recipe.ingredients[line].grams or 0.0 for line in lines]))
        ],
        "named-in-title": lambda text, tree, lines: [_in_title(text)],
        "random-tree": lambda text, tree, lines: [
            Tree.random(tree.tokens, generator).shallowest[0] for _ in range(_DRAWS)
        ],
    }
    scores = {
        name: percent_scores(scored(way), np.ones(len(chosen)), ("strict", "accepted"), seed)
        for name, way in ways.items()
    }
    return Gold(n=len(chosen), model=scores.pop("model"), controls=scores)


def gold_actions(model: EvaluatedModel, labels: Mapping[str, Labels], seed: int) -> Gold:
    """Action words against the labels: `right` of the sentence trees and each control.

    >>> gold_actions(model, read_labels(path), seed=0).controls["first-word"]["right"]
    """
    ways: dict[str, Callable[[Tree], str]] = {
        "model": lambda tree: tree.tokens[tree.shallowest[0]],
        "first-word": lambda tree: tree.tokens[0],
        "first-verb": lambda tree: tree.tokens[next(iter(verbs(tree.tokens)), 0)],
    }
    hits = {name: list[tuple[float, int]]() for name in ways}
    for text, trees in zip(model.texts, model.sentence_trees, strict=True):
        if (label := labels.get(text.recipe.id)) is None:
            continue
        counts = {name: [0.0, 0] for name in ways}
        for step, tree in _first_sentences(text.recipe, trees):
            words = {spelled(word) for written in label.actions.get(step, ()) for word in tokenise(written)}
            for name, way in ways.items():
                if words and not _is_behind_cut(text.recipe.steps[step].text, word := way(tree)):
                    counts[name][0] += any(spelled(part) in words for part in word.split("_"))
                    counts[name][1] += 1
        for name, (right, scored) in counts.items():
            if scored:
                hits[name].append((right, int(scored)))
    if not hits["model"]:
        raise CannotDo("no sentence has a label")
    scores = {
        name: percent_scores(np.array(rows)[:, :1], np.array(rows)[:, 1], ("right",), seed)
        for name, rows in hits.items()
    }
    total = sum(scored for _, scored in hits["model"])
    return Gold(n=total, model=scores.pop("model"), controls=scores)


def _in_title(text: RecipeText) -> int:
    """The leaf that shares the most words with the title; of equals, and of none, the first."""
    title = {spelled(word) for word in tokenise(text.recipe.title)}
    shared = [len(title & {spelled(word) for word in token.split("_")}) for token in text.ingredients]
    return int(np.argmax(shared))


def _first_sentences(recipe: Recipe, trees: Sequence[Tree]) -> Iterator[tuple[int, Tree]]:
    """The steps whose first sentence has a tree, and the tree."""
    at = 0
    for step, one in enumerate(recipe.steps):
        count = sum(1 for text in sentences(one.text) if tokenise(text))
        if count and at < len(trees):
            yield step, trees[at]
        at += count


def _is_behind_cut(text: str, word: str) -> bool:
    read = " ".join(tokenise(text[:_CUT], punctuation=True))
    return len(text) > _CUT and word.replace("_", " ") not in read
