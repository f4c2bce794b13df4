"""The small service that the tests of its parts share."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from chef.index import Index
from chef.serve import ServeSettings
from tests.serve.small import served, writable, write_collection


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 24 recipes; only read it."""
    return write_collection(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="session")
def address(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service that tests read from."""
    settings = ServeSettings(port=0, review=tmp_path_factory.mktemp("review"))
    with served(Index(collection), settings) as where:
        yield where


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    """Asks the service that tests read from."""
    with httpx.Client(base_url=address, timeout=60) as made:
        yield made


@pytest.fixture
def own(collection: Path, tmp_path: Path) -> Iterator[httpx.Client]:
    """Asks, as its page would, a service of the test's own that it may write to."""
    copy = shutil.copytree(collection, tmp_path / "collection")
    with writable(copy, tmp_path / "review") as made:
        yield made


@pytest.fixture
def stored(own: httpx.Client, tmp_path: Path) -> Callable[[], Index]:
    """Opens the collection behind `own` apart from the service: what is really on the disk."""
    return lambda: Index(tmp_path / "collection")
