import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from chef.errors import ChefError
from chef.evaluate import figures
from chef.evaluate.actions import Hits, action_words
from chef.evaluate.evaluated_model import EvaluatedModel
from chef.evaluate.main_ingredient import main_ingredient
from chef.evaluate.population import open_population
from chef.evaluate.protocol import Measured, Request, compare_models, evaluate
from chef.evaluate.pruning import pruning_task
from chef.evaluate.results import (
    TASKS,
    Comparison,
    EachQuery,
    Gallery,
    ModelResult,
    Results,
    Substitution,
    SwapPair,
)
from chef.measure import bootstrap
from chef.measure.ranks import Ranks
from chef.measure.retrieval import retrieval_ranks, summary
from chef.model.artefact import load
from chef.model.tree import Tree
from chef.progress import Progress
from chef.typed_json import to_json


@pytest.fixture(autouse=True, scope="module")
def little_work():
    """Few points to arrange and few resamples: both have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "PAIRS", 5)
        patch.setattr(figures, "PRUNED_PAIRS", 5)
        patch.setattr(bootstrap, "RESAMPLES", 20)
        yield


@pytest.fixture(scope="module")
def result(prepared, trained):
    request = Request([(None, trained("t+t+l"))], prepared, attention_model=trained("g+l+l-attention"))
    return evaluate(request).models[0]


def test_the_result_has_the_agreed_form(result, prepared, trained):
    written = to_json(result)
    assert (written["model"], written["split"], written["seed"]) == ("t+t+l", "test", 0)
    assert written["data"] == str(prepared)
    assert written["about"]["path"] == str(trained("t+t+l"))
    assert (written["about"]["seed"], written["about"]["tower"]) == (0, "small-cnn")
    assert set(TASKS) <= set(written)
    for direction in ("image-to-recipe", "recipe-to-image"):
        assert {"n", "medR", "R@1", "R@5", "R@10", "ci"} == set(written["retrieval"][direction]["full"])
    controls = written["main-ingredient"]["controls"]
    assert set(controls) == {"random", "balanced", "left", "right", "first-listed", "attention"}
    assert {"n", "model", "controls"} <= set(written["main-ingredient"])
    assert {"sentences", "percent", "strict_percent", "controls", "verbs"} <= set(written["actions"])
    for mode in ("remove-last", "keep-first", "keep-depth", "random"):
        for cell in written["pruning"][mode].values():
            assert {"n", "image-to-recipe", "recipe-to-image"} <= set(cell)
    assert set(written["figures"]) == {"space", "pruning-space", "depths", "trees", "swaps"}


def test_what_is_written_is_what_is_read(result, tmp_path):
    path = tmp_path / "result.json"
    path.write_text(json.dumps(Results([result]).to_json(), allow_nan=False))
    assert Results.load(path).models == [result]


def test_each_part_is_what_its_task_gives(result, prepared, trained):
    model = load(trained("t+t+l"))
    test, val = (
        EvaluatedModel("t+t+l", model, open_population(prepared, split)) for split in ("test", "val")
    )
    attention = load(trained("g+l+l-attention"))

    def main(one):
        weights = EvaluatedModel("g+l+l-attention", attention, one.population).attention
        return main_ingredient([text.recipe for text in one.texts], one.ingredient_trees, 0, weights)

    assert result.retrieval == summary(
        retrieval_ranks(test.images, test.recipes, test.population.ids, seed=0)
    )
    assert result.main_ingredient == replace(main(test), validation=main(val))
    assert result.actions == replace(
        action_words(test.sentence_trees, 0), validation=action_words(val.sentence_trees, 0)
    )
    assert result.pruning == pruning_task(test, 0)


def test_labels_and_shuffled_lists(prepared, trained, tmp_path):
    ids = open_population(prepared, "test").ids
    lines = [json.dumps({"id": name, "main": list(range(40))}) for name in ids]
    (tmp_path / "gold.jsonl").write_text("\n".join(lines))
    tasks = ["main-ingredient", "trees"]
    request = Request([(None, trained("t+t+l"))], prepared, tasks=tasks, gold=tmp_path / "gold.jsonl")
    results = evaluate(request)
    (one,) = results.models
    assert (one.main_ingredient.gold.n, one.main_ingredient.gold.shuffled.model["strict"]) == (len(ids), 100)
    assert set(one.trees.parts["ingredients"].shuffled) == {"image-to-recipe", "recipe-to-image"}
    assert one.trees.parts["sentences"].shuffled is None
    (tmp_path / "result.json").write_text(json.dumps(results.to_json(), allow_nan=False))
    assert Results.load(tmp_path / "result.json").models == [one]


def test_the_validation_split_has_no_second_part(prepared, trained):
    results = evaluate(Request([(None, trained("t+t+l"))], prepared, split="val", tasks=["actions"]))
    assert results.models[0].actions.validation is None
    assert results.models[0].split == "val"


def test_pairs_that_cannot_be_done_are_skipped_with_a_reason(result):
    for pair, reason in result.skipped["substitution"].items():
        assert "->" in pair
        assert "20 are needed" in reason or "knows no word" in reason
        assert pair not in result.substitution.pairs
    assert len(result.skipped["substitution"]) + len(result.substitution.pairs) == 20
    # The test split alone had too few: all splits are the gallery.
    assert result.substitution.gallery == Gallery(recipes=100, splits=["test", "train", "val"])


def test_a_task_that_a_model_cannot_do_is_absent_with_a_reason(prepared, trained):
    written = evaluate(Request([("plain", trained("s+l+l"))], prepared, seed=3)).to_json()
    assert (written["model"], written["version"]) == ("plain", 1)
    for task in ("main-ingredient", "pruning", "actions"):
        assert task not in written
        assert "plain reads" in written["skipped"][task]
    assert "retrieval" in written
    assert written["substitution"]["queries-from"] == "gold"
    assert set(written["figures"]) == {"space", "swaps"}


def test_several_models_are_compared_pair_by_pair(prepared, trained):
    paths = [trained("t+t+l"), trained("t+t+l", seed=1), trained("s+l+l")]
    tasks = ["retrieval", "main-ingredient", "actions"]
    results = evaluate(Request([(None, path) for path in paths], prepared, tasks=tasks))
    assert list(results.to_json()) == ["version", "models", "comparisons"]
    assert [(one.model, one.about.seed) for one in results.models] == [
        ("t+t+l", 0),
        ("t+t+l", 1),
        ("s+l+l", 0),
    ]
    assert [(one.first, one.second, one.seeds) for one in results.comparisons] == [
        ("t+t+l", "t+t+l", [0, 1]),
        ("t+t+l", "s+l+l", [0, 0]),
        ("t+t+l", "s+l+l", [1, 0]),
    ]
    both, one_tree, _ = results.comparisons
    first, second, _ = results.models
    values = [one.retrieval["image-to-recipe"]["full"]["R@5"] for one in (first, second)]
    gap = both.retrieval["image-to-recipe"]["full"]["R@5"]
    assert gap.difference == pytest.approx(values[0] - values[1])
    values = [one.main_ingredient.model["R@1"] for one in (first, second)]
    assert both.main_ingredient["R@1"].difference == pytest.approx(values[0] - values[1])
    values = [one.actions.model["strict_percent"] for one in (first, second)]
    assert both.actions["strict_percent"].difference == pytest.approx(values[0] - values[1])
    assert one_tree.retrieval
    assert (one_tree.main_ingredient, one_tree.actions) == (None, None)


def test_acme_has_two_rows_and_can_be_read_as_one(prepared, trained):
    results = evaluate(Request([(None, trained("acme"))], prepared, tasks=["retrieval"]))
    assert [one.model for one in results.models] == ["acme", "acme (batch statistics)"]
    assert results.comparisons[0].retrieval
    written = results.to_json()
    assert written["retrieval"] == written["models"][0]["retrieval"]
    assert written["retrieval"] != written["models"][1]["retrieval"]
    assert "figures" not in written


def test_the_first_tree_model_chooses_the_queries_unless_another_is_named(prepared, trained):
    plain, tree, other = trained("s+l+l"), trained("t+t+l"), trained("t+t+l", seed=1)
    for paths, named, wanted in (((plain, tree), None, ["t+t+l"] * 2), ((plain,), other, ["t+t+l"])):
        models = [(None, path) for path in paths]
        results = evaluate(Request(models, prepared, tasks=["substitution"], queries_from=named))
        assert [one.substitution.queries_from for one in results.models] == wanted


def test_a_source_is_evaluated_as_its_prepared_form_is(prepared, trained, result):
    request = Request([(None, trained("t+t+l"))], prepared.parent / "source", tasks=["retrieval", "actions"])
    (from_source,) = evaluate(request).models
    assert from_source.retrieval == result.retrieval
    assert from_source.actions == result.actions


def test_progress_names_every_step(prepared, trained):
    stages: list[str] = []

    class Recorded(Progress):
        def stage(self, name, total=None, done=0):
            stages.append(name)

    evaluate(Request([(None, trained("t+t+l"))], prepared, tasks=["actions"]), Recorded())
    assert stages == ["reading test", "t+t+l: actions, 1 of 1", "reading val"]


class TestMistakes:
    @pytest.mark.parametrize(
        ("models", "options", "said"),
        [
            (["t+t+l"], {"tasks": ["retrieve"]}, r"no task 'retrieve'.*there are: retrieval"),
            ([], {}, "no model to evaluate"),
            (["t+t+l"], {"queries_from": "s+l+l"}, "has no ingredient trees"),
            (["t+t+l"], {"attention_model": "s+l+l"}, "has no attention over ingredients"),
        ],
    )
    def test_of_the_request(self, prepared, trained, models, options, said):
        options = {name: trained(value) if value == "s+l+l" else value for name, value in options.items()}
        with pytest.raises(ChefError, match=said):
            Request([(None, trained(model)) for model in models], prepared, **options)

    def test_a_folder_without_a_model(self, prepared, tmp_path):
        with pytest.raises(ChefError, match="no model in"):
            evaluate(Request([(None, tmp_path)], prepared))

    def test_an_attention_model_that_reads_otherwise(self, prepared, trained, tmp_path):
        other = shutil.copytree(trained("g+l+l-attention") / "best", tmp_path / "other")
        config = json.loads((other / "config.json").read_text())
        config["text"]["max_words"] = 7
        (other / "config.json").write_text(json.dumps(config))
        with pytest.raises(ChefError, match="reads recipes differently"):
            Request([(None, trained("t+t+l"))], prepared, attention_model=other)


class TestComparison:
    def model(self, name="x", hits=None, **ranks):
        result = ModelResult(model=name, data="kitchen", split="test")
        if hits:
            each = EachQuery(ids=[], hits={"recipe-to-image": hits, "recipe-to-recipe": [0.0] * len(hits)})
            pair = SwapPair(rates=None, put_in="beef", each=each, splits={})
            gallery = Gallery(recipes=1, splits=["test"])
            result.substitution = Substitution(
                pairs={"chicken->beef": pair}, queries_from="gold", gallery=gallery, skipped={}
            )
        return Measured(result, **ranks)

    def test_what_only_one_did_or_did_on_other_recipes_is_not_compared(self):
        ranks = Ranks(np.zeros(3, int), np.ones(3, int))
        first = self.model("a", [1.0, 0.0], main_ingredient=([*"123"], ranks))
        assert compare_models(first, self.model("b"), seed=0) == Comparison(
            first="a", second="b", seeds=[None, None]
        )
        first, second = (
            self.model(main_ingredient=([*"12", other], ranks), actions=Hits([[Tree.left(["fry"])] * n]))
            for n, other in ((1, "3"), (2, "4"))
        )
        comparison = compare_models(first, second, seed=0)
        assert (comparison.main_ingredient, comparison.actions) == (None, None)

    def test_main_ingredient_is_the_first_minus_the_second(self):
        ids = [str(number) for number in range(20)]
        always, never = (Ranks(np.full(20, better), np.ones(20, int)) for better in (0, 5))
        first, second = (self.model(main_ingredient=(ids, ranks)) for ranks in (always, never))
        assert compare_models(first, second, seed=0).main_ingredient["R@1"].difference == 100.0

    def test_substitution_is_compared_on_the_same_queries(self):
        first, second = (self.model(hits=hits * 20) for hits in ([1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.5]))
        tests = compare_models(first, second, seed=0).substitution
        assert list(tests) == ["chicken->beef"]
        assert tests["chicken->beef"]["recipe-to-image"].difference == pytest.approx(37.5)
        assert tests["chicken->beef"]["recipe-to-image"].ci[0] > 0
        assert tests["chicken->beef"]["recipe-to-recipe"].difference == 0.0
