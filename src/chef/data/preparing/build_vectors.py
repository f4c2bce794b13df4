"""Training text into word vectors (paper, appendix "Words")."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chef.data.manifest import WORK
from chef.data.preparing.names import RAW_VECTORS, RAW_VOCABULARY, VECTORS, VOCABULARY
from chef.data.preparing.parts import CANONICAL_TEXT, RAW_TEXT
from chef.data.settings import PrepareSettings
from chef.storage import Store
from chef.text.vocabulary import Vocabulary
from chef.text.word2vec import train_word2vec

# The vectors, the vocabulary that they are for, and the text that they are made of.
OF = {VECTORS: (VOCABULARY, CANONICAL_TEXT), RAW_VECTORS: (RAW_VOCABULARY, RAW_TEXT)}


class TextFile:
    """The sentences of a text file, one a line; can be read again and again."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[list[str]]:
        with self._path.open(encoding="utf-8") as file:
            for line in file:
                yield line.split()


def vectors_file(store: Store, name: str, settings: PrepareSettings) -> bytes:
    """Train word vectors; the bytes of the file `name`, one of the two of `OF`."""
    from safetensors.numpy import save

    words, sentences = OF[name]
    with store.local(f"{WORK}/{words}") as vocabulary, store.local(f"{WORK}/{sentences}") as text:
        vectors = train_word2vec(
            TextFile(text),
            Vocabulary.load(vocabulary),
            dimension=settings.dimension,
            window=settings.window,
            epochs=settings.epochs,
            seed=settings.seed,
        )
    return save({"vectors": vectors})
