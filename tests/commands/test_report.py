"""`chef report`."""

from __future__ import annotations

import pytest

from chef.cli import main
from tests.report.made import result, study_file


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main(["report", *map(str, arguments)])
    return int(left.value.code or 0)


def test_the_page_is_written_and_named(tmp_path, capsys):
    paths = [study_file(tmp_path, f"{seed}.json", [result(seed=seed)]) for seed in (0, 1)]
    assert run(*paths, "--out", tmp_path / "report") == 0
    assert (tmp_path / "report" / "index.html").is_file()
    assert str(tmp_path / "report" / "index.html") in capsys.readouterr().out


def test_a_wrong_file_is_one_line(tmp_path, capsys):
    assert run(tmp_path / "none.json", "--out", tmp_path / "report") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "none.json" in error
