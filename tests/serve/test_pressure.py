"""A service with more to do than it can: who is sent away, how they are told, and who is answered still."""

from __future__ import annotations

import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from chef.index import Index
from chef.serve import ServeSettings
from tests.serve.small import jpeg, recipe_json, served


@pytest.fixture
def full(collection, monkeypatch):
    """A service whose threads are all at work and whose line is full, until the test ends."""
    go, begun = threading.Event(), threading.Semaphore(0)

    def held(self, *arguments, **options):
        begun.release()
        go.wait(60)
        return []

    settings = ServeSettings(port=0, threads=2, queue=3, token="a-long-secret")
    with served(Index(collection), settings) as where, ThreadPoolExecutor(3) as pool:
        monkeypatch.setattr(Index, "search", held)
        with httpx.Client(base_url=where, timeout=60) as client:
            waiting = [
                pool.submit(httpx.post, f"{where}/api/search", json={"text": "rice"}, timeout=60)
                for _ in range(3)
            ]
            for _ in range(2):
                assert begun.acquire(timeout=30)
            while "chef_requests_busy 3.0" not in client.get("/api/metrics").text:
                time.sleep(0.01)
            yield client
            go.set()
        assert [future.result().status_code for future in waiting] == [200] * 3


def test_one_too_many_is_429_with_a_wait_in_the_usual_form(full):
    for answer in (
        full.post("/api/search", json={"text": "rice"}),
        full.post("/api/search", files={"photo": ("p.jpg", jpeg((1500, 1500)), "image/jpeg")}),
        full.post("/api/explain", json={"recipe": recipe_json()}),
        full.get("/api/recipes"),
    ):
        assert answer.status_code == 429
        assert answer.json() == {"error": "too many requests at once; try again in a moment"}
        assert 1 <= int(answer.headers["retry-after"]) <= 60


def test_a_body_that_nobody_would_read_is_not_taken_in(full):
    def endless():
        for _ in range(200):
            yield b" " * 65536  # 13 MB, of which we may read and drop some

    answer = full.post("/api/search", content=endless(), headers={"content-type": "application/json"})
    assert answer.status_code == 429


def test_health_readiness_and_metrics_answer_all_the_same(full):
    assert full.get("/api/health").json() == {"status": "ok"}
    assert full.get("/api/ready").json() == {"status": "ready"}
    full.get("/api/vocabulary")
    text = full.get("/api/metrics").text
    assert "chef_turned_away_total 1.0\n" in text
    assert 'chef_requests_total{method="GET",route="/api/vocabulary",status="429"} 1.0\n' in text


def test_writers_have_a_line_of_their_own(full):
    added = full.post(
        "/api/canonical/decisions",
        json={"a": "x", "b": "y", "verdict": "merge"},
        headers={"authorization": "Bearer a-long-secret"},
    )
    assert added.status_code != 429


def test_a_collection_that_is_gone_is_not_ready(collection, tmp_path):
    copy = shutil.copytree(collection, tmp_path / "collection")
    with served(Index(copy), ServeSettings(port=0)) as where:
        assert httpx.get(f"{where}/api/ready").status_code == 200
        shutil.rmtree(copy)
        answer = httpx.get(f"{where}/api/ready")
        assert answer.status_code == 503
        assert answer.json() == {"error": "the collection cannot be used at the moment"}
        assert httpx.get(f"{where}/api/health").status_code == 200
