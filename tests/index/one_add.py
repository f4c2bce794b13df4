"""One run of `chef index add`, in a process of its own, with small batches.

    python -m tests.index.one_add COLLECTION PREPARED MODEL LEASE LOG

Every batch that this run has stored, and every shard that it has finished, is a line in LOG.
"""

import os
import sys

from chef.index import Index, bulk, ingest
from chef.index.bulk import Turn
from chef.index.ingest import Writer

BATCH = 3


def main(collection: str, prepared: str, model: str, lease: str, log: str) -> None:
    ingest.BATCH = BATCH
    bulk.add_prepared.__defaults__ = (float(lease),)
    mark, batch = Turn.mark, Writer._batch

    def say(what: str) -> None:
        with open(log, "ab", buffering=0) as file:
            file.write(f"{os.getpid()} {what}\n".encode())

    def marking(self, work, added):
        mark(self, work, added)
        say(work)

    def storing(self, recipes, parsed):
        added = batch(self, recipes, parsed)
        say(f"batch {added.added} {added.unchanged}")
        return added

    Turn.mark, Writer._batch = marking, storing  # type: ignore[method-assign]
    Index(collection, model).add(prepared)


if __name__ == "__main__":
    main(*sys.argv[1:])
