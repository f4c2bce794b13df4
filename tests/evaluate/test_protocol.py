from __future__ import annotations

import json
from pathlib import Path

import pytest

from chef.errors import ChefError
from chef.evaluate import figures
from chef.evaluate.actions import actions_task
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.main_ingredient import main_ingredient_task
from chef.evaluate.population import open_population
from chef.evaluate.protocol import TASKS, Request, evaluate
from chef.evaluate.pruning import pruning_task
from chef.measure import bootstrap
from chef.measure.retrieval import retrieval
from chef.model.artefact import load


@pytest.fixture(autouse=True, scope="module")
def little_work():
    """Few points to arrange and few resamples: both have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "PAIRS", 5)
        patch.setattr(figures, "PRUNED_PAIRS", 5)
        patch.setattr(bootstrap.resample, "__defaults__", (20,))
        yield


def plain(value):
    """As it is after a way through JSON."""
    return json.loads(json.dumps(value, allow_nan=False))


@pytest.fixture(scope="module")
def result(prepared, trained):
    request = Request([(None, trained("t+t+l"))], prepared, attention_model=trained("g+l+l-attention"))
    return evaluate(request)


def test_the_result_has_the_agreed_form(result, prepared, trained):
    assert (result["model"], result["split"], result["seed"]) == ("t+t+l", "test", 0)
    assert result["data"] == str(prepared)
    assert result["about"]["path"] == str(trained("t+t+l"))
    assert (result["about"]["seed"], result["about"]["tower"]) == (0, "small-cnn")
    assert set(TASKS) <= set(result)
    for direction in ("image-to-recipe", "recipe-to-image"):
        assert {"n", "medR", "R@1", "R@5", "R@10", "ci"} == set(result["retrieval"][direction]["full"])
    controls = result["main-ingredient"]["controls"]
    assert set(controls) == {"random", "balanced", "left", "right", "first-listed", "attention"}
    assert {"n", "model", "controls"} <= set(result["main-ingredient"])
    assert {"sentences", "percent", "strict_percent", "controls", "verbs"} <= set(result["actions"])
    for mode in ("remove-last", "keep-first", "keep-depth", "random"):
        for cell in result["pruning"][mode].values():
            assert {"n", "image-to-recipe", "recipe-to-image"} <= set(cell)
    assert plain(result) == result


def test_each_part_is_what_its_task_gives(result, prepared, trained):
    model = load(trained("t+t+l"))
    test, val = (
        EvaluatedModel("t+t+l", model, open_population(prepared, split)) for split in ("test", "val")
    )
    attention = load(trained("g+l+l-attention"))

    def main(subject):
        other = EvaluatedModel("g+l+l-attention", attention, subject.population)
        return plain(main_ingredient_task(subject, 0, other))

    wanted = retrieval(test.images, test.recipes, test.population.ids, seed=0)
    assert result["retrieval"] == plain(wanted)
    assert result["main-ingredient"] == {**main(test), "validation": main(val)}
    assert result["actions"] == {**actions_task(test, 0), "validation": actions_task(val, 0)}
    assert result["pruning"] == plain(pruning_task(test, 0))


def test_figures(result):
    drawn = result["figures"]
    assert set(drawn) == {"space", "pruning-space", "depths", "trees", "swaps"}
    assert len(drawn["space"]["image"]) == len(drawn["space"]["ids"]) == 5
    assert {tree["kind"] for tree in drawn["trees"]} == {"ingredients", "sentence"}


def test_the_validation_split_has_no_second_part(prepared, trained):
    found = evaluate(Request([(None, trained("t+t+l"))], prepared, split="val", tasks=["actions"]))
    assert "validation" not in found["actions"]
    assert found["split"] == "val"


def test_pairs_that_cannot_be_done_are_skipped_with_a_reason(result):
    for pair, reason in result["skipped"]["substitution"].items():
        assert "->" in pair
        assert "20 are needed" in reason or "knows no word" in reason
        assert pair not in result["substitution"]
    assert len(result["skipped"]["substitution"]) + sum("->" in key for key in result["substitution"]) == 20
    # The test split alone had too few: all splits are the gallery.
    assert result["substitution"]["gallery"] == {"recipes": 100, "splits": ["test", "train", "val"]}


def test_a_task_that_a_model_cannot_do_is_absent_with_a_reason(prepared, trained):
    found = evaluate(Request([("plain", trained("s+l+l"))], prepared, seed=3))
    assert found["model"] == "plain"
    for task in ("main-ingredient", "pruning", "actions"):
        assert task not in found
        assert "plain reads" in found["skipped"][task]
    assert "retrieval" in found
    assert "substitution" in found
    assert found["substitution"]["queries-from"] == "gold"
    assert set(found["figures"]) == {"space", "swaps"}


def test_several_models_are_compared_pair_by_pair(prepared, trained):
    paths = [trained("t+t+l"), trained("t+t+l", seed=1), trained("s+l+l")]
    tasks = ["retrieval", "main-ingredient", "actions"]
    found = evaluate(Request([(None, path) for path in paths], prepared, tasks=tasks))
    assert list(found) == ["models", "comparisons"]
    assert [(one["model"], one["about"]["seed"]) for one in found["models"]] == [
        ("t+t+l", 0),
        ("t+t+l", 1),
        ("s+l+l", 0),
    ]
    assert [(one["first"], one["second"], one["seeds"]) for one in found["comparisons"]] == [
        ("t+t+l", "t+t+l", [0, 1]),
        ("t+t+l", "s+l+l", [0, 0]),
        ("t+t+l", "s+l+l", [1, 0]),
    ]
    both, one_tree, _ = found["comparisons"]
    first, second, third = found["models"]
    gap = both["retrieval"]["image-to-recipe"]["full"]["R@5"]
    values = [model["retrieval"]["image-to-recipe"]["full"]["R@5"] for model in (first, second)]
    assert gap["difference"] == pytest.approx(values[0] - values[1])
    values = [model["main-ingredient"]["model"]["R@1"] for model in (first, second)]
    assert both["main-ingredient"]["R@1"]["difference"] == pytest.approx(values[0] - values[1])
    values = [model["actions"]["strict_percent"] for model in (first, second)]
    assert both["actions"]["strict_percent"]["difference"] == pytest.approx(values[0] - values[1])
    assert "main-ingredient" not in one_tree
    assert "retrieval" in one_tree
    assert "actions" not in third


def test_acme_has_two_rows_and_can_be_read_as_one(prepared, trained):
    found = evaluate(Request([(None, trained("acme"))], prepared, tasks=["retrieval"]))
    assert [one["model"] for one in found["models"]] == ["acme", "acme (batch statistics)"]
    assert found["retrieval"] == found["models"][0]["retrieval"]
    assert found["retrieval"] != found["models"][1]["retrieval"]
    assert "retrieval" in found["comparisons"][0]


class TestQueries:
    tasks = ("substitution",)

    def chooser(self, *models, data, **values):
        found = evaluate(Request([(None, path) for path in models], data, tasks=self.tasks, **values))
        return [one["substitution"]["queries-from"] for one in found.get("models", [found])]

    def test_the_first_tree_model_chooses_for_all(self, prepared, trained):
        models = [trained("s+l+l"), trained("t+t+l")]
        assert self.chooser(*models, data=prepared) == ["t+t+l", "t+t+l"]

    def test_another_may_be_named(self, prepared, trained):
        named = trained("t+t+l", seed=1)
        assert self.chooser(trained("s+l+l"), data=prepared, queries_from=named) == ["t+t+l"]


def test_a_source_is_evaluated_as_its_prepared_form_is(prepared, trained, result):
    request = Request([(None, trained("t+t+l"))], prepared.parent / "source", tasks=["retrieval", "actions"])
    found = evaluate(request)
    assert found["retrieval"] == result["retrieval"]
    assert found["actions"] == result["actions"]


def test_what_is_done_is_told(prepared, trained):
    told: list[str] = []
    evaluate(Request([(None, trained("t+t+l"))], prepared, tasks=["actions"]), told.append)
    assert told == ["reading test", "t+t+l: actions", "reading val"]


class TestMistakes:
    def test_an_unknown_task(self, prepared, trained):
        with pytest.raises(ChefError, match=r"no task 'retrieve'.*there are: retrieval"):
            Request([(None, trained("t+t+l"))], prepared, tasks=["retrieve"])

    def test_no_model(self, prepared):
        with pytest.raises(ChefError, match="no model to evaluate"):
            Request([], prepared)

    def test_a_folder_without_a_model(self, prepared, tmp_path):
        with pytest.raises(ChefError, match="no model in"):
            evaluate(Request([(None, tmp_path)], prepared))

    def test_a_chooser_without_trees(self, prepared, trained):
        with pytest.raises(ChefError, match="has no ingredient trees"):
            Request([(None, trained("t+t+l"))], prepared, queries_from=trained("s+l+l"))

    def test_an_attention_model_without_attention(self, prepared, trained):
        with pytest.raises(ChefError, match="has no attention over ingredients"):
            Request([(None, trained("t+t+l"))], prepared, attention_model=trained("s+l+l"))

    def test_an_attention_model_that_reads_otherwise(self, prepared, trained, tmp_path):
        other = tmp_path / "other"
        other.mkdir()
        best = trained("g+l+l-attention") / "best"
        for file in best.iterdir():
            (other / file.name).write_bytes(file.read_bytes())
        config = json.loads((other / "config.json").read_text())
        config["text"]["max_words"] = 7
        Path(other / "config.json").write_text(json.dumps(config))
        with pytest.raises(ChefError, match="reads recipes otherwise"):
            Request([(None, trained("t+t+l"))], prepared, attention_model=other)
