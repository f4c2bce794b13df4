"""What a model loses by computing in 8 bits (`chef.model.eight_bits`): the same pairs embedded both ways.

    python benchmarks/eight_bits.py DATA [--model NAME] [--split test] [--json OUT]
    python benchmarks/eight_bits.py DATA --parts [...]

DATA is prepared, or anything that chef reads. It prints the mean and lowest cosine between a recipe's two
vectors, and R@1 and R@10 of both in both directions. With `--parts`, what storing each part of the weights in
8 bits loses: a random error of up to half a step is added to them, as rounding does, and the mean cosine with
the vectors of before is printed, of photos and of recipes, in single precision.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

import chef
from chef.data.texts import TEST
from chef.errors import ChefError
from chef.evaluate.evaluated_model import Cache, EvaluatedModel
from chef.evaluate.population import Population, open_population
from chef.measure.retrieval import summary
from chef.model.artefact import SMALL
from chef.model.eight_bits import EightBitLinear, scale_of
from chef.model.recipe_model import RecipeModel
from chef.report.names import DIRECTIONS

METRICS = ("R@1", "R@10")
PARTS = {  # how their weights' names begin, and how many dimensions these have
    "convolutions of the tower": (r"tower\.", 4),
    "the rest of the tower": (r"tower\.", 2),
    "MiniLM": (r"recipe\.context\.", 2),
    "trees, transformers, words": (r"recipe\.(?!context)", 2),
    "heads": (r"heads\.", 2),
}
SEEDS = 2


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


def measure_parts(data: Path, name: str, split: str) -> dict[str, Any]:
    model = chef.load(name, eight_bits=False)
    population = open_population(data, split, canonical=model.texts.canonical)
    state = model.model.state_dict().items()
    before = {key: weight.clone() for key, weight in state if weight.is_floating_point()}
    cache = Cache()
    whole, parts = _embedded(model, population, cache), {}
    for part, (start, dimensions) in PARTS.items():
        sizes = {key: weight.numel() for key, weight in before.items() if weight.dim() == dimensions}
        chosen = [key for key, size in sizes.items() if re.match(start, key) and size >= SMALL]
        cosines = []
        for seed in range(SEEDS):
            random = torch.Generator().manual_seed(seed)
            rounded = {key: _rounded(before[key], random) for key in chosen}
            model.model.load_state_dict({**before, **rounded}, strict=False)
            points = zip(whole, _embedded(model, population, cache), strict=True)
            cosines.append([(first * second).sum(1).mean() for first, second in points])
        photos, recipes = (float(value) for value in np.mean(cosines, 0))
        numbers = sum(sizes[key] for key in chosen)
        parts[part] = {"numbers": numbers, "photos": photos, "recipes": recipes}
    return {"model": name, "pairs": len(population), "parts": parts}


def _rounded(weights: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """Weights off by up to half a step of 8 bits, each row with a scale of its own."""
    rows = weights.float().flatten(1)
    error = (torch.rand(rows.shape, generator=random) - 0.5) * scale_of(rows)[:, None]
    return (rows + error).view(weights.shape).to(weights.dtype)


def _embedded(model: RecipeModel, population: Population, cache: Cache) -> list[np.ndarray[Any, Any]]:
    """Photos and recipes as points of length 1."""
    one = EvaluatedModel("", model, population, cache=cache)
    return [part / np.linalg.norm(part, axis=1, keepdims=True) for part in (one.images, one.recipes)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="chef-base")
    parser.add_argument("--split", default=TEST)
    parser.add_argument("--parts", action="store_true", help="what each part of the weights loses")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args()
    try:
        result = (measure_parts if given.parts else measure)(given.data, given.model, given.split)
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if given.json:
        given.json.write_text(json.dumps(result, indent=1) + "\n")
    if given.parts:
        print(
            "{model}, {pairs} pairs: cosine with rounding to 8 bits, of photos and of recipes".format(
                **result
            )
        )
        for part, one in result["parts"].items():
            print(f"{one['photos']:.5f} {one['recipes']:.5f}  {part}, {one['numbers']:,} numbers")
        return 0
    print("{model}, {pairs} pairs: cosine {mean_cosine:.5f}, at least {lowest_cosine:.5f}".format(**result))
    for kind, ways in result["recall"].items():
        for way, recall in ways.items():
            print(f"{kind:8} {way}: " + ", ".join(f"{name} {value:.2f}" for name, value in recall.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
