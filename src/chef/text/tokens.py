"""Text into sentences and words."""

from __future__ import annotations

import re

from chef.text.normal import normalise, without_accents

# A word; a fraction or a decimal number; a word with inner apostrophe or hyphen.
_WORD = re.compile(r"\d+(?:[./]\d+)+|\d+|[^\W\d_]+(?:['-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"'s$")

# A full stop after these does not end a sentence where a small letter follows.
_STOP_AFTER_SHORT = re.compile(
    r"\b(?:approx|mins?|hrs?|secs?|tbsp|tsp|oz|lbs?|pkg|no|etc|e\.g|i\.e|vs|in|deg|temp|med|lg|sm)\.$", re.I
)
# Where a sentence may end: a closing sign and a space before a letter, or a line end.
_BOUNDARY = re.compile(r"[.!?;]+[\"')\]]*\s+(?=[\"'(\[]?[^\W\d_])|\n+")


def tokenise(text: str) -> list[str]:
    """Lower-case words and numbers, punctuation dropped, hyphens split, accents folded.

    >>> tokenise("Pre-heat the oven; add 1½ cups baker's flour.")
    ['pre', 'heat', 'the', 'oven', 'add', '1', '1/2', 'cups', 'baker', 'flour']
    """
    text = without_accents(normalise(text))
    matches: list[str] = _WORD.findall(text)
    if "-" not in text and "'" not in text:
        return matches
    words = []
    for word in matches:
        for part in word.split("-"):
            # A contraction is one word (don't -> dont); a possessive names its owner (baker's -> baker).
            part = _POSSESSIVE.sub("", part).replace("'", "")
            if part:
                words.append(part)
    return words


def sentences(text: str) -> list[str]:
    """A step cut into its sentences; at full stops, question and exclamation marks, semicolons, line ends.

    >>> sentences("Cook 5 min. Stir; serve hot.")
    ['Cook 5 min.', 'Stir;', 'serve hot.']
    """
    parts: list[str] = []
    start = 0
    for match in _BOUNDARY.finditer(text):
        if _ends(text, match):
            parts.append(text[start : match.end()])
            start = match.end()
    parts.append(text[start:])
    return [part.strip() for part in parts if _WORD.search(part if part.isascii() else normalise(part))]


def _ends(text: str, match: re.Match[str]) -> bool:
    stop = text[match.start() : match.start() + 1]
    if stop != ".":
        return True
    before = text[max(0, match.start() - 10) : match.start() + 1]
    # "5 min. until" goes on; "5 min. Stir" does not.
    return not (_STOP_AFTER_SHORT.search(before) and text[match.end()].islower())


def readable(token: str) -> str:
    """A canonical token as people write it.

    >>> readable("green_beans")
    'green beans'
    """
    return token.replace("_", " ")
