"""The report in its folder."""

from __future__ import annotations

import csv
import io

import pytest

from chef.errors import ChefError
from chef.report.write import write_report
from tests.report.made import result, study_file


def test_every_table_is_written_in_both_forms(tmp_path):
    write_report([study_file(tmp_path, "r.json", [result()])], tmp_path / "out")
    names = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    stems = {name.rsplit(".", 1)[0] for name in names}
    assert {"table-1", "table-s1", "table-2", "table-3", "table-s2", "table-6"} <= stems
    assert {"substitution-chicken", "substitution-pork", "substitution-beef"} <= stems
    assert names == {f"{stem}.{form}" for stem in stems for form in ("tex", "csv")}


def test_the_files_have_the_results_figures(tmp_path):
    made = result()
    write_report([study_file(tmp_path, "r.json", [made])], tmp_path / "out")
    text = (tmp_path / "out" / "tables" / "table-1.csv").read_text(encoding="utf-8")
    first = next(csv.DictReader(io.StringIO(text)))
    cell = made["retrieval"]["image-to-recipe"]["1k"]
    assert float(first["Measured here: R@1"]) == pytest.approx(cell["R@1"], abs=1e-4)
    assert float(first["Measured here: R@1 low"]) == pytest.approx(cell["ci"]["R@1"][0], abs=1e-4)
    assert first["Paper, on Recipe1M: R@1"] == "49"
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert f"{cell['R@1']:.1f}<small class=ci>" in page


def test_two_studies_do_not_overwrite_each_other(tmp_path):
    paths = [study_file(tmp_path, f"{n}.json", [result(n=n)]) for n in (1200, 1500)]
    write_report(paths, tmp_path / "out")
    first, second = (tmp_path / "out" / "tables" / f"table-1{end}.csv" for end in ("", "-2"))
    assert "1,200" in first.read_text(encoding="utf-8")
    assert "1,500" in second.read_text(encoding="utf-8")


def test_the_same_results_give_the_same_page(tmp_path):
    path = study_file(tmp_path, "r.json", [result(), result("s+l+l")])
    first, second = (write_report([path], tmp_path / name).read_bytes() for name in ("a", "b"))
    assert first == second


def test_a_result_with_a_hole_is_named_and_nothing_is_written(tmp_path):
    made = result()
    del made["main-ingredient"]["against"]
    with pytest.raises(ChefError, match="lacks 'against'"):
        write_report([study_file(tmp_path, "r.json", [made])], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_out_must_be_a_folder(tmp_path):
    path = study_file(tmp_path, "r.json", [result()])
    with pytest.raises(ChefError, match="not a folder"):
        write_report([path], path)


def test_retrieval_alone_is_enough(tmp_path):
    made = {
        name: value
        for name, value in result().items()
        if name not in ("pruning", "substitution", "actions", "figures", "main-ingredient")
    }
    page = write_report([study_file(tmp_path, "r.json", [made])], tmp_path / "out").read_text(
        encoding="utf-8"
    )
    assert 'id="retrieval"' in page
    assert 'id="pruning"' not in page
