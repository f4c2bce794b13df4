"""Makes src/chef/text/tables/verbs.txt from a folder with WordNet's index.verb and verb.exc.

python scripts/make_verbs.py WORDNET_DICT src/chef/text/tables/verbs.txt
"""

from __future__ import annotations

import sys
from pathlib import Path

HEADER = """\
# Verb lemmas (single words) and irregular verb forms of WordNet 3.0.
# WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.
# Permission to use, copy, modify and distribute for any purpose and without fee or royalty is granted,
# provided that this notice appears on all copies; provided "as is", without warranty of any kind.
# Licence: https://wordnet.princeton.edu/license-and-commercial-use
# One lemma a line; a line of two words is an irregular form and its lemma.
"""


def main(dictionary: Path, out: Path) -> None:
    index = (dictionary / "index.verb").read_text().splitlines()
    lemmas = {line.split(" ", 1)[0] for line in index if not line.startswith(" ")}
    lemmas = {lemma for lemma in lemmas if lemma.isalpha()}
    forms = {
        tuple(line.split()[:2])
        for line in (dictionary / "verb.exc").read_text().splitlines()
        if all(word.isalpha() for word in line.split()[:2])
    }
    lines = sorted(lemmas) + [" ".join(pair) for pair in sorted(forms)]
    out.write_text(HEADER + "\n".join(lines) + "\n")
    print(f"{len(lemmas)} lemmas, {len(forms)} irregular forms -> {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
