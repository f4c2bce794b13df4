"""Security headers, and bodies that are too large or too slow, over real sockets."""

import resource
import socket

import httpx
import pytest

from chef.errors import ChefError
from chef.index import Index
from chef.serve import ServeSettings
from chef.serve.errors import refusal, without_paths
from chef.serve.middleware import Metrics
from tests.serve.small import served

MB = 1 << 20


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/api/health", "/api/recipes/nobody", "/nowhere", "/page/nothing.js"]
)
def test_every_response_has_security_headers(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_other_sites_cannot_read_responses(client):
    answer = client.options(
        "/api/recipes", headers={"origin": "https://example.org", "access-control-request-method": "POST"}
    )
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def post_head(address, head):
    """The answer, up to the end of its JSON, to a request of which only the head or a part is sent."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(f"POST {head}".replace("\n", "\r\n").encode())
        answer = b""
        while not answer.endswith(b"}") and (more := connection.recv(65536)):
            answer += more
    return answer


def huge_form():
    """400 MB in pieces."""
    yield b'--x\r\ncontent-disposition: form-data; name="photo"; filename="pie.jpg"\r\n\r\n'
    chunk = bytes(MB)
    for _ in range(400):
        yield chunk


@pytest.mark.parametrize("path", ["/api/search", "/api/recipes", "/api/explain", "/api/health", "/nowhere"])
def test_a_gigabyte_that_is_announced_is_refused_at_once(address, path):
    head = f"{path} HTTP/1.1\nhost: localhost\ncontent-length: {1024 * MB}\n"
    answer = post_head(address, f"{head}content-type: application/json\n\n")
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'{"error":"the body is larger than' in answer


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=x"])
def test_a_huge_body_that_comes_in_pieces_is_refused_and_not_kept(own, stored, kind):
    before, recipes = peak_memory(), stored().info().recipes
    for path in ("/api/recipes", "/api/explain" if "json" in kind else "/api/search"):
        answer = own.post(path, content=huge_form(), headers={"content-type": kind})
        assert (answer.status_code, list(answer.json())) == (413, ["error"])
    assert peak_memory() - before < 250 * MB
    assert stored().info().recipes == recipes


def test_a_body_that_never_ends_is_given_up(collection):
    with served(Index(collection), ServeSettings(port=0, body_timeout=0.5)) as where:
        head = "/api/search HTTP/1.1\nhost: localhost\ncontent-length: 100\n"
        answer = post_head(where, head + 'content-type: application/json\n\n{"te')
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_a_client_that_disconnects_harms_nobody(address):
    host, port = address.removeprefix("http://").split(":")
    for _ in range(3):
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"POST /api/search HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{")
    assert httpx.get(f"{address}/api/health").status_code == 200


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("no image at /home/ann/my pies/x.jpg", "no image at a file pies/x.jpg"),
        ("cannot open '/var/lib/index/a.lance': denied", "cannot open 'a file': denied"),
        (r"bad file C:\Users\ann\pie.jpg (repair it)", "bad file a file (repair it)"),
        ("two\nlines\tand more", "two lines and more"),
        ("salt and/or pepper, 1/2 cup", "salt and/or pepper, 1/2 cup"),
        ("see https://example.org/recipes/pie", "see https://example.org/recipes/pie"),
    ],
)
def test_paths_are_removed(message, expected):
    assert without_paths(message) == expected


def test_a_long_message_is_cut_and_an_error_of_the_collection_is_not_the_clients():
    assert len(without_paths("word " * 1000)) == 500
    broken = ChefError("the collection at /data/mine cannot be used: denied", "check its rights")
    assert refusal(broken).status == 503
    assert "/data" not in refusal(broken).message
    assert refusal(ChefError("unknown ingredient 'x'")).status == 404


def test_the_text_has_the_names_and_labels_that_dashboards_know():
    metrics = Metrics()
    for status, seconds in ((200, 0.02), (200, 3.0), (422, 0.001)):
        metrics.requests.labels("POST", "/api/search", status).inc()
        metrics.seconds.labels("/api/search").observe(seconds)
    metrics.batch_size.labels("photo").observe(3)
    metrics.recipes.set(24)
    metrics.rejected.inc(3)
    lines = metrics.text().decode().splitlines()
    assert 'chef_requests_total{method="POST",route="/api/search",status="200"} 2.0' in lines
    assert 'chef_request_seconds_bucket{le="0.025",route="/api/search"} 2.0' in lines
    assert 'chef_request_seconds_sum{route="/api/search"} 3.021' in lines
    assert 'chef_embed_batch_size_bucket{kind="photo",le="4.0"} 1.0' in lines
    assert "chef_recipes 24.0" in lines
    assert "chef_turned_away_total 3.0" in lines
    names = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert names == {
        "chef_requests_total", "chef_request_seconds", "chef_embed_batch_size", "chef_recipes",
        "chef_index_version", "chef_requests_busy", "chef_writes_busy", "chef_model_waiting",
        "chef_turned_away_total",
    }  # fmt: skip


def test_requests_are_counted_under_their_route_not_their_path(client):
    for name in ("one", "two", "a/b"):
        client.get(f"/api/recipes/{name}")
        client.get(f"/no/{name}")
    text = client.get("/api/metrics").text
    assert 'route="/api/recipes/{id:path}",status="404"' in text
    assert "two" not in text
    assert 'route="other"' in text
