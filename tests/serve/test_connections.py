"""Half-sent headers, answers that nobody reads, too many connections, too much log."""

import logging
import socket
import time
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx
import pytest

from chef.index import Index
from chef.serve import ServeSettings, connections
from chef.serve.connections import BoundedLog
from tests.serve.small import served


@pytest.fixture
def few(collection, monkeypatch):
    """A service that takes eight connections and waits a second for a header."""
    monkeypatch.setattr(connections, "MOST", 8)
    monkeypatch.setattr(connections, "HEADER_SECONDS", 1.0)
    with served(Index(collection), ServeSettings(port=0)) as where:
        yield where


def connect(address: str, sent: bytes) -> socket.socket:
    where = urlsplit(address)
    connection = socket.create_connection((where.hostname, where.port), timeout=20)
    connection.sendall(sent)
    return connection


def test_a_header_that_never_ends_is_given_up_however_it_drips(few):
    with connect(few, b"GET /api/health HTTP/1.1\r\n") as slow, connect(few, b"") as silent:
        start = time.monotonic()
        while time.monotonic() - start < 0.7:
            slow.sendall(b"x: y\r\n")
            time.sleep(0.05)
        assert slow.recv(1000).startswith(b"HTTP/1.1 408 ")
        assert silent.recv(1000).startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - start < 5


def test_the_second_header_of_a_connection_has_a_deadline_too(few):
    with connect(few, b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n") as slow:
        assert slow.recv(10_000).startswith(b"HTTP/1.1 200 ")
        slow.sendall(b"GET /api/hea")
        answer = b"".join(iter(lambda: slow.recv(1000), b""))
        assert b"HTTP/1.1 408 " in answer


def test_half_sent_headers_are_no_outage(few):
    with ExitStack() as opened:
        for _ in range(40):
            opened.enter_context(connect(few, b"GET / HTTP/1.1\r\nx: "))
            start = time.monotonic()
            assert httpx.get(f"{few}/api/health").status_code == 200
            assert time.monotonic() - start < 1


def test_connections_that_are_all_being_answered_are_kept_and_others_get_429(few):
    head = b"POST /api/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    with ExitStack() as opened:
        busy = [
            opened.enter_context(connect(few, head + b'content-length: 15\r\n\r\n{"text"')) for _ in range(8)
        ]
        time.sleep(0.3)
        answer = httpx.get(f"{few}/api/health")
        assert (answer.status_code, list(answer.json())) == (429, ["error"])
        assert answer.headers["retry-after"] == "1"
        busy[0].sendall(b':"rice"}')
        assert busy[0].recv(10_000).startswith(b"HTTP/1.1 200 ")


def test_a_client_that_does_not_read_its_answers_is_dropped(collection, monkeypatch):
    monkeypatch.setattr(connections, "READ_SECONDS", 0.5)
    ask = b"GET /page/style/base.css HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with served(Index(collection), ServeSettings(port=0)) as where, connect(where, b"") as deaf:
        deaf.settimeout(0.2)
        deadline, dropped = time.monotonic() + 20, False
        while time.monotonic() < deadline and not dropped:
            try:
                deaf.sendall(ask * 100)
            except TimeoutError:
                continue
            except ConnectionError:
                dropped = True
        assert dropped
        assert httpx.get(f"{where}/api/health").status_code == 200


def test_the_log_is_bounded_and_says_what_it_left_out(monkeypatch, caplog):
    log, now = BoundedLog(), 0.0
    monkeypatch.setattr(connections.time, "monotonic", lambda: now)
    record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, "bad request", (), None)
    assert sum(log.filter(record) for _ in range(1000)) == 60
    now = 61.0
    assert log.filter(record)
    assert record.getMessage() == "940 earlier messages were left out\nbad request"
