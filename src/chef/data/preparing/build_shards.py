"""Parts into shards: words become numbers, and every split gets its own files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from chef.atomic import replacing, write_whole
from chef.data.manifest import Files, file_facts
from chef.data.preparing.parts import Record, load_records
from chef.data.shards import ShardIndex, TarWriter
from chef.text.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Piece:
    """Recipes of one split in a part: `count` of them, from the `first` on."""

    part: str
    first: int
    count: int


def shard_names(name: str) -> tuple[str, str]:
    """The tar file of a shard and its index, by their paths in the folder."""
    return f"shards/{name}.tar", f"shards/{name}.index.json"


def make_shard(
    out: Path, parts: Path, name: str, split: str, pieces: tuple[Piece, ...], vocabulary: Path
) -> Files:
    """Write one shard and its index, or find them written."""
    tar_name, index_name = shard_names(name)
    if not ((out / tar_name).exists() and (out / index_name).exists()):
        words, index = _vocabulary(vocabulary), ShardIndex()
        with replacing(out / tar_name) as file:
            tar = TarWriter(file)
            for record in _records(parts, split, pieces):
                _add(tar, index, record, words)
            tar.close()
        write_whole(out / index_name, index.to_json())
    return {path: file_facts(out / path) for path in (tar_name, index_name)}


def _records(parts: Path, split: str, pieces: tuple[Piece, ...]) -> Iterator[Record]:
    for piece in pieces:
        yield from islice(load_records(parts / piece.part, split), piece.first, piece.first + piece.count)


def _add(tar: TarWriter, index: ShardIndex, record: Record, words: Vocabulary) -> None:
    tokens = record.data["tokens"]
    numbers = {
        "title": words.ids(tokens["title"]),
        "ingredients": words.ids(tokens["ingredients"]),
        "sentences": [words.ids(sentence) for sentence in tokens["sentences"]],
    }
    names = [f"{record.key}.{place}.jpg" for place in range(len(record.images))]
    data = {**record.data, "images": names, "tokens": numbers}
    text = json.dumps(data, separators=(",", ":")).encode()
    index.ids.append(record.data["id"])
    index.texts.append(tar.add(f"{record.key}.json", text))
    index.images.append([tar.add(name, image) for name, image in zip(names, record.images, strict=True)])


@lru_cache(maxsize=1)
def _vocabulary(path: Path) -> Vocabulary:
    return Vocabulary.load(path)
