"""Makes `src/chef/food/tables/measures.tsv` from the USDA's table of household measures.

    python scripts/make_measures.py usda-sr28-measures.csv.gz

The table is of the USDA National Nutrient Database for Standard Reference, Release 28 (public domain),
with the columns ndb_no, food, group, amount, measure, grams and g_per_ml_if_volume.
A row of the result is a food with its measures: `ml` (grams per millilitre, with the state where the USDA
tells states apart: `ml/chopped`), `each` and the sizes (grams of one), and units (`clove`, `slice`, ...).
"""

from __future__ import annotations

import argparse
import csv
import gzip
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from chef.files import rows
from chef.food.units import singular, unit_of

TABLES = Path(__file__).resolve().parent.parent / "src" / "chef" / "food" / "tables"
# Ready meals and other foods that are no ingredients; cuts of meat, which are sold by weight.
LEFT_OUT_GROUPS = {
    "Baby Foods", "Fast Foods", "Restaurant Foods", "Meals, Entrees, and Side Dishes",
    "American Indian/Alaska Native Foods", "Beef Products", "Lamb, Veal, and Game Products",
}  # fmt: skip
# Cooked meat and foods made up with salt, water or milk repeat the plain ones.
LEFT_OUT_FOODS = re.compile(
    r"with salt$|, with salt|prepared with|USDA Commodity|imported|(?:Chicken|Turkey|Pork|Duck|Goose).*cooked"
)
BRAND = re.compile(r"\b[A-Z][A-Z'&.-]{2,}\b")
NOT_BRANDS = {"USDA", "RTE", "DHA", "UHT"}
STATES = (
    "chopped|sliced|slices|diced|shredded|grated|crumbled|whole|halves|halved|mashed|unpacked|packed|sifted|unsifted|"
    "melted|whipped|ground|pieces|cubes|cubed|minced|crushed|pureed|quartered|torn|cooked|fluid|dry|slivered|drained"
).split("|")  # fmt: skip
SAME_STATE = {"slices": "sliced", "halves": "halved", "cubes": "diced", "cubed": "diced"}
SIZES = {"small": "small", "medium": "medium", "large": "large"}
HEADER = """# Household measures of foods, from the USDA National Nutrient Database for Standard Reference,
# Release 28 (public domain). Made by scripts/make_measures.py; columns: NDB number, food, measures.
"""


def measure_key(food: str, measure: str, density: str) -> str | None:
    """The key of one measure, or None where it is of no use: 'cup, chopped' -> 'ml/chopped'."""
    text = measure.lower()
    words = re.findall(r"[a-z]+", text)
    if not words or "yield" in text:
        return None
    if density:
        state = next((word for word in words if word in STATES), None)
        return f"ml/{SAME_STATE.get(state, state)}" if state else "ml"
    if text.startswith(("extra large", "extra small", "jumbo")):
        return None
    size = next((word for word in words[:3] if word in SIZES), None)
    first = singular(words[0])
    unit = unit_of(first)
    if unit is not None and unit.kind in ("piece", "container"):
        # "can drained" and such speak of another thing than what one buys.
        return (
            None
            if re.search(r"prepared|serving|drained", text)
            else f"{unit.name}/{size}"
            if size
            else unit.name
        )
    if words[0] in SIZES or (size and first in _nouns(food)):
        return size
    if first in _nouns(food) or first in (
        "fruit",
        "item",
        "root",
        "each",
        "bird",
        "whole",
        "breast",
        "thigh",
        "steak",
        "chop",
    ):
        return "each"
    return None


def _nouns(food: str) -> set[str]:
    return {singular(word) for word in re.findall(r"[a-z]+", food.lower())}


def compact(table: Iterable[dict[str, str]], wanted: set[str]) -> dict[str, tuple[str, dict[str, float]]]:
    """Food and measures by NDB number; of several rows with one key the first counts, for densities a cup.

    Grams are rounded in the source, so that a cup tells a density better than a spoon.
    """
    foods: dict[str, tuple[str, dict[str, float]]] = {}
    by_cup: set[tuple[str, str]] = set()
    for row in table:
        food, number = row["food"], row["ndb_no"]
        brands = set(BRAND.findall(food)) - NOT_BRANDS
        left_out = row["group"] in LEFT_OUT_GROUPS or brands or LEFT_OUT_FOODS.search(food)
        if number not in wanted and left_out:
            continue
        _, measures = foods.setdefault(number, (food, {}))
        key = measure_key(food, row["measure"], row["g_per_ml_if_volume"])
        if key is None:
            continue
        amount = float(row["amount"]) or 1.0
        value = float(row["g_per_ml_if_volume"]) if key.startswith("ml") else float(row["grams"]) / amount
        if row["measure"].lower().startswith("cup") and (number, key) not in by_cup:
            by_cup.add((number, key))
            measures[key] = value
        else:
            measures.setdefault(key, value)
    return {number: entry for number, entry in foods.items() if entry[1] or number in wanted}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", type=Path, help="the USDA table as CSV, gzip-compressed")
    arguments = parser.parse_args()
    wanted = {row[1] for row in rows("chef.food", "foods.tsv") if row[1]}
    with gzip.open(arguments.table, "rt", encoding="utf-8", newline="") as file:
        foods = compact(csv.DictReader(file), wanted)
    if missing := wanted - set(foods):
        print(f"foods.tsv names unknown NDB numbers: {', '.join(sorted(missing))}", file=sys.stderr)
        return 2
    lines = [
        f"{number}\t{food}\t{' '.join(f'{key}={value:.3g}' for key, value in measures.items())}\n"
        for number, (food, measures) in sorted(foods.items())
    ]
    target = TABLES / "measures.tsv"
    temporary = target.with_suffix(".part")
    temporary.write_text(HEADER + "".join(lines), encoding="utf-8")
    os.replace(temporary, target)
    print(f"{target.name}: {len(lines)} foods, {target.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
