"""Clauses of a sentence in a recipe: one order each, "Stir in the parsley | and bake for an hour"."""

from __future__ import annotations

from dataclasses import dataclass

from chef.text.verbs import verbs
from chef.text.words import Word, words_in

_JOINTS = frozenset(("and", "then", "or"))


@dataclass(frozen=True, slots=True)
class Clause:
    """text[start:end] of a sentence, from its verb or the first word to what joins the next one to it."""

    start: int
    end: int


def clauses(text: str) -> list[Clause]:
    """The clauses of one sentence in their order; joints and commas between them belong to none.

    >>> [text[c.start : c.end] for text in ["Stir in rice and bake it."] for c in clauses(text)]
    ['Stir in rice', 'bake it.']
    """
    words = words_in(text)
    if not words:
        return []
    starts = [0] + [at for at in verbs([word.written.lower() for word in words]) if _opens(text, words, at)]
    found = []
    for number, at in enumerate(starts):
        if number + 1 == len(starts):
            end = len(text)
        else:
            last = starts[number + 1] - 1
            while last > at and words[last].written.lower() in _JOINTS:
                last -= 1
            end = words[last].end
            closing = text[end : words[last + 1].start].find(")")
            end += closing + 1
        found.append(Clause(0 if number == 0 else words[at].start, end))
    return found


def _opens(text: str, words: list[Word], at: int) -> bool:
    """Whether the verb at this word begins an order of its own."""
    if at == 0:
        return False
    between = text[words[at - 1].end : words[at].start]
    return words[at - 1].written.lower() in _JOINTS or "," in between or ";" in between
