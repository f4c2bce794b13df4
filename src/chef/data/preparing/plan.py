"""The plan, and what it says: shards and word vectors, made from the parts.

The plan is made once all parts exist and says which recipes go into which shard; its presence means that the
vocabularies and the training text beside it are complete. A finished result has a mark with its checksums.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from itertools import islice

from chef.data.prepared import WORK, Files, bytes_facts
from chef.data.preparing.parts import Part, Summary, load_records, to_json
from chef.data.preparing.source import part_name
from chef.data.shards import ShardIndex, Tar
from chef.data.texts import TEST, TRAIN, VAL, PrepareSettings, numbered
from chef.errors import ChefError
from chef.storage import Store
from chef.text.vocabulary import Vocabulary, train_word2vec
from chef.typed_json import from_json

PLAN = f"{WORK}/plan.json"
DONE = f"{WORK}/done"  # the marks
VOCABULARY, RAW_VOCABULARY = "vocabulary.tsv", "raw-vocabulary.tsv"
VECTORS, RAW_VECTORS = "vectors.safetensors", "raw-vectors.safetensors"
RAW_TEXT, CANONICAL_TEXT = f"{WORK}/raw.txt", f"{WORK}/canonical.txt"
# The vectors, the vocabulary that they are for, and the text that they are trained on.
WORD_VECTORS = {VECTORS: (VOCABULARY, CANONICAL_TEXT), RAW_VECTORS: (RAW_VOCABULARY, RAW_TEXT)}
_AT_ONCE = 16  # parts that are read at the same time


@dataclass(frozen=True, slots=True)
class Piece:
    """Recipes of one split in a part: `count` of them, from the `first` on."""

    part: str
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard to be made: its name, its split, and where its recipes are."""

    name: str
    split: str
    pieces: list[Piece]


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is known before shards and word vectors are made."""

    digests: list[str]  # of the chunks, in order
    minimum: int
    vocabulary: str  # its checksum
    counts: dict[str, dict[str, int]]  # the summary of all parts without its words
    shards: list[Shard]

    @classmethod
    def load(cls, store: Store) -> Plan | None:
        """The plan, if it has been made."""
        if store.size(PLAN) is None:
            return None
        return from_json(cls, json.loads(store.read(PLAN)), store.place(PLAN))


def make_plan(store: Store, digests: list[str], settings: PrepareSettings) -> Plan:
    """Count the words, write vocabularies and training text beside the parts, and plan the shards."""
    total, splits = Summary(), []
    names = [part_name(number, digest) for number, digest in enumerate(digests)]
    with store.writer(RAW_TEXT) as raw, store.writer(CANONICAL_TEXT) as canonical:
        for name, part in zip(names, _parts(store, names), strict=True):
            raw.write(part.raw_text.encode())
            canonical.write(part.canonical_text.encode())
            total.add(part.summary)
            splits.append((name, part.summary.splits))
    if not total.splits[TRAIN]:
        problem = f"no recipe is in the train split (there are: {', '.join(sorted(total.splits))})"
        raise ChefError(problem, "name one train, or use --splits hash")
    minimum = settings.minimum(total.splits[TRAIN])
    vocabulary = Vocabulary.build(total.words, minimum).to_bytes()
    store.write(VOCABULARY, vocabulary)
    store.write(RAW_VOCABULARY, Vocabulary.build(total.raw_words, minimum).to_bytes())
    shards = [
        shard
        for split in in_order(total.splits)
        for shard in _shards(split, [(name, counts[split]) for name, counts in splits], settings)
    ]
    counts = {**total.to_json(), "words": {}, "raw_words": {}}
    plan = Plan(digests, minimum, bytes_facts(vocabulary)["sha256"], counts, shards)
    store.write(PLAN, to_json(asdict(plan)))
    return plan


def _parts(store: Store, names: list[str]) -> Iterator[Part]:
    """All parts in order; several are read at a time, but never all."""
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for first in range(0, len(names), 4 * _AT_ONCE):
            yield from threads.map(partial(Part.load, store), names[first : first + 4 * _AT_ONCE])


def in_order(splits: Mapping[str, int] | Iterable[str]) -> list[str]:
    """Split names: train, val, test, then the others alphabetically."""
    known = [name for name in (TRAIN, VAL, TEST) if name in splits]
    return known + sorted(set(splits) - set(known))


def _shards(split: str, parts: list[tuple[str, int]], settings: PrepareSettings) -> Iterator[Shard]:
    """Cut the recipes of a split, in the source's order, into shards of equal size."""
    number, pieces, left = 0, list[Piece](), settings.shard_recipes
    for name, count in parts:
        first = 0
        while first < count:
            taken = min(left, count - first)
            pieces.append(Piece(name, first, taken))
            first += taken
            left -= taken
            if not left:
                yield Shard(f"{split}-{number:05d}", split, pieces)
                number, pieces, left = number + 1, [], settings.shard_recipes
    if pieces:
        yield Shard(f"{split}-{number:05d}", split, pieces)


def make_shard(store: Store, shard: Shard, vocabulary: str) -> tuple[str, Files]:
    """Write one shard and its index; returns its name and its files."""
    words, index, tar = _vocabulary(store, vocabulary), ShardIndex(), Tar()
    for piece in shard.pieces:
        records = (one for one in load_records(store, piece.part) if one.split == shard.split)
        for record in islice(records, piece.first, piece.first + piece.count):
            numbers = numbered(record.data["tokens"], words)
            names = [f"{record.key}.{place}.jpg" for place in range(len(record.images))]
            text = to_json({**record.data, "images": names, "tokens": numbers})
            index.ids.append(record.data["id"])
            index.texts.append(tar.add(f"{record.key}.json", text))
            index.images.append([tar.add(*image) for image in zip(names, record.images, strict=True)])
    place = f"shards/{shard.name}"
    return _finished(
        store, shard.name, {f"{place}.tar": tar.to_bytes(), f"{place}.index.json": index.to_json()}
    )


@lru_cache(maxsize=1)
def _vocabulary(store: Store, checksum: str) -> Vocabulary:
    """checksum: this process may have prepared other data at the same place."""
    with store.local(VOCABULARY) as path:
        return Vocabulary.load(path)


def make_vectors(store: Store, name: str, settings: PrepareSettings) -> tuple[str, Files]:
    """Train the word vectors `name`, one of the two of `WORD_VECTORS`, on the training text."""
    from gensim.models.word2vec import LineSentence
    from safetensors.numpy import save

    words, sentences = WORD_VECTORS[name]
    with store.local(words) as vocabulary, store.local(sentences) as text:
        vectors = train_word2vec(
            LineSentence(str(text)),
            Vocabulary.load(vocabulary),
            dimension=settings.dimension,
            window=settings.window,
            epochs=settings.epochs,
            seed=settings.seed,
        )
    return _finished(store, name, {name: save({"vectors": vectors})})


def _finished(store: Store, name: str, written: dict[str, bytes]) -> tuple[str, Files]:
    """Write the files of a result, then its mark with their checksums."""
    for path, data in written.items():
        store.write(path, data)
    files = {path: bytes_facts(data) for path, data in written.items()}
    store.write(f"{DONE}/{name}.json", to_json(files))
    return name, files
