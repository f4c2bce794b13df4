"""`chef serve` as a process: its address, its shutdown, and several over one collection."""

import json
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from chef.errors import ChefError
from chef.index import Index
from chef.serve.app import _address, bind
from chef.serve.settings import ServeSettings
from tests.serve.small import recipe_json, running
from tests.tiny import write_source

TOKEN = "a-long-secret"
BEARER = {"authorization": f"Bearer {TOKEN}"}


def test_a_port_in_use_and_an_unknown_host_are_errors():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ChefError, match=rf"port {port}.*--port.*CHEF_PORT"):
            bind(ServeSettings(port=port))
    with pytest.raises(ChefError, match="no such host"):
        bind(ServeSettings(host="no.such.host.invalid", token=TOKEN))


def test_the_address_has_the_port_that_was_chosen():
    with bind(ServeSettings(port=0)) as listening:
        assert _address("127.0.0.1", listening) == f"http://127.0.0.1:{listening.getsockname()[1]}"
        assert _address("::1", listening).startswith("http://[::1]:")


@contextmanager
def replica(index: object, *arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A service over a collection, once it answers: its address and its process."""
    call = ("serve", "--index", index, "--port", "0", *arguments)
    with running(*call, CHEF_TOKEN=TOKEN) as (lines, process):
        assert lines, process.stderr.read()
        yield lines[-1], process


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert condition()


class SlowClient:
    """Sends half of a query, and the rest when asked to."""

    def __init__(self, address: str) -> None:
        where = urlsplit(address)
        self._body = json.dumps({"text": "chicken with rice", "k": 3}).encode()
        self._socket = socket.create_connection((where.hostname, where.port), timeout=30)
        self._socket.sendall(
            b"POST /api/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            b"content-length: %d\r\n\r\n" % len(self._body) + self._body[:10]
        )
        httpx.get(f"{address}/api/health")  # by now the service has the first half

    def finish(self) -> bytes:
        """Send the rest -> the whole answer."""
        self._socket.sendall(self._body[10:])
        return self.answer()

    def answer(self) -> bytes:
        """Everything until the service closes the connection."""
        return b"".join(iter(lambda: self._socket.recv(1 << 16), b""))


def refuses(address: str) -> bool:
    try:
        httpx.get(f"{address}/api/health")
    except httpx.ConnectError:
        return True
    return False


def test_it_stops_accepting_finishes_running_requests_and_exits_with_0(collection):
    with replica(collection) as (address, process):
        slow = SlowClient(address)
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: refuses(address))
        assert process.poll() is None
        head, _, body = slow.finish().partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert len(json.loads(body)["hits"]) == 3
        assert process.wait(30) == 0


def test_a_client_that_never_finishes_does_not_delay_the_exit(collection):
    with replica(collection, "--grace", "1") as (address, process):
        slow = SlowClient(address)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        answer = slow.answer()
        assert answer.startswith(b"HTTP/1.1 503")
        assert b'{"error":"the service is ending; try again"}' in answer
        assert "Traceback" not in process.stderr.read()


@pytest.fixture(params=["folder", "bucket"])
def url(request: pytest.FixtureRequest, collection: Path, tmp_path: Path) -> str:
    """A collection of 24 recipes to write to."""
    if request.param == "folder":
        return str(shutil.copytree(collection, tmp_path / "collection"))
    address = f"{request.getfixturevalue('s3').bucket()}/collection"
    source = write_source(tmp_path / "source", recipes=24, texts=4)
    Index(address, collection.parent / "made" / "model").add(source)
    return address


@pytest.mark.slow  # test_service.py and tests/index are the quick guards
def test_what_one_replica_writes_the_other_serves_without_a_restart(url):
    with replica(url) as (first, _), replica(url) as (second, _):
        writer, reader = (httpx.Client(base_url=address, timeout=60) for address in (first, second))

        def has_borscht() -> bool:
            answer = reader.post("/api/search", json={"text": "Borscht", "k": 30}).json()
            return "borscht" in [hit["id"] for hit in answer["hits"]]

        assert not has_borscht()
        recipe = recipe_json(id="borscht", title="Borscht")
        added = writer.post("/api/recipes", json={"recipes": [recipe]}, headers=BEARER)
        assert added.json()["added"] == 1
        wait_until(has_borscht)  # in a bucket the version is looked up once a second
        assert reader.get("/api/recipes/borscht").json()["recipe"]["title"] == "Borscht"
        versions = [client.get("/api/recipes").json()["version"] for client in (writer, reader)]
        assert len(set(versions)) == 1
        # The other way round.
        assert reader.delete("/api/recipes/borscht", headers=BEARER).status_code == 200
        assert writer.get("/api/recipes/borscht").status_code == 404
        wait_until(lambda: writer.get("/api/recipes").json()["total"] == 24)


@pytest.mark.slow
def test_two_replicas_write_while_both_are_read(collection, tmp_path):
    copy, done = shutil.copytree(collection, tmp_path / "collection"), threading.Event()

    def read(address: str) -> None:
        while not done.is_set():
            query = {"text": "chicken", "with": ["chicken"]}
            httpx.post(f"{address}/api/search", json=query, timeout=60).raise_for_status()

    def write(address: str) -> None:
        for count in range(6):
            body = {"recipes": [recipe_json(id=f"{address}-{count}")]}
            answer = httpx.post(f"{address}/api/recipes", json=body, headers=BEARER, timeout=60)
            answer.raise_for_status()

    with replica(copy) as (first, _), replica(copy) as (second, _), ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read, address) for address in (first, second)]
        writers = [pool.submit(write, address) for address in (first, second)]
        wait(writers)
        done.set()
        for job in readers + writers:
            job.result()
        for address in (first, second):
            assert httpx.get(f"{address}/api/recipes").json()["total"] == 24 + 12
    assert len({entry.id for entry in Index(copy).entries()}) == 24 + 12
