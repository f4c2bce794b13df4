"""Why the ingredient tree does not always put the main ingredient on top: the title already names it.

    python benchmarks/title_and_tree.py PREPARED --tower RUN --out out/title-and-tree

Trains T+L+L with its titles and with every title blanked, several seeds, and prints main-ingredient R@1 on
the test split: of all recipes, of those that list the main ingredient first, and of the others; random trees
and first-listed beside it.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from variants import SETTINGS, main_ingredient_score

from chef.data.batches import Pair
from chef.data.prepared import Prepared
from chef.evaluate import main_ingredient
from chef.model.artefact import load
from chef.recipe import Recipe
from chef.text.vocabulary import UNK
from chef.train.features import FeaturePairs
from chef.train.loop import train
from chef.train.settings import make_settings

CHANGES = {"model": "t+l+l", "loss": "infonce", "dropout": 0.0, "epochs": 20, "evaluate_every": 5}


def with_blank_titles(self: FeaturePairs, i: int) -> Pair:
    """A pair whose recipe has no title."""
    return Pair({**self._tokens[i], "title": [UNK]}, self._features[i][0], i)


def score(data: Prepared, out: Path, device: torch.device) -> dict[str, dict[str, float]]:
    """R@1 of the model and its controls: of all recipes, and by where the main ingredient stands."""
    model, plain_gold = load(out).model.to(device), main_ingredient.gold

    def only(first: bool) -> Any:
        def gold(recipe: Recipe, *, water: bool = True) -> str | None:
            found = plain_gold(recipe, water=water)
            return found if (recipe.ingredients[0].token == found) == first else None

        return gold

    rows = {}
    for name, gold in (("all", plain_gold), ("main first", only(True)), ("main later", only(False))):
        with patch.object(main_ingredient, "gold", gold):
            found = main_ingredient_score(data, model, device)
        controls = {kind: found["controls"][kind]["R@1"] for kind in ("random", "first-listed")}
        rows[name] = {"n": found["n"], "tree": found["model"]["R@1"], **controls}
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--tower", required=True, help="a run whose image tower is used, frozen")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = Prepared(arguments.data)
    print("| titles | recipes | n | tree R@1 by seed | mean | random | first-listed |")
    print("|---|---|---|---|---|---|---|")
    for titles, get in (("kept", FeaturePairs.__getitem__), ("blank", with_blank_titles)):
        found = []
        for seed in range(arguments.seeds):
            settings = make_settings({**SETTINGS, **CHANGES, "tower": arguments.tower, "seed": seed})
            with patch.object(FeaturePairs, "__getitem__", get):
                train(data, settings, arguments.out / f"{titles}-{seed}")
            found.append(score(data, arguments.out / f"{titles}-{seed}", device))
        for name, first in found[0].items():
            values = [rows[name]["tree"] for rows in found]
            seeds = ", ".join(f"{value:.1f}" for value in values)
            controls = f"{first['random']:.1f} | {first['first-listed']:.1f}"
            print(
                f"| {titles} | {name} | {first['n']} | {seeds} | {statistics.mean(values):.1f} | {controls} |"
            )


if __name__ == "__main__":
    main()
