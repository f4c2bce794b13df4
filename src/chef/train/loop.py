"""The training loop. Read it from `train` downwards.

Everything random is a function of the seed and the place in the run (see `sampler`, `chef.model.noise`
and `PairDataset`), so a run that was killed and started again ends with the very same weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from chef.data.batches import PairBatch, collate
from chef.data.pairs import PairDataset
from chef.data.prepared import Prepared, PreparedSplit
from chef.errors import ChefError
from chef.model.config import ModelConfig
from chef.model.image import load_tower
from chef.model.joint import JointModel
from chef.model.noise import SampleNoise
from chef.model.registry import variant
from chef.model.words import Words, WordVectors, load_words
from chef.train.average import Average
from chef.train.checkpoint import last_checkpoint, restore, save_checkpoint
from chef.train.evaluate import embed_split, scores
from chef.train.features import FeaturePairs
from chef.train.hold import held
from chef.train.objectives import StepInput, build_objective
from chef.train.places import folder
from chef.train.run import Run
from chef.train.sampler import Batches
from chef.train.schedule import rate_at
from chef.train.settings import TrainSettings
from chef.train.start import check_enough, start_from
from chef.train.texts import TextBatches, Texts
from chef.train.world import joined_world


@dataclass
class Position:
    """Where a run stands: all that a checkpoint says besides weights and optimizer."""

    epoch: int = 0
    batch: int = 0  # batches of this epoch that are done
    update: int = 0
    loss: float = 0.0  # of those batches, summed
    best: float = -1.0  # score of the best model so far
    waited: int = 0  # evaluations since then


def train(data: Prepared, settings: TrainSettings, out: Path) -> Path:
    """Train a model and leave the best one in `out/best`; run again after a stop, it goes on.

    >>> train(Prepared("prepared"), make_settings({"model": "t+t+l", "epochs": 30}), Path("run"))
    """
    start, data = start_from(settings.init, data) if settings.init else (None, data)
    with joined_world() as world, held(out, world):
        trainer = Trainer(data, settings, Run(out, data, settings, world), start)
        trainer.resume()
        while not trainer.done:
            trainer.epoch()
    return out / "best"


class Trainer:
    """A model, its data and its optimizer on the way through a run.

    start: the model to go on with; one with fresh weights is built if not given.
    """

    def __init__(
        self, data: Prepared, settings: TrainSettings, run: Run, start: JointModel | None = None
    ) -> None:
        torch.manual_seed(settings.seed)  # fresh weights
        self.settings, self.run, self.world = settings, run, run.world
        self.started = start is not None
        self.model = start or build_model(data, settings)
        self.objective = build_objective(settings, self.model, data, self.world.device)
        self.both = nn.ModuleDict({"model": self.model, "objective": self.objective})
        self.average = Average(self.model, settings.ema) if settings.ema else None
        self.judged = self.average.model if self.average else self.model  # what is validated and kept
        averages = {"average": self.average.model} if self.average else {}
        self.saved = nn.ModuleDict({**self.both, **averages})  # what a checkpoint holds
        # Fresh weights of one seed may differ in their last bit between two kinds of machines.
        self.world.share_values(self.saved.state_dict().values())
        self.saved.to(self.world.device, torch.float64 if settings.precision == "float64" else None)
        if self.world.device.type == "cuda":  # the order of pixels that its convolutions like best
            for model in {self.model, self.judged}:
                model.tower.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.optimizer = make_optimizer(self.both, settings)
        self.pairs = self._pairs(data.split("train"), training=True)
        self.validation = self._pairs(data.split("val"), training=False)
        if len(self.pairs) < 2 or not len(self.validation):
            raise ChefError(
                f"{len(self.pairs)} training and {len(self.validation)} validation pairs are too few",
                "prepare more recipes with photos",
            )
        if self.started:
            check_enough(len(self.pairs), run.progress.say)
        world = self.world
        self.batches = Batches(len(self.pairs), settings.batch, settings.seed, world.rank, world.size)
        if self.batches.smallest < world.size:
            raise ChefError(
                f"batches of {self.batches.smallest} pairs cannot be shared by {world.size} processes",
                "start fewer processes, or raise batch",
            )
        self.texts = None
        if self.objective.wants_texts:
            everything = data.split("train", with_image=False)
            size = settings.text_batch or settings.batch
            self.texts = TextBatches(everything, size, settings.seed, world.rank, world.size)
        self.updates_an_epoch = -(-len(self.batches) // settings.accumulate)
        self.position = Position()

    def _pairs(self, split: PreparedSplit, training: bool) -> PairDataset | FeaturePairs:
        tower, settings = self.model.tower, self.settings
        drawn: dict[str, Any] = {"seed": settings.seed, "zoom": settings.zoom}
        if training:
            drawn["title_drop"] = settings.title_drop
        if settings.freeze_tower and tower.pretrained:
            views = settings.views if training else 0
            device, workers = self.world.device, settings.workers
            return FeaturePairs(split, tower, device, workers, views=views, **drawn)
        return PairDataset(split, tower.transform, training=training, **drawn)

    @property
    def done(self) -> bool:
        patience = self.settings.patience
        return self.position.epoch >= self.settings.epochs or 0 < patience <= self.position.waited

    def resume(self) -> None:
        """Go on from the run's checkpoint, if it has one: that which the first process finds."""
        run, data = self.run, None
        if self.world.first:
            data = last_checkpoint(run.checkpoint, run.progress.say)
        data = self.world.share(data or b"")
        if data:
            self.position = Position(**restore(data, self.saved, self.optimizer))
            run.resumed(self.position.epoch, self.position.batch)
        elif self.started:  # it may be the best already
            self.run.resumed(-1)
            self._validate()

    def epoch(self) -> None:
        """One round over the training pairs, or the rest of one, then validation and a checkpoint."""
        place = self.position
        early = self.model.variant.frozen or place.epoch < self.settings.freeze_epochs
        freeze(self.model, tower=early or self.settings.freeze_tower, words=early)
        self.both.train()
        loss = place.loss if self.world.first else 0.0  # the shares are added up
        self.run.progress.start_epoch(place.epoch, len(self.batches), place.batch, loss)
        for batch, texts in self._load(place.epoch, place.batch):
            self._step(batch, texts)
            if self._checkpoint_is_due():
                self._save()
        place.epoch, place.batch = place.epoch + 1, 0
        if place.epoch % self.settings.evaluate_every == 0 or place.epoch == self.settings.epochs:
            self._validate()
        self._save()

    def _step(self, batch: PairBatch, texts: Texts | None = None) -> None:
        """Forward, backward, and at the end of an accumulation the update."""
        place, settings = self.position, self.settings
        batch = self._on_device(batch)
        texts = texts.to(self.world.device) if texts else None
        seed = settings.seed * 1_000_003 + place.epoch
        step = StepInput(
            batch,
            SampleNoise(batch.index, seed),
            texts=texts.recipes if texts else None,
            # Negative: a text's noise is not that of the pair with the same number.
            texts_noise=SampleNoise(-1 - texts.index, seed) if texts else None,
            place=(settings.seed, place.epoch, place.batch),
        )
        with self._autocast():
            loss = self.objective(self.model, step)
        first = place.batch - place.batch % settings.accumulate
        together = min(settings.accumulate, len(self.batches) - first)
        (loss / together).backward()
        place.batch += 1
        if place.batch % settings.accumulate == 0 or place.batch == len(self.batches):
            self._update()
        self.run.progress.step(loss.detach(), len(batch) * self.world.size)

    def _update(self) -> None:
        place, settings = self.position, self.settings
        self.world.add_gradients(self.both.parameters())
        if settings.clip:
            nn.utils.clip_grad_norm_(self.both.parameters(), settings.clip)
        rate = settings.learning_rate * rate_at(place.update, self.updates_an_epoch, settings)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["share"]
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        if self.average:
            self.average.follow(self.model, place.update)
        place.update += 1

    def _validate(self) -> None:
        """Score the model, keep it if it is the best, and write the epoch down."""
        place, world = self.position, self.world
        points = embed_split(self.judged, self.validation, self.settings.workers)
        values = scores(*points, self.validation.split.ids) if world.first else {}
        score = world.agree(values.get("score", 0.0))
        if score > place.best:
            place.best, place.waited = score, 0
            self.run.keep_best(self.judged, place.epoch, values)
        else:
            place.waited += 1
        loss = world.total(self.run.progress.mean_loss) if place.update else None
        self.run.log(place.epoch, place.update, loss, values)

    def _checkpoint_is_due(self) -> bool:
        """After every so many updates; never between two, where gradients wait that it does not hold."""
        place, every = self.position, self.settings.checkpoint_every
        return bool(every) and place.batch % self.settings.accumulate == 0 and place.update % every == 0

    def _save(self) -> None:
        place = self.position
        place.loss = self.world.total(self.run.progress.loss) if place.batch else 0.0
        if self.world.first:
            save_checkpoint(self.run.checkpoint, self.saved, self.optimizer, vars(self.position))
        self.world.wait()

    def _load(self, epoch: int, start: int) -> Iterator[tuple[PairBatch, Texts | None]]:
        self.pairs.set_epoch(epoch)
        rows = (batch.tolist() for batch in self.batches.epoch(epoch, start))  # of millions, one at a time
        workers, pin = self.settings.workers, self.world.device.type == "cuda"
        pairs: DataLoader[Any] = DataLoader(
            self.pairs, batch_sampler=rows, collate_fn=collate, num_workers=workers, pin_memory=pin
        )
        numbers = range(start, len(self.batches))
        texts = self.texts.load(epoch, numbers, workers, pin) if self.texts else repeat(None)
        return zip(pairs, texts, strict=False)

    def _on_device(self, batch: PairBatch) -> PairBatch:
        batch = batch.to(self.world.device)
        images = batch.images
        if batch.changes is not None:
            images = self.model.tower.transform.finish(images, batch.changes)
        if images.dim() == 4 and self.world.device.type == "cuda":
            images = images.to(memory_format=torch.channels_last)
        images = images.double() if self.settings.precision == "float64" else images
        return PairBatch(batch.recipes, images, batch.index)

    def _autocast(self) -> AbstractContextManager[Any]:
        if self.settings.precision != "bf16":
            return nullcontext()
        return torch.autocast(self.world.device.type, torch.bfloat16)


