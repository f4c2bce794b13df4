"""WordPiece: how BERT and related models split words into pieces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from chef.errors import ChefError
from chef.files import write_atomic
from chef.text.vocabulary import PAD, UNK, Vocabulary

SPECIAL_PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
NO_PIECE, UNKNOWN_PIECE, START_PIECE, END_PIECE = range(4)
INSIDE = "##"  # before a piece that does not begin a word
_LONGEST = 100  # characters; BERT does not try to spell longer words
# Chinese characters are words of their own.
_IDEOGRAPH = re.compile(
    "([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ceaf\U0002f800-\U0002fa1f])"
)


@dataclass(frozen=True)
class WordPieces:
    """Pieces in a fixed order, the four special ones first.

    >>> pieces = WordPieces((*SPECIAL_PIECES, "green", "bean", "##s"))
    >>> pieces.pieces("green_beans")
    [4, 5, 6]
    """

    words: tuple[str, ...]
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {word: i for i, word in enumerate(self.words)})

    def __len__(self) -> int:
        return len(self.words)

    def pieces(self, text: str) -> list[int]:
        """The numbers of the pieces of a word, a canonical token (its words) or a whole text."""
        return [piece for word in _split(text.replace("_", " ")) for piece in self._spell(word)]

    def table(self, vocabulary: Vocabulary) -> np.ndarray[Any, np.dtype[np.int32]]:
        """The pieces of each word, int32 (words, most pieces of a word), filled up with 0.

        Padding alone has none; `<UNK>` and a word without a letter are the unknown piece.
        """
        rows = [self.pieces(word) or [UNKNOWN_PIECE] for word in vocabulary.words]
        rows[PAD], rows[UNK] = [], [UNKNOWN_PIECE]
        table = np.full((len(rows), max(map(len, rows))), NO_PIECE, np.int32)
        for number, row in enumerate(rows):
            table[number, : len(row)] = row
        return table

    def save(self, path: Path) -> None:
        """One piece a line; the line's number, from 0, is the piece's."""
        write_atomic(path, "".join(f"{word}\n" for word in self.words).encode())

    @classmethod
    def load(cls, path: Path) -> WordPieces:
        """The pieces that `save` wrote."""
        try:
            pieces = cls(tuple(path.read_text("utf-8").removesuffix("\n").split("\n")))
        except (OSError, ValueError) as error:
            raise ChefError(f"not a file of word pieces: {path}", "make the folder again") from error
        if pieces.words[: len(SPECIAL_PIECES)] != SPECIAL_PIECES:
            raise ChefError(f"not a file of word pieces: {path}", "make the folder again")
        return pieces

    def _spell(self, word: str) -> list[int]:
        """The longest piece that begins the word, then the longest that goes on, until its end."""
        spelled: list[int] = []
        start, inside = 0, ""
        while start < len(word) <= _LONGEST:
            ends = range(len(word), start, -1)
            end = next((end for end in ends if inside + word[start:end] in self._index), None)
            if end is None:
                break
            spelled.append(self._index[inside + word[start:end]])
            start, inside = end, INSIDE
        return spelled if start == len(word) else [UNKNOWN_PIECE]


def _split(text: str) -> Iterator[str]:
    """The words of a text as BERT cuts them: lower case, no accents, each punctuation sign by itself."""
    text = unicodedata.normalize("NFD", _IDEOGRAPH.sub(r" \1 ", "".join(map(_plain, text))))
    for word in "".join(sign for sign in text if unicodedata.category(sign) != "Mn").lower().split():
        for is_punctuation, signs in groupby(word, _is_punctuation):
            part = "".join(signs)
            yield from part if is_punctuation else (part,)


def _plain(sign: str) -> str:
    """The sign itself, a space for a line end, nothing for a control sign."""
    if sign in "\t\n\r":
        return " "
    return "" if sign == "\ufffd" or unicodedata.category(sign).startswith("C") else sign


def _is_punctuation(sign: str) -> bool:
    """Unicode's, and all of ASCII's signs: to BERT + and $ are punctuation."""
    return unicodedata.category(sign).startswith("P") or (sign.isascii() and not sign.isalnum())
