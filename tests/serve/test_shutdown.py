"""The end of a service: a real process, and a request that is under way."""

from __future__ import annotations

import json
import signal
import socket
import time
from urllib.parse import urlsplit

import httpx

from tests.serve.processes import replicas


class Slow:
    """A client that sends half of a query, and the rest when told."""

    def __init__(self, address: str) -> None:
        where = urlsplit(address)
        self._body = json.dumps({"text": "chicken with rice", "k": 3}).encode()
        self._socket = socket.create_connection((where.hostname, where.port), timeout=30)
        self._socket.sendall(
            b"POST /api/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            b"content-length: %d\r\n\r\n" % len(self._body) + self._body[:10]
        )

    def finish(self) -> bytes:
        """The whole answer."""
        self._socket.sendall(self._body[10:])
        return self.rest()

    def rest(self) -> bytes:
        """What comes until the service hangs up."""
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


def test_it_stops_accepting_finishes_what_is_under_way_and_exits_0(collection):
    with replicas(str(collection)) as [(address, process)]:
        slow = Slow(address)
        httpx.get(f"{address}/api/health")  # by now the service has the half
        process.send_signal(signal.SIGTERM)
        for _ in range(300):
            if refuses(address):
                break
            time.sleep(0.05)
        assert refuses(address)
        assert process.poll() is None
        head, _, body = slow.finish().partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert len(json.loads(body)["hits"]) == 3
        assert process.wait(30) == 0


def test_a_client_that_never_ends_does_not_hold_it_up(collection):
    with replicas(str(collection), 1, "--grace", "1") as [(address, process)]:
        slow = Slow(address)
        httpx.get(f"{address}/api/health")
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        answer = slow.rest()
        assert answer.startswith(b"HTTP/1.1 503")
        assert b'{"error":"the service is ending; try again"}' in answer
        assert "Traceback" not in process.stderr.read()
