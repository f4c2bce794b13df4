"""What a model loses by computing in 8 bits (`chef.model.eight_bits`): the same pairs embedded both ways.

    python benchmarks/eight_bits.py DATA [--model NAME] [--split test] [--json OUT]

DATA is prepared, or anything that chef reads. It prints the mean and lowest cosine between a recipe's two
vectors, and R@1 and R@10 of both in both directions.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import chef
from chef.data.texts import TEST
from chef.errors import ChefError
from chef.evaluate.evaluated_model import Cache, EvaluatedModel
from chef.evaluate.population import open_population
from chef.measure.retrieval import summary
from chef.model.eight_bits import EightBitLinear
from chef.report.names import DIRECTIONS

METRICS = ("R@1", "R@10")


def measure(data: Path, name: str, split: str) -> dict[str, Any]:
    models = {"8 bits": chef.load(name), "float32": chef.load(name, eight_bits=False)}
    if not any(isinstance(part, EightBitLinear) for part in models["8 bits"].model.modules()):
        raise ChefError(f"{name} does not compute in 8 bits here", "another CPU, or another model")
    population = open_population(data, split, canonical=models["float32"].texts.canonical)
    cache = Cache()  # of the photos: they take no part in this
    evaluated = {kind: EvaluatedModel(kind, model, population, cache=cache) for kind, model in models.items()}
    first, second = (
        one.recipes / np.linalg.norm(one.recipes, axis=1, keepdims=True) for one in evaluated.values()
    )
    cosines = (first * second).sum(1)
    recalls = {}
    for kind, one in evaluated.items():
        scores = summary(one.retrieval_ranks(seed=0, sizes={}), with_intervals=False)
        recalls[kind] = {
            way: {metric: scores[way]["full"][metric] for metric in METRICS} for way in DIRECTIONS
        }
    return {
        "model": name,
        "pairs": len(population),
        "mean_cosine": float(cosines.mean()),
        "lowest_cosine": float(cosines.min()),
        "recall": recalls,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="chef-base")
    parser.add_argument("--split", default=TEST)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args()
    try:
        result = measure(given.data, given.model, given.split)
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if given.json:
        given.json.write_text(json.dumps(result, indent=1) + "\n")
    print("{model}, {pairs} pairs: cosine {mean_cosine:.5f}, at least {lowest_cosine:.5f}".format(**result))
    for kind, ways in result["recall"].items():
        for way, recall in ways.items():
            print(f"{kind:8} {way}: " + ", ".join(f"{name} {value:.2f}" for name, value in recall.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
