from __future__ import annotations

from chef.text.vocabulary import Vocabulary
from chef.train.objectives.title_classes import MOST, classes_of, title_bigrams

WORDS = ["apple", "pie", "with", "the", "soup", "cold"]
VOCABULARY = Vocabulary(("<PAD>", "<UNK>", *WORDS), (0,) * 8)


def title(words: str) -> list[int]:
    return VOCABULARY.ids(words.split())


def test_frequent_bigrams_the_most_frequent_first() -> None:
    titles = [title("cold soup with the apple")] * 12 + [title("apple pie")] * 20 + [title("pie soup")] * 9
    named = [tuple(VOCABULARY.text(pair)) for pair in title_bigrams(titles, VOCABULARY)]
    # "with the" says nothing, "pie soup" is too rare; equals by the alphabet
    assert named == [("apple", "pie"), ("cold", "soup"), ("soup", "with"), ("the", "apple")]


def test_a_title_counts_once_and_unknown_words_make_no_class() -> None:
    assert title_bigrams([title("apple apple apple apple")] * 9, VOCABULARY) == []
    assert title_bigrams([title("apple parsnip")] * 20, VOCABULARY) == []


def test_one_in_a_thousand_titles_at_least() -> None:
    titles = [title("apple pie")] * 20 + [title("soup")] * 20_000
    assert title_bigrams(titles, VOCABULARY) == []
    assert title_bigrams(titles[:20_000], VOCABULARY) == [tuple(title("apple pie"))]


def test_no_more_classes_than_recipe1m_has() -> None:
    words = tuple(f"w{number}" for number in range(1200))
    many = Vocabulary(("<PAD>", "<UNK>", *words), (0,) * 1202)
    titles = [list(range(2, 1202))] * 10
    assert len(title_bigrams(titles, many)) == MOST


def test_a_title_has_the_class_of_its_most_frequent_bigram() -> None:
    bigrams = [(2, 3), (6, 7), (3, 2)]
    titles = [[6, 7, 2, 3], [3, 2], [2, 4, 3], [], [5]]
    assert classes_of(titles, bigrams) == [1, 3, 0, 0, 0]
