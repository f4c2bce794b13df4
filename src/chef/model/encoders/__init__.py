"""Encoders of sequences: S (set), G (GRU), L (LSTM), T (Tree-LSTM), the peers' transformer and mean.

`PooledEncoder` adds a way round any of them.
"""

from __future__ import annotations

from chef.model.encoders.base import Encoding, SequenceEncoder
from chef.model.encoders.mean import MeanEncoder
from chef.model.encoders.pooled import PooledEncoder
from chef.model.encoders.recurrent import AheadEncoder, RecurrentEncoder
from chef.model.encoders.set import SetEncoder
from chef.model.encoders.transformer import TransformerEncoder
from chef.model.encoders.tree import TreeEncoder

__all__ = [
    "AheadEncoder",
    "Encoding",
    "MeanEncoder",
    "PooledEncoder",
    "RecurrentEncoder",
    "SequenceEncoder",
    "SetEncoder",
    "TransformerEncoder",
    "TreeEncoder",
]
