"""Tasks for many processes: of this machine, or of a Ray cluster. A task is a callable without arguments.

A stream of tasks is drawn from only as fast as it is worked off. A task whose Ray worker dies runs again:
doing it twice must be the same as doing it once.
"""

from __future__ import annotations

import multiprocessing as mp
import os
import signal
import socket
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any, TypeVar

from chef.errors import ChefError

Result = TypeVar("Result")
LOCAL = "local"  # a Ray of this command's own, on this machine
RETRIES = 20  # of a task whose Ray worker or node has died


@dataclass(frozen=True, slots=True)
class Ray:
    """A Ray to work on: its address, and the GPUs (or part of one) that each worker needs."""

    address: str = LOCAL
    gpus: float = 0


class Pool:
    """Worker processes on this machine; with one worker, this process.

    `warm` names a module that is imported once, before the workers fork.

    >>> with Pool(2) as pool:
    ...     results = sorted(pool.run(partial(pow, n, 2) for n in range(4)))
    """

    def __init__(self, workers: int | None = None, warm: str | None = None) -> None:
        self.workers = workers or _cores()
        self.is_here = self.workers == 1  # whether tasks run in this process
        self._warm = warm
        self._executor: ProcessPoolExecutor | None = None

    def run(self, tasks: Iterable[Callable[[], Result]], *, in_order: bool = False) -> Iterator[Result]:
        """The results as they come, or in the order of the tasks; few tasks are drawn ahead of them."""
        if self.is_here:
            yield from (task() for task in tasks)
            return
        handles: list[Any] = []
        for task in tasks:
            handles.append(self._submit(task))
            if len(handles) > 2 * self.workers:
                yield self._next(handles, in_order)
        while handles:
            yield self._next(handles, in_order)

    def _next(self, handles: list[Any], in_order: bool) -> Any:
        done = handles[0] if in_order else self._first(handles)
        handles.remove(done)
        return self._result(done)

    def _submit(self, task: Callable[[], Any]) -> Any:
        if self._executor is None:  # not before there is work: it takes a while
            methods = mp.get_all_start_methods()
            context = mp.get_context("forkserver" if "forkserver" in methods else "spawn")
            context.set_forkserver_preload([self._warm] if self._warm else [])
            self._executor = ProcessPoolExecutor(self.workers, context, _start_worker, (dict(os.environ),))
        return self._executor.submit(task)

    def _first(self, handles: list[Any]) -> Any:
        return next(iter(wait(handles, return_when=FIRST_COMPLETED).done))

    def _result(self, handle: Any) -> Any:
        try:
            return handle.result()
        except BrokenProcessPool as error:
            raise ChefError(
                "a worker process died",
                "if the memory ran out, use fewer --workers; run the same command again to go on",
            ) from error

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._executor is not None:
            if kind is not None:  # what is being worked on is of no use any more
                for process in list(self._executor._processes.values()):
                    process.terminate()
            self._executor.shutdown(cancel_futures=True)


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start_worker(environment: dict[str, str]) -> None:
    """What a worker process does first."""
    os.environ.update(environment)  # the process it was forked from may be older than some of it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends us
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = mp.parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)


class RayPool(Pool):
    """The workers of a Ray cluster; a task whose worker or node dies runs again on another."""

    def __init__(self, ray: Ray, workers: int | None = None) -> None:
        super().__init__(workers)
        self.is_here = False
        try:
            import ray as engine
        except ImportError as error:
            problem = "--ray needs the package ray"
            raise ChefError(problem, "install it: pip install 'chef-food[ray]'") from error
        self.engine, self._starts = engine, not engine.is_initialized()
        if self._starts:
            own: dict[str, Any] = {"num_cpus": self.workers, "include_dashboard": False}
            environment = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
            try:
                host, _, port = ray.address.removeprefix("ray://").rpartition(":")
                if host:  # Ray itself would try for minutes
                    socket.create_connection((host, int(port)), timeout=10).close()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of LanceDB, on every process that is started
                    engine.init(
                        ray.address,
                        logging_level="error",
                        log_to_driver=False,
                        runtime_env={"env_vars": environment},
                        **(own if ray.address == LOCAL else {}),
                    )
            except Exception as error:  # Ray raises anything
                problem = f"no Ray at {ray.address}: {' '.join(str(error).split())[:200]}"
                way_out = "start one: ray start --head; if it has a token, set RAY_AUTH_MODE=token here, too"
                if ray.address == LOCAL:
                    way_out = "it has 30 seconds to start: try again when this machine is less busy"
                raise ChefError(problem, way_out) from error
        resources = engine.cluster_resources()
        self.workers = int(resources.get("CPU", 1))
        if ray.gpus > resources.get("GPU", 0):
            self.__exit__(None)
            raise ChefError("this Ray has no GPU", "leave --gpus-per-worker out")
        self._call = engine.remote(_call).options(num_cpus=1, num_gpus=ray.gpus, max_retries=RETRIES)

    def _submit(self, task: Callable[[], Any]) -> Any:
        return self._call.remote(task)

    def _first(self, handles: list[Any]) -> Any:
        return self.engine.wait(handles)[0][0]

    def _result(self, handle: Any) -> Any:
        try:
            return self.engine.get(handle)
        except self.engine.exceptions.RayTaskError as error:
            raise error.cause from error
        except self.engine.exceptions.RayError as error:
            raise ChefError(f"Ray has given up: {' '.join(str(error).split())[:200]}") from error

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._starts:
            self.engine.shutdown()


def _call(task: Callable[[], Result]) -> Result:
    return task()


def open_pool(workers: int | None = None, ray: Ray | None = None, warm: str | None = None) -> Pool:
    """The workers of a Ray, or processes of this machine: `workers` of them, or one for each core."""
    return Pool(workers, warm) if ray is None else RayPool(ray, workers)
