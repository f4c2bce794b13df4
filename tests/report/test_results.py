"""Result files: put together by population, never mixed."""

from __future__ import annotations

import json

import pytest

from chef.errors import ChefError
from chef.report.results import read_studies
from tests.report.made import result, study_file


def test_seeds_of_one_model_are_one_study(tmp_path):
    paths = [study_file(tmp_path, f"{seed}.json", [result(seed=seed)]) for seed in (1, 0)]
    (study,) = read_studies(paths)
    assert study.models == ["t+t+l"]
    assert [run.seed for run in study.of("t+t+l")] == [0, 1]


def test_several_models_in_one_file_bring_their_comparisons(tmp_path):
    (study,) = read_studies([study_file(tmp_path, "r.json", [result("t+t+l"), result("s+l+l")])])
    assert study.models == ["s+l+l", "t+t+l"]
    assert len(study.comparisons) == 1


@pytest.mark.parametrize("other", [{"data": "open"}, {"split": "val"}, {"n": 7}])
def test_other_populations_stand_apart(tmp_path, other):
    paths = [study_file(tmp_path, "a.json", [result()]), study_file(tmp_path, "b.json", [result() | other])]
    assert len(read_studies(paths)) == 2


def test_the_same_file_twice_counts_once(tmp_path):
    path = study_file(tmp_path, "r.json", [result()])
    (study,) = read_studies([path, path])
    assert len(study.runs) == 1


def test_one_run_with_two_results_is_a_mistake(tmp_path):
    changed = result()
    changed["retrieval"]["image-to-recipe"]["full"]["R@1"] += 1
    paths = [study_file(tmp_path, "a.json", [result()]), study_file(tmp_path, "b.json", [changed])]
    with pytest.raises(ChefError, match="two results of t\\+t\\+l, training seed 0"):
        read_studies(paths)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("not json", "not JSON"),
        ("[1, 2]", "not a result"),
        ('{"models": []}', "without models"),
        ('{"models": 3}', "not a result"),
        ('{"models": [3]}', "not a result"),
        ('{"recipes": 3}', "not a result"),
        (json.dumps({"model": "a", "data": "b", "split": "c", "retrieval": 3}), "not a result"),
    ],
)
def test_other_files_are_refused_by_name(tmp_path, content, problem):
    path = tmp_path / "r.json"
    path.write_text(content)
    with pytest.raises(ChefError, match=problem) as error:
        read_studies([path])
    assert str(path) in str(error.value)


def test_missing_files_and_folders_are_named(tmp_path):
    with pytest.raises(ChefError, match="no such result"):
        read_studies([tmp_path / "none.json"])
    with pytest.raises(ChefError, match="a folder"):
        read_studies([tmp_path])
