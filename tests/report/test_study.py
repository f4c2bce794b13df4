"""Result files and studies: runs grouped by population, never mixed."""

import json

import pytest

from chef.errors import ChefError
from chef.evaluate.results import About, Comparison, Figures, ModelResult, Plane
from chef.report.study import Study, read_studies
from tests.report.made import result, study_file


def test_seeds_of_one_model_are_one_study_and_a_file_counts_once(tmp_path):
    paths = [study_file(tmp_path, f"{seed}.json", [result(seed=seed)]) for seed in (1, 0)]
    (study,) = read_studies(paths)
    assert study.models == ["t+t+l"]
    assert [run.about.seed for run in study.of("t+t+l")] == [0, 1]
    (study,) = read_studies(paths[:1] * 2)
    assert len(study.runs) == 1


def test_several_models_in_one_file_bring_their_comparisons(tmp_path):
    (study,) = read_studies([study_file(tmp_path, "r.json", [result("t+t+l"), result("s+l+l")])])
    assert study.models == ["s+l+l", "t+t+l"]
    assert len(study.comparisons) == 1


@pytest.mark.parametrize("other", [{"data": "open"}, {"split": "val"}, {"n": 7}])
def test_other_populations_stand_apart(tmp_path, other):
    paths = [study_file(tmp_path, "a.json", [result()]), study_file(tmp_path, "b.json", [result() | other])]
    assert len(read_studies(paths)) == 2


def test_one_run_with_two_results_is_a_mistake(tmp_path):
    changed = result()
    changed["retrieval"]["image-to-recipe"]["full"]["R@1"] += 1
    paths = [study_file(tmp_path, "a.json", [result()]), study_file(tmp_path, "b.json", [changed])]
    with pytest.raises(ChefError, match="two results of t\\+t\\+l, training seed 0"):
        read_studies(paths)


NAMED = {"model": "a", "data": "b", "split": "c"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("not json", "not JSON"),
        ("[1, 2]", "not a result"),
        ('{"models": []}', "without models"),
        ('{"models": 3}', "models is not a list"),
        ('{"models": [3]}', "models.0 is not an object"),
        ('{"recipes": 3}', "model is missing"),
        (json.dumps(NAMED | {"retrieval": 3}), "retrieval is not an object"),
        (json.dumps(NAMED | {"n": "many"}), "n is not a whole number"),
        (json.dumps(NAMED | {"cooking": {}}), "cooking is not a known field"),
        (json.dumps(NAMED | {"version": 2}), "has version 2"),
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


def run(model: str = "t+t+l", seed: int | None = 0, **about) -> ModelResult:
    return ModelResult(model=model, data="kitchen", split="test", n=9, about=About(seed=seed, **about))


def study(*comparisons: Comparison, runs: tuple[ModelResult, ...] = ()) -> Study:
    runs = runs or (run(seed=1), run("s+l+l"), run(seed=0))
    return Study("kitchen", "test", 9, runs, comparisons)


def test_pictures_are_of_the_first_run_that_has_them():
    drawn = run(seed=1)
    drawn.figures = Figures(space=Plane(ids=["a"], points={"image": [[0, 0]], "recipe": [[1, 1]]}))
    assert study(runs=(drawn, run("s+l+l"), run(seed=0))).illustrated("space") == [drawn]


def test_runs_of_one_seed_are_compared_where_there_are_any():
    def compared(first: str, second: str, *seeds: int) -> Comparison:
        tests = {"image-to-recipe": {"full": {}}}
        return Comparison(first=first, second=second, seeds=list(seeds), retrieval=tests)

    rows = [compared("t+t+l", "s+l+l", *seeds) for seeds in ((0, 0), (0, 1), (1, 1))]
    same = compared("t+t+l", "t+t+l", 0, 1)
    assert [row.seeds for row in study(*rows, same).compared()] == [[0, 0], [1, 1]]
    assert len(study(rows[1]).between("t+t+l", "s+l+l", "image-to-recipe", "full")) == 1
    assert study(rows[0]).between("s+l+l", "t+t+l", "image-to-recipe", "full") == []


def test_a_model_with_a_name_of_its_own_is_known_by_its_variant():
    named = study(runs=(run("mine", variant="t+l+l"),))
    assert named.variant("mine") == "t+l+l"
    assert named.has_tree("mine")
    assert not study().has_tree("s+l+l")
    second = "acme (batch statistics)"  # no row of the paper's
    assert study(runs=(run(second, variant="acme"),)).variant(second) == second


@pytest.mark.parametrize(
    ("models", "lead"), [("t+l+l t+t+l s+l+l", "t+t+l"), ("s+l+l t+l+l", "t+l+l"), ("s+l+l g+l+l", "s+l+l")]
)
def test_ttl_leads_where_it_is_there(models, lead):
    assert study(runs=tuple(run(model) for model in models.split())).lead == lead
