import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from chef.errors import ChefError
from chef.model.words import (
    END_PIECE,
    START_PIECE,
    ContextWords,
    WordPieces,
    WordVectors,
    build_words,
    load_words,
)
from chef.text.vocabulary import Vocabulary
from experiments.make_minilm import from_bert, save_words
from tests.model.small_words import MINILM, small_words
from tests.tiny import write_words

VOCABULARY = Vocabulary.build({"green_beans": 5, "rice": 4, "zest": 3}, 1)
THEIR_NAMES = {"pieces": "vocab_size", "width": "hidden_size", "heads": "num_attention_heads"}
THEIR_NAMES |= {"middle": "intermediate_size", "positions": "max_position_embeddings"}
SHAPE = {theirs: MINILM[name] for name, theirs in THEIR_NAMES.items()}
PIECES = range(MINILM["pieces"])
TEXTS = torch.tensor([[4, 9, 2, 7, 7], [5, 0, 0, 0, 0], [11, 3, 8, 0, 0], [2, 2, 0, 0, 0]])


def test_a_row_of_the_table_for_each_word() -> None:
    words = WordVectors(5, 3)
    vectors = words(torch.tensor([[4, 2, 0]]))
    assert torch.equal(vectors[0], words.weight[[4, 2, 0]])
    assert words.weight[0].tolist() == [0, 0, 0]
    assert words.weight[1:].abs().min() > 0
    vectors.sum().backward()
    assert words.weight.grad is not None
    assert words.weight.grad.sum(1).tolist() == [0, 0, 3, 0, 3]  # padding does not learn


@pytest.mark.parametrize("description", [{"kind": "vectors", "width": 4}, MINILM])
def test_built_again_from_its_description(description: dict) -> None:
    words = build_words(description, 9, 4)
    assert isinstance(words, WordVectors if description["kind"] == "vectors" else ContextWords)
    assert words.description == description
    again = build_words(json.loads(json.dumps(words.description)), 9, 4)
    again.load_state_dict(words.state_dict())
    assert words.width == (4 if description["kind"] == "vectors" else 6)
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
        with pytest.raises(ChefError, match="no readable MiniLM in"):
            load_words(folder, VOCABULARY)


def test_no_folder_is_written_over(tmp_path: Path) -> None:
    folder = write_words(tmp_path / "minilm")
    with pytest.raises(ChefError, match="exists already"):
        save_words(folder, {}, {}, WordPieces(()), "")
    assert [item.name for item in tmp_path.iterdir()] == ["minilm"]


def bert(layers: int = 3) -> nn.Module:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.BertConfig(**SHAPE, num_hidden_layers=layers)
    model = transformers.BertModel(config, add_pooling_layer=False).double().eval()
    for value in model.parameters():  # biases and norms that do something
        torch.nn.init.normal_(value, std=0.5)
    return model


def ours(theirs: nn.Module, table: Tensor, layers: list[int], rows: Sequence[int] = PIECES) -> ContextWords:
    sizes, state = from_bert(theirs.config.to_dict(), theirs.state_dict(), rows, layers)
    words = ContextWords(len(table), most=table.shape[1], **sizes).double().eval()
    words.load_state_dict({**state, "table": table})
    return words


def word_by_word(theirs: nn.Module, table: Tensor, text: list[int], rows: Sequence[int] = PIECES) -> Tensor:
    """What transformers makes of one text, no padding: for each word the mean of its pieces."""
    spelled = [[int(piece) for piece in table[word] if piece] for word in text]
    pieces = [START_PIECE, *(piece for word in spelled for piece in word), END_PIECE]
    out = theirs(input_ids=torch.tensor([[rows[piece] for piece in pieces]])).last_hidden_state[0, 1:-1]
    return torch.stack([part.mean(0) for part in out.split([len(word) for word in spelled])])


def assert_alike(words: ContextWords, theirs: nn.Module, texts: Tensor, rows: Sequence[int] = PIECES) -> None:
    vectors = words(texts)
    assert vectors.shape == (*texts.shape, words.width)
    for row, text in zip(vectors, texts.tolist(), strict=True):
        length = sum(word > 0 for word in text)
        torch.testing.assert_close(row[:length], word_by_word(theirs, words.table, text[:length], rows))
        assert row[length:].abs().sum() == 0


def random_table() -> Tensor:
    words = small_words("minilm-trees", vocabulary=12)
    assert isinstance(words, ContextWords)
    return words.table


def test_all_layers_and_a_choice_of_them_equal_transformers() -> None:
    theirs, table = bert(), random_table()
    assert_alike(ours(theirs, table, [0, 1, 2]), theirs, TEXTS)
    shorter = bert(layers=2)
    kept = {name: value for name, value in theirs.state_dict().items() if "layer.1." not in name}
    shorter.load_state_dict({name.replace("layer.2.", "layer.1."): value for name, value in kept.items()})
    assert_alike(ours(theirs, table, [0, 2]), shorter, TEXTS)


def test_gradients_equal_transformers() -> None:
    theirs, table = bert(), random_table()
    words = ours(theirs, table, [0, 1, 2])
    words(TEXTS[2:3]).square().sum().backward()
    word_by_word(theirs, table, TEXTS[2, :3].tolist()).square().sum().backward()
    torch.testing.assert_close(words.pieces.weight.grad, theirs.embeddings.word_embeddings.weight.grad)
    layer, its = words.layers[1], theirs.encoder.layer[1]
    torch.testing.assert_close(layer.first.weight.grad, its.intermediate.dense.weight.grad)
    torch.testing.assert_close(layer.attention.weight.grad[:6], its.attention.self.query.weight.grad)


def test_a_text_beyond_the_last_position_is_read_to_its_end() -> None:
    words = ours(bert(), random_table(), [0, 1]).train().requires_grad_(False)
    assert not words(TEXTS).requires_grad
    text = torch.full((1, 3 * MINILM["positions"]), 4)
    read = words(text)
    assert read.isfinite().all()
    torch.testing.assert_close(read[0, -1], read[0, -2])  # both stand at the last position


def test_another_network_is_refused() -> None:
    config = {**bert().config.to_dict(), "hidden_act": "relu"}
    with pytest.raises(ChefError, match="not a BERT with GELU, but bert with relu"):
        from_bert(config, {}, [], [])


def test_the_mean_of_a_text_is_that_of_its_words() -> None:
    words = small_words("minilm-trees", 12)
    assert isinstance(words, ContextWords)
    real = TEXTS != 0
    of_words = words(TEXTS) * real[:, :, None]
    torch.testing.assert_close(words.means(TEXTS), of_words.sum(1) / real.sum(1, keepdim=True))
    assert (of_words[~real] == 0).all()
