"""Dense layers that stay in the 8 bits of their file, for inference on a CPU that multiplies such numbers.

That takes a third of the time of single precision. The weights are those of the file, with a scale for each
row; inputs are rounded to 8 bits with a scale for each token, so that a text's vector does not depend on the
texts beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.errors import ChefError
from chef.model.encoders import TransformerLayer
from chef.model.folder import SCALE
from chef.model.words import BertLayer

_LARGEST = 127  # of 8 bits with a sign, and the same below zero


def is_fast() -> bool:
    """Whether this CPU multiplies 8 bits faster than floating-point numbers."""
    return torch.cpu._is_vnni_supported() and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]


def use_eight_bits(model: nn.Module, stored: Mapping[str, Tensor]) -> None:
    """Replace the dense layers of the model's transformers, which do most of its work, where they can be.

    stored: the weights of 8 bits and their scales (`chef.model.folder.stored_weights`).
    """
    for place, layer in list(model.named_modules()):
        if isinstance(layer, BertLayer | TransformerLayer):
            for name, part in list(layer.named_children()):
                weight = f"{place}.{name}.weight"
                if isinstance(part, nn.Linear) and weight + SCALE in stored:
                    layer.add_module(name, EightBitLinear(stored[weight], stored[weight + SCALE], part.bias))


class EightBitLinear(nn.Module):
    """A dense layer of 8-bit weights (outputs, inputs) with a scale for each row.

    Its state is that of the `nn.Linear` in single precision that it stands for, and so are its results on any
    device but the CPU.
    """

    rows: Tensor  # (outputs, inputs)
    scale: Tensor  # (outputs,)

    def __init__(self, rows: Tensor, scale: Tensor, bias: nn.Parameter) -> None:
        super().__init__()
        self.register_buffer("rows", rows, persistent=False)
        self.register_buffer("scale", scale, persistent=False)
        self.bias = bias

    @property
    def weight(self) -> Tensor:
        """(outputs, inputs) in single precision."""
        return self.rows * self.scale[:, None]

    def forward(self, x: Tensor) -> Tensor:
        """(tokens, inputs) -> (tokens, outputs)."""
        if x.device.type != "cpu":
            return F.linear(x, self.weight, self.bias)
        scale = scale_of(x)
        sums = torch._int_mm(to_eight_bits(x, scale), self.rows.T)
        return torch.addcmul(self.bias, sums.float().mul_(self.scale), scale[:, None])

    def train(self, mode: bool = True) -> EightBitLinear:
        if mode:
            raise ChefError("a model in 8 bits cannot be trained", "chef.load(name, eight_bits=False)")
        super().train(mode)
        return self

    def _save_to_state_dict(self, destination: dict[str, Any], prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "weight"] = self.weight


def scale_of(rows: Tensor) -> Tensor:
    """(N,) the scales with which rows (N, D) use all of 8 bits."""
    return (rows.abs().amax(1) / _LARGEST).clamp(min=torch.finfo(torch.float32).tiny)


def to_eight_bits(rows: Tensor, scale: Tensor) -> Tensor:
    """Rows (N, D) as whole multiples of their scales (N,)."""
    return (rows / scale[:, None]).round_().to(torch.int8)
