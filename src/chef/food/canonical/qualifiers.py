"""Words that may go from a name without changing the food: "some large organic eggs" are eggs.

`readings` gives the shorter forms of a name, the most careful first; a map takes the first it knows.
`tables/qualifiers.tsv` lists only words that say how the food is bought, cut, warmed or measured, none that
makes another food of it (ground, dried, sweet, vegan, powder, juice, paste ...). The last word, which names
the food, is dropped only where it is such a word itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chef.tables import rows
from chef.text.normal import normalise
from chef.text.tokens import tokenise

_ROWS = [(kind, tuple(words.split())) for kind, words in rows("chef.food", "qualifiers.tsv")]
# Single words that may go from the front.
QUALIFIERS = frozenset(words[0] for kind, words in _ROWS if kind != "after" and len(words) == 1)
# By their first word; of two that fit the longer one goes.
_LEADING_PHRASES: dict[str, list[tuple[str, ...]]] = {}
for _, _words in sorted(_ROWS, key=lambda row: -len(row[1])):
    if len(_words) > 1:
        _LEADING_PHRASES.setdefault(_words[0], []).append(_words)
_TRAILING = frozenset(words[0] for kind, words in _ROWS if kind == "after")

_ASIDE = re.compile(r"\([^)]*\)?|\[[^\]]*\]?|[)\]]")
_OR = re.compile(r"\s*/\s*(?![0-9])|\s+and/or\s+|[\s,]+or\s+")
# Where the name ends and a remark begins.
_REMARK = re.compile(
    r"[,;:~*|!]|\s-+\s|\s(?:for|to|with|without|from|per|plus|at|such|like|preferably|about|in|on|into|until|if|as|"
    r"not|that|which|but|cut|each|divided|depending|between|is|are|i|you|we|so|then|using)\s|\.\s|\.$"
)
_AND = re.compile(r"\s+(?:and|&|\+)\s+")


def readings(name: str) -> Iterator[list[str]]:
    """The shorter forms of a name as words, the most careful first.

    >>> list(readings("fresh parsley (flat)"))[:2]
    [['fresh', 'parsley'], ['parsley']]
    """
    text = normalise(name)
    for form in _forms(text):
        yield from without_qualifiers(form)


def _forms(text: str) -> Iterator[list[str]]:
    """The name as a whole, of alternatives the first, then what stands before a remark."""
    whole = _ASIDE.sub(" ", text).strip() or text.strip("()[] ")
    yield tokenise(whole)
    first, *others = _OR.split(whole)
    if others:
        # "beef or chicken stock" offers beef stock, "rice or noodles" no rice noodles.
        second = tokenise(_REMARK.split(others[0])[0])
        if len(second) > 1:
            yield [*tokenise(first), second[-1]]
        yield tokenise(first)
    first = _REMARK.split(first)[0]
    yield tokenise(first)
    both = [tokenise(part) for part in _AND.split(first)]
    # Of two foods the first; but "pork and fennel sausages" are not pork.
    if len(both) > 1 and (len(both[0]) > 1 or len(both[1]) == 1):
        yield both[0]


def without_qualifiers(words: list[str]) -> Iterator[list[str]]:
    """The words, then without what leads and trails, step by step, then without qualifiers in between.

    >>> [" ".join(words) for words in without_qualifiers(["ripe", "plum", "tomatoes"])]
    ['ripe plum tomatoes', 'plum tomatoes']
    """
    words = [word for word in words if not word[0].isdigit()]
    while words:
        rest = words
        yield rest
        while len(rest) > 1 and rest[-1] in _TRAILING:
            rest = rest[:-1]
            yield rest
        drop = _leading(words)
        if not drop:
            break
        words = words[drop:]
    inner = [word for word in words[:-1] if word not in QUALIFIERS]
    if words and len(inner) + 1 < len(words):
        yield [*inner, words[-1]]


def _leading(words: list[str]) -> int:
    """How many words in front are a qualifier; 0 where the name begins with the food."""
    for phrase in _LEADING_PHRASES.get(words[0], ()):
        if len(words) > len(phrase) and tuple(words[: len(phrase)]) == phrase:
            return len(phrase)
    return int(len(words) > 1 and words[0] in QUALIFIERS)
