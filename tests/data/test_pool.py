import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from chef.data.pool import Pool
from chef.errors import ChefError


def square(number: int) -> int:
    return number * number


def fail(error: Exception) -> None:
    raise error


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_all_results_come_and_tasks_are_drawn_only_when_a_worker_is_free():
    drawn, results = [], []

    def tasks():
        for number in range(20):
            drawn.append(number)
            yield partial(square, number)

    with Pool(2) as pool:
        for result in pool.run(tasks()):
            results.append(result)
            assert len(drawn) <= len(results) + 4  # at work, done and not fetched, or waiting
        assert list(pool.run(iter([]))) == []
        assert list(pool.run([partial(square, n) for n in range(9)], in_order=True)) == [
            n * n for n in range(9)
        ]
    assert sorted(results) == [n * n for n in range(20)]


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ChefError("no salt", "buy some"), ChefError, "no salt"),
        (OSError(28, "No space left on device", "x.tar"), OSError, "No space"),
        (ZeroDivisionError("a fault"), ZeroDivisionError, "a fault"),
    ],
)
def test_errors_of_a_worker_are_raised_here(error, kind, message):
    with Pool(2) as pool, pytest.raises(kind, match=message):
        list(pool.run([partial(fail, error)]))


def test_the_death_of_a_worker_is_an_error():
    with Pool(2) as pool, pytest.raises(ChefError, match="worker process died"):
        list(pool.run([die, partial(square, 2)]))


def test_workers_end_when_their_parent_is_killed():
    code = (
        "import os, time; from functools import partial; from chef.data.pool import Pool\n"
        "if __name__ == '__main__':\n"
        "    pool = Pool(2)\n"
        "    print(next(pool.run([os.getpid])), flush=True)\n"
        "    next(pool.run([partial(time.sleep, 60)]))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        worker = int(parent.stdout.readline())
        assert Path(f"/proc/{worker}").exists()
        parent.kill()
    for _ in range(200):
        if not Path(f"/proc/{worker}").exists():
            return
        time.sleep(0.05)
    pytest.fail("the worker outlived its parent")
