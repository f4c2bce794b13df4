"""A bucket, or a part of one, in an object store that speaks S3.

Credentials and endpoint come from the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
AWS_ENDPOINT_URL ... Writes are atomic, and a file that only one caller may create is a conditional put
(`If-None-Match`), decided by the server.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import BufferedReader, RawIOBase
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from chef.errors import ChefError
from chef.files import temporary_folder
from chef.storage import Store, Unreachable

if TYPE_CHECKING:
    from obstore.store import S3Store

# A server that is down for a few minutes is waited for; after that it is an error.
_RETRIES = 10
_RETRY_SECONDS = 180
_TIMEOUT_SECONDS = 60  # of one request; all requests are for a few megabytes
_REQUEST = 8 << 20  # bytes that one request fetches
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
_CODE = re.compile(r"<Code>([^<]*)</Code>")


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
            with _translated(self.place(name)):
                return obstore.head(self._s3, name)["size"]
        except FileNotFoundError:
            return None

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        sizes = dict(self.entries())  # one request for a thousand files, not one for each
        return {name: sizes[name] for name in names if name in sizes}

    def listing(self, under: str = "") -> Iterator[str]:
        for name, _ in self.entries(under):
            yield name

    def entries(self, under: str = "") -> Iterator[tuple[str, int]]:
        """Names and sizes below a name, in the order of their bytes."""
        import obstore

        with _translated(self.place(under)):
            for page in obstore.list(self._s3, prefix=under or None):
                yield from ((item["path"], item["size"]) for item in page)

    def read(self, name: str) -> bytes:
        import obstore

        with _translated(self.place(name)):
            return obstore.get(self._s3, name).bytes().to_bytes()

    def span(self, name: str, offset: int, size: int) -> bytes:
        import obstore

        if not size:
            return b""
        with _translated(self.place(name)):
            return obstore.get_range(self._s3, name, start=offset, length=size).to_bytes()

    def open(self, name: str, ahead: int = 1 << 20) -> BinaryIO:
        return cast(BinaryIO, BufferedReader(_Reader(self, name), ahead))

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        with temporary_folder() as folder, self.open(name, _REQUEST) as source:
            path = Path(folder) / Path(name).name
            with path.open("wb") as file:
                shutil.copyfileobj(source, file, _REQUEST)
            yield path

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        # First to a local file: a failure half-way leaves the store untouched.
        with TemporaryFile(prefix="chef-") as file:
            yield cast(BinaryIO, file)
            file.flush()
            file.seek(0)
            self.write(name, file)

    def write(self, name: str, data: Any) -> None:
        import obstore

        try:
            with _translated(self.place(name)):
                obstore.put(self._s3, name, data, chunk_size=_REQUEST, max_concurrency=4)
        except FileNotFoundError as error:
            raise _no_bucket(self.bucket) from error

    def take(self, name: str, owner: str) -> str:
        import obstore
        from obstore.exceptions import AlreadyExistsError

        try:
            with _translated(self.place(name), AlreadyExistsError):
                obstore.put(self._s3, name, owner.encode(), mode="create")
        except AlreadyExistsError:
            return self.read(name).decode()  # perhaps ours: the reply to a first try may have been lost
        except FileNotFoundError as error:
            raise _no_bucket(self.bucket) from error
        return owner

    def remove(self, name: str) -> None:
        import obstore

        with _translated(self.place(name)):
            obstore.delete(self._s3, name)

    def clear(self, under: str) -> None:
        import obstore

        with _translated(self.place(under)):
            for page in obstore.list(self._s3, prefix=under, chunk_size=1000):
                obstore.delete(self._s3, [item["path"] for item in page])


class _Reader(RawIOBase):
    """An object as a file, fetched span by span."""

    def __init__(self, store: S3, name: str) -> None:
        size = store.size(name)
        if size is None:
            raise FileNotFoundError(errno.ENOENT, "no such object", store.place(name))
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


@contextmanager
def _translated(place: str, *expected: type[Exception]) -> Iterator[None]:
    """Errors of network, permissions and server as one line; a missing object stays FileNotFoundError.

    expected: errors that the caller handles itself.
    """
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(errno.ENOENT, "no such object", place) from None  # theirs has many lines
    except Exception as error:
        from obstore.exceptions import BaseError

        if not isinstance(error, BaseError | ValueError) or isinstance(error, expected):
            raise
        # What matters in the message: the server's error code, or the first line.
        code = _CODE.search(str(error))
        reason = code[1] if code else " ".join(str(error).partition("\n\nDebug source")[0].split())[-200:]
        way_out = "check the address, the network and the AWS_ variables, then run the same command again"
        raise Unreachable(f"{place} cannot be used: {reason}", way_out) from error


def _connect(bucket: str, prefix: str) -> S3Store:
    try:
        from obstore.store import S3Store
    except ImportError as error:
        raise ChefError(
            "s3:// addresses need the package obstore", "install it: pip install obstore"
        ) from error
    endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), "")
    chosen: dict[str, Any] = {"endpoint": endpoint} if endpoint else {}
    with _translated(f"s3://{bucket}"):
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
