import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image

from chef.model.artefact import load
from chef.model.encoder import Encoder
from chef.model.joint import JointModel
from chef.model.tree import Tree
from chef.recipe import Recipe
from chef.serve.micro_batching import BatchingEncoder, ModelThread, _encode_jobs
from tests.model.small_words import config_of, fill_table
from tests.serve.small import recipe_json, write_model


def doubled(items):
    if None in items:
        raise ValueError("a bad item")
    return [2 * item for item in items]


@pytest.fixture
def blocked():
    """A thread that is busy until `go` is set, and the sizes of its batches."""
    sizes, go, busy = [], threading.Event(), threading.Event()
    thread = ModelThread(
        {"double": doubled}, window=0.0, max_batch=4, watch=lambda kind, size: sizes.append((kind, size))
    )

    def wait():
        busy.set()
        go.wait()

    waiting = threading.Thread(target=thread.call, args=(wait,))
    waiting.start()
    assert busy.wait(10)
    yield thread, go, sizes
    go.set()
    waiting.join()
    thread.close()


def test_what_waits_together_is_computed_together_up_to_the_limit(blocked):
    thread, go, sizes = blocked
    futures = [thread.submit("double", number) for number in range(6)]
    assert thread.waiting == 6
    go.set()
    assert [future.result(10) for future in futures] == [0, 2, 4, 6, 8, 10]
    assert sizes == [("double", 4), ("double", 2)]


def test_a_bad_item_fails_alone_and_a_cancelled_one_is_not_computed(blocked):
    thread, go, sizes = blocked
    good, bad, other, dropped = (thread.submit("double", item) for item in (1, None, 3, 4))
    assert dropped.cancel()
    go.set()
    assert (good.result(10), other.result(10)) == (2, 6)
    with pytest.raises(ValueError, match="a bad item"):
        bad.result(10)
    assert sizes == [("double", 1)] * 2  # each alone, after the batch of three has failed


def test_calls_from_the_thread_itself_failed_calls_and_closing():
    thread = ModelThread({"double": doubled}, window=5.0)
    assert thread.call(lambda: thread.call(threading.current_thread)) is thread._thread
    with pytest.raises(ZeroDivisionError):
        thread.call(lambda: 1 // 0)
    future = thread.submit("double", 4)
    thread.close()  # what is queued is finished
    assert future.result(0) == 8
    with pytest.raises(RuntimeError):
        thread.submit("double", 1)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return load(write_model(tmp_path_factory.mktemp("model") / "made"))


@pytest.fixture
def shared(plain):
    encoder = BatchingEncoder(plain.encoder, window=0.0, max_batch=8)
    yield plain.with_encoder(encoder)
    encoder.thread.close()


@pytest.fixture
def joining(plain):
    """A model that waits for three requests, and the sizes of its batches."""
    sizes = []
    encoder = BatchingEncoder(plain.encoder, 60.0, 3, watch=lambda kind, size: sizes.append((kind, size)))
    yield plain.with_encoder(encoder), sizes
    encoder.thread.close()


def recipes():
    long = ["2 apples", "300 g beef", "1 cup rice", "3 carrots", "100 g green beans"]
    return [
        Recipe.from_json({"id": "a", **recipe_json()}),
        Recipe.from_json(
            {"id": "b", "title": "Apples", "ingredients": long, "instructions": ["Fry. Serve."]}
        ),
        Recipe.from_json({"id": "c", "title": "Nothing else"}),
    ]


def test_requests_of_several_threads_are_one_batch_and_encoded_as_if_alone(plain, joining):
    model, sizes = joining
    photos = [Image.new("RGB", (40, 40), colour) for colour in ("red", "green", "blue")]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda recipe: model.embed_recipes([recipe])[0], recipes()))
        seen = list(pool.map(lambda photo: model.embed_images([photo])[0], photos))
    assert sizes == [("recipe", 3), ("photo", 3)]
    np.testing.assert_allclose(together, [plain.embed_recipes([r])[0] for r in recipes()], atol=1e-6)
    np.testing.assert_allclose(seen, plain.embed_images(photos), atol=1e-5)


def test_trees_are_the_same_and_given_trees_are_kept(plain, shared):
    for recipe in recipes():
        assert shared.explain(recipe) == plain.explain(recipe)
    text = shared.read(recipes()[0])
    trees = shared.encoder.encode([text]).trees
    left = [replace(trees[0], ingredients=Tree.left(text.ingredients))]
    for kept in (trees, left):
        np.testing.assert_array_equal(shared.encoder.embed([text], kept), plain.encoder.embed([text], kept))


@pytest.mark.parametrize("name", ["t+t+l", "g+l+l-attention", "chef-base"])
def test_several_requests_in_one_batch_get_what_each_gets_alone(plain, name):
    torch.manual_seed(0)
    size = len(plain.vocabulary)
    network = JointModel(config_of(name, vocabulary=size, word=6, hidden=8, space=12))
    if name == "chef-base":
        fill_table(network.recipe.context)
    encoder = Encoder(network, plain.vocabulary)
    texts = [plain.read(recipe) for recipe in recipes()]
    jobs = [texts[:2], texts[2:]]
    for texts, part in zip(jobs, _encode_jobs(encoder, jobs), strict=True):
        alone = encoder.encode(texts)
        np.testing.assert_allclose(part.vectors, alone.vectors, atol=1e-6)
        assert part.trees == alone.trees
        assert (part.attention is None) == (alone.attention is None) == ("attention" not in name)
        for got, wanted in zip(part.attention or [], alone.attention or [], strict=True):
            assert got == pytest.approx(wanted, abs=1e-6)
