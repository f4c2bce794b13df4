import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from chef.data.prepared import Prepared
from chef.errors import ChefError
from chef.train.sampler import Batches, TextBatches
from tests.train.conftest import assert_resumes, small


@given(st.integers(2, 300), st.integers(2, 64), st.integers(1, 9), st.integers(0, 3))
def test_every_sample_once_an_epoch_at_any_number_of_processes(samples, batch, processes, epoch):
    parts = [
        list(Batches(samples, batch, seed=1, rank=rank, processes=processes).epoch(epoch))
        for rank in range(processes)
    ]
    seen = np.concatenate([rows for part in parts for rows in part])
    assert sorted(seen) == list(range(samples))
    alone = list(Batches(samples, batch, seed=1).epoch(epoch))
    assert [len(part) for part in parts] == [len(alone)] * processes
    for number, rows in enumerate(alone):
        assert len(rows) == Batches(samples, batch, seed=1, processes=processes).size(number)
        assert np.array_equal(np.concatenate([part[number] for part in parts]), rows)


@given(st.integers(8, 300), st.integers(4, 64))
def test_batches_are_of_nearly_equal_size(samples, batch):
    batches = Batches(samples, batch, seed=0)
    sizes = [len(rows) for rows in batches.epoch(0)]
    assert max(sizes) <= batch
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) == batches.smallest >= 2


def test_order_follows_seed_and_epoch_and_resumes():
    def epoch(seed, number, start=0):
        return [rows.tolist() for rows in Batches(50, 12, seed=seed).epoch(number, start)]

    assert epoch(0, 0) != epoch(0, 1)
    assert epoch(0, 0) != epoch(1, 0)
    assert [epoch(0, 2, start) for start in (0, 1, 3)] == [epoch(0, 2)[start:] for start in (0, 1, 3)]


def test_texts_are_recipes_without_a_photo_drawn_by_seed_epoch_and_step(prepared_with_texts):
    split = Prepared(prepared_with_texts).split("train", with_image=False)
    texts = TextBatches(split, batch=6, seed=0)
    assert len(texts.rows) > 6
    assert all(split.images(int(i)) == 0 for i in texts.rows)
    drawn = texts.draw(1, 2)
    assert len(drawn) == 6
    assert torch.equal(drawn.index, TextBatches(split, batch=6, seed=0).draw(1, 2).index)
    different = [texts.draw(1, 3), texts.draw(2, 2), TextBatches(split, batch=6, seed=1).draw(1, 2)]
    assert all(not torch.equal(other.recipes.title, drawn.recipes.title) for other in different)


def test_processes_share_a_batch_of_texts(prepared_with_texts):
    split = Prepared(prepared_with_texts).split("train", with_image=False)
    whole = TextBatches(split, 7, 0).draw(0, 0)
    shares = [TextBatches(split, 7, 0, rank, 2).draw(0, 0) for rank in (0, 1)]
    assert torch.equal(torch.cat([share.recipes.steps for share in shares]), whole.recipes.steps)


@pytest.mark.parametrize("workers", [0, 2])
def test_loading_in_advance_gives_the_same_draws(prepared, prepared_with_texts, workers):
    texts = TextBatches(Prepared(prepared_with_texts).split("train", with_image=False), 6, 0)
    loaded = list(texts.load(3, range(1, 4), workers, pin=False))
    assert [batch.index.tolist() for batch in loaded] == [texts.draw(3, n).index.tolist() for n in (1, 2, 3)]
    assert torch.equal(loaded[2].recipes.sentences, texts.draw(3, 3).recipes.sentences)
    none = TextBatches(Prepared(prepared).split("train", with_image=False), 6, 0)
    assert list(none.load(0, range(2), workers, pin=False)) == [None, None]


def test_too_few_texts(prepared, prepared_with_texts):
    split = Prepared(prepared).split("train", with_image=False)
    assert TextBatches(split, 6, 0).draw(0, 0) is None
    assert TextBatches(split, 6, 0, 1, 3).draw(0, 0) is None
    split = Prepared(prepared_with_texts).split("train", with_image=False)
    assert [len(TextBatches(split, 2, 0, rank, 2).draw(0, 0)) for rank in (0, 1)] == [1, 1]
    with pytest.raises(ChefError, match="2 recipes without a photo cannot be shared by 3 processes"):
        TextBatches(split, 2, 0, 0, 3)


def test_texts_get_the_same_noise_when_a_run_resumes(prepared_with_texts, tmp_path):
    data = Prepared(prepared_with_texts)
    settings = small(model="t+t+l", loss="infonce", text_weight=0.5, epochs=1, freeze_epochs=0)
    assert_resumes(data, settings, tmp_path)
