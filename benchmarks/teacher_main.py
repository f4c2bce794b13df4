"""How often the main ingredient that people are told is right: against what a cook says of 596 open recipes.

    python benchmarks/teacher_main.py [--data ../shared/data] [--list]
    python benchmarks/teacher_main.py --write    # also the table of chef.teacher, from all labels

Five folds by recipe for each seed; the ranker that is scored on a fold, and its confidence, never saw the
labels of that fold. strict: the first answer is in `main`; accepted: in `main` or `ok`. The answers for the
bundled cookbook are read by hand: `wrong` in the result is kept as long as the answer stays the same, and new
answers are in `unread` until a reader takes them out.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from chef.bundled import cookbook
from chef.data.texts import PrepareSettings, TextMaker
from chef.files import write_atomic
from chef.food.canonical import CanonicalMap
from chef.recipe import Ingredient, Recipe, Step
from chef.teacher import main_ingredient
from chef.teacher.main_ingredient import (
    OFFSET,
    SLOPE,
    Candidate,
    candidates,
    confidence,
    logit,
    probabilities,
    rank,
)

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "experiments" / "results" / "teacher-main.json"
TABLE = Path(main_ingredient.__file__).parent / "tables" / "main_ingredient.tsv"
HEADER = """\
# The main ingredient: the weight of each feature of a line, learned from 596 labelled recipes by
# benchmarks/teacher_main.py; the last two rows turn the probability of a food into a confidence.
"""
FOLDS, SEEDS = 5, (0, 1, 2, 3, 4)
OK = 0.2  # what an acceptable answer counts in training; a main one counts 1
L2 = 0.006
BINS = 10  # of the calibration error


@dataclass(frozen=True)
class Example:
    """A labelled recipe."""

    recipe: Recipe
    lines: list[Candidate]
    main: frozenset[int]
    ok: frozenset[int]

    def is_right(self, line: int, *, strict: bool = True) -> bool:
        return line in self.main or (not strict and line in self.ok)


def read(data: Path, parse: TextMaker) -> list[Example]:
    """The labelled recipes."""
    labels = [json.loads(line) for line in (data / "gold" / "dev.jsonl").read_text("utf-8").splitlines()]
    wanted = {label["id"]: label for label in labels}
    found = []
    with (data / "open-recipes" / "recipes.jsonl").open(encoding="utf-8") as file:
        for raw in map(json.loads, file):
            if label := wanted.get(raw["id"]):
                lines, steps = map(Ingredient, raw["ingredients"]), map(Step, raw["instructions"])
                recipe = parse(Recipe(raw["id"], raw["title"], tuple(lines), tuple(steps))).recipe
                main, ok = frozenset(label["main"]), frozenset(label["ok"])
                found.append(Example(recipe, candidates(recipe), main, ok))
    return found


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """The weights of the features, by a softmax over the lines of each recipe."""
    names = sorted({name for one in examples for line in one.lines for name in line.features})
    place = {name: at for at, name in enumerate(names)}
    longest = max(len(one.lines) for one in examples)
    x = torch.zeros(len(examples), longest, len(names))
    worth = torch.full((len(examples), longest), 1e-9)
    is_line = torch.zeros(len(examples), longest, dtype=torch.bool)
    for row, one in enumerate(examples):
        for column, line in enumerate(one.lines):
            x[row, column, [place[name] for name in line.features]] = torch.tensor([*line.features.values()])
            worth[row, column] = 1.0 if line.line in one.main else OK if line.line in one.ok else 1e-9
            is_line[row, column] = True
    scale = x[is_line].std(0) + 0.1  # rare kinds of food stay small
    weights = torch.zeros(len(names), requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        scores = (x @ (weights / scale)).masked_fill(~is_line, -1e9)
        value = -(scores.softmax(-1) * worth).sum(-1).log().mean() + L2 * weights.square().sum()
        value.backward()
        return value

    optimizer.step(loss)
    return dict(zip(names, (weights / scale).tolist(), strict=True))


def answer(one: Example, weights: dict[str, float]) -> tuple[int, float]:
    """The line that is told, and the probability of its food."""
    by_line, by_food = probabilities(one.lines, weights)
    best = by_line.index(max(by_line))
    return one.lines[best].line, by_food[best]


def folds(examples: Sequence[Example], seed: int) -> list[tuple[list[Example], list[Example]]]:
    """What to learn from and what to score, fold by fold."""
    order = random.Random(seed).sample(examples, len(examples))
    return [([one for at, one in enumerate(order) if at % FOLDS != k], order[k::FOLDS]) for k in range(FOLDS)]


def fit_with_confidence(examples: Sequence[Example], seed: int) -> dict[str, float]:
    """The weights, with the confidence learned on folds of these examples (Platt 1999)."""
    odds, right = [], []
    for seen, unseen in folds(examples, seed):
        weights = fit(seen)
        for one in unseen:
            line, probability = answer(one, weights)
            odds.append(logit(probability))
            right.append(one.is_right(line))
    x = torch.tensor([odds, [1.0] * len(odds)]).T
    slope = torch.tensor([1.0, 0.0], requires_grad=True)
    optimizer = torch.optim.LBFGS([slope], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        value = torch.nn.functional.binary_cross_entropy_with_logits(x @ slope, torch.tensor(right).float())
        value.backward()
        return value

    optimizer.step(loss)
    return fit(examples) | dict(zip((SLOPE, OFFSET), slope.tolist(), strict=True))


def calibration_error(confident: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """The mean distance between confidence and share of right answers, in bins of equal size (ECE)."""
    bins = np.array_split(np.argsort(confident), BINS)
    return float(
        sum(abs(confident[some].mean() - right[some].mean()) * len(some) for some in bins) / len(right)
    )


def score(
    examples: Sequence[Example], seed: int
) -> tuple[dict[str, float], list[tuple[Example, int, float]]]:
    """The figures of one seed, and the answers."""
    told = []
    for seen, unseen in folds(examples, seed):
        weights = fit_with_confidence(seen, seed)
        for one in unseen:
            line, probability = answer(one, weights)
            told.append((one, line, confidence(probability, weights)))
    right = np.array([one.is_right(line) for one, line, _ in told])
    figures = {
        "strict": 100 * float(right.mean()),
        "accepted": 100 * mean(one.is_right(line, strict=False) for one, line, _ in told),
        "calibration_error": calibration_error(np.array([sure for *_, sure in told]), right),
    }
    return figures, told


def controls(examples: Sequence[Example]) -> dict[str, dict[str, float]]:
    """The same figures for simple answers."""
    picks = {
        "first-listed": lambda line: -line.line,
        "heaviest": lambda line: line.features["share of the line"],
        "named in title": lambda line: line.features["word in title"],
    }
    table: dict[str, dict[str, float]] = {}
    for name, pick in picks.items():
        told = [max(one.lines, key=pick).line for one in examples]
        table[name] = {
            kind: 100
            * mean(one.is_right(line, strict=strict) for one, line in zip(examples, told, strict=True))
            for kind, strict in (("strict", True), ("accepted", False))
        }
    table["random"] = {
        kind: 100
        * mean(mean(one.is_right(line.line, strict=strict) for line in one.lines) for one in examples)
        for kind, strict in (("strict", True), ("accepted", False))
    }
    return table


def of_cookbook(recipes: Sequence[Recipe]) -> dict[str, Any]:
    """What is told for the cookbook, and what a reader found wrong in it."""
    told = {recipe.title: rank(recipe)[0].token for recipe in recipes}
    before = (
        json.loads(RESULT.read_text("utf-8"))["cookbook"]
        if RESULT.exists()
        else {"told": {}, "wrong": {}, "unread": []}
    )
    wrong = {
        title: why for title, why in before["wrong"].items() if before["told"].get(title) == told.get(title)
    }
    unread = [
        title
        for title, token in told.items()
        if before["told"].get(title) != token or title in before["unread"]
    ]
    right = len(told) - len(wrong) - len(unread)
    return {"dishes": len(told), "right": right, "wrong": wrong, "unread": unread, "told": told}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument(
        "--list", action="store_true", help="print the answers of the first seed that are wrong"
    )
    parser.add_argument("--write", action="store_true", help="write the table of chef.teacher")
    given = parser.parse_args()
    parse = TextMaker(CanonicalMap.load(), PrepareSettings())
    examples = read(given.data, parse)
    found = [score(examples, seed) for seed in SEEDS]
    if given.list:
        for one, line, sure in found[0][1]:
            if not one.is_right(line):
                wanted = ", ".join(one.recipe.ingredients[at].line for at in sorted(one.main))
                said = f"{one.recipe.ingredients[line].line} ({sure:.2f})"
                print(f"{'ok   ' if line in one.ok else 'wrong'} {one.recipe.title}: {said}, not {wanted}")
    if given.write:
        weights = fit_with_confidence(examples, seed=0)
        TABLE.write_text(
            HEADER + "".join(f"{name}\t{value:.4g}\n" for name, value in weights.items()), "utf-8"
        )
        main_ingredient.weights.cache_clear()
        main_ingredient.rows.cache_clear()
    recipes = [parse(recipe).recipe for recipe in cookbook()]
    start = time.perf_counter()
    for recipe in recipes:
        rank(recipe)
    figures = {
        name: {"mean": round(mean(values), 4), "spread": round(stdev(values), 4)}
        for name in ("strict", "accepted", "calibration_error")
        if (values := [one[name] for one, _ in found])
    }
    result = {
        "about": "main ingredient told to people, five folds by recipe; mean and spread over seeds",
        "n": len(examples), "seeds": len(SEEDS), "folds": FOLDS, **figures,
        "controls": controls(examples),
        "ms_per_recipe": round(1000 * (time.perf_counter() - start) / len(recipes), 2),
        "cookbook": of_cookbook(recipes),
    }  # fmt: skip
    write_atomic(RESULT, (json.dumps(result, indent=1, ensure_ascii=False) + "\n").encode())
    print(json.dumps({**result, "cookbook": result["cookbook"]["right"]}, indent=1))


if __name__ == "__main__":
    main()
