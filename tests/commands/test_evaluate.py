import json

import pytest

from chef.cli import main
from chef.data.prepared import Prepared
from chef.evaluate import figures
from chef.measure import bootstrap
from chef.train.loop import train
from chef.train.settings import make_settings
from tests.conftest import cases
from tests.report.made import result, study_file
from tests.tiny import write_prepared


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Prepared data and a small run beside it."""
    folder = tmp_path_factory.mktemp("evaluate")
    prepared = write_prepared(folder, recipes=60)
    settings = {"word": 16, "hidden": 12, "space": 24, "batch": 24, "epochs": 1, "freeze_epochs": 0}
    train(Prepared(prepared), make_settings({"model": "t+t+l", **settings}), folder / "run")
    return folder


def chef(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([*map(str, arguments)])
    return int(left.value.code or 0)


def test_it_writes_the_result_and_shows_a_few_figures(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(figures, "PAIRS", 5)
    monkeypatch.setattr(bootstrap.resample, "__defaults__", (20,))
    out, run = tmp_path / "deep" / "result.json", folder / "run"
    models = ["--model", run, "--model", f"twice={run}", "--data", folder / "prepared"]
    tasks = ["--tasks", "retrieval, main-ingredient,actions"]
    assert chef("evaluate", *models, *tasks, "--out", out, "--seed", "4") == 0
    result = json.loads(out.read_text())
    assert [(one["model"], one["seed"]) for one in result["models"]] == [("t+t+l", 4), ("twice", 4)]
    said = capsys.readouterr()
    assert "twice, recipe-to-image" in said.out
    assert "first-word" in said.out
    assert f"wrote {out}" in said.err


@pytest.mark.parametrize(("option", "value", "said"), cases("commands", "a mistake is one line"))
def test_a_mistake_is_one_line(folder, tmp_path, monkeypatch, capsys, option, value, said):
    monkeypatch.chdir(tmp_path)
    options = {"--model": folder / "run", "--data": folder / "prepared", "--out": "result.json"}
    options |= {"--tasks": "actions", option: value}
    assert chef("evaluate", *(text for pair in options.items() for text in pair)) == 2
    error = capsys.readouterr().err
    *stages, last = error.strip().splitlines()
    assert last.startswith("error: ")
    assert said in last
    assert all(stage.startswith("reading ") for stage in stages)
    assert not (tmp_path / "result.json").exists()


def test_a_report_is_written_and_named_and_a_wrong_file_is_one_line(tmp_path, capsys):
    paths = [study_file(tmp_path, f"{seed}.json", [result(seed=seed)]) for seed in (0, 1)]
    assert chef("report", *paths, "--out", tmp_path / "report") == 0
    assert (tmp_path / "report" / "index.html").is_file()
    assert str(tmp_path / "report" / "index.html") in capsys.readouterr().out
    assert chef("report", tmp_path / "none.json", "--out", tmp_path / "report") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "none.json" in error
