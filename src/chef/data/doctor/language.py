"""Is the text English? A count of the little words that no sentence does without.

simplemma's detector looks every word up in whole dictionaries: seconds and a gigabyte for ten
languages. The little words decide as well for instructions of a dozen words or more.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from chef.files import rows, word_lists

_ENOUGH = 12  # words: below this nothing is said
_SHARE = 0.12  # part of the words that must be little words of the other language

_LITTLE = word_lists("chef.data.doctor", "languages.tsv")
_ENGLISH = frozenset(_LITTLE["English"])
_OTHERS = {
    name: frozenset(words) - _ENGLISH - frozenset(_LITTLE["shared"])
    for name, words in _LITTLE.items()
    if name not in ("English", "shared")
}


def foreign_language(words: Sequence[str]) -> str | None:
    """The language of a text's words (see `tokenise`) where it is surely not English, else None.

    >>> foreign_language("den ofen auf 180 grad vorheizen und die butter mit dem zucker mischen".split())
    'German'
    """
    if script := _script(words):
        return script
    if len(words) < _ENOUGH:
        return None
    counts = Counter(words)
    english = sum(counts[word] for word in _ENGLISH)
    language, most = max(
        ((name, sum(counts[word] for word in little)) for name, little in _OTHERS.items()),
        key=lambda item: item[1],
    )
    return language if most > english and most >= _SHARE * len(words) else None


def _script(words: Sequence[str]) -> str | None:
    """The script of the most letters, where it is not the Latin one."""
    letters = "".join(words)
    if letters.isascii():
        return None
    other = [sign for sign in letters if ord(sign) > 0x2FF and sign.isalpha()]
    if 2 * len(other) <= len(letters):
        return None
    scripts = Counter(unicodedata.name(sign, "?").split()[0] for sign in other[:1000])
    if scripts["HIRAGANA"] + scripts["KATAKANA"]:
        return "Japanese"  # which writes Chinese signs too
    languages = {row[0]: row[1] for row in rows("chef.data.doctor", "scripts.tsv")}
    return languages.get(scripts.most_common(1)[0][0], "a language in another script")
