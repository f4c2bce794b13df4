"""Any vision model of the transformers library as an image tower."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

from chef.data.transforms import ImageTransform
from chef.errors import ChefError
from chef.model.norm import synchronise_batch_norm
from chef.model.towers import ImageTower


class HubTower(ImageTower):
    """Pooled features of a transformers vision model; of CLIP and similar models, their image side."""

    def __init__(self, network: nn.Module, transform: ImageTransform) -> None:
        super().__init__()
        synchronise_batch_norm(network)
        self.network = network
        self.settings: Any = network.config
        self.transform = transform
        self.width = _width(self.settings)

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
        try:
            network = _transformers().AutoModel.from_pretrained(name, use_safetensors=True)
        except (OSError, ValueError) as error:
            problem = str(error).strip().splitlines()[0]
            raise ChefError(
                f"cannot load the image model {name!r}: {problem}", "give a folder or a hub name"
            ) from error
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


def _width(config: Any) -> int:
    sizes = getattr(config, "hidden_sizes", None)
    return int(sizes[-1] if sizes else config.hidden_size)


def hub_preprocessor(name: str) -> dict[str, Any]:
    """The `preprocessor_config.json` of a model on the hub."""
    processing = _transformers().image_processing_base.ImageProcessingMixin
    try:
        settings, _ = processing.get_image_processor_dict(name)
    except (OSError, ValueError) as error:
        problem = str(error).strip().splitlines()[0]
        raise ChefError(f"cannot fetch {name!r}: {problem}", "give a folder or a hub name") from error
    return dict(settings)
