"""Files in a folder or at an `s3://` address, both through the obstore library.

Credentials and endpoint of a bucket come from the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
AWS_REGION, AWS_ENDPOINT_URL ...

>>> open_store("prepared/").size("manifest.json")      # doctest: +SKIP
5120
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.errors import ChefError
from chef.files import sync, temporary_folder

if TYPE_CHECKING:
    from obstore import WritableFile
    from obstore.store import LocalStore, S3Store

_SCHEME = "s3://"
# A server that is down for a few minutes is waited for; after that it is an error.
_RETRIES = 10
_RETRY_SECONDS = 180
_TIMEOUT_SECONDS = 60  # of one request; all requests are for a few megabytes
_REQUEST = 8 << 20  # bytes that one request sends or fetches
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
_CODE = re.compile(r"<Code>([^<]*)</Code>")  # of a server's error
_ERRNO = re.compile(r"\bcode: (\d+)")  # of the disk's


class Unreachable(ChefError):
    """The bucket does not answer, or not as it should: nothing is known about what it contains."""


@dataclass(frozen=True)
class Store:
    """Files by name, each complete or absent; names are paths with "/". Stores can be pickled.

    >>> open_store("s3://kitchen/prepared/").place("manifest.json")
    's3://kitchen/prepared/manifest.json'
    """

    where: str  # without a slash at its end

    def __reduce__(self) -> tuple[type[Store], tuple[str]]:
        return Store, (self.where,)  # each process connects by itself

    @property
    def folder(self) -> Path | None:
        """The folder; None for a bucket."""
        return None if is_s3(self.where) else Path(self.where)

    @cached_property
    def _client(self) -> LocalStore | S3Store:
        from obstore.store import LocalStore

        return _connect(self.where) if self.folder is None else LocalStore(self.folder)

    def place(self, name: str = "") -> str:
        """The path or address of a file, or of the whole store."""
        return "/".join(filter(None, (self.where, name))) if self.folder is None else str(self.folder / name)

    def size(self, name: str) -> int | None:
        """The size of a file in bytes; None if there is no such file."""
        try:
            with self._translated(name):
                return self._client.head(name)["size"]
        except (FileNotFoundError, NotADirectoryError):
            return None

    def sizes(self, under: str = "") -> Iterator[tuple[str, int]]:
        """The names and sizes of all files below a name, at any depth."""
        try:
            with self._translated(under):
                for page in self._client.list(under or None, chunk_size=1000):
                    yield from ((item["path"], item["size"]) for item in page)
        except FileNotFoundError:  # no such folder
            return

    def listing(self, under: str = "") -> Iterator[str]:
        """The names of all files below a name, at any depth."""
        return (name for name, _ in self.sizes(under))

    def read(self, name: str) -> bytes:
        """All bytes of a file; FileNotFoundError if it does not exist."""
        with self._translated(name):
            return self._client.get(name).bytes().to_bytes()

    def span(self, name: str, offset: int, size: int) -> bytes:
        """`size` bytes from `offset`, fewer where the file ends; FileNotFoundError if it does not exist."""
        with self._translated(name):
            return self._client.get_range(name, start=offset, length=size).to_bytes() if size else b""

    def fetch(self, name: str, path: Path) -> None:
        """Copy a file of any size to a path on this machine."""
        with self._translated(name), path.open("wb") as file:
            for piece in self._client.get(name).stream(min_chunk_size=_REQUEST):
                file.write(piece)

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        """A path with the contents of a file, for readers that need one."""
        if self.folder is not None:
            yield self.folder / name
            return
        with temporary_folder() as folder:
            self.fetch(name, Path(folder) / Path(name).name)
            yield Path(folder) / Path(name).name

    def write(self, name: str, data: bytes) -> None:
        """Write a file: it is there when all of it is."""
        with self._translated(name, write=True):
            self._client.put(name, data, chunk_size=_REQUEST, max_concurrency=4)
            self._sync(name)

    @contextmanager
    def writer(self, name: str) -> Iterator[WritableFile]:
        """A file to write piece by piece; it is there when the block ends without an error."""
        import obstore

        with self._translated(name, write=True):
            with obstore.open_writer(self._client, name) as file:
                yield file
            self._sync(name)

    def _sync(self, name: str) -> None:
        """In a folder: the file survives a power cut from now on. A bucket has it when it has answered."""
        if self.folder is not None:
            sync(self.folder / name)
            sync((self.folder / name).parent)

    def remove(self, *names: str) -> None:
        """Remove those of these files that exist."""
        for name in names:
            try:
                with self._translated(name):
                    self._client.delete(name)
            except FileNotFoundError:
                pass

    def clear(self, under: str) -> None:
        """Remove all files below a name."""
        if self.folder is not None:
            shutil.rmtree(self.folder / under, ignore_errors=True)
        elif names := list(self.listing(under)):
            with self._translated(under):
                self._client.delete(names)

    @contextmanager
    def _translated(self, name: str, *, write: bool = False) -> Iterator[None]:
        """Errors of a disk as OSError; those of network, permissions and server as one line."""
        if write and self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
        try:
            yield
        except FileNotFoundError as error:  # theirs has many lines
            if write and self.folder is None:
                problem = f"no such bucket: {self.where.split('/')[2]}"
                raise ChefError(problem, "make it first, or name another") from error
            raise FileNotFoundError(errno.ENOENT, "no such file", self.place(name)) from None
        except Exception as error:
            from obstore.exceptions import BaseError

            if not isinstance(error, BaseError | ValueError):
                raise
            if self.folder is not None and (code := _ERRNO.search(str(error))):
                raise OSError(int(code[1]), os.strerror(int(code[1])), self.place(name)) from error
            # What matters in the message: the server's error code, or the first line.
            code = _CODE.search(str(error))
            reason = code[1] if code else " ".join(str(error).partition("\n\nDebug")[0].split())[-200:]
            way_out = "check the address, the network and the AWS_ variables, then run the same command again"
            raise Unreachable(f"{self.place(name)} cannot be used: {reason}", way_out) from error


def is_s3(where: str | Path) -> bool:
    """Whether this is an address in an object store."""
    return isinstance(where, str) and where.lower().startswith(_SCHEME)


def open_store(where: str | Path) -> Store:
    """The store at a folder or an address; nothing is read yet."""
    if is_s3(where) and not str(where)[len(_SCHEME) :].partition("/")[0]:
        raise ChefError("an s3:// address without a bucket", "write it like s3://bucket/folder")
    return Store(str(where).rstrip("/") or "/")


def _connect(address: str) -> S3Store:
    from obstore.store import S3Store

    bucket, _, prefix = address[len(_SCHEME) :].partition("/")
    endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), "")
    chosen: dict[str, Any] = {"endpoint": endpoint} if endpoint else {}
    return S3Store(
        bucket,
        prefix=prefix or None,
        client_options={
            "allow_http": endpoint.startswith("http://"),  # only where the user wrote http
            "timeout": timedelta(seconds=_TIMEOUT_SECONDS),
            "connect_timeout": timedelta(seconds=10),
        },
        retry_config={
            "max_retries": _RETRIES,
            "retry_timeout": timedelta(seconds=_RETRY_SECONDS),
            "backoff": {
                "init_backoff": timedelta(milliseconds=100),
                "max_backoff": timedelta(seconds=15),
                "base": 2,
            },
        },
        **chosen,
    )
