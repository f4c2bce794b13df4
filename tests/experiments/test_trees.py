"""The experiment on trees: its stages run, and the docs say what it prints."""

from pathlib import Path

import pytest
import trees

from tests.conftest import ROOT
from tests.tiny import write_prepared

SMALL = {
    "loss": "infonce", "freeze_epochs": 0, "word": 16, "hidden": 12, "space": 24, "batch": 12, "epochs": 1,
}  # fmt: skip


@pytest.mark.parametrize("name", ["trees"])
def test_the_docs_have_the_table(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    trees.table(ROOT / "experiments" / "results" / f"{name}.json")
    docs = (ROOT / "docs" / "models.md").read_text("utf-8")
    printed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert len(printed) > 2
    assert [line for line in printed if line not in docs] == []


def test_a_run_is_trained_scored_and_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = {"ttl": {"model": "t+t+l", "query_rate": 10}, "ttl left": {"model": "t+t+l", "trees": "left"}}
    grid = {"about": "", "tower": "small-cnn", "settings": SMALL, "rows": rows}
    monkeypatch.setattr(trees, "GRID", grid)
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    prepared = write_prepared(tmp_path / "data")
    for row in rows:
        trees.run_one(row, 0, prepared, tmp_path, gold=None)
    trees.collect(tmp_path, tmp_path / "result.json")
    trees.table(tmp_path / "result.json")
    printed = capsys.readouterr().out
    assert "| ttl | 1 |" in printed
    assert "- ttl left less ttl, image-to-recipe R@1" in printed
