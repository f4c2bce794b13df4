"""The workers of a Ray do what processes of this machine do, byte for byte, and some of them are killed."""

import os
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from chef.data.pool import Ray, open_pool
from chef.errors import ChefError
from chef.index import Added, Index, ingest
from tests.data.sources import content, write_source
from tests.index.small import export, write_model


def test_without_the_package_the_way_out_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ChefError, match=r"pip install 'chef-food\[ray\]'"):
        open_pool(2, Ray())


@pytest.fixture(scope="module")
def ray():
    """A Ray with two workers, for all tests here."""
    engine = pytest.importorskip("ray", reason="ray is not installed: pip install 'chef-food[ray]'")
    root = str(Path(__file__).resolve().parents[2])
    engine.init(
        "local", num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False,
        runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join([root, *sys.path])}},
    )  # fmt: skip
    yield Ray()
    engine.shutdown()


def fail(error: Exception) -> None:
    raise error


def late(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def die_once(mark: Path) -> str:
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


@pytest.mark.slow
def test_results_errors_and_deaths(ray, tmp_path):
    with open_pool(None, ray) as pool:
        assert list(pool.run([partial(late, 0.5), partial(late, 0.0)])) == [0.0, 0.5]
        assert list(pool.run([partial(late, 0.5), partial(late, 0.0)], in_order=True)) == [0.5, 0.0]
        for error in (ChefError("no salt", "buy some"), OSError(28, "No space left on device", "x")):
            with pytest.raises(type(error), match=str(error.args[-1])[:8]):
                list(pool.run([partial(fail, error)]))
        assert list(pool.run([partial(die_once, tmp_path / "mark")])) == ["done"]
    with pytest.raises(ChefError, match="no GPU"):
        open_pool(None, Ray(gpus=1))


class Killer(threading.Thread):
    """Kills workers of this process's Ray with -9 in the middle of a task, five in all."""

    def __init__(self) -> None:
        super().__init__()
        self.kills, self._over = 0, threading.Event()

    def run(self) -> None:
        while self.kills < 5 and not self._over.wait(0.02):
            for folder in Path("/proc").iterdir():
                if folder.name.isdecimal() and _is_at_work(int(folder.name)):
                    os.kill(int(folder.name), signal.SIGKILL)
                    self.kills += 1
                    break

    def __enter__(self) -> "Killer":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()


def _is_at_work(process: int) -> bool:
    """Whether a process is a worker of a Ray that this process has started, with a task in hand."""
    try:
        if b"ray::_call" not in Path(f"/proc/{process}/cmdline").read_bytes():
            return False
        while process not in (0, os.getpid()):
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:  # it has ended
        return False
    return process == os.getpid()


@pytest.mark.slow
def test_prepared_data_are_the_same(ray, prepare_quick, tmp_path):
    source = write_source(tmp_path / "source", 120)
    prepare_quick(source, tmp_path / "plain")
    prepare_quick(source, tmp_path / "ray", ray=ray)
    with Killer() as killer:
        prepare_quick(source, tmp_path / "killed", ray=ray)
    assert killer.kills
    assert content(tmp_path / "plain") == content(tmp_path / "ray") == content(tmp_path / "killed")


@pytest.mark.slow
def test_a_collection_is_the_same(ray, prepare_quick, tmp_path, monkeypatch):
    monkeypatch.setattr(ingest, "BATCH", 4)
    model, source = write_model(tmp_path / "model"), write_source(tmp_path / "source", 40)
    prepare_quick(source, tmp_path / "prepared")
    for given in (source, tmp_path / "prepared"):
        plain = Index(tmp_path / f"plain-{given.name}", model)
        through = Index(tmp_path / f"ray-{given.name}", model)
        assert plain.add(given) == Added(added=40)
        with Killer() as killer:
            assert through.add(given, ray=ray) == Added(added=40)
        assert killer.kills
        assert export(through.url) == export(plain.url)
        assert through.add(given, ray=ray) == Added(unchanged=40)
