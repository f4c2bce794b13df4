"""The weights of a BERT of transformers as those of `ContextWords`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from chef.errors import ChefError

# In a layer, from theirs to ours. Attention's three are one with us.
_NAMES = {
    "attention.output.dense": "attended",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "first",
    "output.dense": "last",
    "output.LayerNorm": "norm",
}
_PROJECTIONS = ("query", "key", "value")


def from_bert(
    config: Mapping[str, Any], stored: Mapping[str, Tensor], rows: Sequence[int], layers: Sequence[int]
) -> tuple[dict[str, int], dict[str, Tensor]]:
    """Sizes and weights of a `ContextWords` (all but its table) from a `BertModel`'s.

    rows: the pieces to keep, special ones first; layers: the layers to keep, in order.
    """
    found = config["model_type"], config["hidden_act"]
    if found != ("bert", "gelu"):
        raise ChefError(f"not a BERT with GELU, but {' with '.join(found)}", "give a model such as MiniLM")
    # A recipe's texts are all of BERT's first type, so that the vector of the type joins the positions'.
    types = stored["embeddings.token_type_embeddings.weight"]
    state = {
        "pieces.weight": stored["embeddings.word_embeddings.weight"][list(rows)],
        "positions.weight": stored["embeddings.position_embeddings.weight"] + types[0],
    }
    for kind in ("weight", "bias"):
        state[f"norm.{kind}"] = stored[f"embeddings.LayerNorm.{kind}"]
        for number, layer in enumerate(layers):
            theirs, ours = f"encoder.layer.{layer}", f"layers.{number}"
            projections = [stored[f"{theirs}.attention.self.{name}.{kind}"] for name in _PROJECTIONS]
            state[f"{ours}.attention.{kind}"] = torch.cat(projections)
            for their_name, name in _NAMES.items():
                state[f"{ours}.{name}.{kind}"] = stored[f"{theirs}.{their_name}.{kind}"]
    sizes = {
        "pieces": len(rows),
        "width": config["hidden_size"],
        "layers": len(layers),
        "heads": config["num_attention_heads"],
        "middle": config["intermediate_size"],
        "positions": config["max_position_embeddings"],
    }
    return sizes, state
