"""Our towers against those of transformers, and other models through transformers itself."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

import chef.model.towers
from chef.data.images import ImageTransform
from chef.errors import ChefError
from chef.model.pretrained_towers import HubTower, load_tower
from chef.model.towers import DishNames, ImageTower, MobileNetV1, ResNet, SmallCNN, build_tower

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


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (ResNet, {"downsample_in_bottleneck": True}),
        (ResNet, {"downsample_in_bottleneck": False}),
        (HubTower, {"layer_type": "basic"}),  # of another kind: through transformers itself
    ],
)
def test_resnet(tmp_path: Path, kind: type[ImageTower], values: dict[str, Any]) -> None:
    config = transformers.ResNetConfig(embedding_size=8, hidden_sizes=[16, 32], depths=[2, 1], **values)
    network = shaken(transformers.ResNetModel(config))
    tower = load_tower(saved(network, tmp_path)).eval()
    assert type(tower) is kind
    assert tower.width == 32
    images = torch.randn(2, 3, 33, 40)
    torch.testing.assert_close(tower.features(images), theirs(network, images), rtol=1e-4, atol=1e-4)
    check_rebuilt(tower, images)


def test_vision_transformer_and_the_image_side_of_clip(tmp_path: Path) -> None:
    small = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    images = torch.randn(2, 3, 32, 32)
    sight = {"image_size": 32, "patch_size": 16, **small}
    vit = transformers.ViTModel(transformers.ViTConfig(**sight)).eval()
    both = transformers.CLIPConfig(vision_config=sight, text_config={"vocab_size": 9, **small})
    clip = transformers.CLIPModel(both).eval()
    for name, network, vision in (("vit", vit, vit), ("clip", clip, clip.vision_model)):
        tower = load_tower(saved(network, tmp_path / name)).eval()
        torch.testing.assert_close(tower.features(images), theirs(vision, images))
        check_rebuilt(tower, images)


def test_food_mobilenet(chef_weights: Path) -> None:
    folder = chef_weights / "food-mobilenet"
    tower = load_tower(str(folder)).eval()
    assert (tower.width, tower.transform.crop) == (1024, 192)
    images = torch.randn(2, 3, 192, 192)
    network = transformers.AutoModel.from_pretrained(folder).float().eval()
    with torch.no_grad():
        torch.testing.assert_close(tower.features(images), theirs(network, images), rtol=1e-4, atol=1e-4)


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
    features = tower.features(images)
    pooled = network.mobilenet_v1(images).pooler_output
    torch.testing.assert_close(features[:, :-5], pooled, rtol=1e-4, atol=1e-4)
    for row, chances in enumerate(network(images).logits.softmax(1)):
        expected = chances @ (names / names.norm(dim=1, keepdim=True) * 5**0.5)
        torch.testing.assert_close(features[row, -5:], expected, rtol=1e-3, atol=1e-3)
    assert tower.width == features.shape[1] == pooled.shape[1] + 5
    assert tower.pretrained
    check_rebuilt(tower, images)


@pytest.mark.parametrize("mixes", [False, True], ids=["one by one", "batch norm over the photos"])
def test_a_batch_in_parts_learns_what_it_learns_as_a_whole(tmp_path, monkeypatch, mixes):
    """On a CPU photos are trained on a few at a time, unless batch norm mixes them."""
    tower = load_tower(write_tower(tmp_path, torch.randn(7, 5))).train()
    if not mixes:
        for module in tower.modules():
            if isinstance(module, torch.nn.BatchNorm1d):
                module.eval()
    images = torch.randn(5, 3, 32, 32)

    def learned() -> list[torch.Tensor]:
        features = tower.features(images)
        grads = torch.autograd.grad(features.square().sum(), list(tower.parameters()))
        return [features.detach(), *grads]

    whole = learned()
    seen, run = [], chef.model.towers._run
    monkeypatch.setattr(chef.model.towers, "_AT_ONCE", 2)
    monkeypatch.setattr(chef.model.towers, "_run", lambda one, part: seen.append(len(part)) or run(one, part))
    for mine, true in zip(learned(), whole, strict=True):
        assert torch.linalg.norm(mine - true) <= 1e-4 * torch.linalg.norm(true)
    assert seen[:3] == ([5] if mixes else [2, 2, 1])


def test_a_name_without_words_says_nothing():
    tower = DishNames(SmallCNN(32), 3, 4)
    tower.set_names(torch.tensor([[0.0] * 4, [1, 2, 3, 4], [0, 0, 0, 9]]))
    assert torch.equal(tower.names[0], torch.zeros(4))
    torch.testing.assert_close(tower.names[1:].norm(dim=1), torch.tensor([2.0, 2.0]))


def test_names_that_do_not_fit_are_one_line(tmp_path):
    folder = write_tower(tmp_path / "one", torch.randn(6, 5))
    with pytest.raises(ChefError, match=r"names\.safetensors does not fit the classifier"):
        load_tower(folder)


def test_of_a_whole_picture_a_tower_sees_the_middle_and_all_of_it_mirrored() -> None:
    tower = SmallCNN(64)
    tower.transform = ImageTransform(size=96, crop=64, whole=True)
    wide = torch.arange(96.0).expand(1, 3, 96, 96)  # darker to the left
    middle, whole = tower.views(wide, 2)
    assert middle.shape == whole.shape == (1, 3, 64, 64)
    assert middle[0, 0, 0].tolist() == list(range(16, 80))
    assert whole[0, 0, 0, 0] > 94
    assert whole[0, 0, 0, -1] < 1
    cropped = wide[..., :64, :64]  # as in training, and by transforms that give the middle alone
    assert torch.equal(tower.views(cropped, 1)[0], cropped)
    assert torch.equal(tower.views(cropped, 2)[1], cropped.flip(3))
