"""Makes src/chef/food/tables/usage.tsv: which words recipes use with which kinds of food.

python scripts/make_usage.py src/chef/food/tables/usage.tsv RECIPES ...

A sentence counts for the foods of the list that it names. The number of a word is how many times as frequent
it is in the sentences that name the food as in all. Only words of parts, shapes, states and actions are kept,
of the steps those of `WORDS`. Words alone are taken from the recipes, no text.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path

import chef
from chef.food import CUTS, FORMS
from chef.food.kinds import kind_of
from chef.food.usage import base, row_of
from chef.recipe import Recipe
from chef.rewrite import grammar
from chef.text.lines import parse_line
from chef.text.tokens import sentences
from chef.text.words import keys, words_in

HEADER = """\
# Words that recipes use with a kind of food (a row of doneness.tsv for meat, fish and eggs, otherwise a kind
# of kinds.tsv): words of its steps, each with how many times as frequent it is there as in other steps; words
# of its lines. Verbs are in the infinitive. Counted by scripts/make_usage.py in 40,000 text recipes
# (allrecipes, epicurious, foodnetwork, williams-sonoma, open cookbooks).
"""
WORDS = frozenset(
    """
    accord ball baste beard beat belly bird blanch blister block bloom body bone braise break breast
    brine brown bubbly burger burst butterfly cap caramelize carcass carve casing cavity char chunk
    chunky claw clear closed clump core crack cream creamy crisp crispy crosswise crumb crumble crumbly
    crush crust cube cupful curd cure curl cutlet debone debris dente devein diagonally dice direction
    dissolve doneness dot drain dredge drip drizzle drumstick dust elastic evaporate fall fat fillet
    fingertip firm flake flaky flatten flesh flexible flip float floret fluff fluffy foam foamy frond
    frothy giblet gill grain grate grease grill grind grit halve hard head heart hock hold hole hollow
    hull husk instruction intact internal jam joint julienne kernel knead leaf leg lengthwise limp link
    loaf log loin lump mallet mash masher meatball melt membrane mince moisten muscle mushy neck opaque
    open package pale parboil patty peak peel pick pierce pink pit pith plump poach pod pop pound pour
    press prick puff pulp puree rack rare raw rehydrated render resemble rib rigid rind ring rinse rise
    roll round run runny salty sand scald scale scoop score scramble scrub seam sear sediment seed
    segment separate set shank shape shave shear shell shimmer shoulder shred shuck shut sift sinew
    sizzle skewer skim skin slab slice slit sliver slurry smash snap soak soft soften solid spear split
    spoonful spread sprig squeeze stalk starch steak steep stem sticky stiff stone stretch string strip
    stuff submerge syrupy tail tear tender tenderloin tentacle thaw thermometer thickest thickness thigh
    thread toast tough translucent transparent triangle trim truss tube tuck twist unopened unsalted
    vein wash wedge whip whisk wilt wing wipe wrap yolk zest
    """.split()
)
STEP, LINE = 0.5, 0.6  # less is not worth a place in the table
SENTENCES, LINES = 80, 400  # seen of a kind, at least
Counts = dict[str, Counter[str]]


def count(recipe: Recipe, steps: Counts, lines: Counts) -> None:
    foods: dict[str, set[str]] = defaultdict(set)
    for item in recipe.ingredients:
        name = parse_line(item.line).name or ""
        if (row := row_of(name)) is None:
            continue
        words = keys(name)
        lines[row].update({base(key) for key in keys(item.line) if key not in words or key in CUTS} | {""})
        while len(words) > 1 and words[-1] in CUTS | FORMS:
            words = words[:-1]
        foods[words[-1]].add(row)
    for sentence in (one for step in recipe.steps for one in sentences(step.text)):
        said = {word.key for word in words_in(sentence)}
        named = {row for food in said & foods.keys() if len(foods[food]) == 1 for row in foods[food]}
        for row in named:
            for word in {base(key) for key in said - foods.keys()} | {""}:
                steps[row][word] += 1 / len(named)


def lifts(counts: Counts) -> dict[str, dict[str, float]]:
    """How much more frequent each word is with a food than with all; "" counts the texts."""
    every: Counter[str] = Counter()
    for row in counts.values():
        every.update(row)
    share = {word: number / every[""] for word, number in every.items()}
    return {
        name: {word: (row[word] + 0.5) / (row[""] * share[word] + 0.5) for word in row}
        for name, row in counts.items()
    }


def main(out: Path, sources: list[str]) -> None:
    steps: Counts = defaultdict(Counter)
    lines: Counts = defaultdict(Counter)
    for recipe in (recipe for source in sources for recipe in chef.read(source)):
        count(recipe, steps, lines)
    rates, line_rates = lifts(steps), lifts(lines)
    rows = sorted(row for row in steps if steps[row][""] >= SENTENCES)
    with out.open("w", encoding="utf-8") as file:
        file.write(HEADER)
        for row in rows:
            least = max(4, 0.0015 * steps[row][""])
            used = [
                f"{word}:{rate:.1f}"
                for word, rate in sorted(rates[row].items())
                if word in WORDS and rate >= STEP and steps[row][word] >= least
            ]
            said = [
                word
                for word, rate in sorted(line_rates[row].items())
                if rate >= LINE and lines[row][word] >= 4 and len(word) > 1
                if word not in grammar.WORDS["function"]
                if word in CUTS | WORDS or kind_of(word) is None
            ]
            said = said if lines[row][""] >= LINES else []
            file.write(f"{row}\t{' '.join(used)}\t{' '.join(said)}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
