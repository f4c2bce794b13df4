"""The container file and the example of replicas, as far as they can be checked without building them."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
import yaml

from tests.conftest import ROOT

EXAMPLE = ROOT / "examples" / "replicas"
REPLICAS = ["chef-1", "chef-2", "chef-3"]


def test_the_container_runs_as_nobody_special_with_a_health_check_and_pinned_versions():
    text = (ROOT / "Containerfile").read_text()
    assert re.findall(r"^FROM (\S+)", text, re.M) == ["python:3.11-slim"] * 2
    assert text.index("USER chef") < text.index('CMD ["sh"')
    assert "-c /tmp/constraints.txt" in text
    assert "HEALTHCHECK" in text
    assert "/api/ready" in text
    for source in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.M):
        for name in source.split():
            assert (ROOT / name).exists()
            assert f"!{name}\n" in (ROOT / "Containerfile.dockerignore").read_text()


def test_the_replicas_share_one_collection_and_the_proxy_knows_them_all():
    compose = yaml.safe_load((EXAMPLE / "compose.yaml").read_text())
    services = compose["services"]
    assert [name for name in services if name.startswith("chef-")] == REPLICAS
    for name in REPLICAS:
        assert services[name]["volumes"] == ["collection:/data"]
        assert services[name]["environment"]["CHEF_INDEX"].startswith("/data/")
        assert (
            EXAMPLE / services[name]["build"]["context"] / services[name]["build"]["dockerfile"]
        ).is_file()
    assert list(services["proxy"]["depends_on"]) == REPLICAS
    assert re.findall(r"server (\S+):8000 max_fails=0;", (EXAMPLE / "nginx.conf").read_text()) == REPLICAS


class _Replica(BaseHTTPRequestHandler):
    """Answers every POST with its server's status."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.asked += 1
        body = str(self.server.status).encode()
        self.send_response(self.server.status)
        if self.server.status == 429:
            self.send_header("retry-after", "3")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def replica(status: int) -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Replica)
    server.status, server.asked = status, 0
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def proxy(folder: Path, ports: list[int]) -> Iterator[httpx.Client]:
    """A real nginx with the example's configuration; only names, ports and places are changed."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        pytest.skip("nginx is not installed")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Replica) as free:
        port = free.server_address[1]
    text = (EXAMPLE / "nginx.conf").read_text().replace("listen 8080", f"listen 127.0.0.1:{port}")
    for name, upstream in zip(REPLICAS, ports, strict=True):
        text = text.replace(f"{name}:8000", f"127.0.0.1:{upstream}")
    places = "".join(
        f"    {name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = text.replace("http {\n", f"http {{\n    access_log off;\n{places}")
    (folder / "nginx.conf").write_text(f"pid {folder}/nginx.pid;\ndaemon off;\n{text}")
    command = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "errors")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            for _ in range(100):
                try:
                    client.get("/")
                    break
                except httpx.ConnectError:
                    assert process.poll() is None, process.stderr
                    time.sleep(0.1)
            yield client
    finally:
        process.terminate()
        process.communicate()


def test_the_proxy_asks_another_replica_when_one_is_busy_or_gone(tmp_path):
    with replica(429) as busy, replica(200) as free, replica(503) as ending:
        servers = (busy, free, ending)
        with proxy(tmp_path, [server.server_address[1] for server in servers]) as client:
            for status, other in ((429, 200), (503, 200)):
                busy.status, free.status, ending.status = status, other, other
                assert {client.post("/api/search", json={}).status_code for _ in range(12)} == {200}
            gone = busy.server_address[1]
            busy.shutdown()
            busy.server_close()
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"http://127.0.0.1:{gone}")
            assert {client.post("/api/search", json={}).status_code for _ in range(12)} == {200}


def test_when_all_are_busy_the_client_hears_it_and_when_all_is_well_again_too(tmp_path):
    with replica(429) as first, replica(429) as second, replica(429) as third:
        servers = (first, second, third)
        with proxy(tmp_path, [server.server_address[1] for server in servers]) as client:
            for server in servers:
                server.asked = 0
            answers = [client.post("/api/search", json={}) for _ in range(12)]
            assert {answer.status_code for answer in answers} == {429}
            assert {answer.headers["retry-after"] for answer in answers} == {"3"}
            assert sum(server.asked for server in servers) == 24  # each asked two of them
            for server in servers:
                server.status = 200
            assert client.post("/api/search", json={}).status_code == 200
