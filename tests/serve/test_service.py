from __future__ import annotations

import asyncio
import threading

import pytest

from chef.index import Index
from chef.serve.service import Service
from chef.serve.settings import ServeSettings


@pytest.fixture
def service(collection):
    made = Service(Index(collection), ServeSettings(threads=2, queue=3, timeout=5))
    yield made
    assert made.close()


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


def test_readers_do_not_wait_for_writers(service):
    go = threading.Event()

    async def crowd():
        writers = [asyncio.create_task(service.write(go.wait)) for _ in range(6)]
        await asyncio.sleep(0)
        read = await service.read(lambda: 42)
        go.set()
        await asyncio.gather(*writers)
        return read

    assert asyncio.run(crowd()) == 42


def test_those_who_watch_do_not_wait_for_readers(service):
    go = threading.Event()

    async def crowd():
        readers = [asyncio.create_task(service.read(go.wait)) for _ in range(3)]
        await asyncio.sleep(0)
        seen = await service.probe(service.index.info)
        go.set()
        await asyncio.gather(*readers)
        return seen

    assert asyncio.run(crowd()).recipes == 24


def test_the_end_does_not_wait_for_ever(collection):
    service, go = Service(Index(collection), ServeSettings(timeout=0.05)), threading.Event()
    with pytest.raises(Exception, match="took longer"):
        asyncio.run(service.read(go.wait))
    assert not service.close()
    go.set()
