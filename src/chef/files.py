"""Files and folders: written whole or not at all, locked, cached, temporary; tables; faster imports."""

import errno
import gc
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, BinaryIO, Literal

PARTIAL = ".partial-"  # in the names of files that a killed run may leave behind


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which becomes `path` when the block ends without an error.

    >>> with atomic_file(Path("notes.txt")) as file:
    ...     file.write(b"whole")
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Not the process id: two machines that share a disk may have the same.
    partial = path.with_name(f"{path.name}{PARTIAL}{secrets.token_hex(8)}")
    try:
        with partial.open("w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_atomic(path: Path, data: bytes) -> None:
    """Write a small file with a single rename at the end."""
    with atomic_file(path) as file:
        file.write(data)


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to disk, so that they survive a power cut."""
    if path.is_dir() and os.name == "nt":  # a folder cannot be opened there
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def staging_folder(folder: Path, existing: Literal["fail", "keep", "replace"] = "fail") -> Iterator[Path]:
    """An empty folder to fill, which is renamed to `folder` when the block ends without an error.

    existing: what happens when `folder` has contents at that point: an error; nothing (another process was
    faster); or it is replaced. A kill in the middle of replacing leaves the previous one as `.NAME.old`.

    >>> with staging_folder(Path("model")) as new:
    ...     (new / "config.json").write_text("{}")
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    old = folder.with_name(f".{folder.name}.old")
    try:
        yield new
        new.chmod(0o755)
        if existing == "replace" and folder.exists():
            shutil.rmtree(old, ignore_errors=True)
            os.replace(folder, old)
        try:
            os.replace(new, folder)
        except OSError:
            if existing != "keep" or not folder.is_dir():
                raise
        if existing == "replace":
            shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def try_lock(file: IO[bytes]) -> bool:
    """Lock an open file until it is closed; False if another process has locked it.

    Windows has no such locks: there it is up to the user not to start two runs in one folder.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True


def cache_folder() -> Path:
    """Where we keep what can be made again: $CHEF_CACHE, else `chef` in the user's cache folder."""
    if chosen := os.environ.get("CHEF_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chef"


def temporary_folder(purpose: str = "") -> tempfile.TemporaryDirectory[str]:
    """A folder that is deleted with the returned object, or at the end of its `with` block."""
    return tempfile.TemporaryDirectory(prefix=f"chef-{purpose}-" if purpose else "chef-")


@cache
def rows(package: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a tab-separated file in the `tables` folder of a package, without # comments; read once.

    >>> rows("chef.food", "units.tsv")[0][:3]
    ('gram', 'mass', '1')
    """
    text = (files(package) / "tables" / name).read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(tuple(line.split("\t")) for line in lines)


@cache
def word_lists(package: str, name: str) -> dict[str, tuple[str, ...]]:
    """The lists of a table whose rows are the name of a list and some of its words.

    >>> word_lists("chef.food", "words.tsv")["plant part"][:2]
    ('bulb', 'floret')
    """
    lists: dict[str, tuple[str, ...]] = {}
    for title, words in rows(package, name):
        lists[title] = (*lists.get(title, ()), *words.split())
    return lists


@cache
def patterns(package: str, name: str) -> dict[str, re.Pattern[str]]:
    """The patterns of a table: a name and a regular expression, or one alternative of it, in each row.

    Small and capital letters are alike; {name} stands for a pattern above.

    >>> patterns("chef.rewrite", "patterns.tsv")["cold"].search("Chill it")[0]
    'Chill'
    """
    texts: dict[str, str] = {}
    for title, text in rows(package, name):
        texts[title] = f"{texts[title]}|{_filled(text, texts)}" if title in texts else _filled(text, texts)
    return {title: re.compile(text, re.I) for title, text in texts.items()}


@cache
def rules(package: str, name: str) -> dict[str, tuple[tuple[re.Pattern[str], str], ...]]:
    """The replacements of a table, by stage: stage, pattern, what takes its place, in quotes, and an example.

    A row with two cells names a part of a pattern, {name} stands for it below.
    """
    texts: dict[str, str] = {}
    stages: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {}
    for title, text, *more in rows(package, name):
        if more:
            rule = re.compile(_filled(text, texts)), more[0][1:-1]
            stages[title] = (*stages.get(title, ()), rule)
        else:
            texts[title] = text
    return stages


def _filled(text: str, parts: dict[str, str]) -> str:
    return re.sub(r"\{([a-z ]+)\}", lambda match: parts[match[1]], text)


@contextmanager
def loading() -> Iterator[None]:
    """Pause garbage collection while torch or a model loads: nothing becomes garbage (saves about 10 %).

    >>> with loading():
    ...     import torch
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
