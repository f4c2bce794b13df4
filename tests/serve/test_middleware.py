"""Bodies that are too large or too slow, over real sockets."""

from __future__ import annotations

import resource
import socket

import httpx
import pytest

from chef.index import Index
from chef.serve import ServeSettings
from tests.serve.small import served

MB = 1 << 20


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def whole_answer(line):
    """What the service says, up to the end of its JSON."""
    said = b""
    while not said.endswith(b"}") and (more := line.recv(65536)):
        said += more
    return said


def gigabyte():
    yield b'--x\r\ncontent-disposition: form-data; name="photo"; filename="pie.jpg"\r\n\r\n'
    chunk = bytes(MB)
    for _ in range(1024):
        yield chunk


@pytest.mark.parametrize("path", ["/api/search", "/api/recipes", "/api/explain", "/api/health", "/nowhere"])
def test_a_gigabyte_that_is_announced_is_refused_at_once(address, path):
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        head = f"POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {1024 * MB}\r\n"
        line.sendall((head + "content-type: application/json\r\n\r\n").encode())
        answer = whole_answer(line)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'{"error":"the body is larger than' in answer


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=x"])
def test_a_gigabyte_that_comes_in_pieces_is_refused_and_not_kept(own, stored, kind):
    before, recipes = peak_memory(), stored().info().recipes
    for path in ("/api/recipes", "/api/search", "/api/explain"):
        answer = own.post(path, content=gigabyte(), headers={"content-type": kind})
        assert (answer.status_code, list(answer.json())) == (413, ["error"])
    assert peak_memory() - before < 300 * MB
    assert stored().info().recipes == recipes


def test_a_body_that_never_ends_is_given_up(collection):
    settings = ServeSettings(port=0, body_timeout=0.5)
    with served(Index(collection), settings) as where:
        host, port = where.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=20) as line:
            head = f"POST /api/search HTTP/1.1\r\nhost: {host}\r\ncontent-length: 100\r\n"
            line.sendall((head + 'content-type: application/json\r\n\r\n{"te').encode())
            assert whole_answer(line).startswith(b"HTTP/1.1 408 ")


def test_a_client_that_goes_away_hurts_nobody(address):
    host, port = address.removeprefix("http://").split(":")
    for _ in range(3):
        with socket.create_connection((host, int(port))) as line:
            line.sendall(b"POST /api/search HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{")
    assert httpx.get(f"{address}/api/health").status_code == 200
