"""Prints swaps of open recipes and of the bundled cookbook, for a person to judge.

    python benchmarks/swaps.py --seed 2026 --n 60

CHEF_DATA (default ../shared/data) holds `open-recipes/recipes.jsonl`. A third of the recipes are the
cookbook's; three quarters of the swaps are of meat, fish, eggs and pulses. Nothing is written.
"""

from __future__ import annotations

import argparse
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import chef
from chef.bundled import cookbook
from chef.errors import ChefError
from chef.readers import Skipped, read
from chef.rewrite.swap import Swapped, swap

MEAT, BIRD = ("beef", "pork", "lamb"), ("chicken", "turkey", "duck")
FISH, SHELLFISH = ("salmon", "cod", "tuna"), ("shrimp", "scallops", "squid")
PLANT = ("tofu", "chickpeas", "lentils", "mushrooms", "tempeh", "kidney beans")
GROUND = ("ground beef", "ground pork", "ground turkey", "ground lamb")
PULSES = ("chickpeas", "lentils", "black beans", "kidney beans")
PASTE = re.compile("hummus|falafel|brownie|stuffed mushroom|\\bdh?al\\b", re.I)
WHOLE = re.compile(r"carcass|(?:\bwhole|^1) (?:duck|turkey)", re.I | re.M)
COOKED = {  # what leaves, and what a cook may put in its place: one of the two needs cooking
    **dict.fromkeys(MEAT, (*MEAT, *BIRD, *PLANT, "veal")),
    **dict.fromkeys(BIRD, (*MEAT, *BIRD, *FISH, *PLANT, "shrimp", "chicken thighs", "pork chops")),
    "duck": (*MEAT, *BIRD, "tofu", "mushrooms"),
    **dict.fromkeys(
        GROUND, ("lentils", "tofu", "mushrooms", "ground chicken", "kidney beans", "ground beef")
    ),
    **dict.fromkeys(FISH, (*FISH, "shrimp", "scallops", "chicken", "tofu", "chickpeas")),
    **dict.fromkeys(SHELLFISH, (*FISH, *SHELLFISH, "chicken", "tofu", "mushrooms")),
    **dict.fromkeys(("mussels", "clams"), ("shrimp", "scallops", "cod", "clams", "mussels", "mushrooms")),
    **dict.fromkeys(
        ("bacon", "sausage", "ham"), ("chicken", "shrimp", "turkey", "mushrooms", "smoked salmon")
    ),
    **dict.fromkeys(("tofu", "paneer"), (*MEAT, "chicken", "turkey", *FISH, "shrimp", "kidney beans")),
    **dict.fromkeys(
        ("chickpeas", "lentils", "black beans"),
        (*MEAT, "chicken", "turkey", "shrimp", "kidney beans", "ground beef"),
    ),
    "mushrooms": ("chicken", "beef", "shrimp", "bacon"),
    "eggs": ("tofu", "applesauce", "aquafaba", "egg whites", "yogurt"),
}
OTHER = {
    "butter": ("margarine", "ghee", "olive oil", "coconut oil"), "olive oil": ("butter", "sesame oil"),
    "milk": ("almond milk", "coconut milk", "buttermilk"), "heavy cream": ("yogurt", "coconut milk"),
    "cheddar": ("gruyere", "feta"), "parmesan": ("pecorino", "nutritional yeast"),
    "sour cream": ("yogurt", "cream cheese"), "onion": ("leek", "shallots", "spring onions"),
    "potatoes": ("sweet potatoes", "cauliflower"), "carrots": ("parsnips", "celery"),
    "spinach": ("kale", "chard"), "tomatoes": ("red bell pepper", "zucchini"),
    "rice": ("quinoa", "couscous"), "pasta": ("rice noodles", "zucchini"),
    "walnuts": ("pecans", "sunflower seeds"), "sugar": ("honey", "maple syrup"), "flour": ("rice flour",),
    "lemon": ("lime",), "apples": ("pears", "quince"), "parsley": ("cilantro", "basil"),
}  # fmt: skip


def draw(data: Path, seed: int, n: int) -> Iterator[tuple[str, str, Swapped]]:
    """The names and the result of `n` swaps."""
    chance, model = random.Random(seed), chef.load()
    shelves = [list(read(str(data / "open-recipes" / "recipes.jsonl"), Skipped()))] * 2 + [list(cookbook())]
    drawn = 0
    while drawn < n:
        pairs, shelf = COOKED if drawn % 4 else OTHER, shelves[drawn % 3]
        old = chance.choice(sorted(pairs))
        new = chance.choice([name for name in pairs[old] if name != old])
        named = [
            one for one in shelf if any(old.rstrip("s") in item.line.lower() for item in one.ingredients)
        ]
        for recipe in chance.sample(named, len(named)):
            if old == "eggs" and (new != "tofu") != any("flour" in item.line for item in recipe.ingredients):
                continue  # a binder in what is baked, tofu in what is not
            if old in (*PULSES, "mushrooms") and new not in PULSES and PASTE.search(recipe.title):
                continue  # no cook asks for a hummus or a brownie of lamb
            if new in PLANT and WHOLE.search("\n".join(item.line for item in recipe.ingredients)):
                continue  # nor for a whole duck of chickpeas
            try:
                yield old, new, swap(model, recipe, old, new)
            except ChefError:  # "duck sauce" is no duck
                continue
            drawn += 1
            break


def shown(number: int, old: str, new: str, swapped: Swapped) -> Iterator[str]:
    """What a reader judges: changed texts, every other step for context, notes."""
    yield f"\n## {number}. {old} -> {new}: {swapped.text.recipe.title} => {swapped.recipe.title}"
    changed = {(one.part, one.place): one for one in swapped.changed}
    for at, item in enumerate(swapped.recipe.ingredients):
        if one := changed.get(("ingredients", at)):
            yield f"- {one.before}\n+ {item.line}"
    for at, step in enumerate(swapped.recipe.steps):
        if one := changed.get(("instructions", at)):
            yield f"- {one.before}\n+ {step.text}"
        else:
            yield f"  {step.text}"
    yield from (f"! {note}" for note in swapped.notes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("CHEF_DATA", "../shared/data"))
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--n", type=int, default=60)
    args = parser.parse_args()
    for number, drawn in enumerate(draw(args.data, args.seed, args.n), 1):
        print("\n".join(shown(number, *drawn)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
