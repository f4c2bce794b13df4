"""Names on the page, and the paper's figures: all there, some read once more from its tables."""

from chef.evaluate.results import About, ModelResult
from chef.report.names import PAPER, counted, data_name, listed, of_run, order, shown


def test_models_are_called_as_in_the_paper():
    names = {
        "acme": "ACME",
        "acme (batch statistics)": "ACME, batch norm in training mode",
        "g+l+l-attention": "G+L+L with attention",
        "t+t+l": "T+T+L",
        "my own": "my own",
    }
    assert {name: shown(name) for name in names} == names
    assert sorted(sorted(names), key=order) == list(names)  # the order of the paper's tables


def test_words():
    assert [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
    assert [counted(1, "query", "queries"), counted(1200, "recipe")] == ["1 query", "1,200 recipes"]
    run = ModelResult(model="t+t+l", data="kitchen", split="test", about=About(seed=3))
    assert of_run(run) == "T+T+L (training seed 3)"
    addresses = {"some/folder": "folder", "open": "open", "https://host/a/b": "https://host/a/b"}
    assert {data: data_name(data) for data in addresses} == addresses


MODELS = "pic2rec acme s+l+l s+t+t g+l+l-attention g+t+l g+t+t t+l+l t+l+t t+t+l t+t+t".split()


def test_every_cell_of_table_1_and_s1_is_there():
    assert list(PAPER["retrieval"]) == MODELS
    for model in PAPER["retrieval"].values():
        for direction in ("image-to-recipe", "recipe-to-image"):
            for size in ("1k", "10k"):
                cell = model[direction][size]
                assert list(cell) == ["medR", "R@1", "R@5", "R@10"]
                assert cell["medR"] >= 1
                assert 0 < cell["R@1"] < cell["R@5"] < cell["R@10"] < 100


def test_every_cell_of_tables_4_5_and_s3_is_there():
    targets = {"chicken", "beef", "pork", "fish", "apple"}
    pairs = {f"{a}->{b}" for a in ("chicken", "pork", "beef") for b in targets - {a}}
    assert list(PAPER["substitution"]) == list(PAPER["median-rank"]) == MODELS
    for model in PAPER["substitution"].values():
        assert set(model) == pairs
        assert all(set(cell) == {"recipe-to-image", "recipe-to-recipe"} for cell in model.values())


def test_some_figures():
    assert PAPER["retrieval"]["t+l+t"]["image-to-recipe"]["1k"]["R@1"] == 49.7
    assert PAPER["retrieval"]["acme"]["recipe-to-image"]["10k"]["medR"] == 8.75
    assert PAPER["main-ingredient"]["tree"]["test"]["R@1"] == 47.0
    assert PAPER["pruning"]["remove-last"]["1"]["image-to-recipe"]["R@1"] == 51.1
    assert PAPER["pruning"]["remove-last"]["2"]["image-to-recipe"]["R@1"] == 50.0  # Table S2 misprints it
    assert PAPER["pruning"]["keep-depth"]["4"]["recipe-to-image"]["R@10"] == 85.9
    assert PAPER["substitution"]["t+t+l"]["pork->fish"] == {"recipe-to-image": 8.4, "recipe-to-recipe": 7.5}
    assert PAPER["actions"]["g+t+l"]["val"] == {"verbs": 229042, "percent": 78.44}
