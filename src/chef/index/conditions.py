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
from typing import TYPE_CHECKING, Literal

import numpy as np

from chef.teacher.actions import SURE

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
        return _Joined("AND", (*_parts(self, "AND"), *_parts(other, "AND")))

    def __or__(self, other: Condition) -> Condition:
        return _Joined("OR", (*_parts(self, "OR"), *_parts(other, "OR")))

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
    """A column of lists has at most so many names, those in `besides` not counted."""

    column: str
    most: int
    besides: Collection[str] = ()

    def mask(self, catalogue: Catalogue) -> Mask:
        labels = catalogue.labels(self.column)
        return np.asarray(labels.sizes - labels.count(self.besides) <= self.most, np.bool_)

    @property
    def sql(self) -> str:
        counted = f"array_except({self.column}, [{_quoted(self.besides)}])" if self.besides else self.column
        return f"coalesce(array_length({counted}), 0) <= {self.most}"


@dataclass(frozen=True)
class MainIs(Condition):
    """The main ingredient is one of these."""

    tokens: Collection[str]

    def mask(self, catalogue: Catalogue) -> Mask:
        import pyarrow as pa
        import pyarrow.compute as pc

        mask = pc.is_in(catalogue.main_ingredients, pa.array(sorted(self.tokens), pa.string()))
        return np.asarray(mask.to_numpy(zero_copy_only=False), np.bool_)

    @property
    def sql(self) -> str:
        return _in("main_ingredient", self.tokens)


@dataclass(frozen=True)
class SurelyMainIs(Condition):
    """The main ingredient is one of these, and certain enough to tell people."""

    tokens: Collection[str]

    def mask(self, catalogue: Catalogue) -> Mask:
        return catalogue.sure_mains.mask(self.tokens)

    @property
    def sql(self) -> str:
        return f"{_in('main_ingredient', self.tokens)} AND main_confidence >= {SURE}"


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
        return _in("id", self.ids)


@dataclass(frozen=True)
class Understood(Condition):
    """The recipe is in English, and a food was recognised in each of its lines."""

    def mask(self, catalogue: Catalogue) -> Mask:
        return np.asarray((catalogue.labels("not_understood").sizes == 0) & catalogue.is_english, np.bool_)

    @property
    def sql(self) -> str:
        return "understood"


@dataclass(frozen=True)
class _Joined(Condition):
    operator: Literal["AND", "OR"]
    parts: tuple[Condition, ...]

    def mask(self, catalogue: Catalogue) -> Mask:
        join = and_ if self.operator == "AND" else or_
        return reduce(join, (part.mask(catalogue) for part in self.parts))

    @property
    def sql(self) -> str:
        return f" {self.operator} ".join(f"({part.sql})" for part in self.parts)


def _parts(condition: Condition, operator: str) -> tuple[Condition, ...]:
    """The parts of a condition joined by this operator, else itself: deeply nested SQL is refused."""
    if isinstance(condition, _Joined) and condition.operator == operator:
        return condition.parts
    return (condition,)


@dataclass(frozen=True)
class _Not(Condition):
    negated: Condition

    def mask(self, catalogue: Catalogue) -> Mask:
        return ~self.negated.mask(catalogue)

    @property
    def sql(self) -> str:
        return f"NOT ({self.negated.sql})"


def every(conditions: Iterable[Condition]) -> Condition | None:
    """All of them; None where there is none."""
    given = list(conditions)
    return reduce(and_, given) if given else None


def _in(column: str, names: Collection[str]) -> str:
    return f"{column} IN ({_quoted(names)})" if names else "false"


def _quoted(names: Iterable[str]) -> str:
    """As SQL has it, where a quote is doubled."""
    return ", ".join("'" + name.replace("'", "''") + "'" for name in sorted(names))
