"""Text into sentences and words, and the normalised spelling in which words are compared."""

import re
import unicodedata

from chef.errors import check_deadline

# Characters that NFKC leaves alone and recipe writers use freely.
_SIGNS = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201b": "'", "\u02bc": "'", "`": "'", "\u00b4": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2033": '"', "\u2032": "'",
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
        "\u2044": "/", "\u2215": "/", "\u00d7": "x", "\u00ad": None, "\u200b": None, "\ufeff": None,
        "\u2122": " ", "\u00ae": " ", "\u00a9": " ", "\u2026": " ", "\u2022": " ",
    }
)  # fmt: skip
_FRACTION_SIGN = re.compile(r"(?:(\d)\s*)?([\u00bc-\u00be\u2150-\u215e\u2189])")
_SPACE = re.compile(r"\s+")

# A word; a fraction or a decimal number; a word with inner apostrophe or hyphen.
_WORD = re.compile(r"\d+(?:[./]\d+)+|\d+|[^\W\d_]+(?:['-][^\W\d_]+)*")
_SIGN = re.compile(rf"{_WORD.pattern}|[.,;:!?()]")  # or a sign of punctuation
_POSSESSIVE = re.compile(r"'s$")

# A full stop after these does not end a sentence where a small letter follows.
_STOP_AFTER_SHORT = re.compile(
    r"\b(?:approx|mins?|hrs?|secs?|tbsp|tsp|oz|lbs?|pkg|no|etc|e\.g|i\.e|vs|in|deg|temp|med|lg|sm)\.$", re.I
)
# Where a sentence may end: a closing sign and a space before a letter, or a line end. Each sign and space is
# looked at once.
_BOUNDARY = re.compile(r"(?<![.!?;])[.!?;]++[\"')\]]*+\s++(?=[\"'(\[]?[^\W\d_])|\n+")


def _fraction(match: re.Match[str]) -> str:
    digits = unicodedata.normalize("NFKC", match.group(2)).replace("\u2044", "/")
    return f"{match.group(1)} {digits} " if match.group(1) else f" {digits} "


def plain(text: str) -> str:
    """Unicode folded to plain signs and fractions, the letters' case kept.

    >>> plain("1½ T sugar – “fine”")
    '1 1/2 T sugar - "fine"'
    """
    if text.isascii():  # most texts: there is nothing to fold
        return _SPACE.sub(" ", text.replace("`", "'")).strip()
    # Fractions first: NFKC alone would turn 1½ into 11⁄2.
    text = _FRACTION_SIGN.sub(_fraction, text).translate(_SIGNS)
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    return _SPACE.sub(" ", text).strip()


def normalise(text: str) -> str:
    """Plain text in lower case.

    >>> normalise("Crème Brûlée, ½ Cup")
    'crème brûlée, 1/2 cup'
    """
    return plain(text).lower()


def without_accents(text: str) -> str:
    """Letters without their marks: jalapeño and jalapeno are one word to us.

    >>> without_accents("crème brûlée")
    'creme brulee'
    """
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(sign for sign in parts if not unicodedata.combining(sign)))


def tokenise(text: str, *, punctuation: bool = False) -> list[str]:
    """Lower-case words and numbers, hyphens split, accents folded, punctuation dropped unless it is wanted.

    >>> tokenise("Pre-heat the oven; add 1½ cups baker's flour.")
    ['pre', 'heat', 'the', 'oven', 'add', '1', '1/2', 'cups', 'baker', 'flour']
    """
    text = without_accents(normalise(text))
    matches: list[str] = (_SIGN if punctuation else _WORD).findall(text)
    if "-" not in text and "'" not in text:
        return matches
    # A contraction is one word (don't -> dont); a possessive names its owner (baker's -> baker).
    parts = (_POSSESSIVE.sub("", part).replace("'", "") for word in matches for part in word.split("-"))
    return [part for part in parts if part]


def sentences(text: str) -> list[str]:
    """A step cut into its sentences; at full stops, question and exclamation marks, semicolons, line ends.

    >>> sentences("Cook 5 min. Stir; serve hot.")
    ['Cook 5 min.', 'Stir;', 'serve hot.']
    """
    check_deadline()
    parts: list[str] = []
    start = 0
    for match in _BOUNDARY.finditer(text):
        stop, end = match.span()
        is_short = text[stop] == "." and _STOP_AFTER_SHORT.search(text[max(0, stop - 10) : stop + 1])
        if not (is_short and text[end].islower()):  # "5 min. until" goes on; "5 min. Stir" does not
            parts.append(text[start:end])
            start = end
    parts.append(text[start:])
    return [part.strip() for part in parts if _WORD.search(part if part.isascii() else normalise(part))]


def readable(token: str) -> str:
    """A canonical token as people write it.

    >>> readable("green_beans")
    'green beans'
    """
    return token.replace("_", " ")
