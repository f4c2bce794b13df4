"""Encoders of sequences: S (set), G (GRU), L (LSTM), T (Tree-LSTM), and the peers' transformer and mean."""

from __future__ import annotations

from chef.model.encoders.base import Encoding, SequenceEncoder
from chef.model.encoders.mean import MeanEncoder
from chef.model.encoders.recurrent import AheadEncoder, RecurrentEncoder
from chef.model.encoders.set import SetEncoder
from chef.model.encoders.transformer import TransformerEncoder
from chef.model.encoders.tree import TreeEncoder

__all__ = [
    "AheadEncoder",
    "Encoding",
    "MeanEncoder",
    "RecurrentEncoder",
    "SequenceEncoder",
    "SetEncoder",
    "TransformerEncoder",
    "TreeEncoder",
]
