"""Filters: which recipes may be found at all. They hold exactly, however the rest is ranked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chef.errors import ChefError
from chef.index.catalogue import Catalogue
from chef.index.labels import Mask
from chef.index.meaning import Meanings


@dataclass(frozen=True)
class Filters:
    """What a recipe must have and must not have; words are as the person wrote them."""

    with_: Sequence[str] = ()
    without: Sequence[str] = ()
    main: str | None = None
    max_ingredients: int | None = None
    tags: Sequence[str] = ()
    exclude: Sequence[str] = ()  # ids

    def __bool__(self) -> bool:
        asked = (self.with_, self.without, self.main, self.tags)
        return any(asked) or self.max_ingredients is not None

    def mask(self, catalogue: Catalogue, meanings: Meanings) -> Mask | None:
        """(rows,) True where a recipe passes; None where all do."""
        if self.max_ingredients is not None and self.max_ingredients < 1:
            raise ChefError(f"at most {self.max_ingredients} ingredients leaves nothing", "ask for 1 or more")
        parts = [catalogue.tokens.mask(meanings.of(word)) for word in self.with_]
        parts += [~catalogue.tokens.mask(meanings.traces(word)) for word in self.without]
        if self.main is not None:
            parts.append(catalogue.main_is(meanings.of(self.main)))
        if self.max_ingredients is not None:
            parts.append(catalogue.tokens.sizes <= self.max_ingredients)
        parts += [catalogue.tags.mask(_tags(catalogue, tag)) for tag in self.tags]
        if self.exclude:
            others = np.ones(len(catalogue), np.bool_)
            others[catalogue.rows(self.exclude)] = False
            parts.append(others)
        return np.logical_and.reduce(parts) if parts else None


def _tags(catalogue: Catalogue, wanted: str) -> list[str]:
    """The tags of the collection that are this one, capitals apart."""
    plain = wanted.strip().casefold()
    return [tag for tag in catalogue.tags.names if tag.strip().casefold() == plain]
