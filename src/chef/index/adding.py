"""The sources of one `add`, each in its own way: recipes one by one, prepared data shard by shard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from pathlib import Path

from chef.data.prepared import Prepared
from chef.index.bulk import add_prepared
from chef.index.prepared import open_prepared
from chef.index.turn import turn_of
from chef.index.values import Added
from chef.index.writing import Writer, recipes_of
from chef.progress import Progress
from chef.readers import Skipped
from chef.recipe import Recipe

Source = str | Path | Iterable[Recipe]


class Sources:
    """What is to be added. What cannot be read is an error at once, before there is a collection."""

    def __init__(self, sources: Iterable[Source], skipped: Skipped) -> None:
        self._parts: list[Prepared | Iterator[tuple[Recipe, bool]]] = []
        for are_prepared, group in groupby(map(_opened, sources), lambda one: isinstance(one, Prepared)):
            if are_prepared:
                self._parts += (one for one in group if isinstance(one, Prepared))
                continue
            recipes = recipes_of([one for one in group if not isinstance(one, Prepared)], skipped)
            self._parts.append(chain(list(islice(recipes, 1)), recipes))

    def add(self, writer: Writer, url: str, fingerprint: str, progress: Progress) -> Added:
        """Store all, in their order: of two recipes with one id the later counts."""
        total = Added()
        for part in self._parts:
            if isinstance(part, Prepared):
                total += add_prepared(part, writer, turn_of(url, part.manifest, fingerprint), progress)
            else:
                progress.stage("adding recipes")
                total += writer.add(part)
        return total


def _opened(source: Source) -> Source | Prepared:
    return (open_prepared(source) if isinstance(source, str | Path) else None) or source
