from __future__ import annotations

import pytest

from chef.errors import ChefError
from chef.text.vocabulary import PAD, UNK, Vocabulary

COUNTS = {"salt": 12, "oil": 12, "saffron": 1, "egg": 5}


def test_order_is_by_count_then_alphabet_and_rare_words_are_unknown():
    vocabulary = Vocabulary.build(COUNTS, minimum=2)
    assert vocabulary.words == ("<PAD>", "<UNK>", "oil", "salt", "egg")
    assert vocabulary.counts == (0, 1, 12, 12, 5)
    assert (vocabulary.words[PAD], vocabulary.words[UNK]) == ("<PAD>", "<UNK>")
    assert vocabulary.text(vocabulary.ids(["egg", "saffron", "dragon"])) == ["egg", "<UNK>", "<UNK>"]
    assert "egg" in vocabulary
    assert "saffron" not in vocabulary


def test_save_and_load(tmp_path):
    vocabulary = Vocabulary.build(COUNTS, minimum=1)
    vocabulary.save(tmp_path / "words.tsv")
    assert Vocabulary.load(tmp_path / "words.tsv") == vocabulary


@pytest.mark.parametrize("content", ["", "salt\t3\n", "no tab\n", "<PAD>\tx\n"])
def test_a_foreign_file_is_an_error(tmp_path, content):
    (tmp_path / "words.tsv").write_text(content)
    with pytest.raises(ChefError, match="not a vocabulary"):
        Vocabulary.load(tmp_path / "words.tsv")
