"""Encoders of sequences: S (set), G (GRU), L (LSTM), T (Tree-LSTM), and the peers' transformer and mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.errors import ChefError
from chef.model.cuda_graphs import in_parallel, run_graphed
from chef.model.layout import Packed, Table, some_at_a_time
from chef.model.noise import Noise, RandomNoise, SampleNoise
from chef.model.registry import LEARNED
from chef.model.tree import Tree
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.model.tree_lstm.plan import ForestPlan

_LAYERS, _HEADS = 2, 4  # of the transformer
_MAX_LENGTH = 64  # positions that the transformer learns
_STEP = 8  # a recurrent network on a GPU sees lengths that are multiples: each is a graph of its own


class Encoding(NamedTuple):
    """N encoded sequences, and how the encoder read them."""

    vector: Tensor  # (N, D)
    merges: Tensor | None = None  # (N, L-1), from an encoder with trees
    attention: Tensor | None = None  # (N, L), from an encoder with attention; 0 on padding
    scores: Tensor | None = None  # (N, L), from an encoder with taught trees: how ready each leaf is to merge


class SequenceEncoder(nn.Module, ABC):
    """Encodes padded vectors (N, L, in) with lengths (N,) as one vector (N, D) each.

    Lengths are on the CPU, because a tree's launches are planned from them.
    """

    outputs: int  # D

    @abstractmethod
    def forward(
        self,
        x: Tensor,
        lengths: Tensor,
        *,
        noise: Noise | None = None,
        merges: Tensor | None = None,
        ids: Tensor | None = None,
    ) -> Encoding:
        """noise: the source of randomness in training. merges: a tree structure to follow. ids: (N, L), alike
        where items are.

        An encoder without trees ignores all of them.
        """


class MeanEncoder(SequenceEncoder):
    """The mean of the items; nothing to learn. Over MiniLM's words it is what MiniLM was trained for."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.outputs = inputs

    def forward(self, x: Tensor, lengths: Tensor, **unused: Any) -> Encoding:
        return Encoding(masked_mean(x, lengths))


