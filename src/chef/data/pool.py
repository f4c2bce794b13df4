"""A pool of worker processes for tasks that must neither pile up nor outlive the parent.

The pools of the standard library leave their workers behind when the parent is killed, and take
in a whole stream of tasks at once. Here every worker has one pipe and one task; it ends with its
parent, and its death is an error, not a wait without end.
"""

from __future__ import annotations

import multiprocessing as mp
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import TypeVar

from chef.errors import ChefError

Result = TypeVar("Result")


class Pool:
    """Worker processes that run tasks, each a picklable callable without arguments.

    `warm` names a module that every worker is born with (imported once, before the workers fork).

    >>> with Pool(2) as pool:
    ...     results = sorted(pool.run(partial(pow, n, 2) for n in range(4)))
    """

    def __init__(self, workers: int, warm: str | None = None) -> None:
        self._number = workers
        self._warm = warm
        self._workers: dict[Connection, BaseProcess] = {}

    def _start(self) -> None:
        has_forkserver = "forkserver" in mp.get_all_start_methods()
        context: BaseContext = mp.get_context("forkserver" if has_forkserver else "spawn")
        if has_forkserver and self._warm is not None:
            context.set_forkserver_preload([self._warm])
        for number in range(len(self._workers), self._number):
            ours, theirs = context.Pipe()
            # The typing of contexts leaves Process out.
            process: BaseProcess = context.Process(  # type: ignore[attr-defined]
                target=_work, args=(theirs, dict(os.environ)), name=f"chef-worker-{number}", daemon=True
            )
            process.start()
            theirs.close()  # the worker's death must be the end of this pipe
            self._workers[ours] = process

    def run(self, tasks: Iterable[Callable[[], Result]]) -> Iterator[Result]:
        """The results in the order in which they come; a task is drawn only when a worker is free for it."""
        stream = iter(tasks)
        waiting = next(stream, None)
        if waiting is not None:
            with _ctrl_c_later():
                self._start()  # not before there is work: it takes a while
        idle, busy = list(self._workers), set[Connection]()
        while waiting is not None or busy:
            while idle and waiting is not None:
                connection = idle.pop()
                try:
                    connection.send(waiting)
                except (BrokenPipeError, ConnectionResetError) as error:
                    raise self._death(connection) from error
                busy.add(connection)
                waiting = next(stream, None)
            for ready in wait(busy):
                assert isinstance(ready, Connection)
                busy.remove(ready)
                idle.append(ready)
                try:
                    done, value = ready.recv()
                except (EOFError, ConnectionResetError) as error:
                    raise self._death(ready) from error
                if not done:
                    raise value
                yield value

    def _death(self, connection: Connection) -> ChefError:
        process = self._workers[connection]
        process.join(5)
        return ChefError(
            f"a worker process died (exit code {process.exitcode})",
            "if the memory ran out, use fewer --workers; run the same command again to go on",
        )

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for connection, process in self._workers.items():
            connection.close()
            if kind is not None:
                process.terminate()
        for process in self._workers.values():
            process.join(10)
            process.kill()


@contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Let Ctrl-C wait until the workers stand: one that is half born would print a traceback."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual is signal.SIG_IGN:
        yield
        return
    asked: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: asked.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if asked:
        raise KeyboardInterrupt


def _work(connection: Connection, environment: dict[str, str]) -> None:
    """The life of a worker: take a task, send its result, until the parent closes the pipe."""
    os.environ.update(environment)  # the process it was forked from may be older than some of it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends us
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            connection.send((True, task()))
        except (ChefError, OSError) as error:
            connection.send((False, error))
        except Exception:
            # Any other error is a fault of ours: send home the whole trace.
            connection.send((False, RuntimeError(traceback.format_exc())))


def _die_with_parent() -> None:
    parent = mp.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
