"""The names of the files that a run leaves on its way; they go when the data are whole."""

from __future__ import annotations

from chef.data.manifest import WORK

SETTINGS = f"{WORK}/settings.json"
CANONICAL = f"{WORK}/canonical.tsv"
PARTS = f"{WORK}/parts"
PLAN = f"{WORK}/plan.json"
DONE = f"{WORK}/done"  # one file for each result, with its checksums

VOCABULARY, RAW_VOCABULARY = "vocabulary.tsv", "raw-vocabulary.tsv"
VECTORS, RAW_VECTORS = "vectors.safetensors", "raw-vectors.safetensors"
TABLES = ("canonical.tsv", VOCABULARY, RAW_VOCABULARY)  # made in the work folder, part of the result


def part_name(number: int, digest: str) -> str:
    """The file name of a part: another source or other recipes give another name."""
    return f"{number:06d}-{digest[:16]}.tar"


def part(name: str) -> str:
    """Where a part lies."""
    return f"{PARTS}/{name}"


def done(name: str) -> str:
    """The mark of a finished result.

    >>> done("shards/train-00000.tar")
    'work/done/train-00000.tar.json'
    """
    return f"{DONE}/{name.rpartition('/')[2]}.json"
