"""Normalised text: the one spelling in which words are compared."""

from __future__ import annotations

import re
import unicodedata

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
_FRACTION_SIGN = re.compile(r"(\d?)\s*([\u00bc-\u00be\u2150-\u215e\u2189])")
_SPACE = re.compile(r"\s+")


def _fraction(match: re.Match[str]) -> str:
    plain = unicodedata.normalize("NFKC", match.group(2)).replace("\u2044", "/")
    return f"{match.group(1)} {plain} " if match.group(1) else f" {plain} "


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
