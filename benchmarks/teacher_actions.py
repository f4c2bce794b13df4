"""How often the action told for a step is right: against what a cook says of 596 open recipes.

    python benchmarks/teacher_actions.py [--data ../shared/data] [--list]
    python benchmarks/teacher_actions.py --write    # also the tables of chef.teacher, from all labels

Five folds by recipe for each seed; the tagger that is scored on a fold never saw its labels. The action of
the first sentence counts. Steps without an action are left out, and so are long steps (labelled up to 220
characters) whose told word stands after the cut.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn import functional as F

from chef.files import write_atomic
from chef.teacher import actions
from chef.teacher.actions import SURE, Action, ActionTagger, candidates, verb_of, words_and_marks
from chef.text.tokens import sentences, tokenise
from chef.text.verbs import verbs

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "experiments" / "results" / "teacher-actions.json"
CUT, FOLDS, SEEDS = 220, 5, (0, 1, 2)
# Which share of a verb's uses opens a sentence, at least; in recipes that have 30 uses of it.
OFTEN = {"often": 0.4, "sometimes": 0.1, "seldom": 0.02}


@dataclass(frozen=True)
class Step:
    """A labelled step."""

    recipe: str
    text: str
    words: frozenset[str]  # that name actions, as written; none: there is no action

    def labelled(self) -> list[tuple[str, frozenset[str]]]:
        """The sentences that end before the cut."""
        parts, at = [], 0
        for part in sentences(self.text):
            at = self.text.index(part, at) + len(part)
            if at <= CUT:
                parts.append((part, self.words))
        return parts

    def is_right(self, word: str | None) -> bool | None:
        """Whether the word names an action of the step; None if it stands after the cut."""
        if word and word not in self.words and word not in words_and_marks(self.text[:CUT]):
            return None
        return word in self.words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("CHEF_DATA", "../shared/data")))
    parser.add_argument("--list", action="store_true", help="name every wrong answer")
    parser.add_argument("--write", action="store_true", help="write the tables of chef.teacher")
    options = parser.parse_args()
    if options.write:
        write_table("cooking_verbs", cooking_verbs(options.data))
        actions._cooking_verbs.cache_clear()
    steps = gold(options.data)
    result = {
        "goal": 96.0,
        "told": [told(steps, seed, options.list) for seed in SEEDS],
        "controls": {name: scores(steps, word) for name, word in CONTROLS.items()},
    }
    if options.write:
        weights = fit(part for step in steps for part in step.labelled())
        rows = [f"{name}\t{weight:.2f}" for name, weight in weights.items() if abs(weight) >= 0.05]
        write_table("actions", [WEIGHTS_HEAD, *rows])
    result["milliseconds"] = round(1000 * speed(steps), 3)
    write_atomic(RESULT, (json.dumps(result, indent=1) + "\n").encode())
    print(json.dumps(result, indent=1))


def gold(data: Path) -> list[Step]:
    """The labelled steps."""
    with (data / "open-recipes" / "recipes.jsonl").open() as stream:
        texts = {recipe["id"]: recipe["instructions"] for recipe in map(json.loads, stream)}
    with (data / "gold" / "dev.jsonl").open() as stream:
        return [
            Step(labels["id"], texts[labels["id"]][int(step.removeprefix("step"))], frozenset(words))
            for labels in map(json.loads, stream)
            for step, words in labels["actions"].items()
        ]


def told(steps: list[Step], seed: int, listed: bool) -> dict[str, object]:
    """The scores of taggers that learned from the other folds."""
    recipes = sorted({step.recipe for step in steps})
    random.Random(seed).shuffle(recipes)
    fold_of = {recipe: place % FOLDS for place, recipe in enumerate(recipes)}
    folds, answers = [], []
    for fold in range(FOLDS):
        others = [step for step in steps if fold_of[step.recipe] != fold]
        tagger = ActionTagger(fit(part for step in others for part in step.labelled()))
        found: dict[Step, Action | None] = {
            step: tagger(sentences(step.text)[0]) for step in steps if fold_of[step.recipe] == fold
        }
        folds.append(scores(list(found), lambda step, found=found: (found[step] or Action("", 0)).word))
        answers += [(step, answer) for step, answer in found.items() if answer and step.words]
    confidences = [(answer.confidence, bool(step.is_right(answer.word))) for step, answer in answers]
    for step, answer in answers if listed else ():
        if not step.is_right(answer.word):
            print(
                f"{answer.word} {answer.confidence:.2f}, not {sorted(step.words)}: {sentences(step.text)[0]}"
            )
    total = {key: sum(fold[key] for fold in folds) for key in ("right", "n")}
    sure = [is_right for confidence, is_right in confidences if confidence >= SURE]
    return {
        "seed": seed,
        **total,
        "percent": round(100 * total["right"] / total["n"], 2),
        "folds": folds,
        "sure": {"n": len(sure), "right": sum(sure)},
        "calibration": calibration(confidences),
    }


def fit(
    labelled: Iterable[tuple[str, Collection[str]]], decay: float = 0.15, least: int = 3
) -> dict[str, float]:
    """The weights of features learned from sentences and the words that name actions in each.

    decay: the weight of the sum of squares; least: how often a feature must be met.
    """
    words = [(features, word in named) for text, named in labelled for word, features in candidates(text)]
    counts = Counter(feature for features, _ in words for feature in features)
    names = sorted(feature for feature, count in counts.items() if count >= least)
    places = {feature: place for place, feature in enumerate(names, 1)}  # 0: too rare to count
    met = torch.tensor([[places.get(feature, 0) for feature in features] for features, _ in words])
    named = torch.tensor([float(is_named) for _, is_named in words])
    weights = torch.zeros(len(names) + 1, 1, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        scores = F.embedding_bag(met, weights, mode="sum", padding_idx=0)[:, 0]
        error = F.binary_cross_entropy_with_logits(scores, named, reduction="sum")
        total = error + decay * weights.square().sum() / 2
        weights.grad = torch.autograd.grad(total, weights)[0]
        return total

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return dict(zip(names, weights[1:, 0].tolist(), strict=True))


def scores(steps: list[Step], word: Callable[[Step], str | None]) -> dict[str, float]:
    """How many of the steps with an action get a right word."""
    right = [is_right for step in steps if step.words and (is_right := step.is_right(word(step))) is not None]
    return {"right": sum(right), "n": len(right), "percent": round(100 * sum(right) / len(right), 2)}


def calibration(answers: list[tuple[float, bool]]) -> list[dict[str, float]]:
    """For answers of like confidence: how many, the mean confidence, the share that is right."""
    rows = []
    for low, high in ((0, 0.5), (0.5, 0.9), (0.9, 0.99), (0.99, 1.01)):
        part = [answer for answer in answers if low <= answer[0] < high]
        means = [round(sum(column) / len(part), 3) for column in zip(*part, strict=True)]
        rows.append({"n": len(part), **dict(zip(("confidence", "right"), means, strict=False))})
    return rows


def first_word(step: Step) -> str:
    """The control that has read recipes: they are orders."""
    return next(word for word in words_and_marks(step.text) if word[0].isalpha())


def first_verb(step: Step) -> str | None:
    """The first word of the first sentence that is used as a verb, by tagger and WordNet."""
    words = tokenise(sentences(step.text)[0])
    return next((words[place] for place in verbs(words)), None)


CONTROLS = {"first-word": first_word, "first-verb": first_verb}


def cooking_verbs(data: Path) -> list[str]:
    """Verbs by the share of their uses that open a sentence, in the text-only recipes."""
    uses, opening = Counter[str](), Counter[str]()
    for path in sorted((data / "text").glob("*.jsonl.gz")):
        with gzip.open(path, "rt") as stream:
            for recipe in map(json.loads, stream):
                for step in recipe["instructions"]:
                    for part in sentences(step):
                        words = [word for word in words_and_marks(part) if word[0].isalpha()]
                        uses.update(words)
                        opening.update(words[:1])
    table = [VERBS_HEAD]
    seen: set[str] = set()
    for name, share in OFTEN.items():
        words = {word for word, count in uses.items() if count >= 30 and opening[word] >= share * count}
        chosen = sorted(word for word in words - seen if (verb := verb_of(word)) and word.endswith(verb))
        seen |= words
        table.append(f"{name}\t{' '.join(chosen)}")
    return table


VERBS_HEAD = (
    "# Verbs that open sentences of recipes: often (in 40 % of their uses), sometimes (10 %), seldom (2 %);\n"
    "# counted in 77,000 recipes by benchmarks/teacher_actions.py."
)
WEIGHTS_HEAD = (
    "# What speaks for a word being the action of its sentence: feature, weight.\n"
    "# Learned from labelled steps of 596 recipes by benchmarks/teacher_actions.py."
)


def write_table(name: str, lines: list[str]) -> None:
    """A table of chef.teacher."""
    path = Path(actions.__file__).parent / "tables" / f"{name}.tsv"
    write_atomic(path, ("\n".join(lines) + "\n").encode())


def speed(steps: list[Step]) -> float:
    """Seconds for one sentence."""
    parts = [part for step in steps for part in sentences(step.text)]
    actions.action(parts[0])
    start = time.perf_counter()
    for part in parts:
        actions.action(part)
    return (time.perf_counter() - start) / len(parts)


if __name__ == "__main__":
    main()
