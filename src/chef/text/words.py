"""The words of a text as its author wrote them, with their positions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from chef.text.keys import singular, spelled
from chef.text.tokens import without_accents

# An 's is not part of a word: "the chicken's skin" is about chicken.
_LETTER = r"[^\W\d_¹²³¼-¾⅐-⅞]"
_WORD = re.compile(rf"(?<!['’]){_LETTER}+(?:['’](?!s\b){_LETTER}+)*")


@dataclass(frozen=True, slots=True)
class Word:
    """One word: text[start:end] as written, and the singular under which words are compared."""

    written: str
    key: str
    start: int
    end: int

    @property
    def is_plural(self) -> bool:
        small = self.written.lower()
        return singular(small) != small


def words_in(text: str) -> list[Word]:
    """All words of a text; numbers are none.

    >>> [word.key for word in words_in("Fry 2 Red Onions.")]
    ['fry', 'red', 'onion']
    """
    return [Word(m[0], key(m[0]), m.start(), m.end()) for m in _WORD.finditer(text)]


@lru_cache(maxsize=1 << 16)
def key(word: str) -> str:
    """The form under which a word is compared: small letters, no accents, singular, one spelling."""
    return spelled(without_accents(word.lower()).replace("'", "").replace("’", ""))


def keys(name: str) -> tuple[str, ...]:
    """The keys of a name's words.

    >>> keys("Jalapeños, red_onions")
    ('jalapeno', 'red', 'onion')
    """
    return tuple(word.key for word in words_in(name.replace("_", " ")))


def run(text: str, words: Sequence[Word], at: int, most: int) -> int:
    """How many words from `at` on are adjacent, at most `most`: only a space or a hyphen between them.

    >>> run("fry onion, garlic", words_in("fry onion, garlic"), 0, 5)
    2
    """
    end = at + 1
    while end < min(len(words), at + most) and beside(text, words[end - 1], words[end]):
        end += 1
    return end - at


def beside(text: str, left: Word, right: Word) -> bool:
    """Whether only a space, a hyphen or an apostrophe separates two words."""
    return text[left.end : right.start].strip() in ("", "-", "'", "’")
