"""What an ingredient does in a dish, what cooks use in its place, and what a dish can do without.

`tables/dishes.tsv` tells the kinds of dish apart; `tables/substitutes.tsv` lists, for an ingredient and its
role in a dish, the substitutes, best first; `tables/spare.tsv` says what may be left out and why. The first
table says how the conditions of all are written. `tables/signatures.tsv` lists what makes a dish of its name:
no gazpacho without cucumber.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from chef.files import rows
from chef.food.kinds import endings, kind_of
from chef.recipe import Recipe
from chef.text.words import keys

_SENTENCE = re.compile(r"[.;!?]\s")
_MORE = re.compile(r"\bplus\b.*|\b(?:and|with) (?:some )?(?:more|extra)\b.*", re.I)
_ENTRY = re.compile(r"([^(]+?)(?: \((.+)\))?")  # "flax seed (1 tbsp for an egg)"

Clause = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Substitutes:
    """One row of the table: the old ingredient's role, and names with how to use each."""

    role: str
    when: tuple[Clause, ...]
    names: dict[str, str]


def is_a(token: str, name: str) -> bool:
    """Whether an ingredient is of a kind, or its name ends so: an olive oil is an "oil"."""
    kind, words = kind_of(token), keys(name)
    if kind is not None and kind.name == name:
        return True
    return keys(token)[-len(words) :] == words and kind_of(name) is kind


@dataclass(frozen=True)
class Use:
    """The use of some ingredients in a recipe.

    >>> next(Use(omelette, ["eggs"]).substitutes()).role
    'the dish itself'
    """

    recipe: Recipe  # parsed
    tokens: Sequence[str]

    @cached_property
    def dish(self) -> str:
        """The kind of dish; "" if none is known."""
        return next((name for name, when in rows("chef.food", "dishes.tsv") if self.holds(when)), "")

    def holds(self, when: str) -> bool:
        """Whether all clauses of a condition hold, written as in the tables."""
        return self._all_hold(_clauses(when))

    @cached_property
    def _listed(self) -> list[str]:
        return [item.token for item in self.recipe.ingredients if item.token]

    @cached_property
    def _sentences(self) -> set[str]:
        """The words of all sentences that name one of the ingredients."""
        kinds = [kind.name for token in self.tokens if (kind := kind_of(token))]
        names = {keys(name)[-1] for name in (*self.tokens, *kinds)}
        sentences = [keys(text) for step in self.recipe.steps for text in _SENTENCE.split(step.text)]
        return {word for words in sentences if names & set(words) for word in words}

    @cached_property
    def _share(self) -> float:
        grams = [(item.token in self.tokens, item.grams or 0) for item in self.recipe.ingredients]
        return sum(one for own, one in grams if own) / (sum(one for _, one in grams) or 1)

    @cached_property
    def _lines(self) -> list[str]:
        """Their lines, each with the heading above it; "plus more to serve" says nothing of all of it."""
        lines, heading = [], ""
        for item in self.recipe.ingredients:
            if not item.name:
                heading = item.line
            elif item.token in self.tokens:
                lines.append(f"{_MORE.sub('', item.line)} {heading}")
        return lines

    @cached_property
    def _among(self) -> int:
        """How many of the ingredients have a role that one of these has."""
        roles = {role for token in self.tokens for role in _roles(token)}
        return sum(not roles.isdisjoint(_roles(token)) for token in set(self._listed))

    def substitutes(self) -> Iterator[Substitutes]:
        """The rows that hold for it, the most special first."""
        for token in self.tokens:
            kind = kind_of(token)
            names = [" ".join(words) for words in endings(token) if kind_of(" ".join(words)) is kind]
            for name in [*names, f"@{kind.name}"] if kind else names:
                yield from (row for row in _substitutes().get(name, ()) if self._all_hold(row.when))

    def _all_hold(self, when: tuple[Clause, ...]) -> bool:
        return all(self._holds(*clause) for clause in when)

    def _holds(self, test: str, words: tuple[str, ...]) -> bool:
        if test == "title":
            return names_any(self.recipe.title, words)
        if test == "line":
            return bool(self._lines) and all(names_any(line, words) for line in self._lines)
        if test == "among":
            return self._among >= int(words[0])
        if test in ("with", "lacks"):
            return any(is_a(token, name) for token in self._listed for name in words) == (test == "with")
        if test == "step":
            return not self._sentences.isdisjoint(words)
        if test == "dish":
            return self.dish in words
        return (self._share >= float(words[0])) == (test == "share")


def names_any(text: str, phrases: Iterable[str]) -> bool:
    """Whether a text has one of some phrases.

    >>> names_any("Creamy Tomato Soups", ["tomato soup"])
    True
    """
    words = f" {' '.join(keys(text))} "
    return any(f" {' '.join(keys(phrase))} " in words for phrase in phrases)


def _roles(token: str) -> frozenset[str]:
    kind = kind_of(token)
    return kind.roles if kind else frozenset()


@cache
def _clauses(when: str) -> tuple[Clause, ...]:
    parts = () if when == "any" else when.split("; ")
    return tuple((test, tuple(words.split("|"))) for test, words in (part.split(" ", 1) for part in parts))


@dataclass(frozen=True, order=True)
class Spare:
    """An ingredient that may go; the least comes first."""

    rank: int
    grams: float
    token: str
    why: str


def least(recipe: Recipe, main: str | None) -> Spare | None:
    """What the recipe, parsed, can best do without; None where all that it has makes the dish.

    main: its main ingredient, which stays.

    >>> least(soup, "chicken").why
    'a garnish'
    """
    spares, title = [], recipe.title
    dishes = rows("chef.food", "signatures.tsv")
    listed = [names.split("|") for dish, names in dishes if names_any(title, dish.split("|"))]
    signature = [name for names in listed for name in names]
    for token in dict.fromkeys(item.token for item in recipe.ingredients if item.token):
        if token == main or any(is_a(token, name) for name in signature) or _is_in_title(token, title):
            continue
        use = Use(recipe, [token])
        for names, when, rank, why in rows("chef.food", "spare.tsv"):
            if (names == "*" or any(is_a(token, name) for name in names.split("|"))) and use.holds(when):
                if rank != "stays":
                    grams = sum(item.grams or 0 for item in recipe.ingredients if item.token == token)
                    spares.append(Spare(int(rank), grams, token, why))
                break
    return min(spares, default=None)


def _is_in_title(token: str, title: str) -> bool:
    """Whether the title has a word of its name, its kind or a role: the nuts of a nut cake."""
    kind = kind_of(token)
    kinds = [kind.name, *kind.roles] if kind else []
    return not {*keys(token), *kinds}.isdisjoint(keys(title))


@cache
def _substitutes() -> dict[str, list[Substitutes]]:
    table: dict[str, list[Substitutes]] = {}
    for names, role, when, entries, _ in rows("chef.food", "substitutes.tsv"):
        found = (_ENTRY.fullmatch(entry) for entry in entries.split("|"))
        row = Substitutes(role, _clauses(when), {match[1]: match[2] or "" for match in found if match})
        for name in names.split("|"):
            table.setdefault(name if name[0] == "@" else " ".join(keys(name)), []).append(row)
    return table
