from __future__ import annotations

import threading

import pytest

from chef.serve.model_thread import ModelThread


def doubled(items):
    if None in items:
        raise ValueError("a bad item")
    return [2 * item for item in items]


@pytest.fixture
def held():
    """A thread that is busy until `go` is set, and the sizes of its batches."""
    sizes, go, busy = [], threading.Event(), threading.Event()
    thread = ModelThread(
        {"double": doubled}, window=0.0, most=4, watch=lambda kind, size: sizes.append((kind, size))
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


def test_what_waits_together_is_computed_together_up_to_the_most(held):
    thread, go, sizes = held
    futures = [thread.submit("double", number) for number in range(6)]
    assert thread.waiting == 6
    go.set()
    assert [future.result(10) for future in futures] == [0, 2, 4, 6, 8, 10]
    assert sizes == [("double", 4), ("double", 2)]


def test_a_bad_item_fails_alone(held):
    thread, go, _ = held
    good, bad, other = (thread.submit("double", item) for item in (1, None, 3))
    go.set()
    assert (good.result(10), other.result(10)) == (2, 6)
    with pytest.raises(ValueError, match="a bad item"):
        bad.result(10)


def test_a_cancelled_item_is_not_computed(held):
    thread, go, sizes = held
    kept, dropped = thread.submit("double", 1), thread.submit("double", 2)
    assert dropped.cancel()
    go.set()
    assert kept.result(10) == 2
    assert sizes == [("double", 1)]


def test_the_window_lets_others_join():
    sizes = []
    thread = ModelThread(
        {"double": doubled}, window=30.0, most=2, watch=lambda kind, size: sizes.append(size)
    )
    first, second = thread.submit("double", 1), thread.submit("double", 2)
    assert (first.result(10), second.result(10)) == (2, 4)  # the batch is full: nobody waits 30 seconds
    assert sizes == [2]
    thread.close()


def test_a_call_from_the_thread_itself_does_not_wait_for_itself():
    thread = ModelThread({})
    assert thread.call(lambda: thread.call(lambda: thread.is_here)) is True
    assert not thread.is_here
    thread.close()


def test_a_failed_call_reaches_its_caller_and_the_thread_lives_on():
    thread = ModelThread({"double": doubled})
    with pytest.raises(ZeroDivisionError):
        thread.call(lambda: 1 // 0)
    assert thread.submit("double", 4).result(10) == 8
    thread.close()


def test_closing_finishes_what_was_asked_for_and_takes_no_more():
    thread = ModelThread({"double": doubled}, window=5.0)
    future = thread.submit("double", 4)
    thread.close()
    assert future.result(0) == 8
    with pytest.raises(RuntimeError):
        thread.submit("double", 1)
