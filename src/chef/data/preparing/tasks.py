"""The work of the worker processes: parts, shards and word vectors, each done by the run that claims it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from chef.data.manifest import NAME, WORK, Files, stream_facts
from chef.data.preparing.parts import CANONICAL_TEXT, RAW_TEXT, make_part
from chef.data.preparing.plan import Shard, make_shard, shard_names
from chef.data.preparing.source import Chunk
from chef.data.preparing.workplace import PLAN, RAW_VECTORS, RAW_VOCABULARY, VECTORS, VOCABULARY, done, part
from chef.data.sharing import Share
from chef.data.texts import PrepareSettings
from chef.errors import ChefError
from chef.storage import Store
from chef.text.vocabulary import Vocabulary
from chef.text.word2vec import train_word2vec


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a task: done, or held by another run."""

    work: str
    holder: str = ""  # the other run; "": it is done
    files: Files = field(default_factory=dict)
    recipes: int = 0


def shared(
    store: Store, share: Share | None, work: str, is_done: Callable[[], bool], do: Callable[[], Outcome]
) -> Outcome:
    """Do the work unless it is done or another run holds it. A run that is alone (no share) just does it.

    Every task gives the same bytes whichever run does it.
    """
    if share is None:
        return do()

    def is_over() -> bool:
        return is_done() or store.size(NAME) is not None

    try:
        holder = share.holder(store, work)
        if holder != share.token:
            return Outcome(work, holder)
        return Outcome(work) if is_over() else do()
    except (OSError, ChefError):
        # While we were suspended others may have finished and removed what we were reading.
        if is_over():
            return Outcome(work)
        raise


def part_task(store: Store, share: Share | None, chunk: Chunk, settings: PrepareSettings) -> Outcome:
    """A chunk of recipes becomes a part."""

    def is_done() -> bool:
        # Once there is a plan all parts were there, and those that are used up are gone.
        return store.size(part(chunk.name)) is not None or store.size(PLAN) is not None

    def do() -> Outcome:
        make_part(store, chunk, settings)
        return Outcome(chunk.name, recipes=len(chunk.recipes))

    return shared(store, share, chunk.name, is_done, do)


def shard_task(store: Store, share: Share | None, shard: Shard) -> Outcome:
    """Recipes of parts become a shard."""
    name = shard_names(shard.name)[0]

    def do() -> Outcome:
        # Both exist without a marker: the run that made them was killed at just that moment.
        written = all(store.size(path) is not None for path in shard_names(shard.name))
        files = _facts(store, *shard_names(shard.name)) if written else make_shard(store, shard)
        return Outcome(name, files=_marked(store, name, files))

    return shared(store, share, name, lambda: store.size(done(name)) is not None, do)


def vector_task(store: Store, share: Share | None, name: str, settings: PrepareSettings) -> Outcome:
    """The training text becomes word vectors."""

    def is_done() -> bool:
        return store.size(done(name)) is not None

    def do() -> Outcome:
        if store.size(name) is None:
            data = vectors_file(store, name, settings)
            # Another kind of processor may round differently: what others made in the meantime must stay.
            if share is not None and is_done():
                return Outcome(name)
            store.write(name, data)
        return Outcome(name, files=_marked(store, name, _facts(store, name)))

    return shared(store, share, name, is_done, do)


def _facts(store: Store, *names: str) -> Files:
    """The checksums of existing files."""
    files: Files = {}
    for name in names:
        with store.open(name, ahead=8 << 20) as file:
            files[name] = stream_facts(file)
    return files


def _marked(store: Store, name: str, files: Files) -> Files:
    """Write the marker of a finished result, with its checksums."""
    store.write(done(name), json.dumps(files).encode())
    return files


# The vectors, the vocabulary that they are for, and the text that they are trained on.
OF = {VECTORS: (VOCABULARY, CANONICAL_TEXT), RAW_VECTORS: (RAW_VOCABULARY, RAW_TEXT)}


class TextFile:
    """The sentences of a text file, one per line; can be read repeatedly."""

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
