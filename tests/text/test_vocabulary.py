import random
from collections import Counter

import numpy as np
import pytest

from chef.text.vocabulary import PAD, Vocabulary, train_word2vec


@pytest.fixture(scope="module")
def corpus() -> list[list[str]]:
    """Two kinds of sentences: of sweet words and of savoury words."""
    draw = random.Random(0)
    kinds = [[f"sweet{i}" for i in range(20)], [f"savoury{i}" for i in range(20)]]
    return [[draw.choice(kinds[i % 2]) for _ in range(10)] for i in range(400)] + [["rare"]]


def train(corpus):
    vocabulary = Vocabulary.build(Counter(word for line in corpus for word in line), minimum=2)
    return vocabulary, train_word2vec(corpus, vocabulary, dimension=16, window=5, epochs=5, seed=1)


def test_words_of_one_kind_are_near_and_the_same_text_gives_the_same_vectors(corpus):
    vocabulary, vectors = train(corpus)
    assert np.array_equal(train(corpus)[1], vectors)
    assert vectors.shape == (len(vocabulary), 16)
    assert not vectors[PAD].any()
    unit = vectors[2:] / np.linalg.norm(vectors[2:], axis=1, keepdims=True)
    sweet = np.array([word.startswith("sweet") for word in vocabulary.words[2:]])
    near = (unit @ unit.T)[sweet][:, sweet].mean()
    far = (unit @ unit.T)[sweet][:, ~sweet].mean()
    assert near > far + 0.3


def test_no_text_gives_no_vectors():
    vectors = train_word2vec([], Vocabulary.build({}, minimum=1), dimension=4)
    assert vectors.shape == (2, 4)
    assert not vectors.any()
