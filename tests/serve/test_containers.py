"""The container file and the example of replicas, as far as they can be checked without building them."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
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
    services = yaml.safe_load((EXAMPLE / "compose.yaml").read_text())["services"]
    assert [name for name in services if name.startswith("chef-")] == REPLICAS
    for service in (services[name] for name in REPLICAS):
        assert service["volumes"] == ["collection:/data"]
        assert service["environment"]["CHEF_INDEX"].startswith("/data/")
        assert (EXAMPLE / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
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


@pytest.fixture
def servers() -> Iterator[list[ThreadingHTTPServer]]:
    """Three replicas."""
    made = [ThreadingHTTPServer(("127.0.0.1", 0), _Replica) for _ in REPLICAS]
    for server in made:
        server.status, server.asked = 200, 0
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield made
    for server in made:
        server.shutdown()
        server.server_close()


@pytest.fixture
def proxy(tmp_path: Path, servers: list[ThreadingHTTPServer]) -> Iterator[httpx.Client]:
    """A real nginx with the example's configuration; only names, ports and places are changed."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        pytest.skip("nginx is not installed")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Replica) as free:
        port = free.server_address[1]
    text = (EXAMPLE / "nginx.conf").read_text().replace("listen 8080", f"listen 127.0.0.1:{port}")
    for name, server in zip(REPLICAS, servers, strict=True):
        text = text.replace(f"{name}:8000", f"127.0.0.1:{server.server_address[1]}")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"    {kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
    text = text.replace("http {\n", f"http {{\n    access_log off;\n{places}")
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/nginx.pid;\ndaemon off;\n{text}")
    command = [nginx, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "errors")]
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


def statuses(client: httpx.Client) -> set[int]:
    return {client.post("/api/search", json={}).status_code for _ in range(12)}


def test_the_proxy_asks_another_replica_when_one_is_busy_or_gone(servers, proxy):
    for status in (429, 503):
        servers[0].status = status
        assert statuses(proxy) == {200}
    servers[0].shutdown()
    servers[0].server_close()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{servers[0].server_address[1]}")
    assert statuses(proxy) == {200}


def test_when_all_are_busy_the_client_is_told_and_when_all_is_well_again_too(servers, proxy):
    for server in servers:
        server.status, server.asked = 429, 0
    answers = [proxy.post("/api/search", json={}) for _ in range(12)]
    assert {(answer.status_code, answer.headers["retry-after"]) for answer in answers} == {(429, "3")}
    assert sum(server.asked for server in servers) == 24  # each asked two of them
    for server in servers:
        server.status = 200
    assert statuses(proxy) == {200}
