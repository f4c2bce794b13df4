"""Recipes at an `s3://` address, read through a copy on this machine that has no photos in it.

Every file but the photos is fetched; a photo has an empty stand-in of its own size (a file with nothing in
it takes no space), so that all readers find what they look for. The recipes name the photos by their
address, and those are fetched one by one, where and when they are needed.
"""

import errno
import os
import tarfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from itertools import islice
from pathlib import Path

from chef.errors import ChefError
from chef.files import temporary_folder
from chef.readers.base import Skipped, at_most, is_image
from chef.recipe import Recipe
from chef.storage import Store, open_store

_AT_ONCE = 8
_GROUP = 1000
_MEMBER = ".tar!"  # a shard of prepared data, then the photo in it


class RemoteCopy:
    """The copy of an address: `path` is what to read. It is deleted with this object.

    >>> copy = RemoteCopy("s3://kitchen/recipes/")
    >>> copy.address(f"{copy.path}/images/pie.jpg")
    's3://kitchen/recipes/images/pie.jpg'
    """

    def __init__(self, address: str) -> None:
        self._problems: list[tuple[str, str]] = []  # files that could not be copied, and why
        self._folder = temporary_folder("source")
        above, _, last = address.rstrip("/").rpartition("/")
        # Ids may come from the name of the folder: the copy must have the same.
        self.path = Path(self._folder.name) / last
        is_file = above != "s3:/" and open_store(above).size(last) is not None
        self._store = open_store(above if is_file else address)
        if is_file:
            self._store.fetch(last, self.path)
        else:
            with ThreadPoolExecutor(_AT_ONCE) as threads:
                entries = (entry for entry in self._store.sizes() if not _is_hidden(entry[0]))
                while some := list(islice(entries, _GROUP)):  # millions of photos must not wait in memory
                    self._problems += [problem for problem in threads.map(self._copy, some) if problem[1]]
        if not self.path.exists():
            raise ChefError(f"nothing at {address}", "give an address that exists")

    def address(self, reference: str) -> str:
        """The address of a photo whose stand-in a reader has found; other references stay as they are."""
        inside = os.path.join(str(self.path), "")
        if reference.startswith(inside) and is_image(reference):
            return self._store.place(reference[len(inside) :].replace(os.sep, "/"))
        return reference

    def recipes(self, read: Iterable[Recipe], skipped: Skipped) -> Iterator[Recipe]:
        """Recipes read from the copy, with the addresses of their photos."""
        for name, problem in self._problems:
            skipped.add("cannot be read", name, problem)
        for recipe in read:
            yield replace(recipe, images=tuple(map(self.address, recipe.images)))

    def size(self, address: str) -> int | None:
        """The size of a photo by its address."""
        inside = f"{self._store.place()}/"
        path = self.path / address.removeprefix(inside)
        return path.stat().st_size if address.startswith(inside) and path.is_file() else None

    def _copy(self, entry: tuple[str, int]) -> tuple[str, str]:
        """Copy a file, or make a photo's stand-in; returns its name and what went wrong, if anything."""
        name, size = entry
        path = self.path / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if is_image(name):
                with path.open("wb") as file:
                    file.truncate(size)
            else:
                self._store.fetch(name, path)
        except OSError as error:  # a name that no disk takes, a file where a folder should be
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise
            return name, error.strerror or str(error)
        return name, ""


def _is_hidden(name: str) -> bool:
    return any(not step or step.startswith(".") for step in name.split("/"))


def photo(address: str, limit: int) -> bytes | None:
    """The bytes of a photo at an address, or of one in a shard there; None if they are too many."""
    bucket, _, name = address.partition("://")[2].partition("/")
    store, (shard, mark, member) = _bucket(bucket), name.partition(_MEMBER)
    if mark:
        with tarfile.open(fileobj=BytesIO(store.read(f"{shard}.tar")), mode="r:") as tar:
            stream = tar.extractfile(member)
            return b"" if stream is None else at_most(stream, limit)
    size = store.size(name)
    if size is None:
        raise FileNotFoundError(errno.ENOENT, "no such object", address)
    return store.read(name) if size <= limit else None


@lru_cache(maxsize=64)
def _bucket(name: str) -> Store:
    """One connection for all photos of a bucket."""
    return open_store(f"s3://{name}")
