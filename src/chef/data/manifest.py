"""The manifest: what a folder of prepared data holds. It is written last, so its presence means whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO

from chef.errors import ChefError
from chef.storage import Folder, Store, open_store

NAME = "manifest.json"
FORMAT = "chef prepared data 1"
WORK = "work"  # the folder that a run works in, gone when it is done

Files = dict[str, dict[str, Any]]  # path in the folder to "sha256" and "bytes"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Counts, choices and checksums. No times and no places: equal data have equal manifests."""

    recipes: int
    with_image: int
    splits: dict[str, int]
    splits_with_image: dict[str, int]
    skipped: dict[str, int]  # recipes left out: reason to count
    skipped_files: dict[str, int]  # files in the source that hold no recipe
    image_problems: dict[str, int]  # images left out: reason to count
    truncated: dict[str, int]  # what was cut to the longest length
    vocabulary: int
    raw_vocabulary: int
    minimum_count: int
    canonical_ingredients: int
    notes: list[str]
    settings: dict[str, Any]
    made_with: dict[str, str]
    source: str  # digest of the recipes read
    shards: dict[str, list[str]]  # split to the names of its shards, in order
    files: Files
    format: str = FORMAT

    def summary(self) -> dict[str, Any]:
        """The part that a reader of the command's output wants."""
        left_out = {"settings", "made_with", "source", "shards", "files", "format"}
        return {name: value for name, value in asdict(self).items() if name not in left_out}

    def to_bytes(self) -> bytes:
        """The bytes of the manifest file."""
        return (json.dumps(asdict(self), indent=1) + "\n").encode()

    @classmethod
    def load(cls, folder: str | Path | Store) -> Manifest:
        """The manifest of prepared data."""
        store = folder if isinstance(folder, Store) else open_store(folder)
        place = store.place(NAME)
        try:
            data = json.loads(store.read(NAME))
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ChefError(*_missing(store)) from error
        except ValueError as error:
            raise ChefError(f"damaged file: {place}", "prepare the data again") from error
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise ChefError(f"{place} is not a manifest of this version", "prepare the data again")
        if set(data) != {item.name for item in fields(cls)}:
            raise ChefError(f"damaged file: {place}", "prepare the data again")
        return cls(**data)

    def check_sizes(self, store: Store) -> None:
        """A quick look at all files; raises for the first one missing or of another size."""
        sizes = store.sizes(self.files)
        for name, facts in self.files.items():
            if name not in sizes:
                raise ChefError(f"missing file: {store.place(name)}", "prepare the data again")
            if sizes[name] != facts["bytes"]:
                raise _damaged(store, name)

    def verify(self, store: Store) -> None:
        """Read all files; raises for the first one whose checksum differs."""
        self.check_sizes(store)
        for name, facts in self.files.items():
            with store.open(name, ahead=8 << 20) as file:
                if stream_facts(file)["sha256"] != facts["sha256"]:
                    raise _damaged(store, name)


def file_facts(path: Path) -> dict[str, Any]:
    """Checksum and size of a file."""
    with path.open("rb") as file:
        return stream_facts(file)


def stream_facts(file: BinaryIO) -> dict[str, Any]:
    """Checksum and size of an open file, from its start to its end."""
    file.seek(0)
    digest = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    return {"sha256": digest, "bytes": file.tell()}


def bytes_facts(data: bytes) -> dict[str, Any]:
    """Checksum and size of some bytes."""
    return {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def _damaged(store: Store, name: str) -> ChefError:
    way_out = f"remove {store.place()} and prepare the data again"
    return ChefError(f"damaged file: {store.place(name)}", way_out)


def _missing(store: Store) -> tuple[str, str]:
    place = store.place()
    if isinstance(store, Folder) and not store.folder.is_dir():
        return f"no such folder: {place}", "make it with chef prepare SOURCE OUT"
    if next(store.listing(WORK), None) or (isinstance(store, Folder) and store.path(WORK).is_dir()):
        return f"{place} is not finished", "run the same chef prepare command again to go on"
    return f"{place} holds no prepared data", "make it with chef prepare SOURCE OUT"
