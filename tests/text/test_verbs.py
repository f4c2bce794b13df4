from __future__ import annotations

import pytest

from chef.text.tagger import pos_tag
from chef.text.verbs import is_verb, lemma, verbs
from tests.text.verb_sentences import SENTENCES


@pytest.mark.parametrize(
    ("word", "expected"),
    [("chopped", "chop"), ("frying", "fry"), ("beaten", "beat"), ("whisks", "whisk"), ("melted", "melt"),
     ("sauteed", "saute"), ("carrot", None), ("green_beans", None), ("the", None), ("", None), ("42", None)],
)  # fmt: skip
def test_lemma(word, expected):
    assert lemma(word) == expected
    assert is_verb(word) is (expected is not None)


def f1(guess) -> float:
    right = total = 0
    for sentence in SENTENCES:
        words = sentence.split()
        gold = {i for i, word in enumerate(words) if word.isupper()}
        guessed = set(guess([word.lower() for word in words]))
        right += 2 * len(guessed & gold)
        total += len(guessed) + len(gold)
    return right / total


def test_verbs_in_use_beat_the_tagger_and_wordnet_alone():
    ours = f1(verbs)
    wordnet = f1(lambda words: [i for i, word in enumerate(words) if is_verb(word)])
    tagger = f1(
        lambda words: [i for i, tag in enumerate(pos_tag(["you", *words])[1:]) if tag.startswith("VB")]
    )
    assert ours >= 0.95
    assert ours > max(wordnet, tagger)
    assert verbs([]) == []
