"""The lean towers against transformers' own, and any other model through transformers itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from chef.model.image import build_tower, load_tower
from chef.model.towers.base import ImageTower
from chef.model.towers.hub import HubTower
from chef.model.towers.mobilenet import MobileNetV1
from chef.model.towers.resnet import ResNet

transformers = pytest.importorskip("transformers")
PREPROCESSOR = {"size": 32, "image_mean": [0.5] * 3, "image_std": [0.5] * 3}


def shaken(network: Any) -> Any:
    """The network with weights that let the picture through: its own small ones would hide mistakes."""
    torch.manual_seed(0)
    for name, value in network.state_dict().items():
        if name.endswith("convolution.weight"):
            torch.nn.init.kaiming_normal_(value)
        elif name.endswith(("running_mean", "normalization.bias")):
            value.normal_(std=0.2)
        elif name.endswith(("running_var", "normalization.weight")):
            value.uniform_(0.5, 2)
    return network.eval()


def saved(network: Any, folder: Path) -> str:
    network.save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(PREPROCESSOR))
    return str(folder)


def theirs(network: Any, images: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return network(images).pooler_output.flatten(1)


def check_rebuilt(tower: ImageTower, images: torch.Tensor) -> None:
    """A tower sees the pictures, and comes back from its description and weights."""
    first, second = tower.features(images)
    assert not torch.allclose(first, second, rtol=0.01, atol=0.01)
    again = build_tower(json.loads(json.dumps(tower.description)))
    again.load_state_dict(tower.state_dict())
    assert type(again) is type(tower)
    assert again.transform == tower.transform
    torch.testing.assert_close(again.eval().features(images), tower.eval().features(images))


@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("size", [32, 45])
def test_mobilenet(tmp_path: Path, padding: bool, size: int) -> None:
    config = transformers.MobileNetV1Config(depth_multiplier=0.25, tf_padding=padding)
    network = shaken(transformers.MobileNetV1ForImageClassification(config))
    tower = load_tower(saved(network, tmp_path)).eval()
    assert isinstance(tower, MobileNetV1)
    images = torch.randn(2, 3, size, size + 1)
    expected = theirs(network.mobilenet_v1, images)
    torch.testing.assert_close(tower.features(images), expected, rtol=1e-4, atol=1e-4)
    check_rebuilt(tower, images)


@pytest.mark.parametrize("early", [True, False])
def test_resnet(tmp_path: Path, early: bool) -> None:
    config = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[16, 32], depths=[2, 1], downsample_in_bottleneck=early
    )
    network = shaken(transformers.ResNetModel(config))
    tower = load_tower(saved(network, tmp_path)).eval()
    assert isinstance(tower, ResNet)
    images = torch.randn(2, 3, 33, 40)
    torch.testing.assert_close(tower.features(images), theirs(network, images), rtol=1e-4, atol=1e-4)
    check_rebuilt(tower, images)


def test_a_resnet_of_another_kind_goes_through_transformers(tmp_path: Path) -> None:
    config = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic"
    )
    network = shaken(transformers.ResNetModel(config))
    tower = load_tower(saved(network, tmp_path)).eval()
    assert isinstance(tower, HubTower)
    assert tower.width == 16
    images = torch.randn(2, 3, 32, 32)
    torch.testing.assert_close(tower.features(images), theirs(network, images))
    check_rebuilt(tower, images)


def test_vision_transformer_and_the_image_side_of_clip(tmp_path: Path) -> None:
    small = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    images = torch.randn(2, 3, 32, 32)
    vit = transformers.ViTModel(transformers.ViTConfig(image_size=32, patch_size=16, **small)).eval()
    tower = load_tower(saved(vit, tmp_path / "vit")).eval()
    torch.testing.assert_close(tower.features(images), theirs(vit, images))
    check_rebuilt(tower, images)
    clip = transformers.CLIPModel(
        transformers.CLIPConfig(
            vision_config={"image_size": 32, "patch_size": 16, **small},
            text_config={"vocab_size": 9, **small},
        )
    ).eval()
    tower = load_tower(saved(clip, tmp_path / "clip")).eval()
    torch.testing.assert_close(tower.features(images), theirs(clip.vision_model, images))
    check_rebuilt(tower, images)


def check_real(folder: Path, width: int) -> None:
    tower = load_tower(str(folder)).eval()
    assert tower.width == width
    images = torch.randn(2, 3, tower.transform.crop, tower.transform.crop)
    network = transformers.AutoModel.from_pretrained(folder).float().eval()
    with torch.no_grad():
        torch.testing.assert_close(tower.features(images), theirs(network, images), rtol=1e-4, atol=1e-4)


def test_food_mobilenet(chef_weights: Path) -> None:
    check_real(chef_weights / "food-mobilenet", 1024)
    assert load_tower(str(chef_weights / "food-mobilenet")).transform.crop == 192


def test_resnet50(chef_weights: Path) -> None:
    check_real(made_resnet50(chef_weights / "make_resnet50.py"), 2048)


def made_resnet50(script: Path) -> Path:
    """The folder that the script makes (it fetches 100 MB), kept for the next time."""
    folder = Path(os.environ.get("CHEF_CACHE") or Path.home() / ".cache") / "chef" / "resnet50"
    if not (folder / "config.json").is_file():
        new = folder.with_name(f"resnet50-{os.getpid()}")
        made = subprocess.run([sys.executable, script, new], capture_output=True, text=True, check=False)
        if made.returncode:
            shutil.rmtree(new, ignore_errors=True)
            pytest.skip(f"{script.name} could not make the ResNet-50: {made.stderr.strip()[-200:]}")
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
    return folder
