"""RecipeModel: a loaded model that takes photos and recipes as people have them, and explains a recipe."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch

from chef.data.texts import PrepareSettings, RecipeText, TextMaker
from chef.errors import ChefError
from chef.files import loading
from chef.model.encoder import Encoder, Vectors, in_batches
from chef.model.joint import JointModel
from chef.model.photos import Photo, PhotoSide, photo_pixels
from chef.model.tree import Tree
from chef.recipe import Recipe
from chef.teacher.actions import action
from chef.teacher.main_ingredient import rank
from chef.text.tokens import sentences, tokenise
from chef.text.vocabulary import Vocabulary

_AT_ONCE = 256  # recipes that `embed_recipes` reads and sorts by length


class RecipeModel:
    """Embeds photos and recipes, and explains a recipe. `chef.load` makes one.

    Several threads may use one model at the same time.
    """

    def __init__(
        self,
        model: JointModel,
        vocabulary: Vocabulary,
        canonical: Path,
        text: PrepareSettings,
        about: dict[str, Any],
        name: str = "",
        photos: Callable[[], PhotoSide] | None = None,
    ) -> None:
        """name: what `chef.load` finds the model by, whatever the current folder; "" if it cannot.

        photos: see `Encoder`.
        """
        self.encoder = Encoder(model, vocabulary, photos)
        self.about, self.name = about, name
        self._canonical, self._text = canonical, text
        self._texts: TextMaker | None = None
        self._loading = Lock()

    @property
    def model(self) -> JointModel:
        """The network."""
        return self.encoder.model

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that the model knows."""
        return self.encoder.vocabulary

    @cached_property
    def fingerprint(self) -> str:
        """sha256 of everything that shapes the output: weights, words, canonical map, lengths.

        Field by field, not the settings as a whole: collections must survive a version of chef that adds one.
        """
        config, text = self.model.config, self.texts.settings
        lengths = (text.max_words, text.max_ingredients, text.max_sentences)
        signs = ("punctuation",) if text.punctuation else ()
        digest = hashlib.sha256(repr((config.variant, config.image_views, lengths, *signs)).encode())
        digest.update("\n".join(self.vocabulary.words).encode())
        digest.update(self.texts.canonical.digest.encode())
        for name, value in sorted(self.model.state_dict().items()):
            digest.update(name.encode())
            digest.update(value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
        return digest.hexdigest()

    def embed_images(self, images: Iterable[Photo], views: int | None = None) -> Vectors:
        """Photos, as paths, bytes or Pillow images, -> float32 (n, 1024).

        views: 1, or 2 for the mean over two views of a photo; if not given, the model's own choice.
        """
        if views not in (None, 1, 2):
            raise ChefError(f"no {views} views of a photo", "1, or 2 with its mirror image")
        transform = self.model.tower.transform
        pictures = (torch.from_numpy(photo_pixels(image, transform)) for image in images)
        return self.encoder.embed_images(pictures, views)

    def embed_recipes(self, recipes: Iterable[Recipe]) -> Vectors:
        """Recipes -> float32 (n, 1024)."""
        texts = map(self.read, recipes)
        parts = [self.encoder.embed(some) for some in in_batches(texts, _AT_ONCE)]
        return np.concatenate(parts) if parts else self.encoder.embed([])

    def explain(self, recipe: Recipe) -> Explanation:
        """The ingredient tree with the main ingredient, and each sentence's tree with its action word."""
        text = self.read(recipe)
        trees = self.encoder.encode([text]).trees[0]
        written = [part for step in text.recipe.steps for part in sentences(step.text) if tokenise(part)]
        # The model reads a recipe's first sentences; the others have no tree.
        read = zip(text.sentences, trees.sentences or (), strict=False)
        of_sentences = (tree if words else None for words, tree in read)
        steps = []
        for sentence, tree in zip(written, chain(of_sentences, repeat(None)), strict=False):
            told = action(sentence)
            word, confidence = (told.word, told.confidence) if told else (None, 0.0)
            steps.append(SentenceExplanation(sentence, tree, word, confidence))
        main = next(iter(rank(text.recipe)), None)
        token, confidence = (main.token, main.confidence) if main else (None, 0.0)
        return Explanation(token, confidence, trees.ingredients if text.ingredients else None, tuple(steps))

    def read(self, recipe: Recipe) -> RecipeText:
        """The recipe's text as the model reads it: parsed, canonical, cut to length."""
        return self.texts(recipe)

    @property
    def texts(self) -> TextMaker:
        """Prepares the text of recipes with the model's canonical map and lengths."""
        with self._loading:
            if self._texts is None:
                # The parser of ingredient lines loads slowly, and embedding photos does not need it.
                with loading():
                    from chef.food.canonical import CanonicalMap

                    self._texts = TextMaker(CanonicalMap.load(self._canonical), self._text)
            return self._texts

    def to(self, device: torch.device | str) -> RecipeModel:
        """The model on a device: this one if it is there already, else a copy; this one may be in use."""
        if self.encoder.device == torch.device(device):
            return self
        return self.with_encoder(Encoder(copy.deepcopy(self.model).to(device), self.vocabulary))

    def with_encoder(self, encoder: Encoder) -> RecipeModel:
        """The same model with another encoder."""
        other = copy.copy(self)
        other.encoder = encoder
        return other


@dataclass(frozen=True)
class SentenceExplanation:
    """One sentence of the instructions."""

    text: str
    tree: Tree | None  # None: the model has no sentence trees
    action: str | None  # the word that names what the cook does, whatever the tree says
    confidence: float  # how likely a cook would say so, 0 to 1


@dataclass(frozen=True)
class Explanation:
    """One recipe."""

    main_ingredient: str | None  # what a cook would name, whatever the tree says
    main_confidence: float  # how likely a cook would name it, 0 to 1
    tree: Tree | None  # of the ingredients; None: the model has no such tree
    steps: tuple[SentenceExplanation, ...]

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary: `main_ingredient`, `main_confidence`, `ingredients`, `tree`, `steps`."""
        leaves = zip(self.tree.tokens, self.tree.depths, strict=True) if self.tree else ()
        return {
            "main_ingredient": self.main_ingredient,
            "main_confidence": self.main_confidence,
            "ingredients": [{"token": token, "depth": depth} for token, depth in leaves],
            "tree": self.tree.to_json() if self.tree else None,
            "steps": [
                {
                    "text": step.text,
                    "action": step.action,
                    "confidence": step.confidence,
                    "tree": step.tree.to_json() if step.tree else None,
                }
                for step in self.steps
            ],
        }
