"""Several services over one collection: what one writes the others serve, on a folder and on a bucket."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import httpx
import pytest

from chef.index import Index
from tests.serve.processes import BEARER, replicas
from tests.serve.small import recipe_json
from tests.tiny import write_source


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest, collection: Path, tmp_path: Path) -> str:
    """A collection of 24 recipes to write to."""
    if request.param == "folder":
        return str(shutil.copytree(collection, tmp_path / "collection"))
    address = f"{request.getfixturevalue('s3').bucket()}/collection"
    Index(address, collection.parent / "made" / "model").add(
        write_source(tmp_path / "source", recipes=24, texts=4)
    )
    return address


def soon(found, seconds=20):
    """Wait until something is so: a version far away is looked up once a second."""
    until = time.monotonic() + seconds
    while not found() and time.monotonic() < until:
        time.sleep(0.1)
    assert found()


def test_what_one_writes_the_other_serves_without_a_restart(place):
    with replicas(place, 2) as running:
        writer, reader = (httpx.Client(base_url=address, timeout=60) for address, _ in running)

        def versions():
            return [client.get("/api/recipes").json()["version"] for client in (writer, reader)]

        def found():
            answer = reader.post("/api/search", json={"text": "Borscht", "k": 30}).json()
            return "borscht" in [hit["id"] for hit in answer["hits"]]

        assert not found()
        recipe = recipe_json(id="borscht", title="Borscht")
        added = writer.post("/api/recipes", json={"recipes": [recipe]}, headers=BEARER)
        assert added.json()["added"] == 1
        soon(found)
        assert reader.get("/api/recipes/borscht").json()["recipe"]["title"] == "Borscht"
        assert len(set(versions())) == 1
        # The other way round.
        assert reader.delete("/api/recipes/borscht", headers=BEARER).status_code == 200
        assert writer.get("/api/recipes/borscht").status_code == 404
        soon(lambda: writer.get("/api/recipes").json()["total"] == 24)


@pytest.mark.slow
def test_two_write_and_both_are_read_from_all_the_while(collection, tmp_path):
    place = str(shutil.copytree(collection, tmp_path / "collection"))
    with replicas(place, 2) as running:
        addresses = [address for address, _ in running]
        ended, failed = threading.Event(), []

        def read(address):
            with httpx.Client(base_url=address, timeout=60) as client:
                while not ended.is_set():
                    answer = client.post("/api/search", json={"text": "chicken", "with": ["chicken"]})
                    if answer.status_code != 200:
                        failed.append(answer.text)

        def write(number):
            for count in range(6):
                recipe = recipe_json(id=f"w{number}-{count}")
                answer = httpx.post(
                    f"{addresses[number]}/api/recipes", json={"recipes": [recipe]}, headers=BEARER, timeout=60
                )
                if answer.status_code != 200:
                    failed.append(answer.text)

        readers = [threading.Thread(target=read, args=(address,)) for address in addresses]
        writers = [threading.Thread(target=write, args=(number,)) for number in range(2)]
        for thread in readers + writers:
            thread.start()
        for thread in writers:
            thread.join()
        ended.set()
        for thread in readers:
            thread.join()
        assert failed == []
        for address in addresses:
            assert httpx.get(f"{address}/api/recipes").json()["total"] == 24 + 12
    assert len({entry.id for entry in Index(place).entries()}) == 24 + 12
