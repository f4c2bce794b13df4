from __future__ import annotations

import asyncio
import threading
import time

import pytest

from chef.serve.failures import Refusal
from chef.serve.line import Line


@pytest.fixture
def line():
    made = Line("test", threads=2, most=3)
    yield made
    assert made.close(5)


def test_a_job_gives_its_result_or_its_error(line):
    assert asyncio.run(line.run(lambda: 42, 5)) == 42
    with pytest.raises(ZeroDivisionError):
        asyncio.run(line.run(lambda: 1 // 0, 5))
    assert line.busy == 0


def test_a_job_that_takes_too_long_is_503_and_counts_until_it_ends(line):
    go = threading.Event()
    with pytest.raises(Refusal) as refused:
        asyncio.run(line.run(go.wait, 0.05))
    assert refused.value.status == 503
    assert line.busy == 1
    go.set()


def test_a_job_that_nobody_began_in_time_is_never_begun():
    line, go, begun = Line("test", threads=1, most=2), threading.Event(), []

    async def crowd():
        first = asyncio.create_task(line.run(go.wait, 5))
        await asyncio.sleep(0)
        with pytest.raises(Refusal):
            await line.run(lambda: begun.append(1), 0.05)
        assert line.busy == 1
        go.set()
        await first

    asyncio.run(crowd())
    assert line.close(5)
    assert begun == []


def test_too_many_jobs_are_sent_away_and_the_others_served(line):
    go = threading.Event()

    async def crowd():
        jobs = [asyncio.create_task(line.run(go.wait, None)) for _ in range(3)]
        await asyncio.sleep(0)
        assert line.refusal().status == 429
        with pytest.raises(Refusal) as refused:
            await line.run(lambda: None, None)
        go.set()
        return refused.value, await asyncio.gather(*jobs)

    refusal, served = asyncio.run(crowd())
    assert (refusal.status, served) == (429, [True] * 3)
    assert refusal.headers == {"retry-after": "1"}
    assert line.turned_away == 2


def test_there_is_room_again_afterwards(line):
    asyncio.run(line.run(lambda: None, 5))
    assert line.refusal() is None
    assert line.turned_away == 0


def test_the_wait_is_what_the_line_takes(line, monkeypatch):
    clock = iter([0.0, 8.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    line._timed(lambda: None)  # 8 seconds for one
    monkeypatch.undo()
    line.busy = 3
    assert line.retry_after() == 12  # 3 jobs of 8 seconds on 2 threads
    line.busy = 1000
    assert line.retry_after() == 60
    line.busy = 0


def test_what_nobody_has_begun_is_dropped_at_the_end():
    line, go, begun = Line("test", threads=1, most=2), threading.Event(), []

    async def crowd():
        first = asyncio.create_task(line.run(go.wait, 5))
        second = asyncio.create_task(line.run(lambda: begun.append(1), 5))
        await asyncio.sleep(0)
        assert not line.close(0.05)
        go.set()
        await asyncio.gather(first, second, return_exceptions=True)

    asyncio.run(crowd())
    assert line.busy == 0
    assert begun == []
