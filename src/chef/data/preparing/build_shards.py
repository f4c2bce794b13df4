"""Parts into shards: words become numbers, and every split gets its own files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from chef.data.manifest import WORK, Files, bytes_facts, stream_facts
from chef.data.preparing.names import VOCABULARY, part
from chef.data.preparing.parts import Record, load_records
from chef.data.shards import ShardIndex, TarWriter
from chef.storage import Store
from chef.text.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Piece:
    """Recipes of one split in a part: `count` of them, from the `first` on."""

    part: str
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Shard:
    """One shard to come: its name, its split, and where its recipes are."""

    name: str
    split: str
    pieces: tuple[Piece, ...]


def shard_names(name: str) -> tuple[str, str]:
    """The tar file of a shard and its index, by their paths in the folder."""
    return f"shards/{name}.tar", f"shards/{name}.index.json"


def make_shard(store: Store, shard: Shard) -> Files:
    """Write one shard and its index; says what was written."""
    tar_name, index_name = shard_names(shard.name)
    words, index, files = _vocabulary(store), ShardIndex(), Files()
    with store.writing(tar_name) as file:
        tar = TarWriter(file)
        for record in _records(store, shard):
            _add(tar, index, record, words)
        tar.close()
        files[tar_name] = stream_facts(file)
    store.write(index_name, index.to_json())
    files[index_name] = bytes_facts(index.to_json())
    return files


def _records(store: Store, shard: Shard) -> Iterator[Record]:
    for piece in shard.pieces:
        records = load_records(store, part(piece.part), shard.split)
        yield from islice(records, piece.first, piece.first + piece.count)


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
def _vocabulary(store: Store) -> Vocabulary:
    with store.local(f"{WORK}/{VOCABULARY}") as path:
        return Vocabulary.load(path)
