"""The recipe encoder as a CUDA graph: when one is recorded, and on a GPU that it changes nothing."""

import copy
import random

import pytest
import torch

from chef.data.batches import RecipeBatch, recipe_batch
from chef.model.cuda_graphs import Memory, Recorder
from chef.model.joint import RecipeEncoder
from chef.model.noise import SampleNoise, has_triton
from chef.model.recipe_graph import RecipeCapacity, recorded
from chef.model.registry import variant
from chef.model.words import WordVectors
from tests.model.test_tree_lstm import relative

WORDS = 50
needs_gpu = pytest.mark.skipif(
    not (torch.cuda.is_available() and has_triton()), reason="needs an NVIDIA GPU with Triton"
)


def drawn(count: int, seed: int, longest: int = 20) -> RecipeBatch:
    """Recipes of 3 to 16 steps."""
    chance = random.Random(seed)

    def sequence(low: int, high: int) -> list[int]:
        return [chance.randrange(2, WORDS) for _ in range(chance.randint(low, high))]

    return recipe_batch(
        [
            {
                "title": sequence(1, 6),
                "ingredients": sequence(1, 15),
                "sentences": [sequence(1, longest) for _ in range(chance.randint(3, 16))],
            }
            for _ in range(count)
        ]
    )


class Recorded:
    def __init__(self) -> None:
        self.memory = Memory()


@pytest.mark.parametrize("count", [16, 40, 160])
def test_graphs_are_not_recorded_again_and_again(count: int) -> None:
    recorder: Recorder[RecipeCapacity, Recorded] = Recorder()
    used = 0
    for seed in range(200):
        size = RecipeCapacity.of(drawn(count, seed))
        used += recorder.graph_for("weights", size, lambda room: Recorded()) is not None
    assert recorder.recorded <= 5
    assert used >= 170


def test_a_graph_is_for_batches_that_fit_and_these_weights() -> None:
    recorder: Recorder[RecipeCapacity, Recorded] = Recorder()
    size = RecipeCapacity.of(drawn(8, seed=0))
    tries = [recorder.graph_for("weights", size, lambda room: Recorded()) for _ in range(4)]
    assert [one is not None for one in tries] == [False, False, True, True]
    larger, smaller = (RecipeCapacity.of(drawn(count, seed=0)) for count in (9, 7))
    assert recorder.graph_for("weights", larger, lambda room: Recorded()) is None
    assert recorder.graph_for("weights", smaller, lambda room: Recorded()) is tries[-1]
    assert recorder.graph_for("weights", size, lambda room: Recorded()) is tries[-1]
    assert recorder.graph_for("others", size, lambda room: Recorded()) is None


def test_room_to_spare() -> None:
    small, large = (RecipeCapacity.of(drawn(8, seed=1, longest=longest)) for longest in (6, 30))
    room = small.with_spare(None)
    assert room.holds(small)
    assert not room.holds(large)
    assert large.with_spare(room).holds(small)
    assert room.ingredients.rows == room.steps.rows == 8
    assert max(room.ingredients.active) <= 8


@needs_gpu
@pytest.mark.parametrize("name", ["t+t+l", "t+t+t", "g+l+l", "s+l+l", "g+l+l-attention"])
def test_a_recorded_encoder_gives_what_the_cpu_gives(name: str) -> None:
    torch.manual_seed(0)
    here = RecipeEncoder(variant(name), WordVectors(WORDS, 6), hidden=8).double().train()
    there = copy.deepcopy(here).cuda()
    for step in range(12):
        count = 7 if step == 8 else 9  # the last batch of an epoch is smaller
        batch = drawn(count, seed=step % 7)
        results = []
        for encoder, device in ((here, "cpu"), (there, "cuda")):
            noise = SampleNoise(torch.arange(count, device=device) + step, seed=step)
            encoding = encoder(batch.to(device), noise=noise)
            merges = [part.cpu() for part in encoding.merges if part is not None]
            loss = (encoding.vector * torch.linspace(-1, 1, count, device=device)[:, None]).square().sum()
            if step % 2 and encoding.sentences is not None:
                loss = loss + encoding.sentences.vector.square().sum()
            encoder.zero_grad()
            loss.backward()
            grads = [item.grad.cpu() for item in encoder.parameters()]
            results.append((merges, [encoding.vector.detach().cpu(), *grads]))
        (true_merges, true), (merges, found) = results
        assert all(map(torch.equal, merges, true_merges))
        for mine, its in zip(found, true, strict=True):
            assert relative(mine, its) < 1e-8
        with torch.no_grad():  # weights that change are seen
            for pair in zip(here.parameters(), there.parameters(), strict=True):
                for item in pair:
                    item.mul_(1.01)
    assert 1 <= recorded(there) <= 2
