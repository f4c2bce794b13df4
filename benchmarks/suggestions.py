"""Suggested substitutes against right answers that were written down before.

    python benchmarks/suggestions.py [tests/rewrite/right_answers.json]

Asks the bundled cookbook for each case and prints the first three, with + where the first is a right one; at
the end, also how many of all suggestions break the diet in force.
"""

import json
import sys
from pathlib import Path

from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.food.groups import has
from chef.index import open_cookbook
from chef.recipe import Recipe
from chef.rewrite.suggest import suggest
from chef.text.words import keys

ANIMAL = {"vegetarian": ("meat", "fish", "shellfish"), "pescatarian": ("meat",)}
ANIMAL["vegan"] = (*ANIMAL["vegetarian"], "dairy", "eggs")


def main() -> None:
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "tests/rewrite/right_answers.json")
    index, canonical = open_cookbook(), CanonicalMap.load()
    cases = json.loads(path.read_text(encoding="utf-8"))
    first = among = breaks = 0
    for case in cases:
        fields = {
            "title": case["dish"],
            "ingredients": case["ingredients"],
            "instructions": case["instructions"],
        }
        recipe = Recipe.from_json({"id": "case", **fields})
        try:
            tokens = [one.token for one in suggest(index, recipe, case["from"], diet=case["diet"])]
        except ChefError as error:
            print(error)
            tokens = []
        right = {name for one in case["right"] for name in (keys(one), keys(canonical.token(one) or one))}
        hits = [keys(token) in right for token in tokens[:3]]
        first, among = first + any(hits[:1]), among + any(hits)
        groups = ANIMAL.get(case["diet"], ())
        breaks += sum(has(group, token) for token in tokens for group in groups)
        answer = ", ".join(tokens[:3])
        print("+" if hits and hits[0] else "-", f"{case['dish']}: {case['from']} ({case['role']}): {answer}")
    print(f"first right {first} of {len(cases)}; among three {among}; that break the diet {breaks}")


if __name__ == "__main__":
    main()
