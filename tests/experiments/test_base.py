"""The driver of chef-base: its parts do not overlap, and its stages run."""

import json
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import base
import harness
import pytest
from base_results import collect, table, whole
from harness import run_together

from chef.train.settings import presets
from tests.experiments.conftest import SMALL


def test_no_pair_is_trained_and_scored(out: Path) -> None:
    given = json.loads((out / base.PAIRS).read_text("utf-8"))
    everything = set()
    for part in ("final", "dev", *(f"sources-{fold}" for fold in range(base.FOLDS))):
        data = base.Part(out, part)
        train, val, scored = (set(data.split(name).ids) for name in ("train", "val", "scored"))
        assert all((train, val, scored)), part
        assert not train & val
        assert not (train | val) & scored
        assert all(given[name][1] != "unfree" for name in train | val | scored)
        row = sorted(scored)[0]
        assert data.split("scored").recipe(data.split("scored").ids.index(row)).id == row
        if part.startswith("sources"):
            everything |= scored
            assert not {given[name][1] for name in train | val} & {given[name][1] for name in scored}
        else:
            assert not {given[name][2] for name in train} & {given[name][2] for name in scored}
    kept = {name for name, (split, source, _) in given.items() if split != "extra" and source != "unfree"}
    assert everything == kept
    # What is near to a test pair is not scored, and still is among all recipes.
    assert set(data.everything().ids) == set(given)


def test_a_run_is_trained_scored_and_collected(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for row, part in (("base", "final"), ("base", "dev"), ("slow", "dev")):
        base.run_one(row, 0, part, out)
    (out / "stages").mkdir()
    for name, gpu in (("train", "a card"), ("prepare", None)):
        took = {"seconds": 70, "cores": 2, "gpu": gpu}
        (out / "stages" / f"{name}.json").write_text(json.dumps(took), "utf-8")
    collect("", out, out / "result.json")
    table(out / "result.json")
    printed = capsys.readouterr().out
    assert "| prepare | 70 | 2 cores |\n| train | 70 | a card |\n" in printed
    assert "| dev | seeds |" in printed
    assert "| base | 1 |" in printed
    one = json.loads((out / "scores" / "final-base-0.json").read_text("utf-8"))
    assert set(one["eight bits"]) == set(one["retrieval"])
    assert 0 < one["among all"] <= 100
    assert base.load(out / "small" / "final-base-0").model.config.variant == SMALL["model"]


def test_what_a_result_has_of_other_seeds_stays(tmp_path: Path) -> None:
    out = tmp_path

    def collected(*seeds: int) -> dict[str, Any]:
        for seed in seeds:
            ways = {way: {"gallery": dict.fromkeys(base.METRICS, 10.0 * seed)} for way in base.DIRECTIONS}
            one = {"row": "base", "part": "dev", "seed": seed, "settings": {"seed": seed}, "seconds": seed}
            one |= {"retrieval": ways, "epoch": 3, "log": [{"score": seed}]}
            harness.write_scores(out, f"dev-base-{seed}", one)
        collect("", out, out / "result.json")
        row: dict[str, Any] = json.loads((out / "result.json").read_text("utf-8"))["parts"]["dev"]["base"]
        shutil.rmtree(out / "scores")
        return row

    collected(1, 3)
    row = collected(2, 3)
    assert row["seeds"] == row["seconds"] == [1, 2, 3]
    assert row["figures"]["image-to-recipe R@1"] == {"mean": 20, "spread": 10, "values": [10, 20, 30]}


def test_a_row_with_other_settings_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    for seed, settings in ((0, {}), (1, {"word_drop": 0.0}), (2, {"word_drop": 0.5})):
        ways = {way: {"gallery": dict.fromkeys(base.METRICS, 10.0)} for way in base.DIRECTIONS}
        one = {"row": "base", "part": "dev", "seed": seed, "settings": settings, "seconds": 1, "epoch": 3}
        harness.write_scores(tmp_path, "only", one | {"retrieval": ways, "log": [{"score": 1}]})
        collect("", tmp_path, tmp_path / "result.json")
        row = json.loads((tmp_path / "result.json").read_text("utf-8"))["parts"]["dev"]["base"]
        assert row["seeds"] == {0: [0], 1: [0, 1], 2: [2]}[seed]


def test_the_presets_are_what_ships_was_trained_with() -> None:
    for name, row in base.GRID["ships"].items():
        values = {**base.GRID["settings"], **base.GRID["rows"][row]}
        preset = presets()[name]["settings"]
        elsewhere = ["tower", "words", "workers", "labels"]  # folders and machines differ
        chosen = whole({key: value for key, value in values.items() if key not in elsewhere})
        assert chosen == whole({key: value for key, value in preset.items() if key not in elsewhere})


def test_runs_together_say_which_failed_and_start_none_late(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = [sys.executable, "-c", "print('in the log')"], [sys.executable, "-c", "raise SystemExit(3)"]
    assert run_together({"one": good, "two": good, "three": good}, tmp_path, 2, 9) == 0
    assert sorted(capsys.readouterr().out.splitlines()) == ["one: done", "three: done", "two: done"]
    assert (tmp_path / "two.log").read_text("utf-8") == "in the log\n"
    assert run_together({"one": good, "bad": bad}, tmp_path, 1, 9, say=str.upper) == 1
    assert capsys.readouterr().out.splitlines() == ["one: ONE", "bad: FAILED"]
    assert run_together({"late": good}, tmp_path, 1, minutes=0) == 1
    assert not (tmp_path / "late.log").exists()


def test_a_stopwatch_adds_up_what_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "runs" / "one.seconds"
    with suppress(KeyError), harness.stopwatch(file):
        time.sleep(0.2)
        raise KeyError
    with harness.stopwatch(file) as seconds:
        time.sleep(0.2)
    assert 0.4 <= float(file.read_text("utf-8")) <= seconds()
    monkeypatch.setattr(harness, "_A_MINUTE", 0.01)
    file.unlink()
    with harness.stopwatch(file):
        while not file.exists():  # as a killed process would leave it
            time.sleep(0.01)


def test_labels_count_no_sub_headings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(base.GRID, "data", "recipes")
    lines = ["For the sauce:", "1 cup cream", "2 leeks", "For the pie:", "500 g beef", "1 egg"]
    files = {
        "recipes/recipes.jsonl": {"id": "pie", "ingredients": lines},
        "gold/dev.jsonl": {"id": "pie", "main": [4], "ok": [2, 3], "actions": {}},
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(json.dumps(content) + "\n", "utf-8")
    base.write_labels(tmp_path, tmp_path)
    label = json.loads((tmp_path / base.LABELS).read_text("utf-8"))
    assert (label["main"], label["ok"], label["actions"]) == ([2], [1], {})


def test_a_program_that_fails_ends_the_stage_in_one_line(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("raise SystemExit(2)\n", "utf-8")
    with pytest.raises(SystemExit, match="tower was not made"):
        base.run_program(tmp_path / "tower", program)
    (tmp_path / "tower").touch()
    base.run_program(tmp_path / "tower", program)  # it is there: not run again


def test_runs_share_the_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    call = [sys.executable, "-c", "import os; print(os.environ['OMP_NUM_THREADS'])"]
    for together, threads in ((4, "4"), (1, "8")):  # two calls
        assert run_together({"one": call, "two": call}, tmp_path, together, 9) == 0
        assert (tmp_path / "two.log").read_text("utf-8").strip() == threads
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert run_together({"one": call}, tmp_path, 1, 9) == 0
    assert (tmp_path / "one.log").read_text("utf-8").strip() == "3"
