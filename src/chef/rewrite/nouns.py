"""The ingredient that comes in, as a noun: its numbers, whether it is counted, and the author's capitals."""

from __future__ import annotations

from dataclasses import dataclass

from chef.food.canonical import CanonicalMap
from chef.food.kinds import kind_of
from chef.text.keys import singular

_COUNTED = frozenset(("count", "plural"))  # traits of foods that have a plural
_NO_PLURAL = frozenset("fish salmon cod tuna trout halibut shrimp squid bass haddock mackerel corn".split())
_IRREGULAR = {"leaf": "leaves", "loaf": "loaves", "half": "halves", "calf": "calves"}
_TO_OES = frozenset(("tomato", "potato", "mango"))


@dataclass(frozen=True)
class Noun:
    """How an ingredient is written.

    `counted`: one speaks of 3 of them, and of "the carrots"; else it is a substance, "the beef".
    """

    singular: str
    plural: str
    counted: bool

    def form(self, one: bool) -> str:
        """The singular for one of a counted food, else its plural; of a substance its only form."""
        return self.singular if one or not self.counted else self.plural


def noun(name: str, token: str, canonical: CanonicalMap) -> Noun:
    """The noun of a name as the user typed it; `token` is its canonical ingredient.

    >>> noun("apple", "apples", CanonicalMap.load()).plural
    'apples'
    """
    *front, last = name.split()
    one = singular(last) if singular(last.lower()) != last.lower() else last
    many = last if one != last else plural(one)

    def whole(word: str) -> str:
        return " ".join([*front, word])

    kind = kind_of(name)
    if one != last:  # typed as a plural: green beans, salmon fillets, oats
        counted = True
    elif kind is not None and not kind.traits & _COUNTED and not front:
        counted = False  # even where a list has its plural: "mixed cheeses", "chickens"
    else:
        listed = canonical.names(token)
        counted = one.lower() not in _NO_PLURAL and " ".join([*front, many]).lower() in listed
    return Noun(whole(one), whole(many) if counted else name, counted)


def plural(word: str) -> str:
    """The plural of an English noun.

    >>> plural("berry"), plural("potato"), plural("radish")
    ('berries', 'potatoes', 'radishes')
    """
    small = word.lower()
    if small in _IRREGULAR:
        return word[0] + _IRREGULAR[small][1:]
    if small.endswith("y") and small[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if small.endswith(("s", "x", "ch", "sh")) or small in _TO_OES:
        return word + "es"
    return word + "s"


def article(following: str) -> str:
    """ "an" before a vowel, else "a"."""
    return "an" if following[:1].lower() in "aeiou" and following[:1] else "a"


def like(written: str, words: str, *, title: bool = False) -> str:
    """Words in the capitals of what stood there before.

    In a title, and where all of several words had a capital, every word gets one.

    >>> like("CHICKEN", "beef"), like("Chicken", "pork chops"), like("Chicken Breasts", "pork chops")
    ('BEEF', 'Pork chops', 'Pork Chops')
    """
    old = written.split()
    if written.isupper() and len(written) > 1:
        return words.upper()
    if all(word[:1].isupper() for word in old) and (title or len(old) > 1):
        return " ".join(capital(word) for word in words.split())
    return capital(words) if written[:1].isupper() else words


def capital(words: str) -> str:
    """The words with a capital at the front."""
    return words[:1].upper() + words[1:]
