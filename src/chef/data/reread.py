"""Prepared data as a trained model reads them: with its vocabulary, its canonical map and its lengths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.data.prepared import Prepared, PreparedSplit
from chef.data.settings import PrepareSettings
from chef.data.texts import TextMaker, named
from chef.food.canonical import CanonicalMap
from chef.recipe import Ingredient, Recipe
from chef.storage import Store
from chef.text.vocabulary import Vocabulary


class Reread(Prepared):
    """The same recipes and photos, their words numbered anew, recipe by recipe when it is asked for.

    folder: the prepared data. model: a folder with the model's `vocabulary.tsv` and `canonical.tsv`.
    lengths: where it cuts texts, `max_words` and so on.

    >>> Reread("prepared/", Path("run/best"), {"max_words": 20}).split("train").tokens(0)["title"]
    [17, 4, 250]
    """

    def __init__(self, folder: str | Path, model: Path, lengths: dict[str, Any]) -> None:
        super().__init__(folder)
        self._model = model
        self._lengths = lengths
        self.canonical = CanonicalMap.load(model / "canonical.tsv")
        self.vocabulary = Vocabulary.load(model / "vocabulary.tsv")
        self._texts = TextMaker(self.canonical, PrepareSettings(**lengths))

    @property
    def text_folder(self) -> Path:
        return self._model

    @property
    def lengths(self) -> dict[str, Any]:
        return self._lengths

    def split(self, name: str, *, with_image: bool = True) -> PreparedSplit:
        return _RereadSplit(name, self.store, self.shards(name), self._tokens, with_image=with_image)

    def _tokens(self, recipe: Recipe) -> dict[str, Any]:
        ids = self.vocabulary.ids
        text = self._texts.words(
            recipe.with_ingredients(self._named_anew(item) for item in recipe.ingredients)
        )
        sentences = [ids(sentence) for sentence in text.sentences]
        return {"title": ids(text.title), "ingredients": ids(text.ingredients), "sentences": sentences}

    def _named_anew(self, item: Ingredient) -> Ingredient:
        """The parsed ingredient with this map's canonical token in place of the data's."""
        return replace(item, token=self.canonical.token(item.name) if item.name else None)


class _RereadSplit(PreparedSplit):
    def __init__(
        self,
        name: str,
        store: Store,
        shards: list[str],
        read: Callable[[Recipe], dict[str, Any]],
        *,
        with_image: bool,
    ) -> None:
        super().__init__(name, store, shards, with_image=with_image)
        self._tokens_of = read

    def tokens(self, i: int) -> dict[str, Any]:
        return self._tokens_of(self.recipe(i))

    def ingredients(self, i: int) -> tuple[Ingredient, ...]:
        return named(self.recipe(i))[: len(self.tokens(i)["ingredients"])]
