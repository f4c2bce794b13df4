"""Training text into word vectors (paper, appendix "Words")."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chef.atomic import write_whole
from chef.data.manifest import Files, file_facts
from chef.data.settings import PrepareSettings
from chef.text.vocabulary import Vocabulary
from chef.text.word2vec import train_word2vec


class TextFile:
    """The sentences of a text file, one a line; can be read again and again."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[list[str]]:
        with self._path.open(encoding="utf-8") as file:
            for line in file:
                yield line.split()


def make_vectors(out: Path, name: str, vocabulary: Path, text: Path, settings: PrepareSettings) -> Files:
    """Train word vectors and write them as `name`, or find them written."""
    from safetensors.numpy import save

    if not (out / name).exists():
        vectors = train_word2vec(
            TextFile(text),
            Vocabulary.load(vocabulary),
            dimension=settings.dimension,
            window=settings.window,
            epochs=settings.epochs,
            seed=settings.seed,
        )
        write_whole(out / name, save({"vectors": vectors}))
    return {name: file_facts(out / name)}
