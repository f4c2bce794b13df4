"""Word queries with negations and diets: what they are understood as, and their first three hits.

    python benchmarks/word_queries.py COLLECTION

For reading by eye: a hit that breaks the negation, and a top three that makes no sense, are faults. The
figures in docs/search.md were read over 1,500 open recipes (`--source` makes that collection first).
"""

from __future__ import annotations

import argparse
import random
from itertools import islice
from pathlib import Path

import chef

QUERIES = """
vegan dessert without nuts | curry without coconut | gluten free cookies | no dairy pasta
nut-free cookies | vegetarian lasagna | chicken without celery | dairy free smoothie
eggless cake | vegan curry | bean chili without beef | pasta without tomatoes
salad without onions | fish without cream | vegan soup no garlic | gluten-free dessert
soup without meat | chocolate cake without eggs | stir fry without soy | pescatarian dinner
tacos without beef | vegetarian burger | potato pancakes no milk | beef stew without alcohol
risotto without wine | shellfish free curry | bread without yeast | vegan breakfast
peanut free noodles | cookies without butter | salad dressing without mustard | rice without chicken
vegetarian soup without mushrooms | pizza without cheese | sesame free noodles
snack without gluten | mashed potatoes dairy-free | vegan salad without onion
sandwich without mayonnaise | cookies with no nuts and no eggs
"""


def queries() -> list[str]:
    return [query.strip() for line in QUERIES.strip().splitlines() for query in line.split(" | ")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", type=Path)
    parser.add_argument("--source", help="recipes to make the collection of, if it does not exist")
    parser.add_argument("--recipes", type=int, default=1500, help="how many of them, drawn with seed 16")
    options = parser.parse_args()
    index = chef.Index(options.collection)
    if options.source and not options.collection.exists():
        recipes = list(chef.read(options.source))
        random.Random(16).shuffle(recipes)
        index.add(list(islice(recipes, options.recipes)))
    for query in queries():
        asked = index.understand(query)
        filters = [*(f"without {name}" for name in asked.without), *filter(None, [asked.diet])]
        print(f"{query!r} -> {asked.text!r}, {', '.join(filters) or 'no filter'}")
        for hit in index.search(text=query, k=3):
            print(f"    {hit.title}: {', '.join(hit.ingredients)}")


if __name__ == "__main__":
    main()
