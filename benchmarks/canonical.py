"""How good is the canonical map: coverage of a collection, and merges to judge by eye.

    python benchmarks/canonical.py --data DIR --seed N [--map FILE]

Prints the share of ingredient lines with a name whose name has a token, and 100 merges drawn at random
(a name and the token it was merged in, where they differ by more than spelling), weighted by nothing:
rare merges are as likely as common ones.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from pathlib import Path

from chef.food.canonical import CanonicalMap
from chef.readers import read
from chef.text.keys import key
from chef.text.lines import parse_line


def coverage(source: Path, canonical: CanonicalMap) -> tuple[int, int, Counter[str]]:
    """Lines with a known name, lines with a name, and the unknown names."""
    known, named, unknown = 0, 0, Counter[str]()
    for recipe in read(source):
        for item in recipe.ingredients:
            if name := parse_line(item.line).name:
                named += 1
                if canonical.token(name):
                    known += 1
                else:
                    unknown[name] += 1
    return known, named, unknown


def merges(canonical: CanonicalMap, seed: int, number: int = 100) -> list[tuple[str, str, str]]:
    """Random merges: name, token, and how it was decided."""
    real = [
        (entry.name, entry.token, entry.how)
        for entry in canonical
        if key(entry.name) != key(entry.token.replace("_", " "))
    ]
    return sorted(random.Random(seed).sample(real, min(number, len(real))))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="recipes in any format that chef reads")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--map", type=Path, help="a map in place of the one that comes with chef")
    arguments = parser.parse_args()
    canonical = CanonicalMap.load(arguments.map)
    names = list(canonical)
    print(f"{len(canonical)} canonical ingredients, {len(names)} names, digest {canonical.digest[:12]}")
    known, named, unknown = coverage(arguments.data, canonical)
    print(f"coverage: {known} of {named} named lines, {known / max(named, 1):.2%}")
    print("most frequent unknown:", ", ".join(f"{name} {count}" for name, count in unknown.most_common(20)))
    for name, token, how in merges(canonical, arguments.seed):
        print(f"{name} -> {token}\t({how})")


if __name__ == "__main__":
    main()
