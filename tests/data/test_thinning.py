from __future__ import annotations

import numpy as np
import torch

from chef.data.batches import Tokens
from chef.data.pairs import PairDataset
from chef.data.thinning import thinned
from chef.data.transforms import ImageTransform
from chef.model.image import load_tower
from chef.train.features import FeaturePairs

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
