from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from chef.errors import ChefError
from chef.model.words import ContextWords, WordVectors
from chef.model.words.build import build_words, load_words, save_table, save_words
from chef.text.pieces import WordPieces
from chef.text.vocabulary import Vocabulary
from tests.model.words.small import MINILM
from tests.tiny import write_words

VOCABULARY = Vocabulary.build({"green_beans": 5, "rice": 4, "zest": 3}, 1)


@pytest.mark.parametrize("description", [{"kind": "vectors", "width": 4}, MINILM])
def test_built_again_from_its_description(description: dict) -> None:
    words = build_words(description, 9, 4)
    assert isinstance(words, WordVectors if description["kind"] == "vectors" else ContextWords)
    assert words.description == description
    again = build_words(json.loads(json.dumps(words.description)), 9, 4)
    again.load_state_dict(words.state_dict())
    assert words.width == (4 if description["kind"] == "vectors" else 6)


def test_words_from_a_newer_version() -> None:
    with pytest.raises(ChefError, match="no words of kind 'elmo'"):
        build_words({"kind": "elmo"}, 9, 4)


def test_a_folder_over_a_vocabulary(tmp_path: Path) -> None:
    words = load_words(write_words(tmp_path / "minilm"), VOCABULARY)
    pieces = WordPieces.load(tmp_path / "minilm" / "pieces.tsv")
    spelled = [[pieces.words[piece] for piece in row if piece] for row in words.table.tolist()]
    assert spelled == [[], ["[UNK]"], ["green", "bean", "##s"], ["rice"], ["z", "##e", "##s", "##t"]]
    assert words(torch.tensor([VOCABULARY.ids(["green_beans", "rice"])])).shape == (1, 2, 8)
    again = load_words(tmp_path / "minilm", VOCABULARY)
    assert all(torch.equal(value, again.state_dict()[name]) for name, value in words.state_dict().items())
    assert words.pieces.weight.dtype == torch.float32


def test_folders_that_cannot_be_read_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ChefError, match="not a file of word pieces"):
        load_words(tmp_path / "nowhere", VOCABULARY)
    for name, content in (("config.json", b"{}"), ("config.json", b"{"), ("model.safetensors", b"x" * 99)):
        folder = write_words(tmp_path / f"broken-{name}-{len(content)}")
        (folder / name).write_bytes(content)
        with pytest.raises(ChefError, match="no MiniLM that can be read in"):
            load_words(folder, VOCABULARY)


def test_no_folder_is_written_over(tmp_path: Path) -> None:
    folder = write_words(tmp_path / "minilm")
    with pytest.raises(ChefError, match="exists already"):
        save_words(folder, {}, {}, WordPieces(()), "")
    assert [item.name for item in tmp_path.iterdir()] == ["minilm"]


def test_a_word_that_a_table_lacks_is_its_mean(tmp_path: Path) -> None:
    vectors = torch.tensor([[2.0, 0.0], [0.0, 4.0]])
    save_table(tmp_path / "table", ["rice", "zest"], vectors, "two words")
    words = load_words(tmp_path / "table", VOCABULARY)
    rows = words(torch.tensor([[0, *VOCABULARY.ids(["rice", "zest", "green_beans"])]]))[0]
    assert rows.tolist() == [[0, 0], [2, 0], [0, 4], [1, 2]]
