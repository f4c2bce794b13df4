from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from chef.errors import ChefError
from chef.model.image import build_tower, load_tower
from chef.model.towers.dish_names import DishNames
from chef.model.towers.small_cnn import SmallCNN
from tests.model.towers.test_against_transformers import check_rebuilt, saved, shaken

transformers = pytest.importorskip("transformers")


def write_tower(folder: Path, names: torch.Tensor) -> str:
    """A classifier of seven dishes, as transformers saves it, with vectors for their names."""
    config = transformers.MobileNetV1Config(depth_multiplier=0.25, num_labels=7)
    network = shaken(transformers.MobileNetV1ForImageClassification(config))
    torch.nn.init.normal_(network.classifier.weight, std=0.5)
    saved(network, folder)
    save_file({"names": names}, folder / "names.safetensors")
    return str(folder)


@torch.no_grad()
def test_features_are_the_pooled_ones_and_the_expected_name(tmp_path):
    names = torch.randn(7, 5)
    tower = load_tower(write_tower(tmp_path, names)).eval()
    network = transformers.MobileNetV1ForImageClassification.from_pretrained(tmp_path).eval()
    images = torch.randn(2, 3, 32, 32)
    found = tower.features(images)
    pooled = network.mobilenet_v1(images).pooler_output
    torch.testing.assert_close(found[:, :-5], pooled, rtol=1e-4, atol=1e-4)
    for row, chances in enumerate(network(images).logits.softmax(1)):
        expected = sum(
            chance * name / name.norm() * 5**0.5 for chance, name in zip(chances, names, strict=True)
        )
        torch.testing.assert_close(found[row, -5:], expected, rtol=1e-3, atol=1e-3)
    assert tower.width == found.shape[1] == pooled.shape[1] + 5
    assert tower.pretrained
    check_rebuilt(tower, images)


def test_a_name_without_words_says_nothing():
    tower = DishNames(SmallCNN(32), 3, 4)
    tower.set_names(torch.tensor([[0.0] * 4, [1, 2, 3, 4], [0, 0, 0, 9]]))
    assert torch.equal(tower.names[0], torch.zeros(4))
    torch.testing.assert_close(tower.names[1:].norm(dim=1), torch.tensor([2.0, 2.0]))


def test_another_size_goes_into_the_description(tmp_path):
    tower = load_tower(write_tower(tmp_path, torch.randn(7, 5)))
    tower.use_size(80, 64)
    assert (tower.transform.size, tower.transform.crop) == (80, 64)
    again = build_tower(tower.description)
    assert again.transform == tower.transform


def test_it_is_held_still_as_a_whole():
    tower = DishNames(SmallCNN(32), 3, 4)
    tower.freeze()
    tower.train()
    assert not any(module.training for module in tower.modules())
    assert not tower.features(torch.randn(2, 3, 32, 32)).requires_grad
    tower.freeze(False)
    tower.train()
    assert tower.features(torch.randn(2, 3, 32, 32)).requires_grad


def test_without_the_file_of_names_the_tower_is_what_it_was(tmp_path):
    folder = Path(write_tower(tmp_path / "one", torch.randn(7, 5)))
    (folder / "names.safetensors").unlink()
    tower = load_tower(str(folder))
    assert tower.description["kind"] == "mobilenet-v1"
    assert build_tower(json.loads(json.dumps(tower.description))).width == tower.width


def test_names_that_do_not_fit_are_one_line(tmp_path):
    folder = write_tower(tmp_path / "one", torch.randn(6, 5))
    with pytest.raises(ChefError, match=r"names\.safetensors does not fit the classifier"):
        load_tower(folder)


def test_the_food_tower_tells_a_dish(chef_weights, tmp_path):
    """With the classes themselves as vectors, the names' part is the probabilities."""
    source = chef_weights / "food-mobilenet"
    for file in ("config.json", "preprocessor_config.json", "model.safetensors"):
        shutil.copyfile(source / file, tmp_path / file)
    save_file({"names": torch.eye(2024)}, tmp_path / "names.safetensors")
    tower = load_tower(str(tmp_path)).eval()
    with torch.no_grad():
        found = tower.features(torch.randn(2, 3, 192, 192).clamp(-1, 1))
    assert found.shape == (2, 1024 + 2024)
    torch.testing.assert_close(found[:, 1024:].sum(1) / 2024**0.5, torch.ones(2))
