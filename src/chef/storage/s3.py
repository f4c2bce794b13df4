"""A bucket, or a part of one, in an object store that speaks S3.

Rights and addresses come from the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
AWS_ENDPOINT_URL ... A write is visible as a whole or not at all, and a create that must be the first is
asked of the server itself (`If-None-Match`), so no clock and no second look is involved.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import BufferedReader, RawIOBase
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from chef.errors import ChefError
from chef.files import temporary_folder
from chef.storage.faults import told
from chef.storage.store import Store

if TYPE_CHECKING:
    from obstore.store import S3Store

# A server that is away for a few minutes costs patience and no work; one that is gone is told in the end.
_RETRIES = 10
_RETRY_SECONDS = 180
_TIMEOUT_SECONDS = 60  # of one request; all requests are for a few megabytes
_REQUEST = 8 << 20  # bytes that one request fetches
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")


class S3(Store):
    """The objects of a bucket below a prefix, as a store.

    >>> S3("kitchen", "prepared").place("manifest.json")
    's3://kitchen/prepared/manifest.json'
    """

    def __init__(self, bucket: str, prefix: str) -> None:
        if not bucket:
            raise ChefError("an s3:// address without a bucket", "write it like s3://bucket/folder")
        self.bucket = bucket
        self.prefix = prefix
        self._client: S3Store | None = None
        self._process = 0

    def __getstate__(self) -> tuple[str, str]:
        return self.bucket, self.prefix

    def __setstate__(self, state: tuple[str, str]) -> None:
        self.bucket, self.prefix = state
        self._client, self._process = None, 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, S3) and (self.bucket, self.prefix) == (other.bucket, other.prefix)

    def __hash__(self) -> int:
        return hash((self.bucket, self.prefix))

    @property
    def _s3(self) -> S3Store:
        if self._client is None or self._process != os.getpid():  # a fork must not share connections
            self._client, self._process = _connect(self.bucket, self.prefix), os.getpid()
        return self._client

    def place(self, name: str = "") -> str:
        return "/".join(("s3:/", self.bucket, *filter(None, (self.prefix, name))))

    def size(self, name: str) -> int | None:
        import obstore

        try:
            with told(self.place(name)):
                return obstore.head(self._s3, name)["size"]
        except FileNotFoundError:
            return None

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        found = dict(self.entries())  # one request for a thousand files, not one for each
        return {name: found[name] for name in names if name in found}

    def listing(self, under: str = "") -> Iterator[str]:
        for name, _ in self.entries(under):
            yield name

    def entries(self, under: str = "") -> Iterator[tuple[str, int]]:
        """Names and sizes below a name, in the order of their bytes."""
        import obstore

        with told(self.place(under)):
            for found in obstore.list(self._s3, prefix=under or None):
                yield from ((item["path"], item["size"]) for item in found)

    def read(self, name: str) -> bytes:
        import obstore

        with told(self.place(name)):
            return obstore.get(self._s3, name).bytes().to_bytes()

    def span(self, name: str, offset: int, size: int) -> bytes:
        import obstore

        if not size:
            return b""
        with told(self.place(name)):
            return obstore.get_range(self._s3, name, start=offset, length=size).to_bytes()

    def open(self, name: str, ahead: int = 1 << 20) -> BinaryIO:
        size = self.size(name)
        if size is None:
            raise FileNotFoundError(2, "no such object", self.place(name))
        return cast(BinaryIO, BufferedReader(_Reader(self, name, size), ahead))

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        size = self.size(name)
        if size is None:
            raise FileNotFoundError(2, "no such object", self.place(name))
        with temporary_folder() as folder:
            path = Path(folder) / Path(name).name
            with path.open("wb") as file:
                for offset in range(0, size, _REQUEST):
                    file.write(self.span(name, offset, min(_REQUEST, size - offset)))
            yield path

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        # First as a whole on this machine: what fails half-way has not touched the store.
        with TemporaryFile(prefix="chef-") as file:
            yield cast(BinaryIO, file)
            file.flush()
            file.seek(0)
            self._put(name, file)

    def write(self, name: str, data: bytes) -> None:
        self._put(name, data)

    def _put(self, name: str, data: Any) -> None:
        import obstore

        try:
            with told(self.place(name)):
                obstore.put(self._s3, name, data, chunk_size=_REQUEST, max_concurrency=4)
        except FileNotFoundError as error:
            raise _no_bucket(self.bucket) from error

    def take(self, name: str, owner: str) -> str:
        import obstore
        from obstore.exceptions import AlreadyExistsError

        try:
            with told(self.place(name), AlreadyExistsError):
                obstore.put(self._s3, name, owner.encode(), mode="create")
        except AlreadyExistsError:
            return self.read(name).decode()  # perhaps ours: the answer to a first try may have been lost
        except FileNotFoundError as error:
            raise _no_bucket(self.bucket) from error
        return owner

    def remove(self, name: str) -> None:
        import obstore

        with told(self.place(name)):
            obstore.delete(self._s3, name)

    def clear(self, under: str) -> None:
        import obstore

        with told(self.place(under)):
            for found in obstore.list(self._s3, prefix=under, chunk_size=1000):
                obstore.delete(self._s3, [item["path"] for item in found])


class _Reader(RawIOBase):
    """An object as a file, fetched span by span."""

    def __init__(self, store: S3, name: str, size: int) -> None:
        self._store, self._name, self._size, self._at = store, name, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        size = max(0, min(len(buffer), self._size - self._at))
        data = self._store.span(self._name, self._at, size)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def _connect(bucket: str, prefix: str) -> S3Store:
    try:
        from obstore.store import S3Store
    except ImportError as error:
        raise ChefError(
            "s3:// addresses need the package obstore", "install it: pip install obstore"
        ) from error
    endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), "")
    chosen: dict[str, Any] = {"endpoint": endpoint} if endpoint else {}
    with told(f"s3://{bucket}"):
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


def _no_bucket(bucket: str) -> ChefError:
    return ChefError(f"no such bucket: {bucket}", "make it first, or name another")
