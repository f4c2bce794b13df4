"""Makes a table of word vectors out of a MiniLM, for `chef train --set words=OUT` with chef-base.

    python experiments/make_word_table.py MINILM OUT --corpus PREPARED [--labels labels.json]

MINILM is a folder that experiments/make_minilm.py made, with all its pieces. It reads every word of the
prepared vocabulary, and of the labels of a tower that names dishes, alone. The mean over all words is taken
away, and a word counts for less the more often it is met, by a / (a + p(word)) (Arora et al. 2017): the mean
over a text's words is then a fair embedding of the text, at a fortieth of what MiniLM costs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import torch
from make_minilm import save_table
from torch import Tensor
from torch.nn import functional as F

from chef.errors import ChefError
from chef.model.words import load_words
from chef.text.tokens import tokenise
from chef.text.vocabulary import SPECIAL, Vocabulary

RARITY = 1e-3  # Arora's a
_BATCH = 256
ABOUT = "the words of all-MiniLM-L6-v2 by sentence-transformers, Apache-2.0, each read alone"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("minilm", type=Path, help="the folder of a MiniLM")
    parser.add_argument("out", type=Path, help="the folder to make")
    parser.add_argument("--corpus", type=Path, required=True, help="a folder that chef prepare made")
    parser.add_argument("--labels", type=Path, help="names of dishes, a JSON list")
    given = parser.parse_args()
    try:
        counts = word_counts(given.corpus / "vocabulary.tsv")
        labels = json.loads(given.labels.read_text("utf-8")) if given.labels else []
        words = [*counts, *sorted({word for label in labels for word in tokenise(label)} - set(counts))]
        vectors = alone(given.minilm, words)
        save_table(given.out, words, weighted(vectors, [counts.get(word, 0) for word in words]), ABOUT)
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{given.out}: {len(words):,} words")
    return 0


def word_counts(path: Path) -> dict[str, int]:
    """How often each word of a vocabulary is met."""
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    return {word: int(count) for word, count in lines if word not in SPECIAL}


@torch.no_grad()
def alone(minilm: Path, words: list[str]) -> Tensor:
    """(words, width) each word as MiniLM reads it with nothing around it."""
    vocabulary = Vocabulary.build(Counter(words), 1)
    reader = load_words(minilm, vocabulary).eval()
    numbers = torch.tensor(vocabulary.ids(words))[:, None]
    return torch.cat([reader(some)[:, 0] for some in numbers.split(_BATCH)])


def weighted(vectors: Tensor, counts: list[int]) -> Tensor:
    """The vectors around their mean, each as long as its word is telling; as large as features are."""
    shares = torch.tensor(counts) / max(1, sum(counts))
    telling = RARITY / (RARITY + shares)
    scale = vectors.shape[1] ** 0.5
    return F.normalize(vectors - vectors.mean(0), dim=1) * telling[:, None] * scale


if __name__ == "__main__":
    sys.exit(main())
