import pytest
import torch

from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared
from chef.model.pretrained_towers import load_tower
from chef.train.features import FeaturePairs
from chef.train.loop import train
from tests.train.conftest import assert_resumes, read_log, small


@pytest.fixture(scope="module")
def first(prepared, tmp_path_factory):
    """A small trained model."""
    return train(Prepared(prepared), small(model="s+l+l", epochs=1), tmp_path_factory.mktemp("first") / "run")


def test_features_are_what_the_tower_gives_for_the_pictures(prepared, first):
    split, tower = Prepared(prepared).split("val"), load_tower(str(first)).eval()
    cached, plain = (
        FeaturePairs(split, tower, torch.device("cpu")),
        PairDataset(split, tower.transform, training=False),
    )
    for one, two in zip(cached, plain, strict=True):
        assert one.tokens == two.tokens
        torch.testing.assert_close(one.image, tower.features(two.image[None])[0])


def test_a_run_on_features_resumes_with_the_same_bits(prepared, first, tmp_path):
    settings = small(model="s+l+l", tower=str(first), freeze_tower=True, freeze_epochs=0)
    assert_resumes(Prepared(prepared), settings, tmp_path)


def test_the_tower_of_a_trained_model_in_another_run(prepared, first, tmp_path):
    settings = small(model="t+l+l", tower=str(first), freeze_tower=True, epochs=1)
    second = train(Prepared(prepared), settings, tmp_path / "second")
    one, two = load_tower(str(first)), load_tower(str(second))
    assert one.pretrained
    for name, value in one.state_dict().items():
        assert torch.equal(two.state_dict()[name], value), name


def test_a_tower_whose_rate_is_zero_learns_as_from_its_features(prepared, chef_weights, tmp_path):
    """Its batch norm is folded into its convolutions, so training must not normalise by the batch."""
    data, tower = Prepared(prepared), str(chef_weights / "food-mobilenet")
    still = {"model": "s+l+l", "tower": tower, "image_size": 64, "freeze_epochs": 0}
    settings = small(**still, freeze_tower=True), small(**still, tower_rate=0.0, augment=False)
    runs = [tmp_path / "features", tmp_path / "photos"]
    for one, run in zip(settings, runs, strict=True):
        train(data, one, run)
    features, photos = ([line["loss"] for line in read_log(run)] for run in runs)
    assert photos == pytest.approx(features, rel=1e-3)
    kept, moved = load_tower(tower).state_dict(), load_tower(str(runs[1])).state_dict()
    torch.testing.assert_close(moved, kept, rtol=1e-3, atol=1e-3)
