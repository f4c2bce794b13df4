"""Prepared data: what `chef prepare` made, its manifest, its splits as stored or as a model reads them.

The manifest is written last, so its presence means that the data is complete.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Container, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from chef.data.shards import ShardFiles, ShardIndex
from chef.data.texts import PrepareSettings, TextMaker, named, numbered, reading
from chef.errors import ChefError
from chef.files import temporary_folder
from chef.food.canonical import CanonicalMap
from chef.recipe import Ingredient, Recipe
from chef.storage import Store, is_s3, open_store
from chef.text.vocabulary import Vocabulary

NAME = "manifest.json"
FORMAT = "chef prepared data 1"
WORK = "work"  # the folder that a run works in, gone when it is done

Files = dict[str, dict[str, Any]]  # path in the folder to "sha256" and "bytes"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Counts, choices and checksums. No times and no places: equal data have equal manifests."""

    recipes: int
    with_image: int
    splits: dict[str, int]
    splits_with_image: dict[str, int]
    skipped: dict[str, int]  # recipes left out: reason to count
    skipped_files: dict[str, int]  # files in the source that hold no recipe
    image_problems: dict[str, int]  # images left out: reason to count
    truncated: dict[str, int]  # what was cut to the longest length
    vocabulary: int
    raw_vocabulary: int
    minimum_count: int
    canonical_ingredients: int
    notes: list[str]
    settings: dict[str, Any]
    made_with: dict[str, str]
    source: str  # digest of the recipes read
    shards: dict[str, list[str]]  # split to the names of its shards, in order
    files: Files
    format: str = FORMAT

    def summary(self) -> dict[str, Any]:
        """The part that a reader of the command's output wants."""
        left_out = {"settings", "made_with", "source", "shards", "files", "format"}
        return {name: value for name, value in asdict(self).items() if name not in left_out}

    def to_bytes(self) -> bytes:
        """The bytes of the manifest file."""
        return (json.dumps(asdict(self), indent=1) + "\n").encode()

    @classmethod
    def load(cls, folder: str | Path | Store) -> Manifest:
        """The manifest of prepared data."""
        store = folder if isinstance(folder, Store) else open_store(folder)
        place = store.place(NAME)
        try:
            data = json.loads(store.read(NAME))
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ChefError(*_missing(store)) from error
        except ValueError as error:
            raise ChefError(f"damaged file: {place}", "prepare the data again") from error
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise ChefError(f"{place} is not a manifest of this version", "prepare the data again")
        if set(data) != {item.name for item in fields(cls)}:
            raise ChefError(f"damaged file: {place}", "prepare the data again")
        return cls(**data)

    def check_sizes(self, store: Store) -> None:
        """A quick look at all files; raises for the first one missing or of another size."""
        sizes = dict(store.sizes())
        for name, facts in self.files.items():
            if name not in sizes:
                raise ChefError(f"missing file: {store.place(name)}", "prepare the data again")
            if sizes[name] != facts["bytes"]:
                raise _damaged(store, name)

    def verify(self, store: Store) -> None:
        """Read all files; raises for the first one whose checksum differs."""
        self.check_sizes(store)
        for name, facts in self.files.items():
            if bytes_facts(store.read(name)) != facts:
                raise _damaged(store, name)


