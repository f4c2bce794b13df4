"""The population: the recipes under test, fixed before any model runs."""

import os
import tempfile
import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from chef.data.prepared import NAME as MANIFEST
from chef.data.prepared import Prepared
from chef.data.preparing.parts import build_part
from chef.data.preparing.plan import in_order
from chef.data.preparing.source import Source
from chef.data.texts import PrepareSettings, TextMaker, split_of
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.recipe import Recipe


@dataclass(frozen=True)
class Population:
    """Recipes with a photo, in sorted order of their ids, their ingredients parsed and canonical.

    >>> population = open_population(Path("prepared"), "test")
    >>> population.recipes[0].title, len(population.photos(0))
    ('Tomato soup', 15871)
    """

    name: str  # of the data: where they are, as given
    split: str  # the split asked for
    ids: tuple[str, ...]
    recipes: tuple[Recipe, ...]
    splits: tuple[str, ...]  # the split each recipe is in
    photos: Callable[[int], bytes]  # JPEG bytes of recipe i's first photo
    canonical: str  # digest of the canonical map behind the ingredients' tokens
    all_splits: tuple[str, ...]  # those that the data have
    left_out: dict[str, int] = field(default_factory=dict)  # why recipes of the split are not here: how many

    def __len__(self) -> int:
        return len(self.ids)


def open_population(
    data: Path, split: str, *, everything: bool = False, canonical: CanonicalMap | None = None
) -> Population:
    """The recipes of a split of prepared data, or of any source that `chef.read` takes.

    everything: those of all other splits too. canonical: the map to read a source's ingredients with, by
    default the bundled one; prepared data have their own.
    """
    if (data / MANIFEST).is_file():
        population = _from_prepared(Prepared(data), split, everything)
    else:
        population = _from_source(data, split, everything, canonical or CanonicalMap.load())
    if split not in population.all_splits:
        known = ", ".join(population.all_splits) or "none"
        raise ChefError(f"no split {split!r} in {data}", f"there are: {known}")
    if split not in population.splits:
        raise ChefError(f"no recipe of split {split!r} in {data} has a photo", "give recipes with photos")
    return population


class _Row(NamedTuple):
    """A recipe of the population, and how its first photo is read."""

    id: str
    split: str
    recipe: Recipe
    photo: Callable[[], bytes]


def _population(rows: Sequence[_Row], **about: Any) -> Population:
    rows = sorted(rows, key=lambda row: row.id)
    return Population(
        ids=tuple(row.id for row in rows),
        recipes=tuple(row.recipe for row in rows),
        splits=tuple(row.split for row in rows),
        photos=lambda place: rows[place].photo(),
        **about,
    )


def _from_prepared(data: Prepared, split: str, everything: bool) -> Population:
    parts = {name: data.split(name) for name in data.splits if everything or name == split}
    rows = [
        _Row(part.ids[i], name, part.recipe(i), partial(part.image_bytes, i))
        for name, part in parts.items()
        for i in range(len(part))
    ]
    without = sum(data.splits[name] for name in parts) - len(rows)
    return _population(
        rows,
        name=str(data.folder),
        split=split,
        canonical=data.canonical.digest,
        all_splits=tuple(data.splits),
        left_out={"no photo": without} if without else {},
    )


def _from_source(data: Path, split: str, everything: bool, canonical: CanonicalMap) -> Population:
    """Each recipe as `chef prepare` makes it, so that the population is the same, prepared or not."""
    settings = PrepareSettings(images=1)
    maker = TextMaker(canonical, settings)
    store = _Store()
    rows: list[_Row] = []
    left_out, splits = Counter[str](), Counter[str]()
    for chunk in Source(data, settings.part_recipes).chunks():
        chosen = {recipe: split_of(recipe, settings) for recipe in chunk.recipes}
        splits.update(chosen.values())
        wanted = [recipe for recipe, name in chosen.items() if everything or name == split]
        pictured = tuple(recipe for recipe in wanted if recipe.images)
        left_out["no photo"] += len(wanted) - len(pictured)
        for record in build_part(replace(chunk, recipes=pictured), settings, maker).records:
            if record.images:
                recipe = Recipe.from_json({k: v for k, v in record.data.items() if k != "tokens"})
                rows.append(_Row(recipe.id, record.split, recipe, store.add(record.images[0])))
            else:
                left_out["unreadable photo"] += 1
    return _population(
        rows,
        name=str(data),
        split=split,
        canonical=canonical.digest,
        all_splits=tuple(in_order(splits)),
        left_out=dict(+left_out),
    )


class _Store:
    """Small photos in an anonymous temporary file: tens of thousands of them need not fit into memory, and
    none is decoded from its full size twice."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, self._file.close)  # when the population is gone

    def add(self, photo: bytes) -> Callable[[], bytes]:
        """Keep a photo; the answer reads it."""
        start = self._file.seek(0, os.SEEK_END)
        self._file.write(photo)
        return partial(self._read, start, len(photo))

    def _read(self, start: int, length: int) -> bytes:
        self._file.seek(start)
        return self._file.read(length)
