"""The service behind the routes: its queues, its end, and what other processes do to its collection."""

import asyncio
import json
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx
import pytest
import torch

from chef.errors import ChefError
from chef.index import Index
from chef.index.ingest import encode_batch
from chef.model.artefact import load, save_artefact
from chef.recipe import Ingredient, Recipe, Step
from chef.serve.errors import Refusal
from chef.serve.routes.recipes import store
from chef.serve.service import Service
from chef.serve.settings import ServeSettings
from tests.serve.small import served

SOUP = Recipe("soup", "Soup", (Ingredient("1 chicken"),), (Step("Simmer the chicken."),))


@pytest.fixture
def copy(collection, tmp_path):
    return shutil.copytree(collection, tmp_path / "collection")


@pytest.fixture
def service(copy):
    made = Service(Index(copy), ServeSettings(threads=2, queue=3, timeout=5))
    yield made
    assert made.close()


def test_writes_run_one_at_a_time(service):
    running, most = 0, 0

    def write():
        nonlocal running, most
        running += 1
        most = max(most, running)
        threading.Event().wait(0.02)
        running -= 1

    async def both():
        await asyncio.gather(service.write(write), service.write(write))

    asyncio.run(both())
    assert most == 1


@pytest.mark.parametrize(("busy", "free"), [("write", "read"), ("read", "probe")])
def test_reads_do_not_wait_for_writes_nor_probes_for_reads(service, busy, free):
    go = threading.Event()

    async def crowd():
        jobs = [asyncio.create_task(getattr(service, busy)(go.wait)) for _ in range(3)]
        await asyncio.sleep(0)
        info = await getattr(service, free)(service.index.info)
        go.set()
        await asyncio.gather(*jobs)
        return info

    assert asyncio.run(crowd()).recipes == 24


def test_closing_does_not_wait_for_ever(collection):
    service, go = Service(Index(collection), ServeSettings(timeout=0.05)), threading.Event()
    with pytest.raises(Exception, match="took longer"):
        asyncio.run(service.read(go.wait))
    assert not service.close()
    go.set()


def test_a_collection_that_is_gone_is_not_ready(copy):
    with served(Index(copy), ServeSettings(port=0)) as where:
        assert httpx.get(f"{where}/api/ready").status_code == 200
        shutil.rmtree(copy)
        answer = httpx.get(f"{where}/api/ready")
        assert answer.status_code == 503
        assert answer.json() == {"error": "the collection is gone"}
        assert httpx.get(f"{where}/api/recipes").status_code == 503
        assert httpx.get(f"{where}/api/health").status_code == 200


@pytest.mark.parametrize("versions", [1, 3, 5])  # fewer than, as many as, more than in the other's place
def test_another_collection_in_its_place_is_served_at_once(copy, tmp_path, versions):
    other = Index(tmp_path / "other", Index(copy).chef)
    other.add([SOUP])
    for number in range(versions - other.version):
        other.add([replace(SOUP, title=f"Soup {number}")])
    Index(copy).remove("r0")
    with served(Index(copy), ServeSettings(port=0)) as where, httpx.Client(base_url=where) as client:
        query = {"text": "chicken", "k": 30}
        before = client.post("/api/search", json=query).json()
        assert len(before["hits"]) == 23
        shutil.rmtree(copy)
        shutil.copytree(tmp_path / "other", copy)
        assert client.get("/api/ready").status_code == 200
        assert [row["id"] for row in client.get("/api/recipes").json()["recipes"]] == ["soup"]
        assert client.get("/api/recipes/soup").status_code == 200
        assert client.get("/api/recipes/r1").status_code == 404
        after = client.post("/api/search", json=query).json()
        assert [hit["id"] for hit in after["hits"]] == ["soup"]
        assert after["version"] > before["version"]


def test_searches_do_not_wait_for_the_map(copy, monkeypatch):
    begun, go = threading.Event(), threading.Event()

    def slow(catalogue):
        begun.set()
        return [] if go.wait(20) else None

    monkeypatch.setattr("chef.index.catalogue.Catalogue.points", property(slow))
    settings = ServeSettings(port=0, threads=1)
    with served(Index(copy), settings) as where, ThreadPoolExecutor() as pool:
        asked = pool.submit(httpx.get, f"{where}/api/map", timeout=60)
        assert begun.wait(20)
        for _ in range(2):  # the first one loads
            found = httpx.post(f"{where}/api/search", json={"text": "rice"}, timeout=10)
            assert found.status_code == 200
        go.set()
        assert asked.result().json()["points"] == []


def test_an_upload_is_one_version_and_past_its_time_it_is_none(copy, tmp_path, monkeypatch):
    monkeypatch.setattr("chef.index.ingest.BATCH", 4)
    soups = [replace(SOUP, id=f"soup-{number}") for number in range(10)]
    index = Index(copy)
    before = index.version
    assert index.add(soups, at_once=True).added == 10
    assert index.version == before + 1
    monkeypatch.setattr("chef.index.ingest.encode_batch", late(encode_batch))
    service = Service(index, ServeSettings(write_timeout=0.3))
    more = [replace(SOUP, id=f"more-{number}").to_json() for number in range(10)]
    (tmp_path / "upload").mkdir()
    (tmp_path / "upload/more.json").write_text(json.dumps(more))
    with pytest.raises(Refusal, match=r"longer than 0.3 seconds$"):
        asyncio.run(store(tmp_path / "upload", service))
    assert service.close()
    assert index.info().recipes == 24 + 10


def late(encode):
    def encoded(*given, **named):
        done = encode(*given, **named)
        time.sleep(0.2)
        return done

    return encoded


@pytest.fixture
def other_model(collection, tmp_path):
    """The collection's model with other weights."""
    made = collection.parent / "made"
    chef = load(made / "model")
    torch.manual_seed(1)
    for weights in chef.model.parameters():
        torch.nn.init.normal_(weights, std=0.1)
    files = made / "words.tsv", made / "map.tsv"
    save_artefact(tmp_path / "other", chef.model, *files, chef.texts.settings, {"name": "b"})
    return tmp_path / "other"


def test_what_another_process_writes_is_found_at_once(service, copy):
    before = service.index.version
    Index(copy).add([SOUP])
    assert service.index.search(text="soup", k=1)[0].id == "soup"
    assert service.index.version > before
    assert service.entry("soup").recipe.title == "Soup"


def test_it_follows_a_rebuild_with_another_model_and_ends_the_old_one(service, copy, other_model):
    service.warm_up()
    thread = service.thread
    Index(copy).rebuild(other_model)
    hits = service.index.search(recipe=SOUP, k=24)
    expected = Index(copy).search(recipe=SOUP, k=24)
    assert [hit.id for hit in hits] == [hit.id for hit in expected]
    assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected], abs=1e-5)
    assert service.thread is not thread
    thread._thread.join(10)
    assert not thread._thread.is_alive()


def test_a_missing_model_is_an_error_until_it_is_there(service, copy, other_model):
    service.warm_up()
    Index(copy).rebuild(other_model)
    hidden = other_model.rename(other_model.with_name("hidden"))
    for _ in range(2):  # never the new vectors with the old model
        with pytest.raises(ChefError, match="needs another model"):
            service.index.search(recipe=SOUP, k=1)
    with pytest.raises(ChefError):
        service.index.ready()
    hidden.rename(other_model)
    service.index.ready()
    assert service.index.search(recipe=SOUP, k=1)
