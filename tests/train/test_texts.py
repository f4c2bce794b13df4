from __future__ import annotations

import torch

from chef.data.prepared import Prepared
from chef.train.texts import TextBatches


def test_texts_are_recipes_without_a_photo_a_function_of_the_place(prepared_with_texts):
    split = Prepared(prepared_with_texts).split("train", with_image=False)
    texts = TextBatches(split, batch=6, seed=0)
    assert len(texts.rows) > 6
    assert all(split.images(int(i)) == 0 for i in texts.rows)
    drawn = texts.draw(1, 2)
    assert len(drawn) == 6
    assert torch.equal(drawn.title, TextBatches(split, batch=6, seed=0).draw(1, 2).title)
    different = [texts.draw(1, 3), texts.draw(2, 2), TextBatches(split, batch=6, seed=1).draw(1, 2)]
    assert all(not torch.equal(other.title, drawn.title) for other in different)


def test_processes_share_a_batch(prepared_with_texts):
    split = Prepared(prepared_with_texts).split("train", with_image=False)
    whole = TextBatches(split, 7, 0).draw(0, 0)
    shares = [TextBatches(split, 7, 0, rank, 2).draw(0, 0) for rank in (0, 1)]
    assert torch.equal(torch.cat([share.ingredient_lengths for share in shares]), whole.ingredient_lengths)
    assert torch.equal(torch.cat([share.steps for share in shares]), whole.steps)


def test_too_few_are_none(prepared, prepared_with_texts):
    assert TextBatches(Prepared(prepared).split("train", with_image=False), 6, 0).draw(0, 0) is None
    split = Prepared(prepared_with_texts).split("train", with_image=False)
    assert TextBatches(split, 2, 0, 0, 2).draw(0, 0) is None