def build_model(data: Prepared, settings: TrainSettings) -> JointModel:
    """A model with fresh weights over a pre-trained tower and words: a MiniLM, or the data's vectors."""
    tower = load_tower(folder(settings.tower))
    if settings.image_size:
        tower.use_size(settings.image_size, settings.image_crop or settings.image_size)
    chosen = variant(settings.model)
    minilm = load_words(Path(folder(settings.words)), data.vocabulary) if chosen.has_minilm else None
    context = minilm if chosen.context else None
    words: Words = WordVectors(len(data.vocabulary), settings.word)
    own_vectors = minilm is None or chosen.context  # a table of MiniLM's words brings its own
    if minilm is not None and not own_vectors:
        words = minilm
    config = ModelConfig(
        variant=settings.model,
        vocabulary=len(data.vocabulary),
        tower=tower.description,
        words=words.description,
        context=context.description if context else {},
        word=words.width,
        hidden=settings.hidden,
        space=settings.space,
        dropout=settings.dropout,
        image_views=settings.image_views,
    )
    model = JointModel(config, tower, words, context)
    if own_vectors:
        model.set_word_vectors(narrowed(data.vectors, settings.word))
    return model


def narrowed(vectors: np.ndarray, width: int) -> np.ndarray:
    """Word vectors with no more dimensions than that: their principal components."""
    if width >= vectors.shape[1]:
        return vectors
    centred = vectors - vectors.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)  # the widest last
    found: np.ndarray = (centred @ axes[:, ::-1][:, :width]).astype(vectors.dtype)
    return found


def freeze(model: JointModel, *, tower: bool, words: bool) -> None:
    """Hold a pre-trained tower and the words still; a tower that starts from nothing must learn."""
    model.tower.freeze(tower and model.tower.pretrained)
    for read in (model.recipe.words, model.recipe.context):
        if read is not None:
            read.requires_grad_(not words)


def make_optimizer(both: nn.ModuleDict, settings: TrainSettings) -> torch.optim.Optimizer:
    """Adam over everything; what is frozen has no gradient and is passed over."""
    words = "context" if variant(settings.model).context else "words"
    shares = {"": 1.0, "model.tower.": settings.tower_rate, f"model.recipe.{words}.": settings.words_rate}
    parts: dict[str, list[nn.Parameter]] = {prefix: [] for prefix in shares}
    for name, item in both.named_parameters():
        parts[max(filter(name.startswith, shares), key=len)].append(item)
    groups = [{"params": items, "share": shares[prefix]} for prefix, items in parts.items() if items]
    fused = next(both.parameters()).device.type == "cuda"
    rate, decay = settings.learning_rate, settings.weight_decay
    return torch.optim.AdamW(groups, lr=rate, weight_decay=decay, fused=fused)
