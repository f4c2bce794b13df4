"""Words as vectors: a table, or MiniLM, which reads them in context; built from a description or a folder.

A folder has config.json (sizes, and where the weights come from), model.safetensors in half precision and
pieces.tsv, as `experiments/make_minilm.py` writes it.

MiniLM is written in plain torch: importing transformers costs several times more than importing torch, and
a transformer over word pieces does not fit under trees over words. Tests check that both compute the same.
`WordPieces` is WordPiece: how BERT and related models split words into pieces.
"""

from __future__ import annotations

import json
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from chef.errors import ChefError
from chef.files import write_atomic
from chef.model.layout import Packed, Table, some_at_a_time
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


PIECES = "pieces.tsv"
_WEIGHTS = "model.safetensors"
_EPSILON = 1e-12  # BERT's


class Words(nn.Module, ABC):
    """Turns word numbers (N, L) into vectors (N, L, width)."""

    width: int
    contextual: bool  # whether a word's vector depends on the other words of its row

    @property
    @abstractmethod
    def description(self) -> dict[str, Any]:
        """A JSON object from which `build_words` makes the same module with fresh weights."""

    @abstractmethod
    def forward(self, ids: Tensor) -> Tensor: ...


class WordVectors(Words):
    """A table (vocabulary, width), which may start from word2vec; the vector of padding stays zero."""

    contextual = False

    def __init__(self, vocabulary: int, width: int) -> None:
        super().__init__()
        self.width = width
        self.weight = nn.Parameter(torch.empty(vocabulary, width))
        nn.init.normal_(self.weight)
        with torch.no_grad():
            self.weight[PAD] = 0

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "vectors", "width": self.width}

    def forward(self, ids: Tensor) -> Tensor:
        return F.embedding(ids, self.weight, padding_idx=PAD)


class ContextWords(Words):
    """Words -> word pieces -> BERT -> for each word the mean of the vectors of its pieces.

    pieces: the size of the piece vocabulary; most: the most pieces of a word; positions: the number that
    BERT was trained with. Pieces beyond the last position share it.
    The table from words to pieces (see `WordPieces.table`) is a buffer and saved with the weights.
    """

    contextual = True
    table: Tensor  # (vocabulary, most)

    def __init__(
        self,
        vocabulary: int,
        *,
        pieces: int,
        most: int,
        width: int = 384,
        layers: int = 6,
        heads: int = 12,
        middle: int = 1536,
        positions: int = 512,
    ) -> None:
        super().__init__()
        self.width = width
        self.sizes = {"pieces": pieces, "most": most, "width": width, "layers": layers}
        self.sizes |= {"heads": heads, "middle": middle, "positions": positions}
        self.register_buffer("table", torch.zeros(vocabulary, most, dtype=torch.int32))
        self.pieces = nn.Embedding(pieces, width)
        self.positions = nn.Embedding(positions, width)
        self.norm = nn.LayerNorm(width, _EPSILON)
        self.layers = nn.ModuleList(BertLayer(width, heads, middle) for _ in range(layers))

    @property
    def description(self) -> dict[str, Any]:
        return {"kind": "minilm", **self.sizes}

    def forward(self, ids: Tensor) -> Tensor:
        x, _ = self._read(ids)
        pieces = self._pieces(ids)
        # The start and the end of a row count as words of one piece.
        sums = torch.segment_reduce(x, "sum", lengths=F.pad(pieces, (1, 1), value=1).flatten(), unsafe=True)
        of_words = sums.view(len(ids), -1, self.width)[:, 1:-1]
        return of_words / pieces.clamp(min=1)[:, :, None]

    def means(self, ids: Tensor) -> Tensor:
        """(N, width): the mean of the vectors of the words in each row."""
        x, layout = self._read(ids)
        pieces = self._pieces(ids)
        # The weight of a piece: its word's share of the row, shared by the word's pieces; none at both ends.
        share = 1 / (pieces.clamp(min=1) * (ids != PAD).sum(1, keepdim=True)).to(x.dtype)
        each = F.pad(share.repeat_interleave(self.sizes["most"], 1), (1, 1)).flatten()
        weighted = x * each.index_select(0, layout.kept)[:, None]
        return torch.segment_reduce(weighted, "sum", lengths=layout.counts, unsafe=True)

    def _pieces(self, ids: Tensor) -> Tensor:
        """(N, L) how many pieces each word has; padding has none."""
        return (self.table != NO_PIECE).sum(1)[ids]

    def _read(self, ids: Tensor) -> tuple[Tensor, Packed]:
        """The vectors of all pieces, and of the start and the end of each row, one row after another."""
        spelled = self.table[ids].flatten(1)  # (N, L x most), with holes where a word has fewer pieces
        tokens = F.pad(F.pad(spelled, (1, 0), value=START_PIECE), (0, 1), value=END_PIECE)
        layout = Packed.of_mask(tokens != NO_PIECE)
        position = layout.column.clamp(max=self.positions.num_embeddings - 1)
        read = self.pieces(tokens.flatten().index_select(0, layout.kept))
        x: Tensor = self.norm(read + self.positions(position))
        for layer in self.layers:
            x = layer(x, layout)
        return x, layout


class BertLayer(nn.Module):
    """Attention and a feed-forward network, each with a residual connection and layer norm."""

    def __init__(self, width: int, heads: int, middle: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention = nn.Linear(width, 3 * width)  # queries, keys, values
        self.attended = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, _EPSILON)
        self.first = nn.Linear(width, middle)
        self.last = nn.Linear(middle, width)
        self.norm = nn.LayerNorm(width, _EPSILON)

    def forward(self, x: Tensor, layout: Table) -> Tensor:
        mixed = layout.attend(some_at_a_time(self.attention, x), self.heads)
        x = self.attention_norm(x + self.attended(mixed))
        return some_at_a_time(self._feed_forward, x)

    def _feed_forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.norm(x + self.last(F.gelu(self.first(x))))
        return out


def build_words(description: Mapping[str, Any], vocabulary: int, width: int) -> Words:
    """The module of a description (`Words.description`) with fresh weights, for so many words.

    width: of a word vector, where the description does not fix it.
    """
    sizes = {name: value for name, value in description.items() if name != "kind"}
    if description["kind"] == "vectors":
        return WordVectors(vocabulary, sizes.get("width", width))
    if description["kind"] == "minilm":
        return ContextWords(vocabulary, **sizes)
    raise ChefError(
        f"no words of kind {description['kind']!r}", "is this model from a newer version of chef?"
    )


def load_words(folder: Path, vocabulary: Vocabulary) -> Words:
    """The pre-trained model of a folder, for the words of a vocabulary.

    >>> words = load_words(Path("weights/minilm"), vocabulary)
    >>> words(torch.tensor([vocabulary.ids(["whisk", "the", "eggs"])])).shape
    torch.Size([1, 3, 384])
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    table = WordPieces.load(folder / PIECES).table(vocabulary)
    try:
        state = load_file(folder / _WEIGHTS)
        config = json.loads((folder / "config.json").read_text("utf-8"))
        words = ContextWords(len(vocabulary), most=table.shape[1], **config["sizes"])
        words.load_state_dict({**state, "table": torch.from_numpy(table)})
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise ChefError(f"no readable MiniLM in {folder}", "make the folder again") from error
    return words
