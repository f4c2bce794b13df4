"""The recipe encoder of a training step as one CUDA graph each way.

Reading 160 recipes takes 700 small launches, which a host needs longer to start than a GPU to run. The graph
has room to spare (`Recorder`): a batch is copied in, with the lengths of its texts, and nothing else on the
host depends on the batch. The ingredients and the title are read beside the sentences, on a second stream.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from chef.model.cuda_graphs import Recorder, Recording, addresses, twin
from chef.model.encoders import Encoding, SequenceEncoder, TreeEncoder
from chef.model.noise import Noise, SampleNoise, has_triton
from chef.model.registry import LEARNED
from chef.model.tree_lstm.plan import Capacity, Planned
from chef.model.words import WordVectors

if TYPE_CHECKING:
    from chef.data.batches import RecipeBatch
    from chef.model.joint import RecipeEncoder

_SPARE_TITLE = 2  # words


@dataclass(frozen=True)
class RecipeCapacity:
    """Room for so many recipes and their texts."""

    recipes: int
    title: int  # words of the longest
    ingredients: Capacity
    sentences: Capacity
    steps: Capacity

    @classmethod
    def of(cls, batch: RecipeBatch) -> RecipeCapacity:
        """The exact capacity for a batch."""
        counts = (batch.ingredient_lengths, batch.sentence_lengths, batch.steps)
        return cls(len(batch), batch.title.shape[1], *(Capacity.of(count.numpy()) for count in counts))

    @property
    def parts(self) -> tuple[Capacity, Capacity, Capacity]:
        return self.ingredients, self.sentences, self.steps

    @property
    def nodes(self) -> int:
        return sum(part.nodes for part in self.parts)

    def holds(self, other: RecipeCapacity) -> bool:
        """Whether a batch of that capacity fits."""
        parts = all(mine.holds(its) for mine, its in zip(self.parts, other.parts, strict=True))
        return self.recipes >= other.recipes and self.title >= other.title and parts

    def with_spare(self, seen: RecipeCapacity | None) -> RecipeCapacity:
        """More than this, and at least the capacity `seen` before."""
        before = seen.parts if seen else (None, None, None)
        ingredients, sentences, steps = (
            mine.with_spare(its) for mine, its in zip(self.parts, before, strict=True)
        )
        recipes = max(self.recipes, seen.recipes if seen else 0)
        return RecipeCapacity(
            recipes,
            max(self.title + _SPARE_TITLE, seen.title if seen else 0),
            ingredients.only(recipes),
            sentences,
            replace(steps.only(recipes), leaves=sentences.rows),
        )


def can_graph(encoder: RecipeEncoder, batch: RecipeBatch) -> bool:
    """Whether a graph can hold all that the encoder does: a training step of a model with word vectors."""
    trees = (part for part in encoder.modules() if isinstance(part, TreeEncoder))
    return (
        encoder.training
        and batch.sentences.is_cuda
        and has_triton()
        and isinstance(encoder.words, WordVectors)
        and encoder.sentences is not None
        and encoder.context is None
        and not encoder.others
        and torch.is_grad_enabled()
        and not torch.cuda.is_current_stream_capturing()
        and all(tree.shape == LEARNED for tree in trees)
    )


def encode_graphed(
    encoder: RecipeEncoder, batch: RecipeBatch, noise: SampleNoise
) -> list[Encoding | None] | None:
    """Title, ingredients, sentences and instructions of a batch; None while no graph fits it."""
    recorder = _RECORDERS.setdefault(encoder, Recorder())
    learned = tuple(item.requires_grad for item in encoder.parameters())
    key = (addresses(encoder), learned, torch.get_autocast_dtype("cuda"), torch.is_autocast_enabled("cuda"))
    size = RecipeCapacity.of(batch)
    graph = recorder.graph_for(key, size, lambda room: _RecipeGraph(encoder, room, batch, noise))
    if graph is None:
        return None
    parameters = (item for item in encoder.parameters() if item.requires_grad)
    results = _Replay.apply(graph, batch, noise, *parameters)  # type: ignore[no-untyped-call]
    parts = (results[first : first + 3] for first in range(0, len(results), 3))
    return [None if part[0] is None else Encoding(*part) for part in parts]


def recorded(encoder: RecipeEncoder) -> int:
    """How many graphs were recorded for an encoder so far."""
    return _RECORDERS[encoder].recorded if encoder in _RECORDERS else 0


_RECORDERS: WeakKeyDictionary[Any, Recorder[RecipeCapacity, _RecipeGraph]] = WeakKeyDictionary()


class _RecipeGraph(Recording):
    def __init__(
        self, encoder: RecipeEncoder, room: RecipeCapacity, batch: RecipeBatch, noise: SampleNoise
    ) -> None:
        copied, device = twin(encoder), next(encoder.parameters()).device

        def numbers(*shape: int) -> Tensor:
            return torch.zeros(shape, dtype=torch.long, device=device)

        self.title = numbers(room.recipes, room.title)
        self.ingredients = numbers(room.recipes, len(room.ingredients.active) + 1)
        self.sentences = numbers(room.sentences.rows, len(room.sentences.active) + 1)
        self.keys = numbers(room.recipes)
        # What a batch has on the host arrives as one tensor.
        sizes = [room.recipes, room.recipes, room.sentences.rows, room.recipes, 1]
        self.counts = numbers(sum(sizes))
        self.title_lengths, *lengths, seed = torch.split(self.counts, sizes)
        self.planned = [Planned.of(*part) for part in zip(lengths, room.parts, strict=True)]
        self.noise = SampleNoise(self.keys, seed)
        self.side = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self.load(batch, noise)  # lengths of zero would lead out of the tables
        wanted: list[Tensor] = [item for item in copied.parameters() if item.requires_grad]
        super().__init__(lambda: self._read(copied), wanted, keep=True)

    def _read(self, encoder: RecipeEncoder) -> tuple[list[Tensor], list[Tensor]]:
        """As `Reader.read`, without the host; keeps the encoding, of which it returns all tensors."""
        ingredients, sentences, steps = self.planned
        noises = [self.noise.part(number) for number in range(3)]
        stream = torch.cuda.current_stream()
        self.side.wait_stream(stream)
        with torch.cuda.stream(self.side):
            of_title = None
            if encoder.title is not None:
                of_title = encoder.title(encoder.words(self.title), self.title_lengths.clamp(min=1))
            listed = _run_words(encoder, encoder.ingredients, self.ingredients, ingredients, noises[0])
        ends = steps.lengths.cumsum(0)
        item = torch.arange(len(sentences.lengths), device=ends.device)
        recipe = torch.searchsorted(ends, item, right=True)  # one too many for an empty row
        known = recipe.clamp(max=len(ends) - 1)
        most = len(steps.capacity.active) + 1
        place = (item - ends[known] + steps.lengths[known]).clamp(max=most - 1)
        assert encoder.sentences is not None
        noise = noises[1].spread(known, place)
        said = _run_words(encoder, encoder.sentences, self.sentences, sentences, noise)
        if isinstance(encoder.instructions, TreeEncoder):
            from chef.model.tree_lstm.gpu import plan_forest

            # The sentences already lie one recipe after another.
            told = encoder.instructions(said.vector, plan_forest(steps), noise=noises[2])
        else:
            grouped = said.vector.new_zeros(len(ends) + 1, most, said.vector.shape[1])
            items = grouped.index_put((recipe, place), said.vector)[: len(ends)]
            told = encoder.instructions(items, steps.lengths.clamp(min=1))
        stream.wait_stream(self.side)
        self.parts = (of_title, listed, said, told)
        kept = [part for part in self.parts if part is not None]
        others = [one for part in kept for one in (part.merges, part.attention) if one is not None]
        return [part.vector for part in kept], others

    def load(self, batch: RecipeBatch, noise: SampleNoise) -> None:
        """Copy a batch in."""
        lengths = (batch.title_lengths, batch.ingredient_lengths, batch.sentence_lengths, batch.steps)
        rows = (len(self.title), len(self.ingredients), len(self.sentences), len(self.title))
        padded = [F.pad(part, (0, most - len(part))) for part, most in zip(lengths, rows, strict=True)]
        counts = torch.cat([*padded, torch.tensor([noise.seed])])
        self.counts.copy_(counts.pin_memory(), non_blocking=True)
        self.keys[: len(batch)].copy_(noise.keys)
        held = [self.title, self.ingredients, self.sentences]
        torch._foreach_zero_(held)
        for room, words in zip(held, (batch.title, batch.ingredients, batch.sentences), strict=True):
            room[: len(words), : words.shape[1]].copy_(words)

    def cut(self, batch: RecipeBatch) -> Iterator[Tensor | None]:
        """Vectors, merges and attention of the four parts of what was replayed, without empty slots."""
        steps = (len(batch), int(batch.steps.max()))
        shapes = (batch.title.shape, batch.ingredients.shape, batch.sentences.shape, steps)
        for part, (rows, width) in zip(self.parts, shapes, strict=True):
            vector, merges, attention, _ = part or (None,) * 4
            yield None if vector is None else vector.detach()[:rows]
            yield None if merges is None else merges[:rows, : width - 1]
            yield None if attention is None else attention.detach()[:rows, :width]


class _Replay(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, graph: _RecipeGraph, batch: RecipeBatch, noise: SampleNoise, *parameters: Tensor
    ) -> tuple[Tensor | None, ...]:
        graph.load(batch, noise)
        ctx.graph, ctx.ticket = graph, graph.replay()
        ctx.set_materialize_grads(False)
        results = [None if part is None else part.clone() for part in graph.cut(batch)]
        others = (part for number, part in enumerate(results) if number % 3)
        ctx.mark_non_differentiable(*(part for part in others if part is not None))
        return tuple(results)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        graph = ctx.graph
        given = (grad for part, grad in zip(graph.parts, grads[::3], strict=True) if part is not None)
        for held, grad in zip(graph.grads, given, strict=True):
            if grad is None or len(grad) < len(held):
                held.zero_()
            if grad is not None:
                held[: len(grad)].copy_(grad)
        return (None, None, None, *graph.replay_backward(ctx.ticket))


def _run_words(
    encoder: RecipeEncoder, part: SequenceEncoder, words: Tensor, planned: Planned, noise: Noise
) -> Encoding:
    """Encode texts (rows, L) of words. A tree needs no padding; others read an empty text as one word."""
    encoding: Encoding
    if isinstance(part, TreeEncoder):
        from chef.model.tree_lstm.gpu import plan_forest  # Triton comes with torch for GPUs only

        plan = plan_forest(planned)
        encoding = part(encoder.words(plan.pack(words)), plan, noise=noise)
    else:
        encoding = part(encoder.words(words), planned.lengths.clamp(min=1))
    return encoding
