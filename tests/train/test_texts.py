from __future__ import annotations

import pytest
import torch

from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.train.loop import train
from chef.train.texts import TextBatches
from tests.train.conftest import small
from tests.train.test_every_model import stopped
from tests.train.test_loop import assert_equal, weights


def test_texts_are_recipes_without_a_photo_a_function_of_the_place(prepared_with_texts):
    split = Prepared(prepared_with_texts).split("train", with_image=False)
    texts = TextBatches(split, batch=6, seed=0)
    assert len(texts.rows) > 6
    assert all(split.images(int(i)) == 0 for i in texts.rows)
    drawn = texts.draw(1, 2)
    assert len(drawn) == 6
    assert torch.equal(drawn.index, TextBatches(split, batch=6, seed=0).draw(1, 2).index)
    different = [texts.draw(1, 3), texts.draw(2, 2), TextBatches(split, batch=6, seed=1).draw(1, 2)]
    assert all(not torch.equal(other.recipes.title, drawn.recipes.title) for other in different)


def test_processes_share_a_batch(prepared_with_texts):
    split = Prepared(prepared_with_texts).split("train", with_image=False)
    whole = TextBatches(split, 7, 0).draw(0, 0)
    shares = [TextBatches(split, 7, 0, rank, 2).draw(0, 0) for rank in (0, 1)]
    assert torch.equal(torch.cat([share.index for share in shares]), whole.index)
    assert torch.equal(torch.cat([share.recipes.steps for share in shares]), whole.recipes.steps)


@pytest.mark.parametrize("workers", [0, 2])
def test_loading_in_advance_gives_the_same_draws(prepared, prepared_with_texts, workers):
    texts = TextBatches(Prepared(prepared_with_texts).split("train", with_image=False), 6, 0)
    loaded = list(texts.load(3, range(1, 4), workers, pin=False))
    assert [found.index.tolist() for found in loaded] == [texts.draw(3, n).index.tolist() for n in (1, 2, 3)]
    assert torch.equal(loaded[2].recipes.sentences, texts.draw(3, 3).recipes.sentences)
    none = TextBatches(Prepared(prepared).split("train", with_image=False), 6, 0)
    assert list(none.load(0, range(2), workers, pin=False)) == [None, None]


def test_too_few_are_none_however_many_processes(prepared, prepared_with_texts):
    split = Prepared(prepared).split("train", with_image=False)
    assert TextBatches(split, 6, 0).draw(0, 0) is None
    assert TextBatches(split, 6, 0, 1, 3).draw(0, 0) is None
    split = Prepared(prepared_with_texts).split("train", with_image=False)
    assert [len(TextBatches(split, 2, 0, rank, 2).draw(0, 0)) for rank in (0, 1)] == [1, 1]
    with pytest.raises(ChefError, match="2 recipes without a photo cannot be shared by 3 processes"):
        TextBatches(split, 2, 0, 0, 3)


def test_any_model_can_learn_from_texts(prepared_with_texts, tmp_path):
    data = Prepared(prepared_with_texts)
    settings = small(model="t+t+l", loss="infonce", text_weight=0.5, epochs=1, freeze_epochs=0)
    train(data, settings, tmp_path / "whole")
    stopped(data, settings, tmp_path / "cut")
    train(data, settings, tmp_path / "cut")
    assert_equal(tmp_path / "whole", tmp_path / "cut")  # their trees meet the same noise
    alone = small(model="t+t+l", loss="infonce", epochs=1, freeze_epochs=0)
    train(data, alone, tmp_path / "alone")
    first, second = weights(tmp_path / "whole"), weights(tmp_path / "alone")
    name = "model.model.recipe.ingredients.lstm.leaf.weight"
    assert not torch.equal(first[name], second[name])
