"""Prints what takes more than linear steps: `python -m tests.growth [all | reported] [name ...]`.

Hostile texts grow to 2, 4 and 8 times their length in every format of the readers, in the parser of
ingredient lines and in everything that cuts text into words.
"""

import gc
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import _lru_cache_wrapper, partial
from itertools import product
from pathlib import Path
from typing import Any

from tests import steps

steps.count_patterns()


from chef.contents import contents  # noqa: E402
from chef.food.canonical import CanonicalMap  # noqa: E402
from chef.index.filters import understand  # noqa: E402
from chef.readers import read  # noqa: E402
from chef.recipe import Ingredient, Recipe, Step  # noqa: E402
from chef.rewrite import prune, swap  # noqa: E402
from chef.serve.errors import without_paths  # noqa: E402
from chef.teacher.actions import actions  # noqa: E402
from chef.teacher.main_ingredient import rank  # noqa: E402
from chef.text.lines import parse_line  # noqa: E402
from chef.text.tokens import sentences, tokenise  # noqa: E402
from chef.text.words import words_in  # noqa: E402
from tests.readers import any_input  # noqa: E402
from tests.rewrite.small import SOUP, tiny_chef  # noqa: E402

LENGTH = (
    250  # of the smallest text; at 4 times that, patterns that look 500 characters ahead are at their limit
)
# From 4 to 8 times the length: linear is 2, quadratic 4; patterns that look 500 characters ahead, up to 3.3.
MOST_GROWTH = 3.5
# Readers cut lines, and the service cuts queries, at 4 times the length: what these take then is all.
CUT = ("parse_line", "canonical token", "query", "line of a recipe")

SHORT = "Stir 1 cup of rice. Serve."
UNITS = (
    " ", "\n", ".", "1", "a", "(", "[", "!", "<", "-", "*", "_", "`", "#", "/", ",", "'", '"', "|", ":", "&",
    "½", "é", "1 ", "1/", "a ", "a-", "a'", ". ", "! ", "- ", "\n- ", "\n1. ", "\n\n", "![](", "![[", "[](",
    "<img ", "<a", "</", "<!--", "&amp;", "{{", "{%", "---\n", "a: ", "and ", "or ", "half ", "dozen ",
    "cup ", "(1 cup)", "fat free ", "without ", "stir ", "stir, ", '{"', "[]", "//", "http://", "[a]",
)  # fmt: skip
# Those of the reports, and other places where two runs meet; all pairs of units are tried with "all".
PAIRS = (
    (".", " ", "1"), ("1", " ", "x"), ("-", " ", "x"), ("or", " ", "x"), ("a/", " ", "1"), ("[", "]", "x"),
    ("(", ")", "x"), ("*", "a", "*"), ("1", "/", "1"), ("<img src", " ", ""), ("![](", " ", ""),
)  # fmt: skip
# Rewriting has a hundred patterns and looks at every mention: fewer texts, with words that it knows.
REWRITING = (
    ("chicken ", " ", ""), ("chicken, ", "onion and ", "x"), ("until ", "minutes ", "x"), ("1", " ", "x"),
    ("cook the chicken until done and ", "a ", "."), (" ", " ", "x"), ("1 chicken ", "(onion) ", "of"),
    ("and ", "or ", ","), ("a", "-", "x"), ("165 ", "reads ", "F"), ("1/", "1 ", "/"), (",", ";", "."),
)  # fmt: skip
STARTS = (("![](", " ", ""), ("é", " ", "x"), ("<img src", " ", ""), ("1", " ", "½"))


def texts(name: str) -> Iterator[tuple[str, str, str, str]]:
    """A start, two runs, a tail."""
    if name in ("swap", "prune"):
        yield from (("", one, two, tail) for one, two, tail in REWRITING)
        return
    pairs = ((one, two, "x") for one, two in product(UNITS, UNITS)) if "all" in sys.argv else PAIRS
    if "reported" not in sys.argv:
        yield from (("", unit, unit, "\x01!") for unit in UNITS)  # a tail at which patterns fail
    yield from ((start, unit, unit, tail) for start, unit, tail in STARTS)
    yield from (("", one, two, tail) for one, two, tail in pairs)


def grown(parts: tuple[str, str, str, str], length: int) -> str:
    """The text with runs of that length together."""
    start, one, two, tail = parts
    return start + (one * length)[: length // 2] + (two * length)[: length // 2] + tail


def jobs() -> dict[str, Callable[[str], object]]:
    """What is done with a text, by name."""
    known = CanonicalMap.load()

    def recipe(text: str) -> Recipe:
        return Recipe("1", "Pie", (Ingredient("1 cup rice"),), (Step(text),))

    def of_line(text: str) -> object:
        line = Recipe("1", text[:300], (Ingredient(text),))
        return contents(line), rank(line)

    def soup(text: str) -> Recipe:
        return replace(SOUP, steps=(Step(f"Cook the chicken and onion {text} chicken, onion until done."),))

    made: dict[str, Callable[[str], object]] = {
        "sentences": sentences, "tokenise": tokenise, "words_in": words_in,
        "parse_line": parse_line, "actions": actions, "message": without_paths,
        "canonical token": known.token, "line of a recipe": of_line,
        "contents": lambda text: contents(recipe(text)), "main ingredient": lambda text: rank(recipe(text)),
        "query": lambda text: understand(text, lambda word: True),
        "swap": lambda text: swap(tiny_chef(), soup(text), "chicken", "tofu"),
        "prune": lambda text: prune(tiny_chef(), soup(text), 2),
    }  # fmt: skip
    for name in any_input.LAYOUTS:
        made[f"read {name}"] = lambda text, name=name: _read(name, text)
    for field in ("title", "ingredients", "instructions", "image", "tags", "url"):
        made[f"read {field}"] = lambda text, field=field: _read(
            "json", json.dumps({"title": "Pie", "ingredients": ["rice"], field: text})
        )
    return made


def _read(layout: str, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = any_input.LAYOUTS[layout](text.encode("utf-8", "replace"))
        list(read(any_input.write_files(Path(folder), files)))


def caches_of_texts() -> list[Any]:
    """The caches of our functions but those of whole tables; a text that an earlier job had is in them."""
    found = (one for one in gc.get_objects() if type(one) is _lru_cache_wrapper)
    ours = (one for one in found if one.__module__.startswith("chef."))
    return [one for one in ours if one.cache_parameters()["maxsize"] is not None]


def main() -> None:
    """Print a line for each text that takes too many steps somewhere."""
    only = [name for name in sys.argv[1:] if name not in ("all", "reported")]
    for name, job in jobs().items():
        if only and name not in only:
            continue
        job(SHORT)  # loads its tables
        caches = caches_of_texts()
        for parts in texts(name):
            for cache in caches:
                cache.cache_clear()
            job(SHORT)  # what all texts need is not counted
            lengths = (4 * LENGTH,) if name in CUT else (4 * LENGTH, 8 * LENGTH)
            counts = [steps.steps(partial(job, grown(parts, length))) for length in lengths]
            if counts[-1] > MOST_GROWTH * counts[0] or counts[-1] >= steps.MOST:
                print(f"{name}: {parts} takes {counts} steps", flush=True)


if __name__ == "__main__":
    main()
