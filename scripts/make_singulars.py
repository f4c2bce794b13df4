"""Makes src/chef/text/tables/singulars.tsv: what simplemma says of the words in -s that recipes use.

python scripts/make_singulars.py src/chef/text/tables/singulars.tsv [RECIPES ...]

The words are those of our own tables and of the generated kitchen, and those seen in at least three of the
recipes given. Words alone are taken from them, no text.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chef
from chef.data.kitchen import generate
from chef.recipe import Recipe
from chef.text.keys import lemma_of, may_be_plural
from chef.text.tokens import tokenise

HEADER = """\
# Words in -s that recipes use, and their singulars as simplemma has them, so that its dictionary need not be
# loaded for them. Made by scripts/make_singulars.py; tests/text/test_keys.py compares them.
"""
_OFTEN = 3


def words_of(recipe: Recipe) -> set[str]:
    texts = [recipe.title, *(item.line for item in recipe.ingredients), *(step.text for step in recipe.steps)]
    return {word for text in texts for word in tokenise(text)}


def words(sources: list[str]) -> Iterator[str]:
    for table in Path(chef.__file__).parent.glob("*/tables/*.tsv"):
        yield from tokenise(re.sub(r"[^\w']|_", " ", table.read_text(encoding="utf-8")))
    for dish in generate(3000, seed=0):
        yield from words_of(dish.recipe)
    counts = Counter(word for source in sources for recipe in chef.read(source) for word in words_of(recipe))
    yield from (word for word, count in counts.items() if count >= _OFTEN)


def main(out: Path, sources: list[str]) -> None:
    out.unlink(missing_ok=True)  # its words must come from elsewhere
    found = sorted({word for word in words(sources) if may_be_plural(word)})
    out.write_text(HEADER + "".join(f"{word}\t{lemma_of(word)}\n" for word in found), encoding="utf-8")
    print(f"{len(found)} words -> {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
