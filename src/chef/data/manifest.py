"""The manifest: what a folder of prepared data holds. It is written last, so its presence means whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from chef.errors import ChefError

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
    def load(cls, folder: Path) -> Manifest:
        """The manifest of a folder of prepared data."""
        path = folder / NAME
        try:
            data = json.loads(path.read_bytes())
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ChefError(*_missing(folder)) from error
        except ValueError as error:
            raise ChefError(f"damaged file: {path}", "prepare the data again") from error
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise ChefError(f"{path} is not a manifest of this version", "prepare the data again")
        if set(data) != {item.name for item in fields(cls)}:
            raise ChefError(f"damaged file: {path}", "prepare the data again")
        return cls(**data)

    def check_sizes(self, folder: Path) -> None:
        """A quick look at all files; raises for the first one missing or of another size."""
        for name, facts in self.files.items():
            path = folder / name
            if not path.is_file():
                raise ChefError(f"missing file: {path}", "prepare the data again")
            if path.stat().st_size != facts["bytes"]:
                raise ChefError(f"damaged file: {path}", "remove the folder and prepare the data again")

    def verify(self, folder: Path) -> None:
        """Read all files; raises for the first one whose checksum differs."""
        self.check_sizes(folder)
        for name, facts in self.files.items():
            if file_facts(folder / name)["sha256"] != facts["sha256"]:
                raise ChefError(
                    f"damaged file: {folder / name}", "remove the folder and prepare the data again"
                )


def file_facts(path: Path) -> dict[str, Any]:
    """Checksum and size of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"sha256": digest, "bytes": file.tell()}


def _missing(folder: Path) -> tuple[str, str]:
    if not folder.is_dir():
        return f"no such folder: {folder}", "make it with chef prepare SOURCE OUT"
    if (folder / WORK).is_dir():
        return f"{folder} is not finished", "run the same chef prepare command again to go on"
    return f"{folder} holds no prepared data", "make it with chef prepare SOURCE OUT"
