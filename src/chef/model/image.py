"""Image towers by name, folder or description."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chef.data.transforms import ImageTransform
from chef.errors import ChefError
from chef.model.towers import ImageTower
from chef.model.towers.dish_names import DishNames
from chef.model.towers.networks import MobileNetV1, ResNet, SmallCNN

# Towers in plain torch, used instead of transformers' own if they match its configuration.
_LEAN: dict[str, type[MobileNetV1] | type[ResNet]] = {"mobilenet-v1": MobileNetV1, "resnet": ResNet}


def build_tower(description: Mapping[str, Any]) -> ImageTower:
    """The network of a description (`ImageTower.description`), with fresh weights.

    >>> build_tower({"kind": "small-cnn", "size": 64}).width
    256
    """
    kind = description.get("kind")
    if kind == "small-cnn":
        return SmallCNN(**{name: value for name, value in description.items() if name != "kind"})
    if kind == "dish-names":
        return DishNames(build_tower(description["network"]), description["names"], description["vector"])
    transform = ImageTransform.from_json(description["transform"])
    if kind in _LEAN:
        return _LEAN[kind](description["config"], transform)
    if kind == "transformers":
        from chef.model.towers.hub import HubTower

        return HubTower.from_config(description["config"], transform)
    raise ChefError(f"no image tower of kind {kind!r}", "is this model from a newer version of chef?")


def load_tower(name: str) -> ImageTower:
    """A pre-trained tower: a folder with a transformers model, the name of one on its hub, or a run.

    From a folder that `chef train` wrote, the tower of that model is taken. With a file
    `names.safetensors` beside a classifier's weights, the vectors of the dishes it knows by name, the
    tower names the dish too (see `chef.model.towers.dish_names`).

    >>> load_tower("weights/food-mobilenet").features(images).shape
    torch.Size([8, 1024])
    """
    if name == "small-cnn":
        return SmallCNN()
    folder = Path(name)
    for place in (folder, folder / "best"):
        if (place / "config.json").is_file():
            return _load_folder(place)
    if folder.is_absolute() or name.startswith(".") or name.count("/") > 1:
        raise ChefError(f"no image model in {name!r}", "give a folder with config.json, or a hub name")
    from chef.model.towers.hub import HubTower, hub_preprocessor

    return HubTower.from_pretrained(name, transform_of(hub_preprocessor(name)))


def _load_folder(folder: Path) -> ImageTower:
    config = _read_json(folder / "config.json")
    if "model" in config and "weights" in config:
        return _load_trained(folder, config)
    transform = transform_of(_read_json(folder / "preprocessor_config.json"))
    weights = folder / "model.safetensors"
    for lean in _LEAN.values():
        if lean.fits(config) and weights.is_file():
            tower = lean(config, transform)
            _load_weights(tower, lean.prefix, weights)
            names = folder / "names.safetensors"
            return _with_names(tower, weights, names) if names.is_file() else tower
    from chef.model.towers.hub import HubTower

    return HubTower.from_pretrained(str(folder), transform)


def _load_trained(folder: Path, config: dict[str, Any]) -> ImageTower:
    """The tower inside a model that chef trained."""
    from chef.model.artefact import load_weights  # which imports the joint model, and that this module

    tower = build_tower(config["model"]["tower"])
    stored = load_weights(folder / name for name in config["weights"])
    tower.load_state_dict(
        {name.removeprefix("tower."): value for name, value in stored.items() if name.startswith("tower.")}
    )
    tower.pretrained = True
    return tower


def _load_weights(tower: ImageTower, prefix: str, file: Path) -> None:
    """Load the tower's weights from a transformers file, without the classifier on top."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        stored = load_file(file)
        state = {
            name: stored[prefix + name if prefix + name in stored else name] for name in tower.state_dict()
        }
        tower.load_state_dict(state)
    except (SafetensorError, KeyError, RuntimeError) as error:
        raise ChefError(f"damaged or foreign weights: {file}", "fetch the model again") from error


def _with_names(network: ImageTower, weights: Path, names: Path) -> DishNames:
    """The network with its classifier, and the vectors of the classifier's names."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        stored, vectors = load_file(weights), load_file(names)["names"]
        tower = DishNames(network, *vectors.shape)
        tower.classifier.load_state_dict({part: stored[f"classifier.{part}"] for part in ("weight", "bias")})
    except (SafetensorError, KeyError, RuntimeError, TypeError) as error:
        raise ChefError(
            f"{names} does not fit the classifier in {weights.name}", "make it again, or remove it"
        ) from error
    tower.set_names(vectors)
    return tower


def transform_of(preprocessor: Mapping[str, Any]) -> ImageTransform:
    """What a transformers `preprocessor_config.json` says about size, scale, mean and deviation."""
    size = _edge(preprocessor.get("size", 224))
    if "crop_pct" in preprocessor:  # resized to size / crop_pct, then cropped to size
        size, crop = round(size / preprocessor["crop_pct"]), size
    elif preprocessor.get("do_center_crop"):
        crop = _edge(preprocessor.get("crop_size", size))
    else:
        crop = size
    normal = preprocessor.get("do_normalize", True)
    mean, std = (
        tuple(float(value) for value in preprocessor[name]) if normal else (other,) * 3
        for name, other in (("image_mean", 0.0), ("image_std", 1.0))
    )
    scale = preprocessor.get("rescale_factor", 1 / 255) if preprocessor.get("do_rescale", True) else 1.0
    return ImageTransform.from_json(
        {"size": max(size, crop), "crop": crop, "scale": scale, "mean": mean, "std": std}
    )


def _edge(size: int | Mapping[str, int]) -> int:
    if isinstance(size, int):
        return size
    return next(int(size[name]) for name in ("shortest_edge", "height", "longest_edge") if name in size)


def _read_json(file: Path) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except FileNotFoundError as error:
        raise ChefError(f"no {file.name} in {file.parent}", "give a folder with an image model") from error
    except ValueError as error:
        raise ChefError(f"{file} is not JSON", "fetch the model again") from error
    return data
