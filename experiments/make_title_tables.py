"""Makes the tables of chef.teacher about titles, from recipes without labels (a quarter of an hour).

    python experiments/make_title_tables.py ../shared/data/text/*.jsonl.gz

title_words.tsv: words of ingredient names, how many recipes have them in their list, and how many of these in
their title as well. title_foods.tsv: words of titles, and the foods that such dishes have in common, with
p log(p / q), where p is the share of those dishes that have the food, and q that of all recipes. Words and
figures alone: no line and no title of a recipe is kept.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from math import log
from pathlib import Path

from chef.files import write_atomic
from chef.food import CUTS, FORMS
from chef.food.canonical import CanonicalMap
from chef.food.kinds import food_of
from chef.teacher import main_ingredient
from chef.teacher.main_ingredient import title_terms
from chef.text.lines import parse_line
from chef.text.words import keys

TABLES = Path(main_ingredient.__file__).parent / "tables"
RECIPES = 20  # a word must be in so many lists, or titles
WITHOUT = 5  # as many recipes without any food are added to those of a title word: a rare one says less
SCORE, FOODS = 0.5, 6  # the least score, and the most foods of a title word
SOURCE = "# Counted in recipes without labels by experiments/make_title_tables.py:\n"

Names = tuple[frozenset[str], str]  # the words of a name, and its food


def read(paths: Iterable[Path]) -> Iterator[tuple[str, set[Names]]]:
    """Titles, and what their ingredient lists name."""
    canonical = CanonicalMap.load()

    @cache
    def names(line: str) -> Names | None:
        name = parse_line(line).name
        if not name:
            return None
        words = keys(name)
        return frozenset(set(words) - CUTS - FORMS or words), food_of(canonical.token(name) or name)

    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for recipe in map(json.loads, file):
                yield recipe["title"], {found for line in recipe["ingredients"] if (found := names(line))}


def make(recipes: Iterable[tuple[str, set[Names]]]) -> tuple[str, str]:
    """The two tables."""
    in_list, named, titles, foods, together = (Counter() for _ in range(5))
    count = 0
    for title, lines in recipes:
        count += 1
        terms, in_title = title_terms(title), set(keys(title))
        words = {word for one, _ in lines for word in one}
        eaten = {food for _, food in lines if food}
        in_list.update(words)
        named.update(words & in_title)
        titles.update(terms)
        foods.update(eaten)
        together.update((term, food) for term in terms for food in eaten)
    rows: dict[str, list[tuple[float, str]]] = {}
    for (term, food), both in together.items():
        if titles[term] >= RECIPES <= foods[food]:
            share = both / (titles[term] + WITHOUT)
            score = share * log(share * count / foods[food])
            if score >= SCORE:
                rows.setdefault(term, []).append((-round(score, 2), food))
    words = [
        f"{word}\t{in_list[word]}\t{named[word]}\n" for word in sorted(in_list) if in_list[word] >= RECIPES
    ]
    dishes = [
        f"{term}\t{'|'.join(f'{food} {-score:.2f}' for score, food in sorted(rows[term])[:FOODS])}\n"
        for term in sorted(rows)
    ]
    return (
        SOURCE
        + "# word of an ingredient, recipes that list it, those of them that have it in their title.\n"
        + "".join(words),
        SOURCE + "# word or two words of a title, foods that stand out in such dishes.\n" + "".join(dishes),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", type=Path, nargs="+", help="recipes as .jsonl.gz")
    words, dishes = make(read(parser.parse_args().files))
    write_atomic(TABLES / "title_words.tsv", words.encode())
    write_atomic(TABLES / "title_foods.tsv", dishes.encode())


if __name__ == "__main__":
    main()
