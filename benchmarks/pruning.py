"""Dishes with two ingredients left out, to be read by a cook.

    python benchmarks/pruning.py RECIPES [--seed 1] [--dishes 40]

Draws half of the dishes from RECIPES and half from the bundled cookbook, in English and with five lines or
more. Prints of each the title, the lines (- before those that went), why, and the steps that changed.
The verdicts in docs/rewrite.md are of somebody who read all of it.
"""

import argparse
import random
from pathlib import Path

from chef.contents import contents
from chef.index import open_cookbook
from chef.readers import read
from chef.rewrite import prune


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recipes", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dishes", type=int, default=40)
    options = parser.parse_args()
    index, rng = open_cookbook(), random.Random(options.seed)
    dishes = []
    for pool in (list(read(options.recipes)), [entry.recipe for entry in index.entries()]):
        rng.shuffle(pool)
        good = (one for one in pool if len(one.ingredients) > 4 and contents(one).is_english)
        dishes += [next(good) for _ in range(options.dishes // 2)]
    for number, recipe in enumerate(dishes, 1):
        pruned = prune(index.chef, recipe, 2)
        kept = {item.line for item in pruned.recipe.ingredients}
        print(
            f"\n{number}. {recipe.title}"
            + (f" -> {pruned.recipe.title}" * (pruned.recipe.title != recipe.title))
        )
        print("; ".join(f"{'' if item.line in kept else '- '}{item.line}" for item in recipe.ingredients))
        for token, why in zip(pruned.removed, pruned.reasons, strict=True):
            print(f"    {token}: {why}")
        print(*([f"    {pruned.note}"] if pruned.note else []), sep="\n")
        steps = {step.text for step in recipe.steps}, {step.text for step in pruned.recipe.steps}
        for step in (*recipe.steps, *pruned.recipe.steps):
            if (step.text in steps[0]) != (step.text in steps[1]):
                print(f"    {'<' if step.text in steps[0] else '>'} {step.text}")


if __name__ == "__main__":
    main()
