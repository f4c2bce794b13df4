"""The bounded queue, alone and as the clients of a busy service see it."""

import asyncio
import gzip
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from chef.index import Index
from chef.index.values import Hits
from chef.readers import read
from chef.serve import ServeSettings
from chef.serve.errors import Refusal
from chef.serve.service import BoundedExecutor
from tests.serve.small import jpeg, recipe_json, served


def test_a_job_that_takes_too_long_is_503_and_counts_until_it_ends():
    executor, go = BoundedExecutor("test", threads=2, capacity=3), threading.Event()
    with pytest.raises(Refusal) as refused:
        asyncio.run(executor.run(go.wait, 0.05))
    assert refused.value.status == 503
    assert executor.busy == 1
    go.set()
    assert executor.close(5)
    assert executor.busy == 0


def test_a_job_that_reads_a_hostile_file_ends_with_its_request(tmp_path):
    with gzip.open(tmp_path / "a.jsonl.gz", "wb", 1) as file:
        file.write(b"1\n" * 5_000_000)
    executor = BoundedExecutor("test", threads=1, capacity=3)
    with pytest.raises(Refusal):
        asyncio.run(executor.run(lambda: list(read(tmp_path)), 0.05))
    assert executor.close(2)


@pytest.mark.parametrize("reason", ["timeout", "close"])
def test_a_queued_job_that_is_given_up_never_starts(reason):
    executor, go, started = BoundedExecutor("test", threads=1, capacity=2), threading.Event(), []

    async def crowd():
        first = asyncio.create_task(executor.run(go.wait, 5))
        await asyncio.sleep(0)
        second = asyncio.create_task(
            executor.run(lambda: started.append(1), 0.05 if reason == "timeout" else 5)
        )
        await asyncio.sleep(0)
        if reason == "timeout":
            with pytest.raises(Refusal):
                await second
            assert executor.busy == 1
        else:
            assert not executor.close(0.05)
        go.set()
        await asyncio.gather(first, second, return_exceptions=True)

    asyncio.run(crowd())
    assert executor.close(5)
    assert started == []


@pytest.fixture
def full(collection, monkeypatch):
    """A client of a service whose threads are busy and whose queue is full, until the test ends."""
    go, started = threading.Event(), threading.Semaphore(0)

    def blocked(self, *arguments, **options):
        started.release()
        go.wait(60)
        return Hits()

    settings = ServeSettings(port=0, threads=2, queue=3, token="a-long-secret")
    with served(Index(collection), settings) as where, ThreadPoolExecutor(3) as pool:
        monkeypatch.setattr(Index, "search", blocked)
        with httpx.Client(base_url=where, timeout=60) as client:
            waiting = [
                pool.submit(httpx.post, f"{where}/api/search", json={"text": "rice"}, timeout=60)
                for _ in range(3)
            ]
            for _ in range(2):
                assert started.acquire(timeout=30)
            while "chef_requests_busy 3.0" not in client.get("/api/metrics").text:
                time.sleep(0.01)
            yield client
            go.set()
        assert [future.result().status_code for future in waiting] == [200] * 3


def test_a_busy_service_rejects_reads_and_still_answers_probes_and_writes(full):
    def endless():
        for _ in range(200):
            yield b" " * 65536  # 13 MB, of which we may read and drop some

    answers = [
        full.get("/api/vocabulary"),
        full.post("/api/search", json={"text": "rice"}),
        full.post("/api/search", files={"photo": ("p.jpg", jpeg((1500, 1500)), "image/jpeg")}),
        full.post("/api/search", content=endless(), headers={"content-type": "application/json"}),
        full.post("/api/explain", json={"recipe": recipe_json()}),
    ]
    for answer in answers:
        assert answer.status_code == 429
        assert answer.json() == {"error": "too many requests at once; try again in a moment"}
        assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert full.get("/api/health").json() == {"status": "ok"}
    assert full.get("/api/ready").json() == {"status": "ready"}
    text = full.get("/api/metrics").text
    assert "chef_turned_away_total 5.0\n" in text
    assert 'chef_requests_total{method="GET",route="/api/vocabulary",status="429"} 1.0\n' in text
    decision = {"a": "x", "b": "y", "verdict": "reject"}
    token = {"authorization": "Bearer a-long-secret"}
    assert full.post("/api/canonical/decisions", json=decision, headers=token).status_code == 404
