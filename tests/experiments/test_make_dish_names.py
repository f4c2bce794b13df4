from __future__ import annotations

import json
from pathlib import Path

import make_dish_names
import pytest
import torch
from safetensors.torch import load_file

from chef.errors import ChefError
from chef.model.pretrained_towers import load_tower
from chef.model.words import load_words
from chef.text.vocabulary import Vocabulary
from tests.model.test_towers import write_tower
from tests.tiny import write_words

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
