from __future__ import annotations

import torch

from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared
from chef.model.image import load_tower
from chef.train.features import FeaturePairs
from chef.train.loop import train
from tests.train.conftest import small


def test_features_are_what_the_tower_gives(prepared):
    split, tower = Prepared(prepared).split("val"), load_tower("small-cnn").eval()
    pairs = PairDataset(split, tower.transform, training=False)
    cached = FeaturePairs(split, tower, torch.device("cpu"))
    assert len(cached) == len(pairs)
    for place in range(len(pairs)):
        assert cached[place].tokens == pairs[place].tokens
        features = tower.features(pairs[place].image[None])[0]
        torch.testing.assert_close(cached[place].image, features, rtol=1e-4, atol=1e-5)


def test_a_trained_models_tower_goes_on_in_another_run(prepared, tmp_path):
    first = train(Prepared(prepared), small(model="s+l+l", epochs=1), tmp_path / "first")
    settings = small(model="t+l+l", tower=str(tmp_path / "first"), freeze_tower=True)
    second = train(Prepared(prepared), settings, tmp_path / "second")
    one, two = load_tower(str(first)), load_tower(str(second))
    assert one.pretrained
    for name, value in one.state_dict().items():
        assert torch.equal(two.state_dict()[name], value), name
