"""Conditions on recipes, such as "has one of these ingredients": one meaning, evaluated in two ways.

In memory a condition is a mask over the rows of a catalogue; on disk it is SQL, which LanceDB answers from
its scalar indexes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from chef.index.catalogue import Catalogue
    from chef.index.nearest import Mask


class Condition(ABC):
    """Combined with `&`, `|` and `~`.

    >>> (Has("tokens", ["rice"]) & ~Has("tags", ["hot"])).sql
    "(array_has_any(tokens, ['rice'])) AND (NOT (array_has_any(tags, ['hot'])))"
    """

    @abstractmethod
    def mask(self, catalogue: Catalogue) -> Mask:
        """(rows,) True where a recipe satisfies it."""

    @property
    @abstractmethod
    def sql(self) -> str:
        """The same for LanceDB."""

    def __and__(self, other: Condition) -> Condition:
        return _Both((*_parts(self, _Both), *_parts(other, _Both)))

    def __or__(self, other: Condition) -> Condition:
        return _Either((*_parts(self, _Either), *_parts(other, _Either)))

    def __invert__(self) -> Condition:
        return _Not(self)


@dataclass(frozen=True)
class Has(Condition):
    """A column of lists, such as `tokens`, has one of the names, or every one of them."""

    column: str
    names: Collection[str]
    every: bool = False

    def mask(self, catalogue: Catalogue) -> Mask:
        labels = catalogue.labels(self.column)
        if self.every:
            return np.asarray(labels.count(self.names) == len(self.names), np.bool_)
        return labels.mask(self.names)

    @property
    def sql(self) -> str:
        if not self.names:
            return "true" if self.every else "false"
        return f"array_has_{'all' if self.every else 'any'}({self.column}, [{_quoted(self.names)}])"


@dataclass(frozen=True)
class AtMost(Condition):
    """A column of lists has at most so many."""

    column: str
    most: int

    def mask(self, catalogue: Catalogue) -> Mask:
        return np.asarray(catalogue.labels(self.column).sizes <= self.most, np.bool_)

    @property
    def sql(self) -> str:
        return f"coalesce(array_length({self.column}), 0) <= {self.most}"


@dataclass(frozen=True)
class LacksAtMost(Condition):
    """A column of lists has at most so many others than these names."""

    column: str
    names: Collection[str]
    most: int

    def mask(self, catalogue: Catalogue) -> Mask:
        labels = catalogue.labels(self.column)
        return np.asarray(labels.sizes - labels.count(self.names) <= self.most, np.bool_)

    @property
    def sql(self) -> str:
        others = f"array_except({self.column}, [{_quoted(self.names)}])"
        return f"coalesce(array_length({others}), 0) <= {self.most}"


@dataclass(frozen=True)
class MainIs(Condition):
    """The main ingredient is one of these."""

    tokens: Collection[str]

    def mask(self, catalogue: Catalogue) -> Mask:
        return catalogue.main_is(self.tokens)

    @property
    def sql(self) -> str:
        return f"main_ingredient IN ({_quoted(self.tokens)})" if self.tokens else "false"


@dataclass(frozen=True)
class IdIn(Condition):
    """The recipe is one of these."""

    ids: Collection[str]

    def mask(self, catalogue: Catalogue) -> Mask:
        mask = np.zeros(len(catalogue), np.bool_)
        mask[catalogue.rows(self.ids)] = True
        return mask

    @property
    def sql(self) -> str:
        return f"id IN ({_quoted(self.ids)})" if self.ids else "false"


@dataclass(frozen=True)
class Understood(Condition):
    """The recipe is in English, and a food was recognised in each of its lines."""

    def mask(self, catalogue: Catalogue) -> Mask:
        return np.asarray((catalogue.labels("not_understood").sizes == 0) & catalogue.is_english, np.bool_)

    @property
    def sql(self) -> str:
        return "understood"


@dataclass(frozen=True)
class _Both(Condition):
    parts: tuple[Condition, ...]

    def mask(self, catalogue: Catalogue) -> Mask:
        return reduce(and_, (part.mask(catalogue) for part in self.parts))

    @property
    def sql(self) -> str:
        return " AND ".join(f"({part.sql})" for part in self.parts)


@dataclass(frozen=True)
class _Either(Condition):
    parts: tuple[Condition, ...]

    def mask(self, catalogue: Catalogue) -> Mask:
        return reduce(or_, (part.mask(catalogue) for part in self.parts))

    @property
    def sql(self) -> str:
        return " OR ".join(f"({part.sql})" for part in self.parts)


def _parts(condition: Condition, kind: type[_Both | _Either]) -> tuple[Condition, ...]:
    """The parts of a condition of this kind, else itself: deeply nested SQL is refused."""
    return condition.parts if isinstance(condition, kind) else (condition,)


@dataclass(frozen=True)
class _Not(Condition):
    one: Condition

    def mask(self, catalogue: Catalogue) -> Mask:
        return ~self.one.mask(catalogue)

    @property
    def sql(self) -> str:
        return f"NOT ({self.one.sql})"


def every(conditions: Iterable[Condition]) -> Condition | None:
    """All of them; None where there is none."""
    found = list(conditions)
    return reduce(and_, found) if found else None


def _quoted(names: Iterable[str]) -> str:
    """As SQL has it, where a quote is doubled."""
    return ", ".join("'" + name.replace("'", "''") + "'" for name in sorted(names))