class SetEncoder(SequenceEncoder):
    """S: each item through one dense layer, then their sum, regardless of order (paper, appendix: Dense)."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.outputs = outputs
        self.dense = nn.Linear(inputs, outputs)

    def forward(self, x: Tensor, lengths: Tensor, **unused: Any) -> Encoding:
        return Encoding(self.dense(x).masked_fill(~mask(lengths, x)[:, :, None], 0).sum(1))


class RecurrentEncoder(SequenceEncoder):
    """G and L: the last states of a GRU or LSTM in both directions, half of `outputs` each (paper, appendix).

    With attention: the attended sum over the states of all items instead of the last ones.
    """

    def __init__(
        self, cell: Literal["gru", "lstm"], inputs: int, outputs: int, attention: bool = False
    ) -> None:
        super().__init__()
        self.outputs = outputs // 2 * 2
        kind = {"gru": nn.GRU, "lstm": nn.LSTM}[cell]
        self.ahead = kind(inputs, outputs // 2, batch_first=True)
        self.back = kind(inputs, outputs // 2, batch_first=True)
        self.attention = Attention(self.outputs) if attention else None

    def forward(self, x: Tensor, lengths: Tensor, **unused: Any) -> Encoding:
        # Each direction runs separately, with the padding after its last item, where it affects nothing:
        # no packed sequences are needed.
        lengths = on_device(lengths, x)
        positions = torch.arange(x.shape[1], device=x.device)
        reverse = lengths[:, None] - 1 - positions
        reverse = torch.where(reverse >= 0, reverse, positions)  # padding stays in place
        ahead, back = in_parallel(lambda: _run(self.ahead, x), lambda: _run(self.back, _take(x, reverse)))
        if self.attention is not None:
            states = torch.cat([ahead, _take(back, reverse)], -1)
            vector, weights = self.attention(states, lengths)
            return Encoding(vector, attention=weights)
        last = (lengths - 1)[:, None]
        return Encoding(torch.cat([_take(ahead, last), _take(back, last)], -1)[:, 0])


class Attention(nn.Module):
    """Weights softmax(u . tanh(W h + b)) over the items, and the weighted sum of h (Chen et al. 2018)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.project = nn.Linear(size, size)
        self.context = nn.Linear(size, 1, bias=False)

    def forward(self, states: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """states (N, L, D) -> their weighted sum (N, D) and the weights (N, L), 0 on padding."""
        scores = self.context(torch.tanh(self.project(states)))[:, :, 0]
        weights = scores.masked_fill(~mask(lengths, states), -torch.inf).softmax(1)
        return (weights[:, None] @ states)[:, 0], weights


class AheadEncoder(SequenceEncoder):
    """The last state of an LSTM that reads from the first item to the last (pic2rec's instructions)."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.outputs = outputs
        self.lstm = nn.LSTM(inputs, outputs, batch_first=True)

    def forward(self, x: Tensor, lengths: Tensor, **unused: Any) -> Encoding:
        last = (on_device(lengths, x) - 1)[:, None]
        return Encoding(_take(_run(self.lstm, x), last)[:, 0])


class TreeEncoder(SequenceEncoder):
    """T: the root state of the tree that the Gumbel Tree-LSTM builds; dropout on the inputs in training.

    shape: of the controls, whose trees all have one shape instead. taught: the query scores leaves as well.
    """

    def __init__(
        self, inputs: int, outputs: int, dropout: float = 0.0, shape: str = LEARNED, taught: bool = False
    ) -> None:
        super().__init__()
        self.shape, self.taught = shape, taught
        self.outputs = outputs
        self.lstm = GumbelTreeLSTM(inputs, outputs)
        self.dropout = dropout

    def forward(
        self,
        x: Tensor,
        lengths: Tensor | ForestPlan,
        *,
        noise: Noise | None = None,
        merges: Tensor | None = None,
        ids: Tensor | None = None,
    ) -> Encoding:
        gumbel = None
        noise = noise or RandomNoise()
        if isinstance(lengths, ForestPlan):
            return self._planned(x, lengths, noise)
        if self.training:
            x = noise.dropout(x, self.dropout) if self.dropout else x
        if merges is None and self.shape != LEARNED:
            seeded = RandomNoise(torch.Generator(x.device).manual_seed(0))
            merges = shaped_merges(self.shape, lengths, x, noise if self.training else seeded)
        elif merges is None and self.training:
            gumbel = noise.gumbel(len(x), x.shape[1] - 1, like=x)
        states = self.lstm(x, lengths, noise=gumbel, merges=merges, ids=ids)
        scores = self.lstm.leaf_scores(x) if self.taught and not self.training else None
        return Encoding(states.h, states.merges, scores=scores)

    def _planned(self, items: Tensor, plan: ForestPlan, noise: Noise) -> Encoding:
        """A training step over items (leaves, in) that lie as the plan has them."""
        assert isinstance(noise, SampleNoise)
        if self.dropout:
            items = noise.dropout_items(items, self.dropout, plan.item_row, plan.item_place)
        gumbel = noise.gumbel(plan.capacity.rows, len(plan.capacity.active), like=items)
        states = self.lstm(items, plan, noise=gumbel)
        return Encoding(states.h, states.merges)


def shaped_merges(shape: str, lengths: Tensor, x: Tensor, noise: Noise) -> Tensor:
    """The merges (N, L-1) of trees of one shape over sequences x (N, L, in); random ones from the noise."""
    width, sizes = x.shape[1] - 1, lengths.cpu()
    if shape == "random":
        pairs = on_device(sizes, x)[:, None] - 1 - torch.arange(width, device=x.device)
        drawn = noise.gumbel(len(x), width, like=x)[:, :width, :width]
        outside = torch.arange(width, device=x.device) >= pairs[:, :, None].clamp(min=1)
        return drawn.masked_fill(outside, -torch.inf).argmax(2)
    merges = torch.zeros(len(x), width, dtype=torch.long)
    for size in set(sizes.tolist()):
        merges[sizes == size, : size - 1] = torch.tensor(
            getattr(Tree, shape)([""] * size).merges, dtype=torch.long
        )
    return merges.to(x.device)


class TransformerEncoder(SequenceEncoder):
    """Two layers of four heads with learned positions, then the mean (H-T, Salvador et al. 2021).

    As wide as the other encoders (600) rather than H-T's 512, so that all models have the same sizes.
    Without H-T's dropout of 0.1, so that a resumed or distributed run computes the same numbers.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        if outputs % _HEADS:
            raise ChefError(
                f"a transformer of {outputs} dimensions cannot have {_HEADS} heads",
                f"choose a hidden size that {_HEADS} divides",
            )
        self.outputs = outputs
        self.project = nn.Linear(inputs, outputs)
        self.positions = nn.Parameter(torch.empty(_MAX_LENGTH, outputs))
        self.layers = nn.ModuleList(TransformerLayer(outputs) for _ in range(_LAYERS))
        nn.init.normal_(self.positions, std=0.02)

    def forward(self, x: Tensor, lengths: Tensor, **unused: Any) -> Encoding:
        length = x.shape[1]
        if length > _MAX_LENGTH:
            raise ChefError(
                f"the transformer reads at most {_MAX_LENGTH} items, not {length}",
                "prepare the data with shorter texts",
            )
        # A graph's sizes do not depend on the lengths, which are on its device then.
        plain = lengths.device.type != "cpu" or torch.compiler.is_exporting()
        layout = Table(mask(lengths, x)) if plain else Packed.of_lengths(lengths, length, x.device)
        items = layout.unpad((self.project(x) + self.positions[:length])[:, : layout.shape[1]])
        for layer in self.layers:
            items = layer(items, layout)
        return Encoding(masked_mean(layout.pad(items), lengths))


class TransformerLayer(nn.Module):
    """Attention, then two dense layers, each with a residual connection and layer norm.

    Written out because torch's own layer takes another path in evaluation, which rounds differently and
    cannot be exported.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.question = nn.Linear(width, 3 * width)  # queries, keys and values
        self.answer = nn.Linear(width, width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.first_norm = nn.LayerNorm(width)
        self.second_norm = nn.LayerNorm(width)

    def forward(self, x: Tensor, layout: Table) -> Tensor:
        """x (items, width)."""
        mixed = layout.attend(some_at_a_time(self.question, x), _HEADS)
        x = self.first_norm(x + self.answer(mixed))
        return some_at_a_time(self._feed_forward, x)

    def _feed_forward(self, x: Tensor) -> Tensor:
        normed: Tensor = self.second_norm(x + self.down(torch.relu(self.up(x))))
        return normed


def mask(lengths: Tensor, like: Tensor) -> Tensor:
    """(N, L), true where a sequence has an item, on the device of the sequences `like` (N, L, D)."""
    return torch.arange(like.shape[1], device=like.device) < on_device(lengths, like)[:, None]


def on_device(lengths: Tensor, like: Tensor) -> Tensor:
    """The lengths on the device of the sequences, without synchronising with it."""
    return lengths.to(like.device, non_blocking=True)


def masked_mean(x: Tensor, lengths: Tensor) -> Tensor:
    """The mean of the items (N, L, D) without padding: (N, D)."""
    items = x.masked_fill(~mask(lengths, x)[:, :, None], 0)
    return items.sum(1) / on_device(lengths, x)[:, None].to(x.dtype)


def _run(network: nn.RNNBase, x: Tensor) -> Tensor:
    """The states of all items, never in half precision.

    On a GPU torch's autocast would make it float16 whatever type was asked for.
    """
    with torch.autocast(x.device.type, enabled=False):
        x = x.to(next(network.parameters()).dtype)
        if x.device.type != "cuda" or torch.cuda.is_current_stream_capturing():
            return _states(network, x)
        length = x.shape[1]
        return run_graphed(network, _states, F.pad(x, (0, 0, 0, -length % _STEP)))[:, :length]


def _states(network: nn.Module, x: Tensor) -> Tensor:
    states: Tensor = network(x)[0]
    return states


def _take(x: Tensor, positions: Tensor) -> Tensor:
    """The items of x (N, L, D) at positions (N, M)."""
    return x.gather(1, positions[:, :, None].expand(-1, -1, x.shape[2]))
