"""Which recipes come first for words: titles, rare words, ingredients, and "tomato soup".

    python benchmarks/word_ranking.py COLLECTION [--source OPEN_RECIPES] [--gold LABELS] [--json OUT]
    python benchmarks/word_ranking.py COLLECTION --split test --chosen

If the collection is not there it is made first: all recipes of the splits val and test and others, drawn
with a seed, without photos. Of each recipe of the split is asked: its title; the two rarest words of its
title; two or three of its ingredients, drawn with a seed; and, where a cook has labelled it, its main
ingredient, alone and with the kind of dish that the title names. Figures are in percent of the queries:

first, of ten   the recipe itself is the first hit, is among the first ten
rank            the mean of 1 / its place, 0 behind the tenth
all             of the first ten hits, or as many as can: those that have all the ingredients
mainly          the first hit is mainly what was asked for: by the cook where he has labelled it, else by what
                the collection says; "mainly of ten": of the first ten, or as many as can by the collection
both            it is, and its title has the kind of dish as well

Rows beside the chosen one show what its settings do: the share of the lexical score, and what an ingredient
counts that is only listed. `--chosen` leaves them out.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import chef
from chef.evaluate.gold import read_labels
from chef.index import query, search
from chef.index.filters import Filters, IngredientResolver
from chef.index.search import STAPLES
from chef.index.spelling import counting
from chef.index.values import Hit, title_words
from chef.text.tokens import readable

DATA = Path(os.environ.get("CHEF_DATA", "../shared/data"))
RECIPES, SEED, K = 2000, 16, 10
# Written without a look at the product's own table of kinds, which must not be its own judge.
KINDS = frozenset(
    "bar biscuit bread brownie burger cake casserole chili chowder cookie curry dip dumpling fritter lasagna"
    " meatball muffin noodle pancake pasta pie pizza pudding rice risotto roll salad sandwich sauce smoothie"
    " soup stew taco tart".split()
)
LEXICAL, LISTED = (0.0, 0.5, 1.0), (0.3, 0.5, 0.9)  # beside the chosen ones
COLUMNS = {
    "title": ("first", "of ten"),
    "two words": ("first", "of ten"),
    "ingredients": ("of ten", "all"),
    "main": ("mainly", "mainly of ten"),
    "main and kind": ("first", "of ten", "rank", "mainly", "both"),
}


@dataclass(frozen=True)
class Asked:
    """A query, and what its hits should be."""

    form: str  # one of COLUMNS
    text: str
    id: str  # of the recipe that it was made of
    needs: tuple[str, ...] = ()  # ingredients
    main: str = ""
    kind: str = ""


def make(collection: Path, source: Path) -> None:
    """Make the collection."""
    recipes = [replace(recipe, images=()) for recipe in chef.read(source)]
    chosen = [recipe for recipe in recipes if recipe.split in ("val", "test")]
    others = [recipe for recipe in recipes if recipe.split not in ("val", "test")]
    chosen += random.Random(SEED).sample(others, RECIPES - len(chosen))
    chef.Index(collection).add(chosen)


class Kitchen:
    """A collection, and what a cook says of its recipes."""

    def __init__(self, index: chef.Index, source: Path, labels: Path) -> None:
        self.index, self.catalogue = index, index._catalogue()
        self.resolver: IngredientResolver = index.resolver(self.catalogue)
        self.entries = list(index.entries())
        given, self.mains = read_labels(labels), dict[str, list[str]]()
        stored = {entry.id: entry.recipe for entry in self.entries}
        with (source / "recipes.jsonl").open(encoding="utf-8") as file:
            for raw in map(json.loads, file):
                if raw["id"] in given and raw["id"] in stored:
                    # The cook's places count headings as well, so they are found by their lines.
                    main = {raw["ingredients"][place].strip() for place in given[raw["id"]].main}
                    items = [item for item in stored[raw["id"]].ingredients if item.line in main]
                    if tokens := [item.token for item in items if item.token]:
                        self.mains[raw["id"]] = tokens

    def queries(self, split: str) -> Iterator[Asked]:
        """What is asked of the recipes of a split."""
        draw = random.Random(SEED)
        for entry in self.entries:
            if entry.recipe.split != split:
                continue
            words = counting(title_words(entry.recipe.title))
            yield Asked("title", entry.recipe.title, entry.id)
            if len(words) >= 2:
                rare = sorted(words, key=lambda word: (len(self.catalogue.words.rows_of(word)), word))[:2]
                yield Asked("two words", " ".join(word for word in words if word in rare), entry.id)
            listed = [readable(token) for token in entry.tokens if token not in STAPLES]
            if len(listed) >= 2:
                needs = tuple(draw.sample(listed, min(len(listed), draw.choice((2, 3)))))
                yield Asked("ingredients", " ".join(needs), entry.id, needs)
            if entry.id in self.mains:
                main = readable(self.mains[entry.id][0])
                yield Asked("main", main, entry.id, main=main)
                if kind := next((word for word in reversed(words) if word in KINDS), ""):
                    yield Asked("main and kind", f"{main} {kind}", entry.id, main=main, kind=kind)

    def build(self, asked: Asked) -> query.Query:
        """What is asked as the model reads it."""
        size = self.catalogue.recipe_vectors.vectors.shape[1]
        return query.build_query(lambda: self.index.chef, None, asked.text, None, None, None, size)

    def judge(self, asked: Asked, hits: Sequence[Hit]) -> dict[str, float]:
        """The figures of one query, from 0 to 1."""
        place = next((at for at, hit in enumerate(hits, 1) if hit.id == asked.id), 0)
        figures = {"first": float(place == 1), "of ten": float(place > 0), "rank": 1 / place if place else 0}
        if asked.needs:
            wanted = [self.resolver.resolve(name) for name in asked.needs]
            having = [all(tokens & {*hit.ingredients} for tokens in wanted) for hit in hits]
            counts = sum(self.catalogue.tokens.mask(tokens).astype(int) for tokens in wanted)
            figures["all"] = sum(having) / min(K, int((counts == len(wanted)).sum()))
        if asked.main:
            meant = self.resolver.resolve(asked.main)
            mainly = [self.is_mainly(hit, meant) for hit in hits]
            can = sum(entry.main_ingredient in meant for entry in self.entries)
            figures["mainly"] = float(mainly[0])
            figures["mainly of ten"] = min(1.0, sum(mainly) / max(1, min(K, can)))
            figures["both"] = float(mainly[0] and asked.kind in title_words(hits[0].title))
        return figures

    def is_mainly(self, hit: Hit, meant: frozenset[str]) -> bool:
        """Whether a hit is mainly one of these ingredients."""
        return not meant.isdisjoint(self.mains.get(hit.id, [hit.main_ingredient]))


def measure(
    kitchen: Kitchen, built: Sequence[tuple[Asked, query.Query]], lexical: float, listed: float
) -> dict[str, Any]:
    """The figures of all queries with these settings."""
    found, times = [], []
    with (
        patch.object(query, "LEXICAL", lexical),
        patch.object(search, "LEXICAL", lexical),
        patch.object(query, "_LISTED", listed),
    ):
        for asked, one in built:
            start = time.perf_counter()
            hits = search.search(kitchen.catalogue, kitchen.resolver, one, Filters(), [], K)
            times.append(time.perf_counter() - start)
            found.append((asked.form, kitchen.judge(asked, hits)))
    figures = {}
    for form, names in COLUMNS.items():
        rows = [judged for of, judged in found if of == form]
        means = {name: round(100 * statistics.mean(row[name] for row in rows), 1) for name in names}
        figures[form] = {"n": len(rows), **means}
    milliseconds = round(1000 * statistics.median(times), 2)
    return {"lexical": lexical, "listed": listed, "milliseconds": milliseconds, "figures": figures}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", type=Path)
    parser.add_argument("--source", type=Path, default=DATA / "open-recipes")
    parser.add_argument("--gold", type=Path, default=DATA / "gold" / "dev.jsonl")
    parser.add_argument("--split", choices=("val", "test"), default="val")
    parser.add_argument("--chosen", action="store_true", help="the chosen settings alone")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    if not options.collection.exists():
        make(options.collection, options.source)
    kitchen = Kitchen(chef.Index(options.collection, create=False), options.source, options.gold)
    built = [(asked, kitchen.build(asked)) for asked in kitchen.queries(options.split)]
    settings = [(query.LEXICAL, query._LISTED)]
    if not options.chosen:
        settings += [(lexical, query._LISTED) for lexical in LEXICAL]
        settings += [(query.LEXICAL, listed) for listed in LISTED]
    print("| lexical | listed |", " | ".join(f"{form}: {', '.join(COLUMNS[form])}" for form in COLUMNS), "|")
    print("|---|---|" + "---|" * len(COLUMNS))
    rows = []
    for setting in settings:
        rows.append(row := measure(kitchen, built, *setting))
        figures = row["figures"]
        cells = [", ".join(f"{figures[form][name]:.0f}" for name in COLUMNS[form]) for form in COLUMNS]
        print(f"| {setting[0]} | {setting[1]} | {' | '.join(cells)} |", flush=True)
    median = rows[0]["milliseconds"]
    print(f"{len(built)} queries over {len(kitchen.entries)} recipes, ranked in {median} ms (median)")
    if options.json:
        result = {"split": options.split, "recipes": len(kitchen.entries), "rows": rows}
        options.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
