"""Why a recipe was found: short plain sentences."""

from __future__ import annotations

from collections.abc import Iterable

from chef.index.catalogue import Catalogue
from chef.index.filters import Filters
from chef.index.meaning import Meanings
from chef.index.pantry import Pantry
from chef.index.query import Part, Query
from chef.index.reading import title_words

_NAMED = 5  # ingredients named in one sentence; the others are counted
_SAID = {
    "image": "looks like your photo",
    "recipe": "is like your recipe",
    "text": "fits your words",
    "vector": "is near the point asked for",
}
# Words that two titles share without having anything in common.
_LITTLE = frozenset("a an and at by for from in my of on or our style the to with".split())


class Why:
    """Says of single rows why they were found."""

    def __init__(
        self, catalogue: Catalogue, query: Query, filters: Filters, meanings: Meanings, pantry: Pantry | None
    ) -> None:
        self._catalogue, self._query, self._filters = catalogue, query, filters
        self._meanings, self._pantry = meanings, pantry

    def __call__(self, row: int) -> list[str]:
        """The sentences, what weighs most first."""
        tokens = self._catalogue.tokens.of(row)
        said: list[str] = []
        for part in self._query.parts:
            said += self._part(part, row, tokens)
        said += self._filtered(row, tokens)
        if self._pantry is not None:
            missing = self._pantry.missing(row)
            said += _has("you have", (token for token in tokens if token in self._pantry.owned))
            said += _has("missing:", missing) or ["nothing is missing"]
        return list(dict.fromkeys(said))

    def _part(self, part: Part, row: int, tokens: list[str]) -> list[str]:
        cosine = float(self._catalogue.recipes.vectors[row] @ part.vector)
        said = [f"{_SAID[part.name]} ({cosine:.2f})"]
        if part.name == "text":
            title = set(self._catalogue.words.of(row))
            shared = [word for word in title_words(part.words) if word in title and word not in _LITTLE]
            if shared:
                said.insert(0, "title shares " + ", ".join(f"'{word}'" for word in shared))
            asked = {*part.read, *title_words(part.words)} - set(shared)
            said += [f"tagged {tag}" for tag in self._catalogue.tags.of(row) if tag in asked]
        if part.name == "recipe":
            return said + _has("shares", (token for token in tokens if token in part.tokens))
        meant = [self._meanings.of(token.replace("_", " ")) for token in part.tokens]
        return said + _has("has", (token for token in tokens if any(token in one for one in meant)))

    def _filtered(self, row: int, tokens: list[str]) -> list[str]:
        said = []
        wanted = [self._meanings.of(word) for word in self._filters.with_]
        said += _has("has", (token for token in tokens if any(token in meant for meant in wanted)))
        if self._filters.main is not None and (main := self._catalogue.main(row)):
            said.append(f"mainly {_readable(main)}")
        if self._filters.max_ingredients is not None:
            said.append(f"{len(tokens)} ingredient{'s' if len(tokens) != 1 else ''}")
        said += [f"tagged {tag}" for tag in self._filters.tags]
        return said


def _has(label: str, tokens: Iterable[str]) -> list[str]:
    names = [_readable(token) for token in tokens]
    if not names:
        return []
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return [f"{label} {', '.join(names[:_NAMED])}{more}"]


def _readable(token: str) -> str:
    return token.replace("_", " ")
