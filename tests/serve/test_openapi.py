"""The OpenAPI file, and schemathesis let loose on the service with nothing but that file."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from chef.index import Index
from chef.serve import ServeSettings
from tests.serve.page_collection import chromium
from tests.serve.small import served

TOKEN = "a-long-secret"


def test_every_route_is_described(client):
    described = client.get("/openapi.json").json()
    paths = {(method, path) for path, operations in described["paths"].items() for method in operations}
    assert paths == {
        ("post", "/api/search"), ("get", "/api/recipes"), ("post", "/api/recipes"),
        ("get", "/api/recipes/{id}"), ("delete", "/api/recipes/{id}"), ("get", "/api/recipes/{id}/photo"),
        ("post", "/api/explain"), ("post", "/api/swap"), ("post", "/api/suggestions"), ("post", "/api/prune"),
        ("post", "/api/scale"), ("get", "/api/export"), ("post", "/api/drafts"),
        ("patch", "/api/recipes/{id}"), ("get", "/api/map"), ("get", "/api/vocabulary"),
        ("get", "/api/canonical/proposals"), ("post", "/api/canonical/decisions"),
        ("get", "/api/health"), ("get", "/api/ready"), ("get", "/api/metrics"), ("post", "/api/token"),
    }  # fmt: skip
    search = described["paths"]["/api/search"]["post"]["requestBody"]["content"]
    assert set(search) == {"application/json", "multipart/form-data"}


def test_every_error_has_one_form_and_a_full_queue_its_wait(client):
    paths = client.get("/openapi.json").json()["paths"]
    for operations in paths.values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                if status >= "400":
                    schema = response["content"]["application/json"]["schema"]
                    assert schema == {"$ref": "#/components/schemas/Failure"}
    for path in ("/api/search", "/api/recipes", "/api/explain", "/api/map", "/api/ready"):
        for operation in paths[path].values():
            assert "Retry-After" in operation["responses"]["429"]["headers"]
    assert "429" not in paths["/api/health"]["get"]["responses"]


def test_the_interactive_page_needs_no_other_host(address: str) -> None:
    with chromium() as browser:
        page, requests, complaints = browser.new_page(), [], []
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(f"{address}/docs")
        page.locator(".opblock").first.wait_for(timeout=45_000)
        assert page.locator(".opblock").count() == 22
    assert f"{address}/openapi.json" in requests
    assert all(url.startswith((f"{address}/", "data:")) for url in requests)
    assert complaints == []


@pytest.mark.slow  # test_bad_input.py is the quick guard
def test_schemathesis_finds_nothing(collection: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(collection, tmp_path / "collection")
    settings = ServeSettings(port=0, token=TOKEN, review=tmp_path / "review")
    command = shutil.which("schemathesis", path=str(Path(sys.executable).parent))
    assert command, "schemathesis is not installed: pip install -e '.[dev]'"
    with served(Index(copy), settings) as where:
        done = subprocess.run(
            [
                command, "run", f"{where}/openapi.json", "--header", f"Authorization: Bearer {TOKEN}",
                "--max-examples", "8", "--seed", "7", "--no-color",
            ],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert "passed" in done.stdout
