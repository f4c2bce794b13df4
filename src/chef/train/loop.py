"""The training loop. Read it from `train` downwards.

Everything random is a function of the seed and the position in the run (see `sampler`, `chef.model.noise`
and `PairDataset`), so a run that was killed and restarted ends with exactly the same weights.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice, repeat
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from chef.data.batches import PairBatch, RecipeBatch, collate, positions_in
from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared, PreparedSplit
from chef.errors import ChefError
from chef.model.joint import JointModel
from chef.model.noise import SampleNoise
from chef.train.checkpoint import last_checkpoint, restore, save_checkpoint
from chef.train.distributed import join_processes
from chef.train.evaluate import embed_split, parser_health, scores
from chef.train.features import FeaturePairs
from chef.train.machine import autocast_to_half, keep_freed_memory, return_freed_memory
from chef.train.objectives import StepInput, build_objective
from chef.train.optimizer import Average, freeze, make_optimizer, rate_at
from chef.train.run import Run, run_lock
from chef.train.sampler import Batches, TextBatches, Texts
from chef.train.settings import TrainSettings, resolve_folder
from chef.train.start import build_model, check_enough, start_from

_MASKS = 100  # the first of the parts of a sample's noise that hide words; readers and heads have lower ones


@dataclass
class Position:
    """Where a run is: what a checkpoint holds besides weights and optimizer."""

    epoch: int = 0
    batch: int = 0  # batches of this epoch that are done
    update: int = 0
    loss: float = 0.0  # of those batches, summed
    best: float = -1.0  # score of the best model so far
    waited: int = 0  # evaluations since then


def train(data: Prepared, settings: TrainSettings, out: Path) -> Path:
    """Train a model and write the best one to `out/best`; called again after a stop, it resumes.

    >>> train(Prepared("prepared"), make_settings({"model": "t+t+l", "epochs": 30}), Path("run"))
    """
    for folder in (settings.tower, settings.words):
        resolve_folder(folder)  # an error before anything is written
    start, data = start_from(settings.init, data) if settings.init else (None, data)
    with join_processes() as processes, run_lock(out, processes):
        run = Run(out, data, settings, processes)
        with run.progress:
            trainer = Trainer(data, settings, run, start)
            trainer.resume()
            while not trainer.done:
                trainer.epoch()
    return out / "best"


class Trainer:
    """A model, its data and its optimizer during a run.

    start: the model to fine-tune; if not given, one with fresh weights is built.
    """

    def __init__(
        self, data: Prepared, settings: TrainSettings, run: Run, start: JointModel | None = None
    ) -> None:
        torch.manual_seed(settings.seed)  # fresh weights
        self.settings, self.run, self.processes = settings, run, run.processes
        self.half = autocast_to_half(self.processes.device, settings.precision, run.progress.say)
        if self.processes.device.type == "cpu":
            keep_freed_memory()
        self.started = start is not None
        self.model = start or build_model(data, settings)
        self.objective = build_objective(settings, self.model, data)
        self.both = nn.ModuleDict({"model": self.model, "objective": self.objective})
        self.average = Average(self.model, settings.ema) if settings.ema else None
        self.judged = self.average.model if self.average else self.model  # what is validated and kept
        averages = {"average": self.average.model} if self.average else {}
        self.saved = nn.ModuleDict({**self.both, **averages})  # what a checkpoint holds
        # Fresh weights of one seed may differ in the last bit between two kinds of machines.
        self.processes.share_values(self.saved.state_dict().values())
        self.saved.to(self.processes.device, torch.float64 if settings.precision == "float64" else None)
        for model in {self.model, self.judged}:  # the fastest memory layout for convolutions
            model.tower.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.optimizer = make_optimizer(self.both, settings)
        self.training_split = data.split("train")
        self.pairs = self._pairs(self.training_split, training=True)
        self.validation = self._pairs(data.split("val"), training=False)
        if len(self.pairs) < 2 or not len(self.validation):
            raise ChefError(
                f"{len(self.pairs)} training and {len(self.validation)} validation pairs are too few",
                "prepare more recipes with photos",
            )
        if self.started:
            check_enough(len(self.pairs), run.progress.say)
        share = (settings.seed, self.processes.rank, self.processes.size)
        self.batches = Batches(len(self.pairs), settings.batch, *share)
        if self.batches.smallest < self.processes.size:
            raise ChefError(
                f"batches of {self.batches.smallest} pairs cannot be shared by {share[2]} processes",
                "start fewer processes, or raise batch",
            )
        self.texts = None
        if self.objective.wants_texts:
            everything = data.split("train", with_image=False)
            self.texts = TextBatches(everything, settings.text_batch or settings.batch, *share)
        self.updates_an_epoch = -(-len(self.batches) // settings.accumulate)
        self.position = Position()
        # Of this epoch: this process's share of the summed losses, the pairs of all processes, its beginning.
        self.loss: Tensor | float = 0.0
        self.pairs_seen, self.began = 0, time.monotonic()

    def _pairs(self, split: PreparedSplit, training: bool) -> PairDataset | FeaturePairs:
        tower, settings = self.model.tower, self.settings
        if settings.freeze_tower and tower.pretrained:
            device, workers = self.processes.device, settings.workers
            return FeaturePairs(split, tower, device, workers, self.run.data_checksum)
        drawn: dict[str, Any] = {"seed": settings.seed, "zoom": settings.zoom}
        return PairDataset(split, tower.transform, training=training and settings.augment, **drawn)

    @property
    def done(self) -> bool:
        patience = self.settings.patience
        return self.position.epoch >= self.settings.epochs or 0 < patience <= self.position.waited

    def resume(self) -> None:
        """Resume from the checkpoint that the first process finds, if any."""
        run, data = self.run, None
        if self.processes.first:
            data = last_checkpoint(run.checkpoint, run.progress.say)
        data = self.processes.share(data or b"")
        if data:
            self.position = Position(**restore(data, self.saved, self.optimizer))
            run.resumed(self.position.epoch, self.position.batch)
        elif self.started:  # the model to fine-tune may already be the best
            run.resumed(-1)
            self._validate()
        if not self.done:
            batches, position = len(self.batches), self.position
            total, done = batches * self.settings.epochs, batches * position.epoch + position.batch
            run.progress.stage("training", total, done)

    def epoch(self) -> None:
        """One pass over the training pairs, or the rest of one, then validation and a checkpoint."""
        position = self.position
        early = self.model.variant.frozen or position.epoch < self.settings.freeze_epochs
        freeze(self.model, tower=early or self.settings.freeze_tower, words=early)
        self.both.train()
        self.loss = position.loss if self.processes.first else 0.0  # the shares are added up
        self.pairs_seen, self.began = 0, time.monotonic()
        for batch, texts in self._load(position.epoch, position.batch):
            self._step(batch, texts)
            if self._checkpoint_is_due():
                self._save()
        position.epoch, position.batch = position.epoch + 1, 0
        if position.epoch % self.settings.evaluate_every == 0 or position.epoch == self.settings.epochs:
            self._validate()
        self._save()

    def _step(self, batch: PairBatch, texts: Texts | None = None) -> None:
        """Forward and backward pass and, at the end of an accumulation, the update."""
        position, settings = self.position, self.settings
        batch = self._on_device(batch)
        texts = texts.to(self.processes.device) if texts else None
        seed = settings.seed * 1_000_003 + position.epoch
        noise = self._noise(batch.index, seed)
        whole = _shuffled(batch.recipes, noise, settings)
        step = StepInput(
            replace(batch, recipes=_masked(whole, noise, settings)),
            noise,
            pairs=self.batches.size(position.batch),
            whole=whole,
            seeds=(settings.seed, position.epoch, position.batch),
        )
        if texts:
            # Negative, so that a text does not share the noise of the pair with the same number.
            noise = self._noise(-1 - texts.index, seed)
            whole = _shuffled(texts.recipes, noise, settings)
            step = replace(
                step,
                texts=_masked(whole, noise, settings),
                texts_noise=noise,
                texts_index=texts.index,
                whole_texts=whole,
            )
        first = position.batch - position.batch % settings.accumulate
        together = min(settings.accumulate, len(self.batches) - first)
        for loss in self._terms(step):
            (loss / together).backward()  # type: ignore[no-untyped-call]
            self.loss = self.loss + loss.detach()  # stays on its device: reading it would make the host wait
            del loss  # and what its graph holds, before the next is made
        position.batch += 1
        if position.batch % settings.accumulate == 0 or position.batch == len(self.batches):
            self._update()
        self.pairs_seen += len(batch) * self.processes.size
        self.run.progress.advance(detail=self._detail)

    def _terms(self, step: StepInput) -> Iterator[Tensor]:
        """The terms of the loss, each computed when it is asked for."""
        terms = self.objective.terms(self.model, step)
        while True:
            with torch.autocast(self.processes.device.type, torch.bfloat16, self.half):
                made = list(islice(terms, 1))
            if not made:
                return
            yield made.pop()

    def _noise(self, index: Tensor, seed: int) -> SampleNoise:
        return SampleNoise(index.to(self.processes.device, non_blocking=True), seed)

    def _detail(self) -> str:
        """What the progress bar says about the epoch."""
        position, epochs = self.position, self.settings.epochs
        mean = float(self.loss) / position.batch
        return f"epoch {position.epoch + 1}/{epochs}  {self._speed():.0f} pairs/s  loss {mean:.4f}"

    def _speed(self) -> float:
        return self.pairs_seen / max(time.monotonic() - self.began, 1e-9)

    def _update(self) -> None:
        position, settings = self.position, self.settings
        self.processes.add_gradients(self.both.parameters())
        if settings.clip:
            nn.utils.clip_grad_norm_(self.both.parameters(), settings.clip)
        rate = settings.learning_rate * rate_at(position.update, self.updates_an_epoch, settings)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["share"]
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        if self.average:
            self.average.follow(self.model, position.update)
        position.update += 1

    def _validate(self) -> None:
        """Score the model, keep it if it is the best, and log the epoch."""
        position, processes = self.position, self.processes
        points = embed_split(self.judged, self.validation, self.settings.workers)
        values = {}
        if processes.first:
            values = scores(*points, self.validation.split.ids)
            values |= parser_health(self.judged, self.validation)
        score = processes.agree(values.get("score", 0.0))
        if score > position.best:
            position.best, position.waited = score, 0
            with self._querybank():
                self.run.keep_best(self.judged, position.epoch, values)
        else:
            position.waited += 1
        loss = processes.total(float(self.loss) / len(self.batches)) if position.update else None
        self.run.log(position.epoch, position.update, loss, values, self._speed())

    @contextmanager
    def _querybank(self) -> Iterator[None]:
        """The model that is kept has a querybank of training pairs; the one that learns on has none."""
        size, model, split = self.settings.querybank, self.judged, self.training_split
        if not size or self.started:
            yield
            return
        rows = np.random.default_rng(self.settings.seed).permutation(len(split))[:size]
        chosen = split.only({split.ids[row] for row in rows})
        pairs = PairDataset(chosen, model.tower.transform, training=False)
        points = embed_split(model, pairs, self.settings.workers)
        before = model.config
        model.fill_querybank(*(torch.from_numpy(part).to(self.processes.device) for part in points))
        yield
        model.config, model.querybank = before, None

    def _checkpoint_is_due(self) -> bool:
        """After every `checkpoint_every` updates; never while gradients are accumulating."""
        position, every = self.position, self.settings.checkpoint_every
        return bool(every) and position.batch % self.settings.accumulate == 0 and position.update % every == 0

    def _save(self) -> None:
        position = self.position
        position.loss = self.processes.total(float(self.loss)) if position.batch else 0.0
        if self.processes.first:
            save_checkpoint(self.run.checkpoint, self.saved, self.optimizer, vars(self.position))
        self.processes.wait()

    def _load(self, epoch: int, start: int) -> Iterator[tuple[PairBatch, Texts | None]]:
        self.pairs.set_epoch(epoch)
        rows = (batch.tolist() for batch in self.batches.epoch(epoch, start))  # lazily: there may be millions
        workers, pin = self.settings.workers, self.processes.device.type == "cuda"
        if workers:
            return_freed_memory()
        pairs: DataLoader[Any] = DataLoader(
            self.pairs, batch_sampler=rows, collate_fn=collate, num_workers=workers, pin_memory=pin
        )
        numbers = range(start, len(self.batches))
        texts = self.texts.load(epoch, numbers, workers, pin) if self.texts else repeat(None)
        return zip(pairs, texts, strict=False)

    def _on_device(self, batch: PairBatch) -> PairBatch:
        batch = batch.to(self.processes.device)
        images = batch.images
        if batch.changes is not None:
            images = self.model.tower.transform.finish(images, batch.changes)
        if images.dim() == 4:
            images = images.to(memory_format=torch.channels_last)
        images = images.double() if self.settings.precision == "float64" else images
        return PairBatch(batch.recipes, images, batch.index)


def _shuffled(recipes: RecipeBatch, noise: SampleNoise, settings: TrainSettings) -> RecipeBatch:
    """Recipes with their ingredients in a new order, if that is wanted."""
    return recipes.shuffled(noise.order(recipes.ingredients.shape[1])) if settings.shuffle else recipes


def _masked(recipes: RecipeBatch, noise: SampleNoise, settings: TrainSettings) -> RecipeBatch:
    """Recipes with some words unknown, if that is wanted."""
    if not settings.word_drop:
        return recipes
    title, ingredients, sentences = (noise.part(_MASKS + number) for number in range(3))
    sentences = sentences.spread(*positions_in(recipes.steps, recipes.sentences.device))
    parts = ((title, recipes.title), (ingredients, recipes.ingredients), (sentences, recipes.sentences))
    return recipes.masked(*(part.order(words.shape[1]) < settings.word_drop for part, words in parts))
