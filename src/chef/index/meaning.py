"""What a person means by an ingredient: the canonical tokens that a word stands for in this collection."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from chef.errors import ChefError, did_you_mean
from chef.food import families, groups
from chef.food.canonical import CanonicalMap, token_of
from chef.food.words import CUTS, PIECES
from chef.text.keys import last_of
from chef.text.tokens import tokenise

_SUGGESTED = 3
_REMEMBERED = 1 << 12  # words whose meaning is kept at hand


class Meanings:
    """Understands ingredient words: a name, a family (chicken), a kind (rice), a group (nuts).

    >>> Meanings(canonical, ["basmati_rice", "rice_vinegar"]).of("rice")
    frozenset({'basmati_rice'})
    """

    def __init__(self, canonical: CanonicalMap, tokens: Iterable[str]) -> None:
        self._canonical = canonical
        self._tokens = list(tokens)  # those that the collection has
        self._known: dict[tuple[str, bool], frozenset[str]] = {}

    def of(self, word: str) -> frozenset[str]:
        """The tokens of the collection that are what the word says; ChefError for an unknown word."""
        return self._find(word, False)

    def traces(self, word: str) -> frozenset[str]:
        """The same, and for a group also what is made of it: without poultry there is no chicken broth."""
        return self._find(word, True)

    def _find(self, word: str, traces: bool) -> frozenset[str]:
        found = self._known.get((word, traces))
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[word, traces] = self._look(word, traces)
        return found

    def _look(self, word: str, traces: bool) -> frozenset[str]:
        plain = " ".join(groups.words_of(token_of(word)))
        if not plain:
            raise ChefError("an empty ingredient name", "name one, such as rice")
        family, group = _named(plain, families.members()), _named(plain, groups.groups())
        if family is not None or group is not None:
            found = {token for token in self._tokens if families.family(token) == family} if family else set()
            if group is not None and (traces or family is None):
                test = groups.has if traces else groups.is_one
                found |= {token for token in self._tokens if test(group, token)}
            return frozenset(found)
        known = self._canonical.token(word)
        # Alone, a plural may be another food than its singular: peppers are not pepper.
        found = self._kinds(last_of(tokenise(word)) if " " not in plain else plain)
        if known is not None:
            found |= {known} | self._kinds(" ".join(groups.words_of(known)))
        if not found:
            raise self._unknown(word)
        return frozenset(found)

    def _kinds(self, plain: str) -> set[str]:
        """The tokens that are a kind or a cut of it: red onions are onions, lamb chops are lamb."""
        words = tuple(plain.split())
        no = groups.lookalikes().get(plain, frozenset())
        return {token for token in self._tokens if _is_kind(groups.words_of(token), words, no)}

    def _unknown(self, word: str) -> ChefError:
        tokens = (token.replace("_", " ") for token in self._tokens)
        names = list(dict.fromkeys([*groups.groups(), *families.members(), *tokens]))
        otherwise = "name an ingredient, such as rice"
        way_out = did_you_mean(word.lower(), names, otherwise, most=_SUGGESTED, show=str)
        return ChefError(f"unknown ingredient {word!r}", way_out)


def _named(plain: str, names: Iterable[str]) -> str | None:
    """The name that the word is, singular or plural."""
    return next((name for name in names if " ".join(groups.words_of(name)) == plain), None)


def _is_kind(name: groups.Words, words: groups.Words, no: Collection[groups.Words]) -> bool:
    """Whether a name ends in the words, or begins with them and names a cut, and is not one of `no`."""
    if name[: len(words)] == words and set(name[len(words) :]) <= CUTS | PIECES:
        return True
    return name[-len(words) :] == words and not any(name[-len(phrase) :] == phrase for phrase in no)
