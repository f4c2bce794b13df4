"""Settings that decide how trees are chosen, and what the log says of them."""

from pathlib import Path

import pytest
import torch

from chef.data.batches import recipe_batch
from chef.data.prepared import Prepared
from chef.model.artefact import load
from chef.model.encoders import TreeEncoder, shaped_merges
from chef.model.noise import RandomNoise, SampleNoise
from chef.model.registry import SHAPES
from chef.model.tree import Tree
from chef.text.vocabulary import PAD, UNK
from chef.train.loop import _masked, train
from chef.train.settings import make_settings
from tests.train.conftest import new_trainer, read_log, small

LENGTHS = torch.tensor([5, 1, 2, 3, 8])


@pytest.mark.parametrize("shape", SHAPES)
def test_trees_of_one_shape(shape: str) -> None:
    x = torch.randn(len(LENGTHS), 8, 4)
    merges = shaped_merges(shape, LENGTHS, x, RandomNoise())
    for row, length in zip(merges.tolist(), LENGTHS.tolist(), strict=True):
        tree = Tree.from_merges(["x"] * length, row)  # an error if a merge is outside
        if shape != "random":
            assert tree == getattr(Tree, shape)(["x"] * length)
    encoder = TreeEncoder(4, 6, shape=shape).eval()
    assert torch.equal(encoder(x, LENGTHS).vector, encoder(x, LENGTHS).vector)


def test_random_trees_change_with_the_noise() -> None:
    x, keys = torch.randn(len(LENGTHS), 8, 4), torch.arange(len(LENGTHS))
    first, again, other = (shaped_merges("random", LENGTHS, x, SampleNoise(keys, seed)) for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_control_is_trained_and_used_with_its_shape(prepared: Path, tmp_path: Path) -> None:
    model = load(train(Prepared(prepared), small(trees="left", epochs=1), tmp_path)).model
    split = Prepared(prepared).split("val")
    merges = model.trees(recipe_batch([split.tokens(row) for row in range(len(split))]))
    assert merges.ingredients is not None
    assert int(merges.ingredients.max()) == 0
    assert read_log(tmp_path)[-1]["trees.ingredients.entropy"] == pytest.approx(1, abs=0.01)


def test_a_faster_query_commits_sooner(prepared: Path, tmp_path: Path) -> None:
    data = Prepared(prepared)
    ratios = []
    for rate in (1.0, 1000.0):
        settings = small(query_rate=rate, loss="infonce", freeze_epochs=0)
        train(data, settings, tmp_path / str(rate))
        ratios.append(read_log(tmp_path / str(rate))[-1]["trees.ingredients.noise_ratio"])
    assert ratios[1] > 10 * ratios[0]


def test_shuffled_lists_keep_their_ingredients(prepared: Path, tmp_path: Path) -> None:
    data = Prepared(prepared)
    recipes = recipe_batch([data.split("train").tokens(row) for row in range(12)])
    noise = SampleNoise(torch.arange(12), 0).order(recipes.ingredients.shape[1])
    mixed = recipes.shuffled(noise)
    assert mixed.order is not None
    assert torch.equal(recipes.ingredients.gather(1, mixed.order), mixed.ingredients)
    assert not torch.equal(mixed.ingredients, recipes.ingredients)
    for row, length in enumerate(recipes.ingredient_lengths.tolist()):
        assert sorted(mixed.order[row, :length].tolist()) == list(range(length))
    losses = []
    for shuffle in (False, True):
        trainer = new_trainer(data, small(shuffle=shuffle), tmp_path / str(shuffle))
        trainer.both.train()
        trainer._step(*next(iter(trainer._load(0, 0))))
        losses.append(float(trainer.loss))
    assert losses[0] != losses[1]


def test_dropped_words_are_unknown_and_others_in_every_epoch(prepared: Path, tmp_path: Path) -> None:
    data = Prepared(prepared)
    recipes = recipe_batch([data.split("train").tokens(row) for row in range(12)])
    keys = torch.arange(12)
    settings = make_settings({"word_drop": 0.3})
    first, again, later = (_masked(recipes, SampleNoise(keys, seed), settings) for seed in (0, 0, 1))
    dropped = kept = 0
    for name in ("title", "ingredients", "sentences"):
        before, after = getattr(recipes, name), getattr(first, name)
        assert torch.equal(after, getattr(again, name))
        assert torch.equal(before == PAD, after == PAD)
        changed = before != after
        assert (after[changed] == UNK).all()
        dropped, kept = dropped + int(changed.sum()), kept + int((~changed & (before != PAD)).sum())
    assert 0.2 < dropped / (dropped + kept) < 0.4
    assert not torch.equal(first.sentences, later.sentences)
    # A recipe loses the same words whatever stands beside it in a batch.
    alone = _masked(recipe_batch([data.split("train").tokens(5)]), SampleNoise(keys[5:6], 0), settings)
    width = alone.ingredients.shape[1]
    assert torch.equal(first.ingredients[5, :width], alone.ingredients[0])
    losses = []
    for share in (0.0, 0.3):
        trainer = new_trainer(data, small(word_drop=share), tmp_path / str(share))
        trainer.both.train()
        trainer._step(*next(iter(trainer._load(0, 0))))
        losses.append(float(trainer.loss))
    assert losses[0] != losses[1]
