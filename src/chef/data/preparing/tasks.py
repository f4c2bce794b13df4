"""The pieces of work as worker processes do them."""

from __future__ import annotations

import json

from chef.data.manifest import Files, stream_facts
from chef.data.preparing.build_parts import make_part
from chef.data.preparing.build_shards import Shard, make_shard, shard_names
from chef.data.preparing.build_vectors import vectors_file
from chef.data.preparing.claims import Outcome, shared
from chef.data.preparing.names import PLAN, done, part
from chef.data.preparing.source import Chunk
from chef.data.settings import PrepareSettings
from chef.data.sharing.claims import Share
from chef.storage import Store


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
        # Both there and no mark: the run that made them was killed at just that moment.
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
            # Another kind of processor may round otherwise: what others made while we slept must stay.
            if share is not None and is_done():
                return Outcome(name)
            store.write(name, data)
        return Outcome(name, files=_marked(store, name, _facts(store, name)))

    return shared(store, share, name, is_done, do)


def _facts(store: Store, *names: str) -> Files:
    """The checksums of files that are there."""
    files: Files = {}
    for name in names:
        with store.open(name, ahead=8 << 20) as file:
            files[name] = stream_facts(file)
    return files


def _marked(store: Store, name: str, files: Files) -> Files:
    """Leave a mark that the result is there, with its checksums."""
    store.write(done(name), json.dumps(files).encode())
    return files
