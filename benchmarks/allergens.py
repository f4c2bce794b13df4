"""How well filters read recipes: against what a cook says of 596 open recipes.

    python benchmarks/allergens.py [--data ../shared/data] [--list] [--json]

For each of the eleven groups of the gold labels: the recipes that contain it and pass `without` it (leaks),
and those without it that are kept back. What "may" contain it counts as neither. The labels go by the
ingredient lines alone, so recipes that are kept back for their title, a step or a line that was not
understood are counted apart.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

from chef.contents import contents
from chef.recipe import Ingredient, Recipe, Step

GROUPS = {
    "gluten": "gluten", "dairy": "dairy", "egg": "eggs", "tree-nut": "tree nuts", "peanut": "peanuts",
    "soy": "soy",
    "fish": "fish", "shellfish": "shellfish", "sesame": "sesame", "meat": "meat", "alcohol": "alcohol",
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("CHEF_DATA", "../shared/data")))
    parser.add_argument("--list", action="store_true", help="name every recipe that leaks or is kept back")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.data, options.list)
    if options.json:
        print(json.dumps(rows))
        return
    heads = ("group", "contain", "leak", "without", "kept back by lines", "otherwise")
    print("{:<10} {:>7} {:>5} {:>8} {:>19} {:>11}".format(*heads))
    for row in rows:
        lines = f"{row['by_lines']} ({100 * row['by_lines'] / row['without']:.1f} %)"
        others = f"{row['otherwise']} ({100 * row['otherwise'] / row['without']:.1f} %)"
        counts = f"{row['group']:<10} {row['contain']:>7} {row['leaks']:>5} {row['without']:>8}"
        print(f"{counts} {lines:>19} {others:>11}")


def measure(data: Path, listed: bool = False) -> list[dict[str, str | int]]:
    """One row for each group."""
    with (data / "open-recipes" / "recipes.jsonl").open() as stream:
        recipes = {recipe["id"]: recipe for recipe in map(json.loads, stream)}
    with (data / "gold" / "dev.jsonl").open() as stream:
        gold = [json.loads(line) for line in stream]
    counts: dict[str, Counter[str]] = {label: Counter() for label in GROUPS}
    for labels in gold:
        fields = recipes[labels["id"]]
        recipe = Recipe(
            labels["id"],
            fields["title"],
            tuple(map(Ingredient, fields["ingredients"])),
            tuple(map(Step, fields["instructions"])),
        )
        whole, lines = contents(recipe), contents(replace(recipe, title="", steps=()))
        for label, group in GROUPS.items():
            by_lines, count = group in (*lines.contains, *lines.may), counts[label]
            is_unsure = whole.not_understood or not whole.is_english
            dropped = by_lines or group in (*whole.contains, *whole.may) or is_unsure
            problem = ""
            if label in labels["contains"]:
                count["contain"] += 1
                if not dropped:
                    count["leaks"] += 1
                    problem = "leaks"
            elif label not in labels["may"]:
                count["without"] += 1
                if dropped:
                    count["by_lines" if by_lines else "otherwise"] += 1
                    problem = "kept back by its lines" if by_lines else f"kept back {whole.not_understood}"
            if problem and listed:
                print(f"{label}: {recipe.id} {recipe.title!r} {problem}")
    keys = ("contain", "leaks", "without", "by_lines", "otherwise")
    return [{"group": label, **{key: counts[label][key] for key in keys}} for label in GROUPS]


if __name__ == "__main__":
    main()
