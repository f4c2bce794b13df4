"""Pre-trained image towers, from a folder, a run of chef, or the transformers hub."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from chef.data.images import ImageTransform
from chef.errors import ChefError
from chef.model.batch_norm import synchronise_batch_norm
from chef.model.towers import LEAN, DishNames, ImageTower, SmallCNN, build_tower


def load_tower(name: str) -> ImageTower:
    """A pre-trained tower: a folder with a transformers model, the name of one on its hub, or a run.

    From a folder that `chef train` wrote, the tower of that model is taken. With a file
    `names.safetensors` beside a classifier's weights, the vectors of the dishes it knows by name, the
    tower names the dish too (see `DishNames`).

    >>> load_tower("weights/food-mobilenet").features(images).shape
    torch.Size([8, 1024])
    """
    if name == "small-cnn":
        return SmallCNN()
    folder = Path(name)
    for candidate in (folder, folder / "best"):
        if (candidate / "config.json").is_file():
            return _load_folder(candidate)
    if folder.is_absolute() or name.startswith(".") or name.count("/") > 1:
        raise ChefError(f"no image model in {name!r}", "give a folder with config.json, or a hub name")
    return HubTower.from_pretrained(name, transform_of(hub_preprocessor(name)))


def _load_folder(folder: Path) -> ImageTower:
    config = _read_json(folder / "config.json")
    if "model" in config and "weights" in config:  # a model that chef trained
        from chef.model.artefact import load_weights  # which imports the joint model, and that the towers

        trained = build_tower(config["model"]["tower"])
        tensors = load_weights(folder / name for name in config["weights"])
        own = (name for name in tensors if name.startswith("tower."))
        trained.load_state_dict({name.removeprefix("tower."): tensors[name] for name in own})
        trained.pretrained = True
        return trained
    transform = transform_of(_read_json(folder / "preprocessor_config.json"))
    weights = folder / "model.safetensors"
    for lean in LEAN.values():
        if lean.fits(config) and weights.is_file():
            tower = lean(config, transform)
            stored = _load_weights(tower, lean.prefix, weights)
            names = folder / "names.safetensors"
            return _with_names(tower, stored, names) if names.is_file() else tower
    return HubTower.from_pretrained(str(folder), transform)


def _load_weights(tower: ImageTower, prefix: str, file: Path) -> dict[str, Tensor]:
    """Load the tower's weights from a transformers file; returns all tensors, a classifier's included."""
    try:
        stored = load_file(file)
        state = {
            name: stored[prefix + name if prefix + name in stored else name] for name in tower.state_dict()
        }
        tower.load_state_dict(state)
    except (SafetensorError, KeyError, RuntimeError) as error:
        raise ChefError(f"damaged or foreign weights: {file}", "fetch the model again") from error
    return stored


def _with_names(network: ImageTower, stored: Mapping[str, Tensor], names: Path) -> DishNames:
    """The network with its classifier (in `stored`), and the vectors of the classifier's names."""
    try:
        vectors = load_file(names)["names"]
        tower = DishNames(network, *vectors.shape)
        tower.classifier.load_state_dict({part: stored[f"classifier.{part}"] for part in ("weight", "bias")})
    except (SafetensorError, KeyError, RuntimeError, TypeError) as error:
        problem = f"{names} does not fit the classifier in model.safetensors"
        raise ChefError(problem, "make it again, or remove it") from error
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


class HubTower(ImageTower):
    """Pooled features of a transformers vision model; of CLIP and similar models, their image side."""

    def __init__(self, network: nn.Module, transform: ImageTransform) -> None:
        super().__init__()
        synchronise_batch_norm(network)
        self.network = network
        self.settings = cast(Any, network.config)
        self.transform = transform
        sizes = getattr(self.settings, "hidden_sizes", None)
        self.width = int(sizes[-1] if sizes else self.settings.hidden_size)

    @classmethod
    def from_config(cls, config: Mapping[str, Any], transform: ImageTransform) -> HubTower:
        """The network of a transformers configuration, with fresh weights."""
        transformers = _transformers()
        settings = dict(config)
        made = transformers.AutoConfig.for_model(settings.pop("model_type"), **settings)
        return cls(_image_side(transformers.AutoModel.from_config(made)), transform)

    @classmethod
    def from_pretrained(cls, name: str, transform: ImageTransform) -> HubTower:
        """A folder, or a model of the hub by its name."""
        with _hub_errors(f"cannot load the image model {name!r}"):
            network = _transformers().AutoModel.from_pretrained(name, use_safetensors=True)
        return cls(_image_side(network).float(), transform)

    @property
    def description(self) -> dict[str, Any]:
        config = self.settings.to_dict()
        for unneeded in ("id2label", "label2id", "_name_or_path", "transformers_version", "dtype"):
            config.pop(unneeded, None)
        return {"kind": "transformers", "config": config, "transform": self.transform.to_json()}

    def forward(self, images: Tensor) -> Tensor:
        out = self.network(pixel_values=images)
        pooled: Tensor | None = getattr(out, "pooler_output", None)
        if pooled is None:  # a transformer without a pooling layer: take its first token
            pooled = out.last_hidden_state[:, 0]
        return pooled.flatten(1)


def _transformers() -> Any:
    try:
        import transformers
    except ImportError as error:
        raise ChefError("this image tower needs transformers", "pip install 'chef-food[train]'") from error
    return transformers


def _image_side(network: nn.Module) -> nn.Module:
    side = getattr(network, "vision_model", network)
    return side if isinstance(side, nn.Module) else network


def hub_preprocessor(name: str) -> dict[str, Any]:
    """The `preprocessor_config.json` of a model on the hub."""
    processing = _transformers().image_processing_base.ImageProcessingMixin
    with _hub_errors(f"cannot fetch {name!r}"):
        settings, _ = processing.get_image_processor_dict(name)
    return dict(settings)


@contextmanager
def _hub_errors(problem: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ChefError(f"{problem}: {reason}", "give a folder or a hub name") from error
