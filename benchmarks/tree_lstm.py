"""How fast the Gumbel Tree-LSTM is, against the obvious ways and against the image tower, and how exact.

    python benchmarks/tree_lstm.py [--json FILE] [--scaling]

One run on one device, medians over repeats after a warm-up, forward and backward without optimizer: bf16 on
a GPU, float32 on a CPU. A batch is 160 recipes: 3 to 16 steps a recipe, 5 to 20 words a step, 3 to 15
ingredients, words of 300 numbers, states of 600.

reference   the obvious algorithm, called recipe by recipe       sentence and ingredient Tree-LSTM, each with
flat        the obvious algorithm, all sequences as one batch    its leaf projection, the noise given
fast        ours
text_step   the whole T+T+L recipe tower with the fast trees, noise and dropout drawn as in training
image       the ResNet-50 step on the batch's photos, recorded as in training
image_before  the same with torch's batch norm, launch by launch

The gradient of the whole recipe tower is checked as well, against that of a CPU in float64 with the same
noise: `text_gradient_error`. `graphs_recorded`: how often a graph of it is recorded over 60 batches that are
all drawn anew, for batches of 16, 40 and 160.
"""

from __future__ import annotations

import argparse
import copy
import json
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from chef.data.batches import RecipeBatch, recipe_batch
from chef.data.images import ImageTransform
from chef.model.batch_norm import BatchNorm
from chef.model.joint import RecipeEncoder
from chef.model.noise import RandomNoise, SampleNoise
from chef.model.registry import variant
from chef.model.towers import ResNet
from chef.model.tree_lstm import GumbelTreeLSTM
from chef.model.tree_lstm.reference import encode_reference
from chef.model.words import WordVectors

WORDS, WORD, HIDDEN = 10_000, 300, 600
GRAPHED = 5  # a GPU records its launches after some batches: repeated so often, both ways are checked


