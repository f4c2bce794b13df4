"""Files that are whole or not there: written under another name, put in place in one move."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

# What a killed run may leave behind; `sweep` takes it away.
MARK = ".partial-"


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which becomes `path` when the block ends without an error.

    >>> with replacing(Path("notes.txt")) as file:
    ...     file.write(b"whole")
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Not the process's number: two machines that share a disk may have the same.
    partial = path.with_name(f"{path.name}{MARK}{secrets.token_hex(8)}")
    try:
        with partial.open("w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_whole(path: Path, data: bytes) -> None:
    """Write a small file in one move."""
    with replacing(path) as file:
        file.write(data)


def sweep(folder: Path) -> None:
    """Remove the unfinished files of killed runs below a folder."""
    for path in folder.rglob(f"*{MARK}*"):
        path.unlink(missing_ok=True)
