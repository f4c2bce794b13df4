"""The English of recipes around an ingredient's name: nouns, capitals, verbs, clauses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chef.files import patterns, word_lists
from chef.food.canonical import CanonicalMap
from chef.food.kinds import kind_of
from chef.text.keys import singular
from chef.text.verbs import lemma, verbs
from chef.text.words import key, words_in

Span = tuple[int, int]  # text[start:end]

WORDS = {name: frozenset(words) for name, words in word_lists("chef.rewrite", "words.tsv").items()}
RE = patterns("chef.rewrite", "patterns.tsv")
OBJECT, AT_START = RE["object"].pattern, RE["at start"].pattern

_COUNTABLE = frozenset(("count", "plural"))  # traits of foods that have a plural
_IRREGULAR = {"leaf": "leaves", "loaf": "loaves", "half": "halves", "calf": "calves"}

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
        countable = (one.lower() not in WORDS["no plural"] and listed) or one.lower() == "shrimp"
        many = one if one.lower() in WORDS["no plural"] else many
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
    if lower.endswith(("s", "x", "ch", "sh")) or lower in WORDS["plural in oes"]:
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
    if key(lower) in WORDS["head"] and lower != "bakes":
        return True
    return lower not in WORDS["function"] and not lower.endswith(("ly", "ing", "ed")) and lemma(lower) is None


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
        if at and (lower[at - 1] in WORDS["conjunction"] or "," in between or ";" in between):
            starts.append(at)
    parts = []
    for at, following in zip(starts, [*starts[1:], None], strict=True):
        end = len(text)
        if following is not None:
            last = following - 1
            while last > at and lower[last] in WORDS["conjunction"]:
                last -= 1
            end = words[last].end
            end += text[end : words[last + 1].start].find(")") + 1
        parts.append((0 if at == 0 else words[at].start, end))
    return parts
