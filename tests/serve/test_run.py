"""`chef serve` as a process: its address, its shutdown, and several over one collection."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from chef.errors import ChefError
from chef.index import Index
from chef.serve.run import _address, bind
from chef.serve.settings import ServeSettings
from tests.serve.small import recipe_json
from tests.tiny import write_source

TOKEN = "a-long-secret"
BEARER = {"authorization": f"Bearer {TOKEN}"}


def test_a_port_in_use_is_an_error():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ChefError, match=rf"port {port}.*--port.*CHEF_PORT"):
            bind(ServeSettings(port=port))


def test_an_unknown_host_is_an_error():
    with pytest.raises(ChefError, match="no such host"):
        bind(ServeSettings(host="no.such.host.invalid", token=TOKEN))


def test_the_address_has_the_port_that_was_chosen():
    with bind(ServeSettings(port=0)) as listening:
        assert _address("127.0.0.1", listening) == f"http://127.0.0.1:{listening.getsockname()[1]}"
        assert _address("::1", listening).startswith("http://[::1]:")


@contextmanager
def replicas(
    index: str, count: int = 1, *arguments: str
) -> Iterator[list[tuple[str, subprocess.Popen[str]]]]:
    """Several services over one collection, once they answer: the address and the process of each."""
    with ExitStack() as stack:
        processes = []
        for _ in range(count):
            process = subprocess.Popen(
                [sys.executable, "-m", "chef", "serve", "--index", index, "--port", "0", *arguments],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env={**os.environ, "CHEF_TOKEN": TOKEN, "OMP_NUM_THREADS": "1"},
            )  # fmt: skip
            stack.callback(process.communicate)
            stack.callback(process.kill)
            processes.append(process)
        addresses = [process.stdout.readline().strip() for process in processes]
        for address, process in zip(addresses, processes, strict=True):
            assert address.startswith("http://"), process.stderr.read()
        yield list(zip(addresses, processes, strict=True))


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

    def finish(self) -> bytes:
        """Send the rest -> the whole answer."""
        self._socket.sendall(self._body[10:])
        return self.answer()

    def answer(self) -> bytes:
        """Everything until the service closes the connection."""
        answer = b""
        while part := self._socket.recv(1 << 16):
            answer += part
        return answer


def refuses(address: str) -> bool:
    try:
        httpx.get(f"{address}/api/health")
    except httpx.ConnectError:
        return True
    return False


def test_it_stops_accepting_finishes_running_requests_and_exits_with_0(collection):
    with replicas(str(collection)) as [(address, process)]:
        slow = SlowClient(address)
        httpx.get(f"{address}/api/health")  # by now the service has the first half
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: refuses(address))
        assert process.poll() is None
        head, _, body = slow.finish().partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert len(json.loads(body)["hits"]) == 3
        assert process.wait(30) == 0


def test_a_client_that_never_finishes_does_not_delay_the_exit(collection):
    with replicas(str(collection), 1, "--grace", "1") as [(address, process)]:
        slow = SlowClient(address)
        httpx.get(f"{address}/api/health")
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
    Index(address, collection.parent / "made" / "model").add(
        write_source(tmp_path / "source", recipes=24, texts=4)
    )
    return address


@pytest.mark.slow  # test_service.py and tests/index are the quick guards
def test_what_one_replica_writes_the_other_serves_without_a_restart(url):
    with replicas(url, 2) as running:
        writer, reader = (httpx.Client(base_url=address, timeout=60) for address, _ in running)

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
    copy = str(shutil.copytree(collection, tmp_path / "collection"))
    with replicas(copy, 2) as running:
        addresses = [address for address, _ in running]
        done, failed = threading.Event(), []

        def check(answer: httpx.Response) -> None:
            if answer.status_code != 200:
                failed.append(answer.text)

        def read(address: str) -> None:
            with httpx.Client(base_url=address, timeout=60) as client:
                while not done.is_set():
                    check(client.post("/api/search", json={"text": "chicken", "with": ["chicken"]}))

        def write(number: int) -> None:
            for count in range(6):
                body = {"recipes": [recipe_json(id=f"w{number}-{count}")]}
                url = f"{addresses[number]}/api/recipes"
                check(httpx.post(url, json=body, headers=BEARER, timeout=60))

        readers = [threading.Thread(target=read, args=(address,)) for address in addresses]
        writers = [threading.Thread(target=write, args=(number,)) for number in range(2)]
        for thread in readers + writers:
            thread.start()
        for thread in writers:
            thread.join()
        done.set()
        for thread in readers:
            thread.join()
        assert failed == []
        for address in addresses:
            assert httpx.get(f"{address}/api/recipes").json()["total"] == 24 + 12
    assert len({entry.id for entry in Index(copy).entries()}) == 24 + 12
