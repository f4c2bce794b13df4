"""Word queries: what they are understood as, and their first three hits.

    python benchmarks/word_queries.py COLLECTION  # negations and diets, for reading by eye
    python benchmarks/word_queries.py COLLECTION --spelling [--json OUT]  # typos, languages, unknown words

By eye: a hit that breaks the negation, and a top three that makes no sense, are faults. With `--spelling` a
query is answered sensibly if one of its first three hits has, in title or ingredients, the words behind the
"=", of which "/" separates alternatives; and one of unknown words ("=") if there is no hit, or the word is
named. The figures in docs/search.md are over 1,500 open recipes (`--source` makes that collection first).
"""

from __future__ import annotations

import argparse
import json
import random
from itertools import islice
from pathlib import Path
from typing import Any

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

SPELLING = """
spagetti carbonarra = carbonara/spaghetti | lasange = lasagna/lasagne | chiken curry = chicken curry
brocolli soup = broccoli | zuchini bread = zucchini | cinamon rolls = cinnamon | pankakes = pancake
guacamolle = guacamole/avocado | choclate chip cookys = chocolate chip cookie | mashed potatos = potato
tomatoe soup = tomato | buritto = burrito | quesadila = quesadilla/tortilla | hummous = hummus/chickpea
cheescake = cheesecake | bannana bread = banana | pumkin pie = pumpkin | meatbals = meatball
teryaki chicken = teriyaki | fetuccine alfredo = alfredo/fettuccine | shepards pie = pie
applepie = apple | tiramissu = tiramisu/mascarpone | enchilladas = enchilada | gnocci = gnocchi/potato
gateau au chocolat = chocolate | Kartoffelsuppe = potato | soupe a l'oignon = onion | arroz con leche = rice
Apfelkuchen = apple | ensalada de patata = potato | poulet roti = chicken | sopa de tomate = tomato
Zwiebelkuchen = onion | tarte aux pommes = apple | pollo asado = chicken | Rinderbraten = beef
zuppa di pomodoro = tomato | Kürbissuppe = pumpkin/squash | crevettes a l'ail = shrimp/prawn
frango assado = chicken | Käsekuchen = cheesecake/cheese | salade de lentilles = lentil
Spinatlasagne = spinach | Hühnersuppe = chicken
a soup with the carrots please = carrot | I want something with rice and eggs = rice egg/rice
how do I make pizza = pizza | what can i cook with lentils = lentil | show me some cookies = cookie
the best brownies = brownie | an easy bread recipe = bread | mushrooms = mushroom | a tomato = tomato
xyzzy = | asdfgh qwerty = | bicycle = | laptop charger = | flurbinated = | zzyzx soup =
"""


def queries(text: str = QUERIES) -> list[str]:
    return [query.strip() for line in text.strip().splitlines() for query in line.split(" | ")]


def check_spelling(index: chef.Index) -> dict[str, Any]:
    """Of the queries with typos, in other languages, with stop words and with unknown ones."""
    answers = []
    for line in queries(SPELLING):
        query, _, expected = (part.strip() for part in line.partition("="))
        asked, hits = index.understand(query), index.search(text=query, k=3)
        texts = [" ".join([hit.title, *hit.ingredients]).lower().replace("_", " ") for hit in hits]
        wanted = [choice.split() for choice in expected.split("/")]
        has = any(all(word in text for word in words) for text in texts for words in wanted)
        fine = has if expected else bool(asked.unknown) and (not hits or bool(asked.text))
        answers.append({"query": query, "known": bool(expected), "sensible": fine, "read": asked.to_json()})
        print(f"{'' if fine else 'WRONG '}{query!r} -> {asked.text!r}, unknown {asked.unknown}: ", end="")
        print(" | ".join(hit.title for hit in hits))
    sensible = sum(one["sensible"] for one in answers)
    as_known = sum(not one["sensible"] for one in answers if not one["known"])
    print(f"{sensible} of {len(answers)} sensible; {as_known} unknown ones answered as if known")
    return {"queries": len(answers), "sensible": sensible, "unknown as known": as_known, "answers": answers}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", type=Path)
    parser.add_argument("--source", help="recipes to make the collection of, if it does not exist")
    parser.add_argument("--recipes", type=int, default=1500, help="how many of them, drawn with seed 16")
    parser.add_argument("--spelling", action="store_true", help="typos, other languages, unknown words")
    parser.add_argument("--json", type=Path, help="where to write what --spelling found")
    options = parser.parse_args()
    index = chef.Index(options.collection)
    if options.source and not options.collection.exists():
        recipes = list(chef.read(options.source))
        random.Random(16).shuffle(recipes)
        index.add(list(islice(recipes, options.recipes)))
    if options.spelling:
        result = check_spelling(index)
        if options.json:
            options.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
        return
    for query in queries():
        asked = index.understand(query)
        filters = [*(f"without {name}" for name in asked.without), *filter(None, [asked.diet])]
        print(f"{query!r} -> {asked.text!r}, {', '.join(filters) or 'no filter'}")
        for hit in index.search(text=query, k=3):
            print(f"    {hit.title}: {', '.join(hit.ingredients)}")


if __name__ == "__main__":
    main()
