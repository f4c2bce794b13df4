from __future__ import annotations

import asyncio
import threading

import pytest

from chef.index import Index
from chef.serve.failures import Refusal
from chef.serve.service import Service
from chef.serve.settings import ServeSettings


@pytest.fixture
def service(collection):
    made = Service(Index(collection), ServeSettings(threads=2, queue=3, timeout=0.2))
    yield made
    made.close()


def test_a_job_gives_its_result_or_its_error(service):
    assert asyncio.run(service.work(lambda: 42)) == 42
    with pytest.raises(ZeroDivisionError):
        asyncio.run(service.work(lambda: 1 // 0))
    assert service.busy == 0


def test_a_job_that_takes_too_long_is_503_and_counts_until_it_ends(service):
    go = threading.Event()
    with pytest.raises(Refusal) as refused:
        asyncio.run(service.work(go.wait))
    assert refused.value.status == 503
    assert service.busy == 1
    go.set()


def test_too_many_jobs_are_sent_away_and_the_others_served(service):
    go = threading.Event()

    async def crowd():
        jobs = [asyncio.create_task(service.write(go.wait)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Refusal) as refused:
            await service.work(lambda: None)
        go.set()
        return refused.value, await asyncio.gather(*jobs)

    refusal, served = asyncio.run(crowd())
    assert (refusal.status, served) == (503, [True] * 3)
    assert refusal.headers == {"retry-after": "1"}


def test_writers_come_one_at_a_time(service):
    inside, most = 0, 0

    def write():
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        threading.Event().wait(0.02)
        inside -= 1

    async def both():
        await asyncio.gather(service.write(write), service.write(write))

    asyncio.run(both())
    assert most == 1
