import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from chef.data.images import ImageTransform
from chef.errors import ChefError
from chef.model.pretrained_towers import load_tower, transform_of
from chef.model.towers import MobileNetV1, SmallCNN, build_tower

CROPPED = {"do_center_crop": True}
PLAIN = {"image_mean": [0.1, 0.2, 0.3], "image_std": [0.4, 0.5, 0.6]}


@pytest.mark.parametrize(
    ("says", "size", "crop", "scale"),
    [
        ({"size": {"shortest_edge": 256}, "crop_size": {"height": 224}, **CROPPED}, 256, 224, 1 / 255),
        ({"size": {"height": 384, "width": 384}}, 384, 384, 1 / 255),
        ({"size": 224, "do_center_crop": False, "crop_size": 200}, 224, 224, 1 / 255),
        ({"size": {"shortest_edge": 224}, "crop_pct": 0.875}, 256, 224, 1 / 255),
        ({"size": 192, "rescale_factor": 1 / 128}, 192, 192, 1 / 128),
        ({"size": 192, "do_rescale": False}, 192, 192, 1.0),
    ],
)
def test_transform_of_a_preprocessor_file(says: dict, size: int, crop: int, scale: float) -> None:
    expected = ImageTransform(size, crop, scale, (0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    assert transform_of(PLAIN | says) == expected
    plain = transform_of({**says, "do_normalize": False})
    assert (plain.mean, plain.std) == ((0, 0, 0), (1, 1, 1))


def test_small_cnn_by_name_and_description() -> None:
    tower = load_tower("small-cnn")
    assert isinstance(tower, SmallCNN)
    assert not tower.pretrained
    again = build_tower(json.loads(json.dumps(build_tower({"kind": "small-cnn", "size": 96}).description)))
    assert again.transform.crop == 96
    assert again.features(torch.zeros(2, 3, 96, 96)).shape == (2, again.width)


def test_unknown_kind_and_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(ChefError, match="no image tower of kind 'cube'"):
        build_tower({"kind": "cube", "transform": ImageTransform().to_json()})
    with pytest.raises(ChefError, match="no image model"):
        load_tower(str(tmp_path / "nowhere"))
    with pytest.raises(ChefError, match=r"no image model in"):
        load_tower(str(tmp_path))


def test_damaged_weights_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "mobilenet_v1"}')
    (tmp_path / "preprocessor_config.json").write_text(json.dumps(PLAIN | {"size": 64}))
    (tmp_path / "model.safetensors").write_bytes(b"\x00" * 50)
    with pytest.raises(ChefError, match="damaged or foreign weights"):
        load_tower(str(tmp_path))
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ChefError, match="not JSON"):
        load_tower(str(tmp_path))


def test_lean_tower_needs_no_transformers(chef_weights: Path) -> None:
    """In a fresh interpreter, as a cook would start it."""
    code = (
        "import sys, torch; from chef.model.pretrained_towers import load_tower;"
        "tower = load_tower(sys.argv[1]).eval();"
        "print(tuple(tower.features(torch.zeros(1, 3, 192, 192)).shape), 'transformers' in sys.modules)"
    )
    folder = str(chef_weights / "food-mobilenet")
    ran = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "(1, 1024) False"
    tower = load_tower(folder)
    assert isinstance(tower, MobileNetV1)
    assert tower.pretrained
