"""The vocabulary: words to numbers; and to vectors, by gensim's word2vec with the published settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.errors import ChefError
from chef.files import write_atomic

if TYPE_CHECKING:
    import numpy as np

PAD, UNK = 0, 1
SPECIAL = ("<PAD>", "<UNK>")


@dataclass(frozen=True)
class Vocabulary:
    """Words in a fixed order; 0 is padding, 1 any word that is not in it.

    >>> words = Vocabulary.build({"salt": 12, "saffron": 1}, minimum=2)
    >>> words.ids(["salt", "saffron"])
    [2, 1]
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {word: i for i, word in enumerate(self.words)})

    @classmethod
    def build(cls, counts: Mapping[str, int], minimum: int) -> Vocabulary:
        """The words seen at least `minimum` times, the most frequent first, equals by the alphabet."""
        kept = sorted((-count, word) for word, count in counts.items() if count >= minimum)
        rare = sum(count for count in counts.values() if count < minimum)
        return cls(
            words=SPECIAL + tuple(word for _, word in kept), counts=(0, rare, *(-count for count, _ in kept))
        )

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._index

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """The number of each word."""
        return [self._index.get(token, UNK) for token in tokens]

    def text(self, ids: Sequence[int]) -> list[str]:
        """The words of the numbers."""
        return [self.words[i] for i in ids]

    def to_bytes(self) -> bytes:
        """One word a line, a tab, how often it was seen."""
        lines = (f"{word}\t{count}\n" for word, count in zip(self.words, self.counts, strict=True))
        return "".join(lines).encode()

    def save(self, path: Path) -> None:
        """Write the words to a file."""
        write_atomic(path, self.to_bytes())

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """The vocabulary that `save` wrote."""
        try:
            rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
            vocabulary = cls(tuple(word for word, _ in rows), tuple(int(count) for _, count in rows))
        except (OSError, ValueError) as error:
            raise ChefError(f"not a vocabulary: {path}", "prepare the data again") from error
        if vocabulary.words[:2] != SPECIAL:
            raise ChefError(f"not a vocabulary: {path}", "prepare the data again")
        return vocabulary


def train_word2vec(
    sentences: Iterable[list[str]],
    vocabulary: Vocabulary,
    *,
    dimension: int = 300,
    window: int = 10,
    epochs: int = 10,
    seed: int = 0,
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """(words, dimension) Skip-gram with hierarchical softmax; a row for each word, `<PAD>` zero.

    `sentences` is read once per epoch, so it must be re-iterable, not a generator. Words outside the
    vocabulary are trained as `<UNK>`.
    """
    import numpy as np
    from gensim.models import Word2Vec

    # One worker: with several, gensim's threads race and no two runs agree.
    model = Word2Vec(
        vector_size=dimension, window=window, sg=1, hs=1, negative=0, min_count=1, seed=seed, workers=1
    )
    counts = dict(zip(vocabulary.words[1:], vocabulary.counts[1:], strict=True))
    model.build_vocab_from_freq({word: count for word, count in counts.items() if count > 0})
    vectors = np.zeros((len(vocabulary), dimension), np.float32)
    if len(model.wv) > 1:
        model.train(_Known(sentences, vocabulary), total_words=sum(counts.values()), epochs=epochs)
    for row, word in enumerate(vocabulary.words[1:], start=1):
        if word in model.wv:
            vectors[row] = model.wv[word]
    return vectors


class _Known:
    """The sentences with rare words replaced, for as many rounds as gensim asks."""

    def __init__(self, sentences: Iterable[list[str]], vocabulary: Vocabulary) -> None:
        self.sentences, self.vocabulary = sentences, vocabulary

    def __iter__(self) -> Any:
        for sentence in self.sentences:
            yield self.vocabulary.text(self.vocabulary.ids(sentence))
