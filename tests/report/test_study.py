"""Studies: runs and comparisons in order."""

from __future__ import annotations

from chef.report.study import Run, Study
from tests.report.made import comparison


def study(*comparisons: dict, about: dict | None = None) -> Study:
    runs = [
        Run("t+t+l", 1, {"actions": {"percent": 2}, "figures": {"space": [1]}}),
        Run("s+l+l", 0, {}),
        Run("t+t+l", 0, {"actions": {"percent": 1}, "about": about or {}}),
    ]
    return Study("kitchen", "test", 9, tuple(runs), tuple(comparisons))


def test_models_come_in_the_papers_order_and_runs_by_seed():
    assert study().models == ["s+l+l", "t+t+l"]
    assert [part["percent"] for part in study().parts("t+t+l", "actions")] == [1, 2]
    assert study().able("actions") == ["t+t+l"]


def test_pictures_are_of_the_first_run_that_has_them():
    assert [(run.model, run.seed) for run in study().illustrated("space")] == [("t+t+l", 1)]


def test_runs_of_one_seed_are_compared_where_there_are_any():
    rows = [
        comparison("t+t+l", "s+l+l") | {"seeds": seeds} for seeds in ([0, 0], [0, 1], [1, 1])
    ]  # fmt: skip
    same = comparison("t+t+l", "t+t+l") | {"seeds": [0, 1]}
    assert [row["seeds"] for row in study(*rows, same).compared("retrieval")] == [[0, 0], [1, 1]]
    assert len(study(rows[1]).between("t+t+l", "s+l+l", "retrieval")) == 1
    assert study(rows[0]).between("s+l+l", "t+t+l", "retrieval") == []


def test_a_model_with_a_name_of_its_own_is_known_by_its_variant():
    named = Study("k", "test", 1, (Run("mine", 0, {"about": {"variant": "t+l+l"}}),))
    assert named.variant("mine") == "t+l+l"
    assert named.has_tree("mine")
    assert not study().has_tree("s+l+l")


def test_acme_in_training_mode_is_no_row_of_the_paper():
    second = "acme (batch statistics)"
    both = Study("k", "test", 1, (Run(second, 0, {"about": {"variant": "acme"}}),))
    assert both.variant(second) == second


def test_ttl_leads_where_it_is_there():
    def lead(*models: str) -> str:
        return Study("k", "test", 1, tuple(Run(model, 0, {}) for model in models)).lead

    assert lead("t+l+l", "t+t+l", "s+l+l") == "t+t+l"
    assert lead("s+l+l", "t+l+l") == "t+l+l"
    assert lead("s+l+l", "g+l+l") == "s+l+l"
