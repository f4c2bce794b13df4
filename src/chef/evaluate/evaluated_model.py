"""EvaluatedModel: one model on one population; everything is computed once, when it is first asked for."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from chef.data.texts import RecipeText, TextMaker
from chef.evaluate.population import Population
from chef.evaluate.results import BATCH_STATISTICS, CannotDo
from chef.measure.retrieval import SIZES, RetrievalRanks, retrieval_ranks
from chef.model.batch_norm import use_batch_statistics
from chef.model.encoder import Encoded, Encoder, Vectors, in_batches
from chef.model.recipe_model import RecipeModel
from chef.model.towers import ImageTower
from chef.model.tree import RecipeTrees, Tree

BATCH, IMAGE_BATCH = 256, 64


class Cache:
    """What several models need of the same recipes: texts by text settings, image features by tower."""

    def __init__(self) -> None:
        self._texts: dict[tuple[object, ...], list[RecipeText]] = {}
        self._features: dict[tuple[str, str, int], dict[str, Tensor]] = {}

    def texts(self, maker: TextMaker, population: Population) -> list[RecipeText]:
        """The recipes with this canonical map, cut to these lengths; not to be changed."""
        key = (maker.canonical.digest, maker.settings, population.name, population.ids)
        if key not in self._texts:
            read = maker.words if maker.canonical.digest == population.canonical else maker.from_parsed
            # The text for word2vec would take most of the memory, and is not needed here.
            self._texts[key] = [
                replace(read(recipe), raw_text=[], canonical_text=[]) for recipe in population.recipes
            ]
        return self._texts[key]

    def features(self, encoder: Encoder, population: Population, views: int = 1) -> Tensor:
        """(n, views, width) features of the first photo of each recipe, on the CPU."""
        tower = encoder.model.tower
        known = self._features.setdefault((_digest(tower), population.name, views), {})
        missing = [row for row, name in enumerate(population.ids) if name not in known]
        for rows in in_batches(missing, IMAGE_BATCH):
            images = torch.stack([tower.transform.evaluate(population.photos(row)) for row in rows])
            features = torch.stack(encoder.image_features(images, views), 1)
            known.update(zip((population.ids[row] for row in rows), features, strict=True))
        return torch.stack([known[name] for name in population.ids])


def _digest(tower: ImageTower) -> str:
    """Equal for towers that give equal features: same description, transform and weights."""
    digest = hashlib.sha256(repr((tower.description, tower.transform)).encode())
    for name, value in tower.state_dict().items():
        digest.update(name.encode())
        digest.update(value.detach().cpu().float().contiguous().numpy().tobytes())
    return digest.hexdigest()


class EvaluatedModel:
    """A loaded model and the recipes it is tested on.

    batch_statistics: evaluate batch norm in training mode, as ACME's published code does.
    cache: shared by the models of an evaluation.

    >>> evaluated = EvaluatedModel("t+t+l", chef.load("run"), open_population(Path("prepared"), "test"))
    >>> evaluated.images.shape, evaluated.ingredient_trees[0].depths
    ((617, 1024), (2, 2, 1))
    """

    def __init__(
        self,
        name: str,
        chef: RecipeModel,
        population: Population,
        *,
        batch_statistics: bool = False,
        cache: Cache | None = None,
    ) -> None:
        self.name, self.chef, self.population = name, chef, population
        self.batch_statistics, self._cache = batch_statistics, cache or Cache()
        self.orders: list[list[int]] | None = None  # of shuffled lists: each leaf's place in its list
        self._encoder = chef.encoder
        if batch_statistics:
            model = copy.deepcopy(chef.model)  # others use the model as it is
            use_batch_statistics(model, True)
            self._encoder = Encoder(model, chef.vocabulary)

    @cached_property
    def texts(self) -> list[RecipeText]:
        """The recipes as this model reads them: with its canonical map, cut to its lengths."""
        return self._cache.texts(self.chef.texts, self.population)

    @cached_property
    def images(self) -> Vectors:
        """(n, space) the first photo of each recipe."""
        if self.batch_statistics:
            transform, photos = self.chef.model.tower.transform, self.population.photos
            batches = (
                torch.stack([transform.evaluate(photos(row)) for row in rows])
                for rows in _even_batches(len(self.population))
            )
            return torch.cat([self._encoder.embed_tensor(batch) for batch in batches]).numpy()
        features = self._cache.features(self._encoder, self.population, self.chef.model.config.image_views)
        placed = [self._encoder.place_images(batch.unbind(1)) for batch in torch.split(features, BATCH)]
        return torch.cat(placed).numpy()

    @property
    def recipes(self) -> Vectors:
        """(n, space) the recipes."""
        return self._encoded.vectors

    @property
    def trees(self) -> list[RecipeTrees]:
        """All trees that the model builds, recipe by recipe."""
        return self._encoded.trees

    @property
    def attention(self) -> list[list[float]] | None:
        """The weight of each ingredient, recipe by recipe, of a model with attention over ingredients."""
        return self._encoded.attention

    @cached_property
    def ingredient_trees(self) -> list[Tree]:
        """For each recipe the tree over its ingredient tokens."""
        if self.chef.model.variant.ingredients != "tree":
            raise CannotDo(f"{self.name} reads the ingredients without a tree")
        return [kept.ingredients for kept in self.trees if kept.ingredients is not None]

    @cached_property
    def sentence_trees(self) -> list[list[Tree]]:
        """For each recipe the trees over the words of its sentences."""
        if self.chef.model.variant.sentences != "tree":
            raise CannotDo(f"{self.name} reads sentences without trees")
        return [list(kept.sentences) for kept in self.trees if kept.sentences is not None]

    def retrieval_ranks(
        self, seed: int, recipes: Vectors | None = None, sizes: Mapping[str, int] = SIZES
    ) -> RetrievalRanks:
        """The ranks of photos and recipes, for tables and paired tests.

        recipes: (n, space) what takes the place of the recipes, such as pruned ones.
        """
        recipes = self.recipes if recipes is None else recipes
        normalised = self.chef.model.querybank is None
        return retrieval_ranks(self.images, recipes, self.population.ids, seed, sizes, normalised)

    def with_batch_statistics(self) -> EvaluatedModel:
        """The model with batch norm in training mode, where a photo's vector depends on its batch.

        ACME was published so, which is the paper's "mysterious case". Photos and recipes are batched alike,
        so a pair shares the statistics of the same other pairs: help that a search for one photo never has.
        """
        name = self.name + BATCH_STATISTICS
        return EvaluatedModel(name, self.chef, self.population, batch_statistics=True)

    @cached_property
    def shuffled(self) -> EvaluatedModel:
        """The model given every ingredient list in a random order, always the same one."""
        generator = np.random.default_rng(0)
        other = EvaluatedModel(self.name, self.chef, self.population, cache=self._cache)
        other.orders = [generator.permutation(len(text.ingredients)).tolist() for text in self.texts]
        other.texts = [
            replace(text, ingredients=[text.ingredients[place] for place in order])
            for text, order in zip(self.texts, other.orders, strict=True)
        ]
        return other

    def embed(
        self, texts: Sequence[RecipeText], trees: Sequence[RecipeTrees | None] | None = None
    ) -> Vectors:
        """(m, space) for recipes that an edit changed.

        trees: for each recipe the structures to keep; they must have the leaves of its text.
        """
        return self._encoder.embed(texts, trees, self._batches(len(texts)))

    @cached_property
    def _encoded(self) -> Encoded:
        return self._encoder.encode(self.texts, batches=self._batches(len(self.texts)))

    def _batches(self, count: int) -> Iterator[list[int]] | None:
        """With batch statistics a batch's composition matters: the same recipes as in the batch of photos."""
        return _even_batches(count) if self.batch_statistics else None


def _even_batches(count: int) -> Iterator[list[int]]:
    """Batches in order, of equal size up to one: batch norm cannot handle a last batch of a single item."""
    for rows in np.array_split(np.arange(count), -(-count // BATCH)):
        yield rows.tolist()
