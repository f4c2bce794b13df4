from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from chef.data.pool import Pool
from chef.errors import ChefError


def square(number: int) -> int:
    return number * number


def fail(error: Exception) -> None:
    raise error


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_all_results_come():
    with Pool(2) as pool:
        assert sorted(pool.run(partial(square, n) for n in range(20))) == [n * n for n in range(20)]
        assert list(pool.run(iter([]))) == []
        assert list(pool.run([partial(square, 3)])) == [9]


def test_tasks_are_drawn_only_when_a_worker_is_free():
    drawn = []

    def tasks():
        for number in range(20):
            drawn.append(number)
            yield partial(square, number)

    with Pool(2) as pool:
        for done, _ in enumerate(pool.run(tasks()), start=1):
            assert len(drawn) <= done + 3  # two at work or waiting for us, one in hand


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        (ChefError("no salt", "buy some"), ChefError, "no salt"),
        (OSError(28, "No space left on device", "x.tar"), OSError, "No space"),
        (ZeroDivisionError("a fault"), RuntimeError, "a fault"),
    ],
)
def test_errors_come_home(error, kind, told):
    with Pool(1) as pool, pytest.raises(kind, match=told):
        list(pool.run([partial(fail, error)]))


def test_the_death_of_a_worker_is_an_error():
    with Pool(2) as pool, pytest.raises(ChefError, match="worker process died"):
        list(pool.run([die, partial(square, 2)]))


def test_workers_end_when_their_parent_is_killed():
    code = (
        "import os, time; from functools import partial; from chef.data.pool import Pool\n"
        "if __name__ == '__main__':\n"
        "    pool = Pool(1)\n"
        "    print(next(pool.run([os.getpid])), flush=True)\n"
        "    next(pool.run([partial(time.sleep, 60)]))\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    worker = int(parent.stdout.readline())
    os.kill(worker, 0)  # it is there
    parent.kill()
    parent.wait()
    parent.stdout.close()
    for _ in range(200):
        if not is_alive(worker):
            return
        time.sleep(0.05)
    pytest.fail("the worker outlived its parent")


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
