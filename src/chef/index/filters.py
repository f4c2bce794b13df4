"""Filters: which recipes a search may return at all, and what their ingredient words mean.

They are exact, however the rest is ranked. `understand` finds filters in the words of a query: "vegan dessert
without nuts" is a dessert, vegan, without nuts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chef.errors import ChefError, did_you_mean
from chef.food import CUTS, PIECES, groups, kinds
from chef.food.canonical import CanonicalMap, token_of
from chef.food.groups import DIETS
from chef.index.catalogue import Catalogue
from chef.index.conditions import AtMost, Condition, Has, IdIn, MainIs, Understood, every
from chef.index.nearest import Mask
from chef.index.values import AskedFor
from chef.text.keys import last_of
from chef.text.tokens import readable, tokenise

_MAX_SUGGESTED = 3
_MAX_CACHED = 1 << 12  # words


@dataclass(frozen=True)
class Filters:
    """What a recipe must have and must not have; words are as the user wrote them."""

    with_: Sequence[str] = ()
    without: Sequence[str] = ()
    main: str | None = None
    max_ingredients: int | None = None
    tags: Sequence[str] = ()
    exclude: Sequence[str] = ()  # ids
    diet: str | None = None  # one of groups.DIETS
    include_unsure: bool = False  # also what groups and diets leave out because it was not understood

    def __bool__(self) -> bool:
        asked = (self.with_, self.without, self.main, self.tags, self.diet)
        return any(asked) or self.max_ingredients is not None

    @property
    def groups(self) -> list[str]:
        """The groups that must not be in a recipe, by name and by diet."""
        diet = groups.DIETS[check_diet(self.diet)] if self.diet is not None else ()
        return list(dict.fromkeys([*filter(None, map(group_named, self.without)), *diet]))

    def condition(self, resolver: IngredientResolver, tags: Iterable[str]) -> Condition | None:
        """What a recipe must satisfy to pass; None where all do. tags: those of the collection."""
        if self.max_ingredients is not None and self.max_ingredients < 1:
            raise ChefError(f"at most {self.max_ingredients} ingredients leaves nothing", "ask for 1 or more")
        conditions: list[Condition] = [Has("tokens", resolver.resolve(word)) for word in self.with_]
        for word in self.without:
            if group_named(word) is None:
                tokens = resolver.resolve(word, derived=True)
                conditions.append(~(Has("tokens", tokens) | Has("foods", tokens)))
        if excluded := self.groups:
            conditions.append(~(Has("contains", excluded) | Has("may", excluded)))
            if not self.include_unsure:
                conditions.append(Understood())
        if self.main is not None:
            conditions.append(MainIs(resolver.resolve(self.main)))
        if self.max_ingredients is not None:
            conditions.append(AtMost("tokens", self.max_ingredients))
        for tag in self.tags:
            wanted = tag.strip().casefold()
            conditions.append(Has("tags", [name for name in tags if name.strip().casefold() == wanted]))
        if self.exclude:
            conditions.append(~IdIn(self.exclude))
        return every(conditions)

    def mask(self, catalogue: Catalogue, resolver: IngredientResolver) -> Mask | None:
        """(rows,) True where a recipe passes; None where all do."""
        condition = self.condition(resolver, catalogue.tags.names)
        if condition is None:
            return catalogue.present
        mask = condition.mask(catalogue)
        return mask if catalogue.present is None else mask & catalogue.present


class IngredientResolver:
    """Resolves words to canonical tokens: a name, a family (chicken), a kind (rice) or a group (nuts).

    tokens: those that the collection, or a recipe, has.

    >>> IngredientResolver(canonical, ["basmati_rice", "rice_vinegar"]).resolve("rice")
    frozenset({'basmati_rice'})
    """

    def __init__(self, canonical: CanonicalMap, tokens: Iterable[str]) -> None:
        self._canonical = canonical
        self._tokens = list(tokens)
        self._resolved = lru_cache(_MAX_CACHED)(self._resolve)
        self.general = lru_cache(_MAX_CACHED)(self._general)

    def resolve(self, word: str, *, derived: bool = False) -> frozenset[str]:
        """The tokens that a word means; ChefError for an unknown one.

        derived: also what is made of it: without poultry there is no chicken broth.
        """
        return self._resolved(word, derived)

    def _resolve(self, word: str, derived: bool) -> frozenset[str]:
        plain = " ".join(groups.words_of(token_of(word)))
        if not plain:
            raise ChefError("an empty ingredient name", "name one, such as rice")
        family, group = _named(plain, kinds.members()), _named(plain, groups.groups())
        if family is not None or group is not None:
            tokens = {token for token in self._tokens if family and kinds.family(token) == family}
            if group is not None and (derived or family is None):
                belongs = groups.has if derived else groups.is_one
                tokens |= {token for token in self._tokens if belongs(group, token)}
            return frozenset(tokens)
        known = self._canonical.token(word)
        # Alone, a plural may be another food than its singular: peppers are not pepper.
        tokens = self._kinds_of(last_of(tokenise(word)) if " " not in plain else plain, derived)
        if known is not None:
            tokens |= {known} | self._kinds_of(" ".join(groups.words_of(known)), derived)
        if not tokens:
            names = dict.fromkeys([*groups.groups(), *kinds.members(), *map(readable, self._tokens)])
            otherwise = "name an ingredient, such as rice"
            hint = did_you_mean(word.lower(), names, otherwise, most=_MAX_SUGGESTED, show=str)
            raise ChefError(f"unknown ingredient {word!r}", hint)
        return frozenset(tokens)

    def _general(self, word: str) -> frozenset[str]:
        """The tokens of a word that stands for many foods, such as beans or meat; none for other words.

        Not every word that ends a token does: what is white is no egg white.
        """
        plain = " ".join(groups.words_of(token_of(word)))
        if not plain:
            return frozenset()
        is_token = " ".join(groups.words_of(self._canonical.token(word) or "")) == plain
        is_named = _named(plain, [*kinds.members(), *groups.groups()]) is not None
        return self.resolve(word) if is_token or is_named else frozenset()

    def _kinds_of(self, plain: str, derived: bool) -> set[str]:
        """The tokens that are a kind or a cut of it, or made of it: red onions, lamb chops, coconut milk."""
        words = tuple(plain.split())
        lookalikes = groups.lookalikes().get(plain, frozenset())
        kinds: set[str] = set()
        for token in self._tokens:
            name = groups.words_of(token)
            is_cut = name[: len(words)] == words and set(name[len(words) :]) <= CUTS | PIECES
            is_lookalike = any(name[-len(phrase) :] == phrase for phrase in lookalikes)
            is_made = derived and any(name[at : at + len(words)] == words for at in range(len(name)))
            if is_cut or ((is_made or name[-len(words) :] == words) and not is_lookalike):
                kinds.add(token)
        return kinds


def check_diet(diet: str) -> str:
    """The diet as we write it; ChefError for an unknown one."""
    name = diet.strip().lower()
    if name not in groups.DIETS:
        raise ChefError(f"unknown diet {diet!r}", did_you_mean(name, groups.DIETS))
    return name


@lru_cache(maxsize=_MAX_CACHED)
def group_named(word: str) -> str | None:
    """The group that a word names: dairy, tree nuts, milk."""
    plain = " ".join(groups.words_of(token_of(word)))
    return _named(plain, groups.groups()) or groups.ALIASES.get(plain)


def _named(plain: str, names: Iterable[str]) -> str | None:
    """The name that the word is, singular or plural."""
    return next((name for name in names if " ".join(groups.words_of(name)) == plain), None)


_FREE = re.compile(r"\b([^\W\d_]+(?:\s[^\W\d_]+)?)[-\s]+free\b(?![-\s]range)", re.I)
_WITHOUT = re.compile(
    r"\b(?:but\s+)?(?:without|with\s+no|no|minus|sans|excluding|except|not|hold\s+the)\s+(?:any\s+|the\s+)?",
    re.I,
)
_AND = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+|nor\s+)?|\s(?:and|or|nor|&)\s+)(?:no\s+|without\s+)?", re.I)
_LESS = re.compile(r"\b(egg|meat|dairy|nut|gluten|flour)less\b", re.I)
_DIET = re.compile(
    rf"\b(?:{'|'.join(DIETS)})s?\b|\bveggie\b(?!\s+(?:burger|sausage|broth|stock|mince))", re.I
)
_MOST_WORDS = 3  # in the name of an ingredient
_NOT_IN_NAMES = frozenset("and or nor no not with without but".split())


def understand(text: str, known: Callable[[str], bool]) -> AskedFor:
    """The filters in the words of a query, and the words that remain.

    known: whether the collection has an ingredient of this name.

    >>> understand("curry without coconut", lambda word: word == "coconut")
    AskedFor(text='curry', without=['coconut'], diet=None)
    """
    without: dict[str, None] = {}
    diet: list[str] = []

    def take(name: str) -> None:
        without[group_named(name) or name.lower()] = None

    def is_food(word: str) -> bool:
        return group_named(word) is not None or known(word)

    def take_free(match: re.Match[str]) -> str:
        words = match[1].split()
        for start in range(len(words)):
            name = " ".join(words[start:])
            if is_food(name):
                take(name)
                return " ".join(words[:start]) + " "
        return match[0]

    def take_less(match: re.Match[str]) -> str:
        take("gluten" if match[1].lower() == "flour" else match[1])
        return " "

    def take_diet(match: re.Match[str]) -> str:
        name = match[0].lower().rstrip("s")
        diet.append("vegetarian" if name == "veggie" else name)
        return " "

    rest = _FREE.sub(take_free, text)
    rest = _LESS.sub(take_less, rest)
    start = 0
    while match := _WITHOUT.search(rest, start):
        at = end = match.end()
        while name := _name_at(rest, at, is_food):
            take(name)
            end = at + len(name)
            more = _AND.match(rest, end)
            if more is None:
                break
            at = more.end()
        if end == match.end():  # no food: "no bake cookies"
            start = end
        else:
            rest = f"{rest[: match.start()]} {rest[end:]}"
    rest = _DIET.sub(take_diet, rest)
    strictest = max(diet, key=list(DIETS).index) if diet else None
    return AskedFor(" ".join(rest.split()).strip(" ,;-"), list(without), strictest)


def _name_at(text: str, at: int, is_food: Callable[[str], bool]) -> str:
    """The longest name of a food that begins at a place; empty where there is none."""
    words = list(re.finditer(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text[at:]))[:_MOST_WORDS]
    for last in reversed(words):
        name = text[at : at + last.end()]
        if words[0].start() == 0 and not _NOT_IN_NAMES & set(name.lower().split()) and is_food(name):
            return name
    return ""
