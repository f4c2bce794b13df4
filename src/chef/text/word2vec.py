"""Word vectors: gensim's word2vec with the published settings, made deterministic."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from chef.text.vocabulary import Vocabulary


def train_word2vec(
    sentences: Iterable[list[str]],
    vocabulary: Vocabulary,
    *,
    dimension: int = 300,
    window: int = 10,
    epochs: int = 10,
    seed: int = 0,
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Skip-gram with hierarchical softmax; one row for each word of the vocabulary, `<PAD>` zero.

    `sentences` is read once per epoch, so it must be re-iterable, not a generator. Words outside the
    vocabulary are trained as `<UNK>`.
    """
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
