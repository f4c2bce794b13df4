from pathlib import Path

from grid import Data, Grid, Tower
from steps import steps

OUT = Path("out")
KITCHEN = {"recipes": 10, "seed": 3}


def made(**changes):
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


def by_name(plan):
    return {step.name: step for step in plan}


def test_a_step_comes_after_the_steps_whose_files_it_reads():
    tower = Tower(Data("other", kitchen={"seed": 1}), "s+l+l", {})
    seen = set()
    plan = made(tower=tower)
    for step in plan:
        assert {file for file in step.reads if file in {one.makes for one in plan}} <= seen, step.name
        seen.add(step.makes)
    assert {"cook-other", "prepare-other", "tower", "cook-kitchen", "report"} <= set(by_name(plan))
    assert plan[-1].reads == (OUT / "results" / "seed-0.json", OUT / "results" / "seed-5.json")


def test_a_setting_is_given_as_the_command_line_reads_it():
    call = by_name(made())["train-g+l+l-attention-5"].call
    assert call[-3:] == ("--set=epochs=2", "--set=loss=infonce", "--set=freeze_tower=true")
    assert call[call.index("--seed") + 1] == "5"
    own = by_name(made())["train-t+t+l-0"].call
    assert "--set=epochs=3" in own
    assert "--set=epochs=2" not in own


def test_an_evaluation_takes_all_models_of_its_seed_and_the_attention_of_the_same():
    step = by_name(made())["evaluate-seed-5"]
    runs = OUT / "runs"
    models = [step.call[i + 1] for i, item in enumerate(step.call) if item == "--model"]
    assert models == [runs / "t+t+l-5", runs / "g+l+l-attention-5"]
    assert step.call[step.call.index("--attention-model") + 1] == runs / "g+l+l-attention-5"
    assert step.call[step.call.index("--tasks") + 1] == "retrieval,actions"


def test_a_tower_on_the_same_data_needs_them_once():
    names = [step.name for step in made(tower=Tower(None, "s+l+l", {}))]
    assert names[:3] == ["cook-kitchen", "prepare-kitchen", "tower"]
    assert len(names) == len(set(names))


def test_prepared_data_are_taken_as_they_are():
    first = made(data=Data("mine", prepared="$HERE/prepared"))[0]
    assert (first.name, first.call[1]) == ("train-t+t+l-0", "$HERE/prepared")
    assert first.reads == ("$HERE/prepared/manifest.json",)
