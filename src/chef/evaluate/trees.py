"""Parser health: has a Tree-LSTM learned where to merge, or are its trees as good as random ones?

For each kind of tree (over ingredients, words of a sentence, sentences): the entropy of the choice of merges,
the spread of scores beside that of the Gumbel noise, which way its trees branch, how often two trees sampled
as in training share a merge, and what its own trees are worth in retrieval beside random ones.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from chef.data.texts import gold
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.main_ingredient import rank_depths
from chef.evaluate.results import CannotDo, Tests, TreeHealth, Trees
from chef.measure.ranks import DEPTH_AT, score
from chef.measure.retrieval import RetrievalRanks, compare
from chef.model.encoder import batches_by_length
from chef.model.noise import RandomNoise
from chef.model.tree import RecipeTrees, Tree
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.model.tree_lstm.cpu import Cell
from chef.model.tree_lstm.health import choices
from chef.model.tree_lstm.reference import encode_reference

PARTS = ("ingredients", "sentences", "instructions")
_ENOUGH = 2000  # sequences of one kind that are looked at, about: every candidate of every level is scored


def tree_health(model: EvaluatedModel, seed: int) -> Trees:
    """The health of each kind of tree that the model builds.

    >>> tree_health(model, seed=0).parts["ingredients"].entropy
    """
    counts = dict.fromkeys(PARTS, len(model.texts))
    counts["sentences"] = sum(len(text.sentences) for text in model.texts)
    encoder, observers = model.chef.encoder, dict[str, _Observer]()
    with ExitStack() as hooks:
        for part, lstm in _tree_lstms(model).items():
            generator = torch.Generator(encoder.device).manual_seed(seed)
            observers[part] = _Observer(generator, 1 + counts[part] // _ENOUGH)
            hooks.enter_context(lstm.register_forward_hook(observers[part].see))
        if not observers:
            raise CannotDo(f"{model.name} builds no trees")
        for rows in batches_by_length(model.texts, encoder.batch_size):
            encoder.encode_batch([model.texts[row] for row in rows])
            for observer in observers.values():
                observer.rows += rows[:: observer.every]
    own = model.retrieval_ranks(seed)
    parts = {}
    for part, observer in observers.items():
        trees = _random_trees(model, part, np.random.default_rng(seed))
        random = model.retrieval_ranks(seed, model.embed(model.texts, trees))
        left, right = _branching(_trees_of(model, part))
        parts[part] = TreeHealth(
            entropy=observer.mean(observer.entropies),
            noise_ratio=observer.mean(observer.ratios),
            agreement=observer.mean(observer.shared),
            agreement_by_chance=observer.mean(observer.shared_by_chance),
            left=left,
            right=right,
            own_minus_random=_first_hits(own, random),
        )
    if "ingredients" in parts:
        parts["ingredients"].sampled = _sampled(model, observers["ingredients"])
        parts["ingredients"].shuffled = _first_hits(model.shuffled.retrieval_ranks(seed), own)
    return Trees(parts=parts)


def _first_hits(first: RetrievalRanks, second: RetrievalRanks) -> Tests:
    """R@1 of the first less R@1 of the second on the full set, by direction."""
    return {way: galleries["full"]["R@1"] for way, galleries in compare(first, second).items()}


def _tree_lstms(model: EvaluatedModel) -> dict[str, GumbelTreeLSTM]:
    readers = {part: getattr(model.chef.model.recipe, part, None) for part in PARTS}
    lstms = {part: getattr(reader, "lstm", None) for part, reader in readers.items()}
    return {part: lstm for part, lstm in lstms.items() if isinstance(lstm, GumbelTreeLSTM)}


@dataclass
class _Observer:
    """What is seen of one Tree-LSTM while recipes go through it; sums of values, and their number."""

    generator: torch.Generator
    every: int = 1  # only each n-th sequence of a batch is looked at
    rows: list[int] = field(default_factory=list)  # those recipes, in the order in which they were seen
    entropies: list[Tensor] = field(default_factory=list)
    ratios: list[Tensor] = field(default_factory=list)
    shared: list[Tensor] = field(default_factory=list)
    shared_by_chance: list[Tensor] = field(default_factory=list)
    sampled: list[list[int]] = field(default_factory=list)  # merges of one sampled tree for each sequence

    def mean(self, values: Sequence[Tensor]) -> float:
        every = torch.cat(list(values)) if values else torch.zeros(0)
        return float(every.mean()) if len(every) else 0.0

    @torch.no_grad()
    def see(self, lstm: GumbelTreeLSTM, arguments: tuple[Any, ...], output: Any) -> None:
        """A forward hook: look at what the network was given."""
        x, lengths = arguments[:2]
        cell = lstm.cell.single()
        leaves, lengths = lstm.leaf(x[:: self.every]).float(), lengths[:: self.every].to(x.device)
        for entropies, ratios in choices(cell, leaves, lengths):
            self.entropies.append(entropies)
            self.ratios.append(ratios)
        blank = replace(cell, query=torch.zeros_like(cell.query))
        for chosen, shared in ((cell, self.shared), (blank, self.shared_by_chance)):
            first, second = (self._sample(chosen, leaves, lengths) for _ in range(2))
            shared.append(_share_of_merges(first, second, lengths))
            if chosen is cell:
                self.sampled += first.tolist()

    def _sample(self, cell: Cell, leaves: Tensor, lengths: Tensor) -> Tensor:
        levels = max(leaves.shape[1] - 1, 1)
        noise = RandomNoise(self.generator).gumbel(len(leaves), levels, like=leaves)
        return encode_reference(cell, leaves, lengths, noise)[2]


def _share_of_merges(first: Tensor, second: Tensor, lengths: Tensor) -> Tensor:
    """For each sequence of three or more, the share of inner nodes below the root that both trees have."""
    shares = []
    for one, other, length in zip(first.tolist(), second.tolist(), lengths.tolist(), strict=True):
        if length > 2:
            names = [str(place) for place in range(length)]
            spans = [
                {(span.start, span.end) for span in Tree.from_merges(names, merges).spans[:-1]}
                for merges in (one, other)
            ]
            shares.append(len(spans[0] & spans[1]) / (length - 2))
    return torch.tensor(shares)


def _trees_of(model: EvaluatedModel, part: str) -> list[Tree]:
    kept = [getattr(trees, part) for trees in model.trees]
    return [tree for one in kept for tree in ([one] if isinstance(one, Tree) else one or [])]


def _branching(trees: Sequence[Tree]) -> tuple[float, float]:
    """The shares of merges that join an inner node with a leaf on its right, and on its left."""
    spans = [span for tree in trees for span in tree.spans]
    left = sum(span.middle - span.start > 1 and span.end - span.middle == 1 for span in spans)
    right = sum(span.middle - span.start == 1 and span.end - span.middle > 1 for span in spans)
    return left / max(len(spans), 1), right / max(len(spans), 1)


def _random_trees(model: EvaluatedModel, part: str, generator: np.random.Generator) -> list[RecipeTrees]:
    """The model's trees with those of one part at random."""
    changed = []
    for trees in model.trees:
        own = getattr(trees, part)
        new: Any = (
            tuple(Tree.random(tree.tokens, generator) for tree in own)
            if isinstance(own, tuple)
            else own and Tree.random(own.tokens, generator)
        )
        changed.append(replace(trees, **{part: new}))
    return changed


def _sampled(model: EvaluatedModel, observer: _Observer) -> float | None:
    """R@1 of the main ingredient by mass, of trees sampled as in training."""
    golds = [gold(model.texts[row].recipe) for row in observer.rows]
    known = [at for at, token in enumerate(golds) if token is not None]
    if not known:
        return None
    lists = [model.texts[observer.rows[at]].ingredients for at in known]
    trees = [Tree.from_merges(tokens, observer.sampled[at]) for at, tokens in zip(known, lists, strict=True)]
    wanted = [token for token in golds if token is not None]
    ranks = rank_depths(lists, wanted, [tree.depths for tree in trees])
    return score(ranks, DEPTH_AT)["R@1"]
