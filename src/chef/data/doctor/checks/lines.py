"""Ingredient lines that are no ingredients."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.text.normal import normalise

_LONG = 200  # characters
_SENTENCE = 14  # words
_MARKUP = re.compile(r"^(?:#+\s|\*\*[^*]+\*\*:?$|__[^_]+__:?$|<h\d)")
_FOR_THE = re.compile(
    r"^for (?:the|your) [a-z' -]+$|^for (?:serving|garnish|decoration|assembly)$|^ingredients?$"
)
_AMOUNT = re.compile(r"\d")
# Commands to a cook that are not also the first word of a usual ingredient (ground, roast, mix, salt ...).
_COMMANDS = frozenset(
    """add allow arrange bake beat blend boil bring brush chill combine cook cover cut dip dissolve divide
    drain drizzle fill flip fold fry heat insert knead layer let make marinate melt mix place pour
    preheat put refrigerate remove repeat rinse roll saute season serve set shape simmer sift soak spoon
    spread sprinkle stir strain take toss transfer turn use wash whisk wrap""".split()
)
# What follows a command and never a food: "mix the", "heat in", but not "mix nuts" or "season salt".
_AFTER_COMMAND = frozenset(
    "the all in into to together well until for it and with your a an over on out from by at them".split()
)
# Not after "tsp." and its like.
_TWO_SENTENCES = re.compile(r"(?<!tbsp)(?<!tbsps)(?<!approx)(?<=[a-z)]{4})[.!?]\s+[A-Z][a-z]+ [a-z]+ ")


def odd_line(line: str, others: Sequence[str] = ()) -> str | None:
    """The kind of problem of an ingredient line, or None; `others` are the lines of the same list.

    >>> odd_line("For the sauce:"), odd_line("Stir in the flour until smooth."), odd_line("2 eggs")
    ('heading-as-ingredient', 'instruction-as-ingredient', None)
    """
    text = line.strip()
    if not any(sign.isalpha() for sign in text):
        return "ingredient-without-words"
    if _is_heading(text, others):
        return "heading-as-ingredient"
    if len(text) > _LONG:
        return "long-ingredient-line"
    words = normalise(text).split()
    if _is_instruction(words):
        return "instruction-as-ingredient"
    if (len(words) >= _SENTENCE and text.endswith((".", "!", "?"))) or _TWO_SENTENCES.search(text):
        return "sentence-as-ingredient"
    return None


def _is_heading(text: str, others: Sequence[str]) -> bool:
    if _MARKUP.match(text) or _FOR_THE.match(normalise(text)):
        return True
    if _AMOUNT.search(normalise(text)):
        return False
    # A cook who shouts everything means no heading by it.
    shouted = text.isupper() and len(text) > 3 and sum(other.isupper() for other in others) * 2 < len(others)
    return shouted or text.endswith(":")


def _is_instruction(words: list[str]) -> bool:
    return len(words) >= 3 and words[0] in _COMMANDS and words[1] in _AFTER_COMMAND
