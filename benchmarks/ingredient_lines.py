"""Prints parsed ingredient lines of the open recipes as a Markdown table, for a person to judge.

    python benchmarks/ingredient_lines.py --data DIR --seed 2026 --n 100

DIR (default: the environment's CHEF_DATA) holds `open-recipes/recipes.jsonl`. Nothing is written.
With `--all` the shares of lines with a name and with grams over all recipes are printed instead.
With `--start` it prints how long the first line takes in a new interpreter, with the labeller as its package
starts it and as `chef.text.verbs` does; it needs no data.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chef
from chef.text.lines import parse_line


def recipes(data: Path) -> Iterator[list[str]]:
    """The ingredient lines of each recipe."""
    with (data / "open-recipes" / "recipes.jsonl").open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)["ingredients"]


def table(lines: list[str]) -> Iterator[str]:
    """The rows of the Markdown table."""
    yield "| line | name | amount | unit | grams |"
    yield "|---|---|---|---|---|"
    for line in lines:
        item = parse_line(line)
        cells = [line, item.name, item.amount, item.unit, item.grams]
        yield f"| {' | '.join('' if cell is None else str(cell).replace('|', '/') for cell in cells)} |"


def shares(all_recipes: list[list[str]]) -> Iterator[str]:
    """How much of all lines is understood, and how fast."""
    start = time.process_time()
    parsed = [[parse_line(line) for line in lines] for lines in all_recipes]
    seconds = time.process_time() - start
    items = [item for recipe in parsed for item in recipe]
    named = [item for item in items if item.name is not None]
    weighed = sum(item.grams is not None for item in items)
    # As in the main-ingredient task: at least 90 % of a recipe's ingredients have grams.
    real = [[item for item in recipe if item.name is not None] for recipe in parsed]
    full = sum(bool(r) and sum(i.grams is not None for i in r) >= 0.9 * len(r) for r in real)
    unique = len({item.line for item in items})
    yield f"lines {len(items)} ({unique} unique), {unique / seconds:.0f} unique lines per CPU second"
    yield f"with a name {len(named) / len(items):.4f}, with grams {weighed / len(items):.4f}"
    yield f"recipes {len(parsed)}, with grams for 90 % of their lines {full / len(parsed):.4f}"


PLAIN = "from ingredient_parser import parse_ingredient as parse"
OURS = "from chef.text.verbs import labeller; parse = labeller()"


def start(runs: int = 5) -> Iterator[str]:
    """CPU seconds until the first line is labelled: the median of interleaved runs."""
    measure = "import time; {}; parse('2 cups flour', string_units=True); print(time.process_time())"
    environment = os.environ | {"NLTK_DATA": str(Path(chef.__file__).parent / "text" / "nltk_data")}
    seconds: dict[str, list[float]] = {PLAIN: [], OURS: []}
    for _ in range(runs):
        for code, times in seconds.items():
            command = [sys.executable, "-c", measure.format(code)]
            times.append(float(subprocess.check_output(command, env=environment)))
    plain, ours = (statistics.median(times) for times in seconds.values())
    yield f"first line: {plain:.2f} CPU seconds as its package starts, {ours:.2f} as chef starts it"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("CHEF_DATA"), help="folder of the data")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--n", type=int, default=100, help="lines to print")
    parser.add_argument("--all", action="store_true", help="shares over all lines instead of a table")
    parser.add_argument("--start", action="store_true", help="time to the first line instead of a table")
    arguments = parser.parse_args()
    if arguments.start:
        print("\n".join(start()))
        return 0
    if arguments.data is None or not (arguments.data / "open-recipes" / "recipes.jsonl").is_file():
        print("no open recipes there: give --data or set CHEF_DATA", file=sys.stderr)
        return 2
    all_recipes = list(recipes(arguments.data))
    lines = [line for recipe in all_recipes for line in recipe]
    chosen = random.Random(arguments.seed).sample(lines, arguments.n)
    print("\n".join(shares(all_recipes) if arguments.all else table(chosen)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
