"""Recipes printed as plain text in ten layouts, with and without the faults of text recognition, read back.

    python benchmarks/plain_text.py DATA/open-recipes --out experiments/results/plain-text.json

60 recipes of the test split, six in each layout. A recipe counts if its title, every ingredient and every
step come back as they were; fractions (1/2, ½), quotes and dashes are compared by meaning, titles without
case.

The faults, as of a phone's text recognition on a page of a book: lines are broken at the width of a page and
long words cut at the end of a line; fractions become Y2 or V3, a 1 before a unit becomes l, a last 0 an O;
bullets become e, ° or ©; fi and fl become one sign; straight quotes become round; a page number or a running
head stands between two lines. Letters inside words stay as they are: no reader can know them.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chef.readers import read
from chef.readers.plain_text import recipes
from chef.recipe import Recipe

COUNT, SEED = 60, 21
PAGE, WIDEST = 66, 80  # characters: the width of a page; layouts up to the second are pages already


def lines_of(recipe: Recipe) -> list[str]:
    return [item.line for item in recipe.ingredients]


def steps_of(recipe: Recipe) -> list[str]:
    return [step.text for step in recipe.steps]


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False)


def headed(title: str, lines: list[str], steps: list[str]) -> list[str]:
    numbered = [f"{number}. {step}" for number, step in enumerate(steps, 1)]
    return [title, "", "Ingredients", *lines, "", "Directions", *numbered]


def capitals(title: str, lines: list[str], steps: list[str]) -> list[str]:
    listed = [part for line in lines for part in wrapped(line, 72, "- ", "  ")]
    told = [part for step in steps for part in [*wrapped(step, 72), ""]]
    return [
        title.upper(),
        "Serves 4 | Prep: 10 min | Cook: 25 min",
        "",
        "INGREDIENTS:",
        *listed,
        "",
        "METHOD:",
        *told,
    ]


def bare(title: str, lines: list[str], steps: list[str]) -> list[str]:
    return [title, "", *lines, "", *[part for step in steps for part in (step, "")]]


def letter(title: str, lines: list[str], steps: list[str]) -> list[str]:
    listed = [part for line in lines for part in wrapped(line, 68, "* ", "  ")]
    told = [part for number, step in enumerate(steps, 1) for part in wrapped(step, 68, f"{number}) ", "   ")]
    return [
        *wrapped(f"Recipe: {title}", 68),
        "",
        "You will need:",
        *listed,
        "",
        "What to do:",
        *told,
        "",
        "Notes:",
        "Enjoy!",
    ]


def two_columns(title: str, lines: list[str], steps: list[str]) -> list[str]:
    half = (len(lines) + 1) // 2
    left, right = lines[:half], [*lines[half:], ""]
    width = max(map(len, left)) + 4
    listed = [f"{one:{width}}{two}".rstrip() for one, two in zip(left, right, strict=False)]
    told = [part for number, step in enumerate(steps, 1) for part in wrapped(step, 76, f"{number}. ", "   ")]
    return [title, "", "Serves 4", "", "Ingredients", "", *listed, "", "Preparation", "", *told]


def book(title: str, lines: list[str], steps: list[str]) -> list[str]:
    listed = [part for line in lines for part in wrapped(line, 44, "", "   ")]
    told = [part for number, step in enumerate(steps, 1) for part in [*wrapped(step, 44, f"{number}. "), ""]]
    return [*wrapped(title, 44), "", "Makes 4 servings", "", *listed, "", *told]


def marked(title: str, lines: list[str], steps: list[str]) -> list[str]:
    listed, told = (
        [f"- [ ] {line}" for line in lines],
        [f"{number}. {step}" for number, step in enumerate(steps, 1)],
    )
    return [
        f"# {title}",
        "",
        "A family favourite.",
        "",
        "## Ingredients",
        "",
        *listed,
        "",
        "## Instructions",
        "",
        *told,
    ]


def page(title: str, lines: list[str], steps: list[str]) -> list[str]:
    about = ["Prep Time: 15 minutes", "Cook Time: 30 minutes", "Servings: 4"]
    return [title, *about, "Ingredients", *[f"▢ {line}" for line in lines], "Instructions", *steps]


def stepwise(title: str, lines: list[str], steps: list[str]) -> list[str]:
    listed = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    told = [part for number, step in enumerate(steps, 1) for part in (f"Step {number}", step, "")]
    return [title, "by Ann", "", "Ingredients (for 4)", "", *listed, "", *told]


def card(title: str, lines: list[str], steps: list[str]) -> list[str]:
    told = [part for step in steps for part in wrapped(step, 60, "    ", "")]
    return [
        f"Title: {title}",
        "Source: my aunt",
        "",
        "Zutaten:" if title.isupper() else "Ingredients:",
        *lines,
        "",
        "Method",
        *told,
    ]


LAYOUTS: tuple[Callable[[str, list[str], list[str]], list[str]], ...] = (
    headed, capitals, bare, letter, two_columns, book, marked, page, stepwise, card,
)  # fmt: skip

_HALVES = {"½": "Y2", "¼": "Y4", "1/2": "Y2", "1/4": "Y4", "1/3": "V3"}


def noisy(lines: list[str], chance: random.Random) -> list[str]:
    """The lines as text recognition might give them."""
    bullet = chance.choice("e°©")
    broken: list[str] = []
    for line in lines:
        line = re.sub(r"^[-*▢] (?:\[ \] )?", f"{bullet} ", line)
        for one, odd in _HALVES.items():
            line = re.sub(rf"(?<![\d/]){re.escape(one)}(?![\d/])(?=\s)", odd, line)
        line = re.sub(
            r"^(\W*)1(?= (?:cup|tsp|tbsp|teaspoon|tablespoon|pound|can|large|small)\b)", r"\1l", line
        )
        line = re.sub(r"(?<=\d)0(?= |°|g\b)", "O", line) if chance.random() < 0.5 else line
        line = line.replace("fi", "ﬁ").replace("fl", "ﬂ").replace("'", "’")
        broken += wrapped(line, PAGE) if len(line) > WIDEST and "   " not in line else [line]
    width, out = max(map(len, broken)), list[str]()
    for number, line in enumerate(broken):
        before, word = out[-1] if out else "", line.split(" ")[0]
        # A long word that begins a wrapped line is cut where some of it fits on the line above.
        left = width - len(before) - 2 if len(before) + 1 + len(word) > width else 0
        is_cut = word.isalpha() and word.islower() and len(word) > 7 and before[-1:].isalpha() and left > 2
        if is_cut and chance.random() < 0.5:
            at = min(left, len(word) - 3)
            out[-1], line = f"{before} {word[:at]}-", line[at:]
        out.append(line)
        if number and number % 24 == 0:
            out += ["", chance.choice(["— 42 —", "Page 42", "42   Suppers for friends", "Suppers  43"]), ""]
    return out


def meaning(text: str) -> str:
    """A text for comparison: signs that mean the same are the same."""
    for sign, plain in {
        "½": " 1/2",
        "¼": " 1/4",
        "¾": " 3/4",
        "⅓": " 1/3",
        "⅔": " 2/3",
        "⅛": " 1/8",
        "⁄": "/",
    }.items():
        text = text.replace(sign, plain)
    text = text.translate(
        str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})
    )
    return " ".join(text.split()).replace("( ", "(")


def faults(recipe: Recipe, text: str) -> list[str]:
    """Which parts did not come back."""
    found = list(recipes(text))
    if len(found) != 1:
        return [f"{len(found)} recipes"]
    wrong = []
    if meaning(found[0]["title"]).casefold() != meaning(recipe.title).casefold():
        wrong.append("title")
    for name, given in (("ingredients", lines_of(recipe)), ("instructions", steps_of(recipe))):
        if [*map(meaning, found[0][name])] != [*map(meaning, given)]:
            wrong.append(name)
    return wrong


def options_and_recipes(
    about: str | None, seed: int, count: int, least: int
) -> tuple[argparse.Namespace, list[Recipe]]:
    """The options of the command line, and so many recipes of the test split, drawn by the seed.

    least: how many ingredients and steps each has.
    """
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=about, formatter_class=plain)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--show", action="store_true", help="print the texts that were read badly")
    options = parser.parse_args()
    test = (one for one in read(options.data) if one.split == "test")
    long = [one for one in test if min(len(one.ingredients), len(one.steps)) >= least]
    return options, random.Random(options.seed).sample(long, count)


def main() -> None:
    """Print and write how many of the recipes came back whole."""
    options, chosen = options_and_recipes(__doc__, SEED, COUNT, least=2)
    result: dict[str, Any] = {"recipes": COUNT, "seed": options.seed}
    for kind in ("clean", "noisy"):
        whole: dict[str, int] = {}
        wrong: dict[str, int] = {}
        for number, recipe in enumerate(chosen):
            layout = LAYOUTS[number % len(LAYOUTS)]
            lines = layout(recipe.title, lines_of(recipe), steps_of(recipe))
            text = "\n".join(lines if kind == "clean" else noisy(lines, random.Random(number)))
            missed = faults(recipe, text)
            whole[layout.__name__] = whole.get(layout.__name__, 0) + (not missed)
            for part in missed:
                wrong[part] = wrong.get(part, 0) + 1
            if missed and options.show:
                got = next(iter(recipes(text)), None)
                shown = json.dumps(got, indent=1, ensure_ascii=False)
                print(f"--- {kind} {layout.__name__} {missed}\n{text}\n>>> {shown}")
        result[kind] = {"whole": sum(whole.values()), "by_layout": whole, "parts_wrong": wrong}
        print(f"{kind}: {sum(whole.values())} of {COUNT} whole; {whole}; wrong: {wrong}")
    if options.out:
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
