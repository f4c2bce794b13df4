"""The English of recipes around an ingredient's name: nouns, capitals, verbs, clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chef.food.canonical import CanonicalMap
from chef.food.kinds import kind_of
from chef.text.keys import singular
from chef.text.verbs import lemma, verbs
from chef.text.words import key, words_in

Span = tuple[int, int]  # text[start:end]

# After a noun these begin something new; any other word beside it in a title belongs to it: apple [pie].
FUNCTION = frozenset(
    """
    a an and as at before by during for from if in into is are was were has have inside like of off on onto or
    over per plus so that the then through to together under until up when where which while will with without
    must should can could may might would along across back first again around about between
    below above there here too well very also just fine aside out down apart dry once twice halfway among
    beside beneath behind against toward towards within
    à la al alla con de del et in mit und
    """.split()
)
# Nouns that an ingredient's name modifies in a sentence: the chicken mixture.
_HEADS = frozenset(
    """
    mixture piece cube strip slice chunk filling side layer wedge half quarter batter puree purée mix salad
    pie curry skewer roll ball patty stew soup bake casserole taco sandwich burger kebab sauce topping
    marinade bit ring cake shell head tail body stock skin bone
    """.split()
)
OBJECT = r"(?=\s+(?:a|an|the|your|each|both|one|two|three|four|\d+|muffin|ramekins|sides|all)\b)"
AT_START = r"(?:(?<=^)|(?<=[.;:!?]\s)|(?<=[.;:!?]\s\s))(?:(?:Lightly|Generously|Well|Heavily)\s+)?"

_COUNTABLE = frozenset(("count", "plural"))  # traits of foods that have a plural
# Written alike for one and for several; of these, shrimp are counted.
NO_PLURAL = frozenset("fish salmon cod tuna trout halibut shrimp squid bass haddock mackerel corn".split())
_IRREGULAR = {"leaf": "leaves", "loaf": "loaves", "half": "halves", "calf": "calves"}
_PLURAL_IN_OES = frozenset(("tomato", "potato", "mango"))

_CONJUNCTIONS = frozenset(("and", "then", "or"))
_MAX_CHUNK = 600  # characters; hardly any step of a recipe is longer
_SENTENCE_ENDS = (". ", "; ", "! ", "? ", "\n")


@dataclass(frozen=True)
class Noun:
    """How an ingredient is written.

    `countable`: people say "3 carrots" and "the carrots"; otherwise it is a substance, "the beef".
    """

    singular: str
    plural: str
    countable: bool

    def form(self, one: bool) -> str:
        """The singular for one of a countable food, otherwise its plural; a substance has only one form."""
        return self.singular if one or not self.countable else self.plural


def noun(name: str, token: str, canonical: CanonicalMap) -> Noun:
    """The noun of a name as the user typed it; `token` is its canonical ingredient.

    >>> noun("apple", "apples", CanonicalMap.load()).plural
    'apples'
    """
    *front, last = name.split()
    one = singular(last) if singular(last.lower()) != last.lower() else last
    many = last if one != last else plural(one)
    kind = kind_of(name)
    if one != last:  # typed as a plural: green beans, salmon fillets, oats
        countable = True
    elif kind is not None and not kind.traits & _COUNTABLE and not front:
        countable = False  # even where the map lists its plural: "mixed cheeses", "chickens"
    else:
        listed = " ".join([*front, many]).lower() in canonical.names(token)
        countable = (one.lower() not in NO_PLURAL and listed) or one.lower() == "shrimp"
        many = one if one.lower() in NO_PLURAL else many
    return Noun(" ".join([*front, one]), " ".join([*front, many]) if countable else name, countable)


def plural(word: str) -> str:
    """The plural of an English noun.

    >>> plural("berry"), plural("potato"), plural("radish")
    ('berries', 'potatoes', 'radishes')
    """
    lower = word.lower()
    if lower in _IRREGULAR:
        return word[0] + _IRREGULAR[lower][1:]
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if lower.endswith(("s", "x", "ch", "sh")) or lower in _PLURAL_IN_OES:
        return word + "es"
    return word + "s"


def match_case(written: str, words: str, *, title: bool = False) -> str:
    """`words` with the capitals of the text that they replace.

    In a title, and where several words were all capitalised, every word is.

    >>> match_case("CHICKEN", "beef"), match_case("Chicken Breasts", "pork chops")
    ('BEEF', 'Pork Chops')
    """
    old = written.split()
    if written.isupper() and len(written) > 1:
        return words.upper()
    if all(word[:1].isupper() for word in old) and (title or len(old) > 1):
        return " ".join(capitalise(word) for word in words.split())
    return capitalise(words) if written[:1].isupper() else words


def capitalise(words: str) -> str:
    """The words with a capital first letter; the others stay as they are."""
    return words[:1].upper() + words[1:]


def is_verb(text: str, word: str, at: int) -> bool:
    """Whether an ingredient's name at this position of a text is the verb that opens a sentence.

    >>> is_verb("Salt the water.", "Salt", 0), is_verb("Salt is added.", "Salt", 0)
    (True, False)
    """
    start = rf"(?:{AT_START}|(?<=grease and )|(?<=butter and )|(?<=oil and )|(?<=line and )|(?<=lightly ))"
    end = rf"(?:{OBJECT}|(?=\s+(?:together|it|them|top|tops|hands|board|surface|work)\b))"
    pattern = re.compile(rf"(?:{start}|(?<=\bto ))\b({re.escape(word)})\b{end}", re.I)
    return any(match.start(1) == at for match in pattern.finditer(text))


def is_noun(word: str) -> bool:
    """Whether a word after a name looks like a noun that the name modifies, as in tomato [pesto].

    >>> is_noun("pesto"), is_noun("until"), is_noun("softens"), is_noun("evenly")
    (True, False, False, False)
    """
    lower = word.lower()
    if key(lower) in _HEADS and lower != "bakes":
        return True
    return lower not in FUNCTION and not lower.endswith(("ly", "ing", "ed")) and lemma(lower) is None


def chunks(text: str) -> Iterator[str]:
    """A long text in parts of a few sentences each, so that rewriting takes linear time.

    Each part ends after a sentence if possible, otherwise after a word; joined, they are the text.

    >>> list(chunks("Fry the onion. Serve."))
    ['Fry the onion. Serve.']
    """
    start = 0
    while len(text) - start > _MAX_CHUNK:
        window = text[start : start + _MAX_CHUNK]
        cut = max(window.rfind(end) + len(end) if end in window else 0 for end in _SENTENCE_ENDS)
        cut = cut or window.rfind(" ") + 1 or _MAX_CHUNK
        yield window[:cut]
        start += cut
    yield text[start:]


def clauses(text: str) -> list[Span]:
    """The instructions of a sentence, each from its verb up to the conjunction or comma before the next one.

    >>> [text[start:end] for text in ["Stir in rice and bake it."] for start, end in clauses(text)]
    ['Stir in rice', 'bake it.']
    """
    words = words_in(text)
    if not words:
        return []
    lower = [word.written.lower() for word in words]
    starts = [0]
    for at in verbs(lower):
        # A verb opens a clause after a conjunction, a comma or a semicolon.
        between = text[words[at - 1].end : words[at].start] if at else ""
        if at and (lower[at - 1] in _CONJUNCTIONS or "," in between or ";" in between):
            starts.append(at)
    parts = []
    for at, following in zip(starts, [*starts[1:], None], strict=True):
        end = len(text)
        if following is not None:
            last = following - 1
            while last > at and lower[last] in _CONJUNCTIONS:
                last -= 1
            end = words[last].end
            end += text[end : words[last + 1].start].find(")") + 1
        parts.append((0 if at == 0 else words[at].start, end))
    return parts
