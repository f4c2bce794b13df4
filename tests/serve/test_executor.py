from __future__ import annotations

import asyncio
import threading
import time

import pytest

from chef.serve.errors import Refusal
from chef.serve.executor import BoundedExecutor


@pytest.fixture
def rejected():
    """One item for each rejected job."""
    return []


@pytest.fixture
def executor(rejected):
    made = BoundedExecutor("test", threads=2, capacity=3, on_reject=lambda: rejected.append(1))
    yield made
    assert made.close(5)


def test_a_job_gives_its_result_or_its_error(executor):
    assert asyncio.run(executor.run(lambda: 42, 5)) == 42
    with pytest.raises(ZeroDivisionError):
        asyncio.run(executor.run(lambda: 1 // 0, 5))
    assert executor.busy == 0


def test_a_job_that_takes_too_long_is_503_and_counts_until_it_ends(executor):
    go = threading.Event()
    with pytest.raises(Refusal) as refused:
        asyncio.run(executor.run(go.wait, 0.05))
    assert refused.value.status == 503
    assert executor.busy == 1
    go.set()


def test_a_job_that_nobody_began_in_time_is_never_begun():
    executor, go, begun = BoundedExecutor("test", threads=1, capacity=2), threading.Event(), []

    async def crowd():
        first = asyncio.create_task(executor.run(go.wait, 5))
        await asyncio.sleep(0)
        with pytest.raises(Refusal):
            await executor.run(lambda: begun.append(1), 0.05)
        assert executor.busy == 1
        go.set()
        await first

    asyncio.run(crowd())
    assert executor.close(5)
    assert begun == []


def test_too_many_jobs_are_sent_away_and_the_others_served(executor, rejected):
    go = threading.Event()

    async def crowd():
        jobs = [asyncio.create_task(executor.run(go.wait, None)) for _ in range(3)]
        await asyncio.sleep(0)
        assert executor.refusal().status == 429
        with pytest.raises(Refusal) as refused:
            await executor.run(lambda: None, None)
        go.set()
        return refused.value, await asyncio.gather(*jobs)

    refusal, served = asyncio.run(crowd())
    assert (refusal.status, served) == (429, [True] * 3)
    assert refusal.headers == {"retry-after": "1"}
    assert rejected == [1, 1]


def test_there_is_room_again_afterwards(executor):
    asyncio.run(executor.run(lambda: None, 5))
    assert executor.refusal() is None


def test_the_wait_is_what_the_executor_takes(executor, monkeypatch):
    clock = iter([0.0, 8.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    executor._timed(lambda: None)  # 8 seconds for one
    monkeypatch.undo()
    executor.busy = 3
    assert executor.retry_after() == 12  # 3 jobs of 8 seconds on 2 threads
    executor.busy = 1000
    assert executor.retry_after() == 60
    executor.busy = 0


def test_what_nobody_has_begun_is_dropped_at_the_end():
    executor, go, begun = BoundedExecutor("test", threads=1, capacity=2), threading.Event(), []

    async def crowd():
        first = asyncio.create_task(executor.run(go.wait, 5))
        second = asyncio.create_task(executor.run(lambda: begun.append(1), 5))
        await asyncio.sleep(0)
        assert not executor.close(0.05)
        go.set()
        await asyncio.gather(first, second, return_exceptions=True)

    asyncio.run(crowd())
    assert executor.busy == 0
    assert begun == []