class Sequences:
    """Padded sequences with their noise, and the recipe that each belongs to."""

    def __init__(self, x: Tensor, lengths: Tensor, owners: Tensor) -> None:
        self.x, self.lengths, self.owners = x.requires_grad_(), lengths, owners
        self.noise = RandomNoise().gumbel(len(x), x.shape[1] - 1, like=x)

    def as_type(self, dtype: torch.dtype) -> Sequences:
        """The same numbers in another precision."""
        other = copy.copy(self)
        other.x = self.x.detach().to(dtype).requires_grad_()
        other.noise = self.noise.to(dtype)
        return other

    def rows(self, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """x, lengths and noise of some sequences, no wider than they need."""
        width = int(self.lengths[chosen].max())
        on = chosen.to(self.x.device)
        return self.x[on, :width], self.lengths[chosen], self.noise[on, : width - 1, : width - 1]


class Work:
    """What one batch asks of the two Tree-LSTMs."""

    def __init__(self, recipes: int, device: torch.device, words: tuple[int, int] = (5, 20)) -> None:
        self.recipes, self.device = recipes, device
        self.batch = draw_batch(recipes, words).to(device)
        steps = torch.repeat_interleave(torch.arange(recipes), self.batch.steps)
        self.sentences = self._sequences(self.batch.sentences, self.batch.sentence_lengths, steps)
        self.ingredients = self._sequences(
            self.batch.ingredients, self.batch.ingredient_lengths, torch.arange(recipes)
        )
        self.sentence_lstm, self.ingredient_lstm = (
            GumbelTreeLSTM(WORD, HIDDEN).to(device).train() for _ in range(2)
        )

    def _sequences(self, words: Tensor, lengths: Tensor, owners: Tensor) -> Sequences:
        return Sequences(torch.randn(*words.shape, WORD, device=self.device), lengths, owners)

    @property
    def parts(self) -> tuple[tuple[GumbelTreeLSTM, Sequences], ...]:
        return (self.sentence_lstm, self.sentences), (self.ingredient_lstm, self.ingredients)

    def fast(self) -> Tensor:
        return sum(lstm(s.x, s.lengths, noise=s.noise).h.float().sum() for lstm, s in self.parts)

    def flat(self) -> Tensor:
        return sum(obvious(lstm, s.x, s.lengths, s.noise)[0].float().sum() for lstm, s in self.parts)

    def reference(self) -> Tensor:
        total: Any = 0
        for lstm, sequences in self.parts:
            for recipe in range(self.recipes):
                chosen = (sequences.owners == recipe).nonzero()[:, 0]
                total = total + obvious(lstm, *sequences.rows(chosen))[0].float().sum()
        return total

    def infer(self) -> None:
        with torch.no_grad():
            for lstm, sequences in self.parts:
                lstm.eval()(sequences.x, sequences.lengths)
                lstm.train()

    def infer_flat(self) -> None:
        with torch.no_grad():
            for lstm, sequences in self.parts:
                obvious(lstm, sequences.x, sequences.lengths, None)

    def clear(self) -> None:
        for lstm, sequences in self.parts:
            lstm.zero_grad(set_to_none=True)
            sequences.x.grad = None


def obvious(lstm: GumbelTreeLSTM, x: Tensor, lengths: Tensor, noise: Tensor | None) -> tuple[Tensor, ...]:
    return encode_reference(lstm.cell, lstm.leaf(x), lengths.to(x.device), noise)


def draw_batch(recipes: int, words: tuple[int, int]) -> RecipeBatch:
    def some(low: int, high: int) -> int:
        return int(torch.randint(low, high + 1, (1,)))

    def sequence(length: int) -> list[int]:
        return torch.randint(2, WORDS, (length,)).tolist()

    return recipe_batch(
        [
            {
                "title": sequence(some(2, 6)),
                "ingredients": sequence(some(3, 15)),
                "sentences": [sequence(some(*words)) for _ in range(some(3, 16))],
            }
            for _ in range(recipes)
        ]
    )


class Clock:
    """Medians of steps on one device."""

    def __init__(self, device: torch.device, seconds: float) -> None:
        self.device, self.seconds = device, seconds

    def autocast(self) -> Any:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")

    def wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def median_ms(self, step: Callable[[], None], warmup: int = 3, least: int = 5) -> float:
        """Repeat for about `seconds`, at least `least` times."""
        for _ in range(warmup):
            step()
        times: list[float] = []
        while len(times) < least or (sum(times) < self.seconds and len(times) < 200):
            self.wait()
            began = time.perf_counter()
            step()
            self.wait()
            times.append(time.perf_counter() - began)
        return statistics.median(times) * 1e3

    def training(self, forward: Callable[[], Tensor], clear: Callable[[], None], **how: int) -> float:
        def step() -> None:
            clear()
            with self.autocast():
                loss = forward()
            loss.backward()

        return self.median_ms(step, **how)

    def inference(self, run: Callable[[], None], **how: int) -> float:
        def step() -> None:
            with self.autocast():
                run()

        return self.median_ms(step, **how)


def text_step(work: Work, clock: Clock) -> float:
    tower = RecipeEncoder(variant("t+t+l"), WordVectors(WORDS, WORD), HIDDEN).to(work.device).train()
    keys = torch.arange(work.recipes, device=work.device)

    def forward() -> Tensor:
        return tower(work.batch, noise=SampleNoise(keys, seed=1)).vector.float().sum()

    return clock.training(forward, lambda: tower.zero_grad(set_to_none=True))


def text_gradient_error(work: Work) -> float:
    """The largest difference between the gradients of the recipe tower on the device and on a CPU, relative
    to the largest entry, in float64 and with the same noise."""
    here = RecipeEncoder(variant("t+t+l"), WordVectors(WORDS, WORD), HIDDEN).double().train()
    there = copy.deepcopy(here).to(work.device)

    def gradient(tower: RecipeEncoder, device: torch.device) -> list[Tensor]:
        noise = SampleNoise(torch.arange(work.recipes, device=device), seed=1)
        tower.zero_grad(set_to_none=True)
        tower(work.batch.to(device), noise=noise).vector.square().sum().backward()
        return [item.grad.cpu() for item in tower.parameters() if item.grad is not None]

    truth = gradient(here, torch.device("cpu"))
    return max(
        ((mine - true).abs().max() / true.abs().max()).item()
        for _ in range(GRAPHED)
        for mine, true in zip(gradient(there, work.device), truth, strict=True)
    )


def graphs_recorded(device: torch.device, clock: Clock) -> dict[str, int]:
    from chef.model.recipe_graph import recorded

    counts = {}
    for recipes in (16, 40, 160):
        tower = RecipeEncoder(variant("t+t+l"), WordVectors(WORDS, WORD), HIDDEN).to(device).train()
        for step in range(60):
            noise = SampleNoise(torch.arange(recipes, device=device), seed=step)
            with clock.autocast():
                loss = tower(draw_batch(recipes, (5, 20)).to(device), noise=noise).vector.float().sum()
            loss.backward()
        counts[str(recipes)] = recorded(tower)
    return counts


def image_step(recipes: int, device: torch.device, clock: Clock, recorded: bool) -> float:
    """Forward and backward over photos of 224 pixels, channels last, as cuDNN likes them best."""
    tower = ResNet({}, ImageTransform()).to(device, memory_format=torch.channels_last).train()
    for norm in tower.modules():
        if isinstance(norm, BatchNorm):
            norm.fused = recorded
    images = torch.randn(recipes, 3, 224, 224, device=device).to(memory_format=torch.channels_last)
    slow = {} if device.type == "cuda" else {"warmup": 1, "least": 2}
    return clock.training(
        lambda: (tower.features if recorded else tower)(images).float().sum(),
        lambda: tower.zero_grad(set_to_none=True),
        **slow,
    )


def gradients(lstm: nn.Module, x: Tensor, h: Tensor, c: Tensor) -> list[Tensor]:
    weights = torch.linspace(-1, 1, h.numel(), dtype=torch.float64, device=h.device).view_as(h).to(h.dtype)
    loss = (h * weights).sum() + (c * weights.flip(0)).sum()
    return list(torch.autograd.grad(loss, [x, *lstm.parameters()]))


def gradient_error(work: Work, dtype: torch.dtype) -> float:
    """The largest difference from autograd through every candidate in float64, relative to the largest entry.

    The oracle gets the same noise; other trees are an error.
    """
    worst = 0.0
    for lstm, sequences in work.parts:
        truth = oracle(lstm, sequences)
        ours = copy.deepcopy(lstm).to(dtype)
        given = sequences.as_type(dtype)
        for _ in range(GRAPHED):
            h, c, merges = ours(given.x, given.lengths, noise=given.noise)
            if not torch.equal(merges, truth[0]):
                raise SystemExit(f"{dtype}: other trees than the oracle's")
            for mine, true in zip(gradients(ours, given.x, h, c), truth[1], strict=True):
                worst = max(worst, ((mine - true).abs().max() / true.abs().max()).item())
    return worst


def oracle(lstm: GumbelTreeLSTM, sequences: Sequences) -> tuple[Tensor, list[Tensor]]:
    exact = copy.deepcopy(lstm).double()
    given = sequences.as_type(torch.float64)
    h, c, merges = obvious(exact, given.x, given.lengths, given.noise)
    return merges, gradients(exact, given.x, h, c)


def bf16_cosine(work: Work) -> float:
    """The cosine between the gradients in bf16 and in float64, the lower of the two Tree-LSTMs.

    Rounding may turn a choice that was nearly even; what follows from it is part of the figure.
    """
    lowest = 1.0
    for lstm, sequences in work.parts:
        truth = torch.cat([part.flatten() for part in oracle(lstm, sequences)[1]])
        for _ in range(GRAPHED):
            with torch.autocast(work.device.type, torch.bfloat16):
                h, c, _ = lstm(sequences.x, sequences.lengths, noise=sequences.noise)
            found = gradients(lstm, sequences.x, h.float(), c.float())
            ours = torch.cat([part.flatten() for part in found])
            lowest = min(lowest, torch.cosine_similarity(ours.double(), truth, dim=0).item())
    return lowest


def peak_mb(work: Work, clock: Clock) -> float:
    """Of one fast step: what it allocates at most on a GPU, the process at most on a CPU."""
    if work.device.type != "cuda":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    work.clear()
    torch.cuda.reset_peak_memory_stats()
    with clock.autocast():
        loss = work.fast()
    loss.backward()
    return torch.cuda.max_memory_allocated() / 2**20


def scaling(device: torch.device, clock: Clock, recipes: int) -> list[dict[str, Any]]:
    """Fast and flat over the length of sentences and over the number of recipes."""
    cuda = device.type == "cuda"
    cases = [("words", recipes, length) for length in (5, 10, 20, 40, 80)]
    cases += [("recipes", count, 20) for count in (16, 40, 160, 640)]
    rows = []
    for what, count, length in cases if cuda else [case for case in cases if case[1] * case[2] <= 3200]:
        work = Work(count, device, words=(length, length) if what == "words" else (5, length))
        row: dict[str, Any] = {"over": what, "recipes": count, "words": length}
        row["fast_ms"] = clock.training(work.fast, work.clear, warmup=2, least=3)
        try:
            row["flat_ms"] = clock.training(work.flat, work.clear, warmup=1, least=2)
        except torch.OutOfMemoryError:
            row["flat_ms"] = None  # it does not fit
        rows.append(row)
        work.clear()
        if cuda:
            torch.cuda.empty_cache()
    return rows


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    torch.manual_seed(arguments.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    cuda = device.type == "cuda"
    clock = Clock(device, arguments.seconds)
    exact = Work(arguments.exact_recipes, device)
    result: dict[str, Any] = {
        "device": torch.cuda.get_device_name() if cuda else f"CPU, {torch.get_num_threads()} threads",
        "recipes": arguments.recipes,
        "max_gradient_error": {
            "float32": gradient_error(exact, torch.float32),
            "float64": gradient_error(exact, torch.float64),
        },
        "bf16_gradient_cosine": bf16_cosine(exact),
    }
    work = Work(arguments.recipes, device)
    slow = {} if cuda else {"warmup": 1, "least": 3}
    result["fast_ms"] = clock.training(work.fast, work.clear)
    result["peak_mb"] = peak_mb(work, clock)
    result["flat_ms"] = clock.training(work.flat, work.clear, **slow)
    result["reference_ms"] = clock.training(work.reference, work.clear, warmup=0, least=1)
    result["fast_infer_ms"] = clock.inference(work.infer)
    result["flat_infer_ms"] = clock.inference(work.infer_flat, **slow)
    result["text_step_ms"] = text_step(work, clock)
    result["text_gradient_error"] = text_gradient_error(exact)
    result["image_before_ms"] = image_step(arguments.recipes, device, clock, recorded=False)
    result["image_ms"] = image_step(arguments.recipes, device, clock, recorded=True)
    if cuda:
        result["graphs_recorded"] = graphs_recorded(device, clock)
    if arguments.scaling:
        result["scaling"] = scaling(device, clock, arguments.recipes)
    return result


def show(result: dict[str, Any]) -> None:
    print(f"{result['device']}, batch of {result['recipes']} recipes")
    steps = ("reference", "flat", "fast", "text_step", "image_before", "image", "flat_infer", "fast_infer")
    for name in steps:
        print(f"{name:12} {result[f'{name}_ms']:10.2f} ms")
    print(f"flat / fast  {result['flat_ms'] / result['fast_ms']:.1f}, in inference", end=" ")
    print(f"{result['flat_infer_ms'] / result['fast_infer_ms']:.1f};", end=" ")
    print(f"reference / fast {result['reference_ms'] / result['fast_ms']:.0f};", end=" ")
    print(f"text step / image before {result['text_step_ms'] / result['image_before_ms']:.2f}")
    errors = result["max_gradient_error"]
    print(f"gradient error: float32 {errors['float32']:.1e}, float64 {errors['float64']:.1e},", end=" ")
    print(f"of the recipe tower {result['text_gradient_error']:.1e};", end=" ")
    print(f"bf16 cosine {result['bf16_gradient_cosine']:.5f}; peak {result['peak_mb']:.0f} MB")
    if "graphs_recorded" in result:
        print(f"graphs recorded over 60 batches, by recipes: {result['graphs_recorded']}")
    for row in result.get("scaling", []):
        flat = "does not fit" if row["flat_ms"] is None else f"{row['flat_ms']:9.2f} ms"
        print(f"  {row['recipes']:4} recipes, {row['words']:2} words:", end=" ")
        print(f"fast {row['fast_ms']:8.2f} ms, flat {flat}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--recipes", type=int, default=160)
    parser.add_argument("--exact-recipes", type=int, default=16, help="recipes of the gradient check")
    parser.add_argument("--seconds", type=float, default=3.0, help="about this long for each figure")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--scaling", action="store_true", help="also over lengths 5 to 80 and batches 16 to 640"
    )
    parser.add_argument("--json", type=Path, help="a file for the result")
    arguments = parser.parse_args()
    result = measure(arguments)
    show(result)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
