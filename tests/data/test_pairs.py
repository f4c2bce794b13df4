from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

from chef.data.batches import Tokens, collate
from chef.data.images import ImageTransform
from chef.data.pairs import PairDataset, thinned
from chef.data.prepared import Prepared
from chef.data.preparing import prepare
from chef.model.pretrained_towers import load_tower
from chef.train.features import FeaturePairs
from tests.data.sources import QUICK, encoded, picture, recipe, write_lines

SMALL = ImageTransform(size=32, crop=24)


def batches(pairs, workers):
    return list(DataLoader(pairs, batch_size=4, collate_fn=collate, num_workers=workers))


def test_worker_processes_give_the_same_batches(prepared):
    pairs = PairDataset(prepared.split("train"), SMALL, training=True, seed=3)
    alone, shared = batches(pairs, 0), batches(pairs, 2)
    assert sum(len(batch) for batch in alone) == len(pairs)
    for one, two in zip(alone, shared, strict=True):
        assert torch.equal(one.images, two.images)
        assert torch.equal(one.changes, two.changes)
        assert torch.equal(one.recipes.sentences, two.recipes.sentences)
        assert torch.equal(one.index, two.index)
    assert alone[0].images.shape == (4, 3, 32, 32)
    assert min(length for batch in alone for length in batch.recipes.sentence_lengths) >= 1


def test_the_epoch_changes_training_pictures_in_living_workers_too(prepared):
    pairs = PairDataset(prepared.split("train"), SMALL, training=True)
    loader = DataLoader(pairs, batch_size=8, collate_fn=collate, num_workers=1, persistent_workers=True)
    epochs = []
    for epoch in (0, 1, 0):
        pairs.set_epoch(epoch)
        batch = next(iter(loader))
        epochs.append(SMALL.finish(batch.images, batch.changes))
    assert torch.equal(epochs[0], epochs[2])
    assert not torch.equal(epochs[0], epochs[1])


def test_evaluation_knows_no_chance(prepared):
    pairs = PairDataset(prepared.split("train"), SMALL, training=False)
    first = pairs[2].image
    pairs.set_epoch(5)
    assert torch.equal(pairs[2].image, first)
    assert torch.equal(first, SMALL.evaluate(pairs.split.image_bytes(2)))


@pytest.fixture(scope="module")
def several(map_file, tmp_path_factory):
    """Two recipes with seven photos each, all of one colour that tells which it is."""
    folder = tmp_path_factory.mktemp("several")
    (folder / "source" / "images").mkdir(parents=True)
    lines = []
    for number in range(2):
        names = [f"images/{number}-{place}.png" for place in range(7)]
        for place, name in enumerate(names):
            (folder / "source" / name).write_bytes(encoded(picture(seed=place), "PNG"))
        lines.append({**recipe(number), "images": names, "split": "train"})
        del lines[-1]["image"]
    write_lines(folder / "source", lines)
    prepare(folder / "source", folder / "out", QUICK, canonical=map_file, workers=1)
    return Prepared(folder / "out")


def test_five_images_are_kept_and_all_are_drawn(several):
    split = several.split("train")
    assert [split.images(i) for i in range(2)] == [5, 5]
    drawn = set()
    plain = {split.image_bytes(0, k): k for k in range(5)}

    class Noting(ImageTransform):
        def train(self, data, random, zoom=0.0):
            drawn.add(plain[data])
            return super().train(data, random, zoom)

    pairs = PairDataset(split, Noting(size=32, crop=24), training=True)
    for epoch in range(60):
        pairs.set_epoch(epoch)
        pairs[0]
    assert drawn == {0, 1, 2, 3, 4}


TOKENS = Tokens(title=[2, 3, 4, 5], ingredients=[6, 7, 8], sentences=[[9, 10], [11]])


def test_what_is_left_keeps_its_order_and_is_never_nothing():
    for epoch in range(50):
        left = thinned(TOKENS, 0.9, 0, epoch, 3)
        assert left["title"] == sorted(set(left["title"]) & set(TOKENS["title"]))
        assert left["title"]
        assert (left["ingredients"], left["sentences"]) == (TOKENS["ingredients"], TOKENS["sentences"])
    untitled = Tokens(title=[], ingredients=[6], sentences=[])
    assert thinned(untitled, 0.9, 0, 0, 0) == untitled


def test_as_many_words_are_left_out_as_was_asked_for():
    long = Tokens(title=list(range(200)), ingredients=[], sentences=[])
    left = [len(thinned(long, 0.4, 0, epoch, 0)["title"]) for epoch in range(20)]
    assert np.isclose(np.mean(left), 120, atol=6)


def test_it_depends_on_seed_epoch_and_position_alone():
    places = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    drawn = [tuple(thinned(TOKENS, 0.5, *place)["title"]) for place in places * 2]
    assert drawn[:4] == drawn[4:]
    for axis in range(3):
        seen = {tuple(thinned(TOKENS, 0.5, *np.eye(3, dtype=int)[axis] * at)["title"]) for at in range(40)}
        assert len(seen) > 5
    assert thinned(TOKENS, 0.0, 0, 0, 0) == TOKENS


def test_pairs_leave_out_the_same_words_with_pictures_and_with_features(prepared):
    split = prepared.split("train")
    pairs = PairDataset(split, ImageTransform(size=32, crop=24), training=True, seed=4, title_drop=0.5)
    tower, device = load_tower("small-cnn"), torch.device("cpu")
    cached = FeaturePairs(split, tower, device, seed=4, title_drop=0.5)
    whole = FeaturePairs(split, tower, device, seed=4)
    shorter = 0
    for epoch in (0, 1):
        pairs.set_epoch(epoch)
        cached.set_epoch(epoch)
        for i in range(len(split)):
            assert pairs[i].tokens == cached[i].tokens == thinned(whole[i].tokens, 0.5, 4, epoch, i)
            shorter += pairs[i].tokens != whole[i].tokens
    assert shorter > len(split)


def test_evaluation_reads_whole_titles(prepared):
    split = prepared.split("val")
    pairs = PairDataset(split, ImageTransform(size=32, crop=24), training=False, title_drop=0.9)
    assert all(pairs[i].tokens["title"] == split.tokens(i)["title"] for i in range(len(split)))
