"""The small grid once, killed on its way: all tests here look at what it left."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT

CALL = [sys.executable, str(ROOT / "experiments" / "run.py")]
SMALL = str(ROOT / "experiments" / "kitchen-small.json")
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*CALL, *arguments], env=ENVIRONMENT, capture_output=True, text=True, check=False)


def files(out: Path) -> dict[Path, tuple[int, int]]:
    """Every file with its inode and time: whatever is written again has others."""
    stats = {path: path.stat() for path in out.rglob("*") if path.is_file()}
    return {path: (stat.st_ino, stat.st_mtime_ns) for path, stat in stats.items()}


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    """The folder, what was done when the grid was killed, and what the second start said."""
    out = tmp_path_factory.mktemp("experiments") / "out"
    arguments = (SMALL, "--out", str(out), "--together", "1")
    process = subprocess.Popen([*CALL, *arguments], env=ENVIRONMENT, stderr=subprocess.PIPE)
    # Killed in the middle of a training; the process that trains is left behind, still at work.
    while not (out / "runs" / "g+l+l-attention-0" / "settings.json").exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    before = {mark: files(out)[mark] for mark in (out / "done").iterdir()}
    again = run(*arguments)
    assert again.returncode == 0, again.stderr
    return out, before, again.stderr


@pytest.mark.slow
def test_a_killed_grid_resumes_and_repeats_nothing(grid):
    out, before, said = grid
    kitchen = {"cook-generated-kitchen", "prepare-generated-kitchen"}
    assert {mark.stem for mark in before} == {*kitchen, "tower", "train-t+t+l-0"}
    assert {mark: files(out)[mark] for mark in before} == before
    for name in (mark.stem for mark in before):
        assert f"{name} ..." not in said
    assert "train-g+l+l-attention-0 ..." in said
    assert "all 10 steps are done" in said


@pytest.mark.slow
def test_a_finished_grid_is_left_as_it_is(grid):
    out, _, _ = grid
    before = files(out)
    again = run(SMALL, "--out", str(out))
    assert again.returncode == 0, again.stderr
    assert "..." not in again.stderr
    assert str(out / "report" / "index.html") in again.stderr
    assert files(out) == before


@pytest.mark.slow
def test_every_seed_has_one_result_with_all_models_experiments_and_comparisons(grid):
    out, _, _ = grid
    assert sorted(path.name for path in (out / "results").iterdir()) == ["seed-0.json", "seed-1.json"]
    for seed in (0, 1):
        result = json.loads((out / "results" / f"seed-{seed}.json").read_text())
        assert [one["model"] for one in result["models"]] == ["t+t+l", "g+l+l-attention"]
        assert {one["about"]["seed"] for one in result["models"]} == {seed}
        (comparison,) = result["comparisons"]
        assert (comparison["first"], comparison["second"]) == ("t+t+l", "g+l+l-attention")
        assert comparison["seeds"] == [seed, seed]
        for one in result["models"]:
            assert Path(one["data"]).name == "generated-kitchen"  # what the report calls it
        tree, plain = result["models"]
        assert tree["main-ingredient"]["validation"]["n"] > 0
        assert {"main-ingredient", "pruning", "actions"} <= set(plain["skipped"])


@pytest.mark.slow
def test_the_report_is_one_page_and_its_tables(grid):
    out, _, _ = grid
    page = (out / "report" / "index.html").read_text()
    assert "T+T+L" in page
    assert not re.search(r"(src|href)=\"https?://[^\"]*\.(js|css|png|jpg)", page)
    names = {path.stem for path in (out / "report" / "tables").glob("*.csv")}
    assert names
    assert names == {path.stem for path in (out / "report" / "tables").glob("*.tex")}


@pytest.mark.slow
def test_a_step_that_fails_says_why_and_stops_what_needs_it(tmp_path):
    values = json.loads(Path(SMALL).read_text())
    values |= {"data": {"name": "mine", "source": str(tmp_path / "nothing")}, "tower": "small-cnn"}
    (tmp_path / "grid.json").write_text(json.dumps(values))
    ended = run(str(tmp_path / "grid.json"), "--out", str(tmp_path / "out"))
    assert ended.returncode == 1
    assert "prepare-mine FAILED (2): error: no such file or folder" in ended.stderr
    assert "0 of 8 steps are done; failed: prepare-mine" in ended.stderr
    assert "train" not in ended.stderr


@pytest.mark.slow
def test_when_the_time_is_up_it_stops_and_says_so(tmp_path):
    ended = run(SMALL, "--out", str(tmp_path / "out"), "--minutes", "0.0001")
    assert ended.returncode == 1
    assert "the time is up. The same command resumes" in ended.stderr


def test_a_mistake_in_the_grid_is_one_line(tmp_path):
    ended = run(str(tmp_path / "none.json"), "--out", str(tmp_path / "out"))
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: no such grid")
    assert ended.stderr.count("\n") == 1
