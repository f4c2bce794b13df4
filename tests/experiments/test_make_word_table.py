from __future__ import annotations

import json

import make_word_table
import torch

from chef.model.words import load_words
from chef.text.vocabulary import Vocabulary
from tests.tiny import write_words


def test_common_words_count_for_less_and_what_all_share_for_nothing():
    vectors = torch.tensor([[3.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    weighted = make_word_table.weighted(vectors, [1000, 10, 0, 0])
    assert weighted.norm(dim=1).argsort().tolist()[:2] == [0, 1]
    torch.testing.assert_close(weighted.norm(dim=1)[2:], torch.full((2,), 2**0.5))
    centred = vectors - vectors.mean(0)
    torch.testing.assert_close(torch.cosine_similarity(weighted, centred), torch.ones(4))


def test_from_a_minilm_and_a_vocabulary(tmp_path, monkeypatch, capsys):
    minilm = write_words(tmp_path / "minilm")
    (tmp_path / "corpus").mkdir()
    Vocabulary.build({"rice": 5, "beans": 2}, 1).save(tmp_path / "corpus" / "vocabulary.tsv")
    (tmp_path / "labels.json").write_text(json.dumps(["Rice pudding"]))
    given = [minilm, tmp_path / "out", "--corpus", tmp_path / "corpus", "--labels", tmp_path / "labels.json"]
    monkeypatch.setattr("sys.argv", ["make_word_table.py", *map(str, given)])
    assert make_word_table.main() == 0
    assert "3 words" in capsys.readouterr().out
    vectors = load_words(tmp_path / "out", Vocabulary.build({"rice": 1, "pudding": 1}, 1)).weight
    assert (vectors[2:].norm(dim=1) > 0).all()
    assert make_word_table.main() == 2
    assert "exists already" in capsys.readouterr().err
