from __future__ import annotations

from pathlib import Path

import pytest

OUT = Path("out")
KITCHEN = {"recipes": 10, "seed": 3}


@pytest.fixture(autouse=True)
def _beside_the_script(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2] / "experiments")


def made(**changes):
    from grid import Data, Grid
    from steps import steps

    values = {
        "data": Data("kitchen", kitchen=KITCHEN),
        "tower": "small-cnn",
        "models": ["t+t+l", "g+l+l-attention"],
        "seeds": [0, 5],
        "settings": {"epochs": 2, "loss": "infonce", "freeze_tower": True},
        "settings_of": {"t+t+l": {"epochs": 3}},
        "evaluate": {"tasks": ["retrieval", "actions"], "attention-model": "g+l+l-attention"},
    }
    return steps(Grid(**{**values, **changes}), OUT)


def by_name(found):
    return {step.name: step for step in found}


def test_a_step_comes_after_the_steps_whose_files_it_reads():
    from grid import Data, Tower

    tower = Tower(Data("other", kitchen={"seed": 1}), "s+l+l", {})
    seen = set()
    found = made(tower=tower)
    for step in found:
        assert {file for file in step.reads if file in {one.makes for one in found}} <= seen, step.name
        seen.add(step.makes)
    assert {"cook-other", "prepare-other", "tower", "cook-kitchen", "report"} <= set(by_name(found))


def test_a_setting_is_given_as_the_command_line_reads_it():
    call = by_name(made())["train-g+l+l-attention-5"].call
    assert call[-3:] == ("--set=epochs=2", "--set=loss=infonce", "--set=freeze_tower=true")
    assert call[call.index("--seed") + 1] == "5"


def test_a_model_may_have_settings_of_its_own():
    assert "--set=epochs=3" in by_name(made())["train-t+t+l-0"].call
    assert "--set=epochs=2" not in by_name(made())["train-t+t+l-0"].call


def test_an_evaluation_takes_all_models_of_its_seed_and_the_attention_of_the_same():
    step = by_name(made())["evaluate-seed-5"]
    runs = OUT / "runs"
    assert [step.call[i + 1] for i, item in enumerate(step.call) if item == "--model"] == [
        runs / "t+t+l-5",
        runs / "g+l+l-attention-5",
    ]
    assert step.call[step.call.index("--attention-model") + 1] == runs / "g+l+l-attention-5"
    assert step.call[step.call.index("--tasks") + 1] == "retrieval,actions"


def test_the_report_is_over_all_seeds():
    report = made()[-1]
    assert report.reads == (OUT / "results" / "seed-0.json", OUT / "results" / "seed-5.json")


def test_a_tower_on_the_same_data_needs_them_once():
    from grid import Tower

    names = [step.name for step in made(tower=Tower(None, "s+l+l", {}))]
    assert names[:3] == ["cook-kitchen", "prepare-kitchen", "tower"]
    assert len(names) == len(set(names))


def test_prepared_data_are_taken_as_they_are():
    from grid import Data

    found = made(data=Data("mine", prepared="$HERE/prepared"))
    assert found[0].name == "train-t+t+l-0"
    assert found[0].call[1] == "$HERE/prepared"
    assert found[0].reads == ("$HERE/prepared/manifest.json",)