def bytes_facts(data: bytes) -> dict[str, Any]:
    """Checksum and size of some bytes."""
    return {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def _damaged(store: Store, name: str) -> ChefError:
    way_out = f"remove {store.place()} and prepare the data again"
    return ChefError(f"damaged file: {store.place(name)}", way_out)


def _missing(store: Store) -> tuple[str, str]:
    place, folder = store.place(), store.folder
    if folder and not folder.is_dir():
        return f"no such folder: {place}", "make it with chef prepare SOURCE OUT"
    if next(store.listing(WORK), None) or (folder and (folder / WORK).is_dir()):
        return f"{place} is not finished", "run the same chef prepare command again to go on"
    return f"{place} holds no prepared data", "make it with chef prepare SOURCE OUT"


Numbers = np.ndarray[Any, np.dtype[np.int64]]
Vectors = np.ndarray[Any, np.dtype[np.float32]]
Reading = Callable[[Recipe], dict[str, Any]]


class Prepared:
    """Prepared data in a folder or at an `s3://` address.

    >>> data = Prepared("prepared/")
    >>> data.splits
    {'train': 960, 'val': 120, 'test': 120}
    >>> data.split("test").recipe(0).title
    'Tomato soup'
    """

    _reread: Reading | None = None

    def __init__(self, folder: str | Path) -> None:
        self.folder = folder if is_s3(folder) else Path(folder)
        self.store = open_store(folder)
        self.manifest = Manifest.load(self.store)
        self.manifest.check_sizes(self.store)

    @property
    def splits(self) -> dict[str, int]:
        """Each split and its number of recipes, with image or without."""
        return self.manifest.splits

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of the token numbers."""
        with self.store.local("vocabulary.tsv") as path:
            return Vocabulary.load(path)

    @cached_property
    def vectors(self) -> Vectors:
        """Word vectors of the vocabulary, (words, dimension)."""
        from safetensors.numpy import load_file

        with self.store.local("vectors.safetensors") as path:
            vectors: Vectors = load_file(path)["vectors"]
        return vectors

    @cached_property
    def canonical(self) -> CanonicalMap:
        """The canonical map that the data were made with."""
        with self.store.local("canonical.tsv") as path:
            return CanonicalMap.load(path)

    @cached_property
    def text_folder(self) -> Path:
        """Where the files are that a model needs to read recipes as here: vocabulary.tsv, canonical.tsv."""
        if self.store.folder is not None:
            return self.store.folder
        self._copies = temporary_folder()  # deleted with this object
        for name in ("vocabulary.tsv", "canonical.tsv"):
            (Path(self._copies.name) / name).write_bytes(self.store.read(name))
        return Path(self._copies.name)

    @cached_property
    def lengths(self) -> dict[str, Any]:
        """Where texts are cut, `max_words`, `max_ingredients`, `max_sentences`; and any `punctuation`."""
        return reading(self.manifest.settings)

    def verify(self) -> None:
        """Read every file and compare it with its checksum; a damaged one is an error that names it."""
        self.manifest.verify(self.store)

    def split(self, name: str, *, with_image: bool = True) -> PreparedSplit:
        """The recipes of one split; those without an image only on request."""
        shards = self.shards(name)
        return PreparedSplit(name, self.store, shards, with_image=with_image, reread=self._reread)

    def shards(self, name: str) -> list[str]:
        """The tar files of one split, by their names in the store."""
        if name not in self.splits:
            raise ChefError(f"no split {name!r} in {self.folder}", f"there are: {', '.join(self.splits)}")
        return [f"shards/{shard}.tar" for shard in self.manifest.shards[name]]


class PreparedSplit:
    """The recipes of one split by position, read one at a time on demand; safe in any worker process."""

    def __init__(
        self, name: str, store: Store, shards: list[str], *, with_image: bool, reread: Reading | None = None
    ) -> None:
        """reread: gives the word numbers of a recipe in place of the stored ones."""
        self.name = name
        self._reread = reread
        self.ids: list[str] = []
        self._files = ShardFiles(store, shards)
        # Arrays, not lists: a million recipes must fit into every worker process.
        homes, texts, images, counts = ([np.empty(0, np.int64)] for _ in range(4))
        for home, shard in enumerate(shards):
            index = ShardIndex.load(store, shard.removesuffix(".tar") + ".index.json")
            kept = [i for i, pictures in enumerate(index.images) if pictures or not with_image]
            self.ids += [index.ids[i] for i in kept]
            homes.append(np.full(len(kept), home))
            texts.append(_numbers([index.texts[i] for i in kept]))
            images.append(_numbers([span for i in kept for span in index.images[i]]))
            counts.append(_numbers([len(index.images[i]) for i in kept]))
        self._homes = np.concatenate(homes)
        self._texts: Numbers = np.concatenate(texts).reshape(-1, 2)
        self._images: Numbers = np.concatenate(images).reshape(-1, 2)
        self._counts: Numbers = np.concatenate(counts)
        self._first: Numbers = np.cumsum(self._counts) - self._counts
        self.whole, self.rows = self, np.arange(len(self.ids))  # what `only` took, and from where

    def __len__(self) -> int:
        return len(self.ids)

    def only(self, ids: Container[str]) -> PreparedSplit:
        """The pairs with these ids, and all recipes without a photo."""
        part = copy.copy(self)
        wanted = [name in ids or not count for name, count in zip(self.ids, self._counts, strict=True)]
        part.whole, part.rows = self, np.flatnonzero(wanted)
        part.ids = [self.ids[row] for row in part.rows]
        for name in ("_homes", "_texts", "_first", "_counts"):
            setattr(part, name, getattr(self, name)[part.rows])
        return part

    def data(self, i: int) -> dict[str, Any]:
        """All that is stored of the recipe at position `i`."""
        data: dict[str, Any] = json.loads(self._read(i, self._texts[i]))
        return data

    def recipe(self, i: int) -> Recipe:
        """The recipe, its ingredients parsed, its images ready for `chef.readers.base.image_bytes`."""
        data = self.data(i)
        del data["tokens"]
        shard = self._files.place(int(self._homes[i]))
        return Recipe.from_json({**data, "images": [f"{shard}!{name}" for name in data["images"]]})

    def ingredients(self, i: int) -> tuple[Ingredient, ...]:
        """The ingredients behind `tokens(i)["ingredients"]`, one for one."""
        return named(self.recipe(i))[: len(self.tokens(i)["ingredients"])]

    def tokens(self, i: int) -> dict[str, Any]:
        """Word numbers: "title", "ingredients", and "sentences", a list of lists."""
        tokens: dict[str, Any] = self._reread(self.recipe(i)) if self._reread else self.data(i)["tokens"]
        return tokens

    def images(self, i: int) -> int:
        """How many images the recipe has."""
        return int(self._counts[i])

    def image_bytes(self, i: int, k: int = 0) -> bytes:
        """The JPEG bytes of the recipe's k-th image."""
        if not 0 <= k < self.images(i):
            raise IndexError(f"recipe {self.ids[i]!r} has {self.images(i)} images, not {k + 1}")
        return self._read(i, self._images[self._first[i] + k])

    def _read(self, i: int, span: Numbers) -> bytes:
        return self._files.read(int(self._homes[i]), int(span[0]), int(span[1]))


def _numbers(values: Any) -> Numbers:
    return np.array(values, np.int64).reshape(-1)


class Reread(Prepared):
    """The same recipes and photos as a trained model reads them: with its vocabulary, map and lengths.

    Words are numbered again recipe by recipe, on demand.

    folder: the prepared data. model: a folder with the model's `vocabulary.tsv` and `canonical.tsv`.
    lengths: where it cuts texts, `max_words` and so on.

    >>> Reread("prepared/", Path("run/best"), {"max_words": 20}).split("train").tokens(0)["title"]
    [17, 4, 250]
    """

    def __init__(self, folder: str | Path, model: Path, lengths: dict[str, Any]) -> None:
        super().__init__(folder)
        self.text_folder, self.lengths = model, lengths
        self.canonical = CanonicalMap.load(model / "canonical.tsv")
        self.vocabulary = Vocabulary.load(model / "vocabulary.tsv")
        self._texts = TextMaker(self.canonical, PrepareSettings(**lengths))

    def _reread(self, recipe: Recipe) -> dict[str, Any]:
        return numbered(self._texts.from_parsed(recipe).tokens, self.vocabulary)
