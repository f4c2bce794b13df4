"""Long texts in parts of a few sentences, so that the time they take grows no faster than they do."""

from __future__ import annotations

from collections.abc import Iterator

_LONGEST = 600  # characters; hardly any step of a recipe is longer
_ENDS = (". ", "; ", "! ", "? ", "\n")


def chunks(text: str) -> Iterator[str]:
    """The text in parts that together are the text, cut after a sentence if possible, else after a word.

    >>> list(chunks("Fry the onion. Serve."))
    ['Fry the onion. Serve.']
    """
    start = 0
    while len(text) - start > _LONGEST:
        window = text[start : start + _LONGEST]
        cut = max(window.rfind(end) + len(end) if end in window else 0 for end in _ENDS)
        cut = cut or window.rfind(" ") + 1 or _LONGEST
        yield window[:cut]
        start += cut
    yield text[start:]
