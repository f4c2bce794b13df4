"""A real S3 server in a process of its own: moto's, on loopback, with faults on demand.

    python -m tests.s3_server PORT

PUT /-faults with a JSON object says what goes wrong from now on: `share` of the requests whose method is in
`methods` and whose path holds `path` meet a fault of `kind`: "busy" (503, nothing done), "lost" (done, but
the answer is 500), "drop" (the connection ends without an answer), "stall" (the answer comes `seconds` late),
"refuse" (403).
"""

import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

_ANSWERS = {"busy": "503 Slow Down", "lost": "500 Internal Server Error", "refuse": "403 Forbidden"}
_numbers = count()


class Server:
    """The server as a test sees it."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.environment = {
            "AWS_ACCESS_KEY_ID": "cook",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ALLOW_HTTP": "true",
        }

    def bucket(self) -> str:
        """The address of a new bucket."""
        name = f"bucket-{os.getpid()}-{next(_numbers)}"
        self._put(f"/{name}", b"")
        return f"s3://{name}"

    def faults(self, **what: Any) -> None:
        """What goes wrong from now on; nothing, if nothing is said."""
        self._put("/-faults", json.dumps(what).encode())

    def counts(self) -> dict[str, int]:
        """How many requests there were of each method, and how many met a fault."""
        with urllib.request.urlopen(f"{self.url}/-counts") as answer:
            found: dict[str, int] = json.load(answer)
        return found

    def _put(self, path: str, data: bytes) -> None:
        request = urllib.request.Request(self.url + path, data=data, method="PUT")
        urllib.request.urlopen(request).close()


@contextmanager
def running() -> Iterator[Server]:
    """A server for as long as the block lasts."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tests.s3_server", str(port)]
    root = Path(__file__).resolve().parent.parent
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = Server(port)
    try:
        for _ in range(600):
            try:
                server.counts()
                break
            except OSError:
                if process.poll() is not None:
                    pytest.fail("the S3 server did not start")
                time.sleep(0.1)
        yield server
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def _s3_process() -> Iterator[Server]:
    pytest.importorskip("moto.server", reason="moto[server] is not installed")
    pytest.importorskip("obstore", reason="obstore is not installed")
    with running() as server:
        yield server


@pytest.fixture
def s3(_s3_process: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server without faults; this process knows how to reach it."""
    for name, value in _s3_process.environment.items():
        monkeypatch.setenv(name, value)
    _s3_process.faults()
    yield _s3_process
    _s3_process.faults()


class _Faulty:
    """The S3 application with faults in front of it."""

    def __init__(self, application: Any) -> None:
        self._application = application
        self._faults: dict[str, Any] = {}
        self._counts: dict[str, int] = {"faults": 0}
        self._random = random.Random(0)
        # moto looks and then writes: without this, two creations at once could both be the first.
        self._one_at_a_time = threading.Lock()

    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        if path == "/-counts":
            start("200 OK", [("Content-Type", "application/json")])
            return [json.dumps(self._counts).encode()]
        if path == "/-faults":
            self._faults = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
            self._counts = {"faults": 0}
            start("200 OK", [])
            return [b""]
        self._counts[method] = self._counts.get(method, 0) + 1
        if self._is_hit(method, path):
            self._counts["faults"] += 1
            return self._fault(environ, start)
        return self._answer(environ, start)

    def _is_hit(self, method: str, path: str) -> bool:
        faults = self._faults
        if not faults or method not in faults.get("methods", [method]) or faults.get("path", "") not in path:
            return False
        return self._random.random() < faults.get("share", 1.0)

    def _answer(self, environ: dict[str, Any], start: Any) -> Any:
        with self._one_at_a_time:
            return self._application(environ, start)

    def _fault(self, environ: dict[str, Any], start: Any) -> Any:
        kind = self._faults["kind"]
        if kind == "stall":
            time.sleep(self._faults["seconds"])
            return self._answer(environ, start)
        if kind == "drop":
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            return [b""]
        if kind == "lost":
            list(self._answer(environ, lambda *_: None))
        start(_ANSWERS[kind], [("Content-Length", "0")])
        return [b""]


def _serve(port: int) -> None:
    from moto.server import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import run_simple

    application = DomainDispatcherApplication(create_backend_app)
    run_simple("127.0.0.1", port, _Faulty(application), threaded=True)


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
